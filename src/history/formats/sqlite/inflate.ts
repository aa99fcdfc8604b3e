/**
 * Compressed cells.
 *
 * They are decompressed at once and up to a limit, not as a stream: on a damaged frame the zstd stream of Deno's
 * `node:zlib` throws where nothing can catch it.
 *
 * @module
 */
import { constants, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";

/** How a cell is compressed. */
export type Compression = "zstd" | "gzip" | "zlib";

/** Most bytes of a compressed cell, and most that it may become. */
export const INFLATED_LIMIT = 128 * 1024 * 1024;

/** What was decompressed. */
export interface Inflated {
  /** The bytes, piece by piece. */
  readonly pieces: readonly Uint8Array[];
  /** False where the input is cut, damaged or larger than the limit: then something is missing. */
  readonly sound: boolean;
}

/** Tells by its first bytes whether a cell is compressed. */
export function detectCompression(bytes: Uint8Array): Compression | undefined {
  const [a = 0, b = 0, c, d] = bytes;
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return "zstd";
  if (a === 0x1f && b === 0x8b && c === 0x08) return "gzip";
  return a === 0x78 && (a << 8 | b) % 31 === 0 && (b & 0x20) === 0 ? "zlib" : undefined;
}

/** Little-endian number of up to four bytes; bytes that are missing count as zero. */
function little(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

const ZSTD_MAGIC = 0xfd2fb528;
const ZSTD_SKIPPED = 0x184d2a50;
const RLE_BLOCK = 1;

/** A zstd frame. */
interface Frame {
  /** Index behind it; past the end of the input where the frame is cut. */
  readonly end: number;
  /** Whether it holds data, which skippable frames do not. */
  readonly data: boolean;
  /** How many bytes it says that it becomes; undefined where it does not say. */
  readonly size: number | undefined;
}

/** Reads the frame that begins at an index; undefined where none does. */
function readFrame(bytes: Uint8Array, from: number): Frame | undefined {
  const magic = little(bytes, from, 4);
  if ((magic & ~0xf) === ZSTD_SKIPPED) {
    return { end: from + 8 + little(bytes, from + 4, 4), data: false, size: undefined };
  }
  if (magic !== ZSTD_MAGIC) return undefined;
  const flags = bytes[from + 4] ?? 0;
  const single = flags >> 5 & 1;
  const sizeBytes = [single, 2, 4, 8][flags >> 6] as number;
  const sizeAt = from + 5 + (1 - single) + ([0, 1, 2, 4][flags & 3] as number);
  const size = sizeBytes === 0 ? undefined : little(bytes, sizeAt, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  let at = sizeAt + sizeBytes;
  for (let last = 0; last === 0;) {
    if (at + 3 > bytes.length) return { end: bytes.length + 1, data: true, size };
    const block = little(bytes, at, 3);
    last = block & 1;
    at += 3 + ((block >> 1 & 3) === RLE_BLOCK ? 1 : block >> 3);
  }
  return { end: at + (flags >> 2 & 1) * 4, data: true, size };
}

/** Far more than anything writes into a cell; each costs a call, whatever it holds. */
const MOST_FRAMES = 65_536;

/** The decompressor of `node:zlib` stops behind the first frame of several, and takes a cut frame for a whole one. */
function inflateZstd(bytes: Uint8Array, limit: number): Inflated {
  const pieces: Uint8Array[] = [];
  let left = limit;
  let frames = 0;
  for (let at = 0; at < bytes.length;) {
    const frame = readFrame(bytes, at);
    if (frame === undefined || ++frames > MOST_FRAMES) return { pieces, sound: false };
    if (frame.data) {
      try {
        const piece = zstdDecompressSync(bytes.subarray(at, frame.end), { maxOutputLength: left });
        left -= piece.length;
        pieces.push(piece);
        if (frame.size !== undefined && frame.size !== piece.length) return { pieces, sound: false };
      } catch {
        return { pieces, sound: false };
      }
    }
    if (frame.end > bytes.length) return { pieces, sound: false };
    at = frame.end;
  }
  return { pieces, sound: true };
}

function inflateDeflate(bytes: Uint8Array, unpack: typeof gunzipSync, limit: number): Inflated {
  try {
    return { pieces: [unpack(bytes, { maxOutputLength: limit })], sound: true };
  } catch {
    try {
      const begun = unpack(bytes, { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH });
      return { pieces: [begun], sound: false };
    } catch {
      return { pieces: [], sound: false };
    }
  }
}

/** Decompresses as much as can be. */
export function inflate(bytes: Uint8Array, compression: Compression, limit: number = INFLATED_LIMIT): Inflated {
  if (bytes.length > limit) return { pieces: [], sound: false };
  if (compression === "zstd") return inflateZstd(bytes, limit);
  return inflateDeflate(bytes, compression === "gzip" ? gunzipSync : inflateSync, limit);
}
