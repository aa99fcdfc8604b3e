/**
 * Reads compressed history files.
 *
 * @module
 */
import { Readable } from "node:stream";
import { createZstdDecompress, zstdDecompressSync } from "node:zlib";
import { type HistoryHandle, isOpen, isSystemError, openHistory, type OpenOptions, problemOf } from "./formats/open.ts";
import type { Report } from "./formats/problem.ts";
import { DAMAGED, TRUNCATED } from "./reasons.ts";
import { type Frame, framesOf } from "./zstd_frames.ts";

const PIECE_BYTES = 64 * 1024;

/** The packed bytes of one frame. */
function* pieces(file: HistoryHandle, { start, end }: Frame): Generator<Uint8Array> {
  for (let offset = start; offset < end;) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, end - offset));
    const got = file.read(piece, offset);
    if (got === 0) return;
    yield piece.subarray(0, got);
    offset += got;
  }
}

/** Most packed bytes of a frame that is unpacked at once, and most bytes that it may become. */
const AT_ONCE = { packed: 32 * 1024 * 1024, unpacked: 64 * 1024 * 1024 };

/**
 * The unpacked bytes of one frame, at once where they are few enough.
 *
 * On a damaged frame the stream of Deno's `node:zlib` throws where nothing can catch it and ends the process. Only a
 * frame that is whole up to a large size is given to it; what is damaged behind that still ends the thread, which is one
 * reason why histories are scanned in workers.
 */
async function* unpackFrame(file: HistoryHandle, frame: Frame): AsyncGenerator<Uint8Array> {
  const size = frame.end - frame.start;
  if (size <= AT_ONCE.packed) {
    const packed = new Uint8Array(size);
    const got = file.read(packed, frame.start);
    try {
      return yield zstdDecompressSync(packed.subarray(0, got), { maxOutputLength: AT_ONCE.unpacked });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  yield* unpackStream(file, frame);
}

/** The unpacked bytes of one frame, piece by piece. */
async function* unpackStream(file: HistoryHandle, frame: Frame): AsyncGenerator<Uint8Array> {
  const decoder = createZstdDecompress();
  const source = Readable.from(pieces(file, frame));
  source.on("error", (error) => decoder.destroy(error));
  source.pipe(decoder);
  try {
    for await (const chunk of decoder) yield chunk;
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

/**
 * The unpacked bytes of a Zstandard file, piece by piece, in bounded memory whatever they unpack to. What comes before
 * damage is given, and the damage reported.
 *
 * Needs `--allow-read` for the file. A link, a pipe or a missing file is reported, not thrown.
 *
 * @param path Absolute path.
 * @param report Takes what could not be read.
 * @example
 * ```ts
 * import { unpackZstd } from "./mod.ts";
 *
 * for await (const bytes of unpackZstd("/home/ada/.codex/sessions/rollout-1.jsonl.zst", console.error)) {
 *   console.log(bytes.length);
 * }
 * ```
 */
export async function* unpackZstd(
  path: string,
  report: Report,
  options: OpenOptions = {},
): AsyncGenerator<Uint8Array> {
  const file = openHistory(path, options);
  if (!isOpen(file)) return report(file);
  try {
    // The decoder takes the end of a frame for the end of the file, and a torn frame for a whole one.
    for (const frame of framesOf(file)) {
      yield* unpackFrame(file, frame);
      if (!frame.whole) report({ kind: "compressed", reason: TRUNCATED });
    }
  } catch (error) {
    report(isSystemError(error) ? problemOf(error) : { kind: "compressed", reason: DAMAGED });
  } finally {
    file.close();
  }
}
