/**
 * The values of a row.
 *
 * @module
 */
import type { Payload } from "./btree.ts";
import { varint } from "./bytes.ts";

/** A value that has bytes. */
export interface Value {
  /** Which of the row's stored values it is, from 0. */
  readonly index: number;
  /** Text in the database's encoding, a blob, or a big-endian integer. Constants, floats and nulls are passed over. */
  readonly kind: "text" | "blob" | "integer";
  /** Its length in bytes. */
  readonly length: number;
  /** Its next bytes, however many there are at once; empty behind the end. */
  readonly next: () => Uint8Array;
}

/** Widest header that is read; 32,767 columns, more than a table can have, need less. */
const HEADER_LIMIT = 300_000;
/** Bytes of the values of types 0 to 11: null, integers, a float, the constants 0 and 1, two that are not in use. */
const FIXED_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0];
const FIRST_BLOB_TYPE = 12;
const LAST_INTEGER_TYPE = 6;

/** Takes a copy of as many bytes as asked for; fewer only where the payload ends. */
function take(payload: Payload, length: number): Uint8Array {
  const all = new Uint8Array(length);
  let got = 0;
  while (got < length) {
    const piece = payload.next(length - got);
    if (piece.length === 0) break;
    all.set(piece, got);
    got += piece.length;
  }
  return all.subarray(0, got);
}

/** The types of the values that follow, and how many bytes those take. */
interface Header {
  readonly types: Uint8Array;
  readonly body: number;
}

/** Reads the header of a row; undefined where it is none. */
function readHeader(payload: Payload): Header | undefined {
  const bytes: number[] = [];
  do {
    const [byte] = payload.next(1);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  } while ((bytes.at(-1) as number) >= 0x80 && bytes.length < 9);
  const { value: length } = varint(Uint8Array.from(bytes), 0);
  if (length < bytes.length || length > Math.min(payload.length, HEADER_LIMIT)) return undefined;
  const types = take(payload, length - bytes.length);
  return types.length === length - bytes.length ? { types, body: payload.length - length } : undefined;
}

/** The bytes of one value; what is not taken of them can be skipped. */
function createSlice(payload: Payload, length: number): { next: () => Uint8Array } {
  let left = length;
  return {
    next() {
      if (left === 0) return new Uint8Array(0);
      const piece = payload.next(left);
      left = piece.length === 0 ? 0 : left - piece.length;
      return piece;
    },
  };
}

function kindOf(type: number): Value["kind"] | undefined {
  if (type >= FIRST_BLOB_TYPE) return type % 2 === 1 ? "text" : "blob";
  return type <= LAST_INTEGER_TYPE ? "integer" : undefined;
}

/** Yields the values of a row that have bytes. */
export function* readValues(payload: Payload, damaged: () => void): Generator<Value> {
  if (payload.length === 0) return;
  const header = readHeader(payload);
  if (header === undefined) return damaged();
  let left = header.body;
  for (let at = 0, index = 0; at < header.types.length; index++) {
    const { value: type, next } = varint(header.types, at);
    at = next;
    const kind = kindOf(type);
    const length = type < FIRST_BLOB_TYPE ? FIXED_BYTES[type] as number : Math.floor((type - FIRST_BLOB_TYPE) / 2);
    if (length > left) return damaged();
    left -= length;
    const slice = createSlice(payload, length);
    if (kind !== undefined && length > 0) yield { index, kind, length, next: slice.next };
    while (slice.next().length > 0);
  }
  if (left > 0) damaged();
}

/** All bytes of a value whose first ones were taken, as one array; only for values known to be of bounded size. */
export function gather(first: Uint8Array, value: Value): Uint8Array {
  const all = new Uint8Array(value.length);
  let got = 0;
  for (let piece = first; piece.length > 0; piece = value.next()) {
    all.set(piece, got);
    got += piece.length;
  }
  return all.subarray(0, got);
}
