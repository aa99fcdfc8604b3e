/**
 * Reads compressed history files.
 *
 * @module
 */
import { createReadStream } from "node:fs";
import { createZstdDecompress } from "node:zlib";
import { DAMAGED, refusal, TRUNCATED } from "./reasons.ts";
import { type Frame, framesOf } from "./zstd_frames.ts";

/** Raised when the file, not its content, is what could not be read. */
interface Refusal {
  readonly error: unknown;
}

/** The unpacked bytes of one frame; returns why it could not be read from the file, if so. */
async function* unpackFrame(path: string, { start, end }: Frame): AsyncGenerator<Uint8Array, Refusal | undefined> {
  const decoder = createZstdDecompress();
  const source = createReadStream(path, { start, end: end - 1 });
  let refused: Refusal | undefined;
  source.on("error", (error) => {
    refused = { error };
    decoder.destroy(error);
  });
  source.pipe(decoder);
  try {
    for await (const chunk of decoder) yield chunk;
  } catch (error) {
    if (refused === undefined) throw error;
  } finally {
    source.destroy();
    decoder.destroy();
  }
  return refused;
}

/**
 * The unpacked bytes of a Zstandard file, piece by piece, in bounded memory whatever they unpack to. What comes before damage is
 * given, and the damage reported.
 *
 * Needs read permission for the file. A missing one is reported, not thrown.
 *
 * @param path Absolute path.
 * @param report Takes the reason why not all of it could be read, if any.
 * @example
 * ```ts
 * import { unpackZstd } from "./mod.ts";
 *
 * for await (const bytes of unpackZstd("/home/ada/.codex/sessions/rollout-1.jsonl.zst", console.error)) {
 *   console.log(bytes.length);
 * }
 * ```
 */
export async function* unpackZstd(path: string, report: (reason: string) => void): AsyncGenerator<Uint8Array> {
  let frames: Frame[];
  try {
    frames = framesOf(path);
  } catch (error) {
    return report(refusal(error, path));
  }
  // The decoder takes the end of a frame for the end of the file, and a torn frame for a whole one.
  for (const frame of frames) {
    try {
      const refused = yield* unpackFrame(path, frame);
      if (refused !== undefined) return report(refusal(refused.error, path));
    } catch {
      return report(DAMAGED);
    }
    if (!frame.whole) report(TRUNCATED);
  }
}
