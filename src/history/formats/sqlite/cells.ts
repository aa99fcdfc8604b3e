/**
 * The strings of one cell: text, JSON, or bytes of any kind, compressed or not.
 *
 * @module
 */
import { createReader, createReaderAt } from "../reader.ts";
import type { Emit, StringReader } from "../strings.ts";
import type { Encoding } from "../window.ts";
import { type Compression, detectCompression, inflate, INFLATED_LIMIT } from "./inflate.ts";
import { gather, type Value } from "./record.ts";

/** Most bytes looked at to tell JSON from text. */
const SNIFFED_BYTES = 64;
/** How much of a decompressed cell is read in one step. */
const STEP_BYTES = 256 * 1024;

/** Whether a beginning looks like that of a JSON document, in any encoding. */
function looksLikeJson(bytes: Uint8Array): boolean {
  for (const byte of bytes.subarray(0, SNIFFED_BYTES)) {
    // The marks and zero bytes of UTF-16 and the mark of UTF-8 stand in front of, or between, the characters.
    if (byte <= 0x20 || byte >= 0xbb) continue;
    return byte === 0x7b || byte === 0x5b || byte === 0x22;
  }
  return false;
}

function createCellReader(emit: Emit, first: Uint8Array, encoding: Encoding | undefined, size: number): StringReader {
  const format = looksLikeJson(first) ? "json" : "text";
  if (encoding === undefined) return createReader(format, emit, { size });
  return createReaderAt(format, emit, { encoding, origin: 0, line: 1, wants: () => true, size });
}

/** Reads the rest of a value from its first bytes on, one piece a step. */
function* readPlain(emit: Emit, value: Value, first: Uint8Array, encoding: Encoding | undefined): Generator<void> {
  const reader = createCellReader(emit, first, encoding, value.length);
  for (let piece = first; piece.length > 0; piece = value.next()) {
    reader.push(piece);
    yield;
  }
  reader.end();
}

/** Reads the rest of a compressed value from its first bytes on. */
function* readCompressed(emit: Emit, value: Value, first: Uint8Array, kind: Compression): Generator<void, boolean> {
  if (value.length > INFLATED_LIMIT) return false;
  const { pieces, sound } = inflate(gather(first, value), kind);
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const begin = pieces.find((piece) => piece.length > 0);
  if (begin === undefined) return sound;
  const reader = createCellReader(emit, begin, undefined, size);
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += STEP_BYTES) {
      reader.push(piece.subarray(at, at + STEP_BYTES));
      yield;
    }
  }
  reader.end();
  return sound;
}

/**
 * Gives out the strings of a text or blob, in steps of bounded work.
 *
 * @param encoding of the database's texts
 * @returns false where a compressed cell could not be read to its end
 */
export function* readCell(emit: Emit, value: Value, encoding: Encoding): Generator<void, boolean> {
  const first = value.next();
  const compression = value.kind === "blob" ? detectCompression(first) : undefined;
  if (compression !== undefined) return yield* readCompressed(emit, value, first, compression);
  yield* readPlain(emit, value, first, value.kind === "text" ? encoding : undefined);
  return true;
}
