/**
 * The part of an input that a reader still needs, seen as one byte a character unit.
 *
 * UTF-16 is squeezed: every ASCII unit is shown as its byte, the others as bytes above 0x7f. Tokenizers therefore work
 * on UTF-8 and UTF-16 alike, and a span found in the squeezed view is a span of the file after multiplication.
 *
 * @module
 */

import { Buffer } from "node:buffer";

/** How the input encodes characters. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** A sliding view of an input. Positions are absolute: units since the first one behind the byte order mark. */
export interface Window {
  /** The units held, from {@linkcode Window.base} on; valid up to {@linkcode Window.limit} less the base. */
  readonly units: Uint8Array;
  /** Position of the first unit held. */
  readonly base: number;
  /** Position behind the last unit held. */
  readonly limit: number;
  /** Takes as much of the chunk as there is room for and returns how many bytes that was. */
  append(chunk: Uint8Array): number;
  /** Forgets what stands before the position. */
  drop(position: number): void;
  /** The text between two positions; what is not valid becomes U+FFFD. */
  decode(from: number, to: number): string;
  /** Offset in the input of the unit at a position. */
  offset(position: number): number;
  /** Says that the window is not needed any more and will not be touched. */
  release(): void;
}

const REPLACED = 0xff;
const LEAD = 0xc2;
const CONTINUATION = 0x80;

/** A one-byte stand-in for a UTF-16 unit; surrogates look like the two bytes of one UTF-8 character. */
function squeeze(unit: number): number {
  if (unit < 0x80) return unit;
  if (unit >= 0xd800 && unit < 0xdc00) return LEAD;
  if (unit >= 0xdc00 && unit < 0xe000) return CONTINUATION;
  return REPLACED;
}

/**
 * Creates a window.
 *
 * @param capacity most units that it holds
 * @param encoding of the input
 * @param origin offset in the input of the first unit, behind a byte order mark
 */
export function createWindow(capacity: number, encoding: Encoding, origin: number): Window {
  if (encoding === "utf-8") return narrowWindow(capacity, origin);
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return wideWindow(capacity, encoding === "utf-16le" ? 0 : 1, decoder, origin);
}

const SMALL_BYTES = 64 * 1024;
const MOST_SMALL = 4;
/** Memory of released windows. A database has many small cells, each of which is an input. */
const small: Buffer[] = [];

function narrowWindow(capacity: number, origin: number): Window {
  // A buffer decodes short strings, of which histories are full, in half the time of a TextDecoder.
  const decoder = (capacity <= SMALL_BYTES ? small.pop() : undefined) ?? Buffer.alloc(Math.max(capacity, SMALL_BYTES));
  const units = new Uint8Array(decoder.buffer, decoder.byteOffset, decoder.length);
  let base = 0;
  let limit = 0;
  let released = false;
  return {
    units,
    get base() {
      return base;
    },
    get limit() {
      return limit;
    },
    append(chunk) {
      const held = limit - base;
      const taken = Math.min(chunk.length, units.length - held);
      units.set(taken === chunk.length ? chunk : chunk.subarray(0, taken), held);
      limit += taken;
      return taken;
    },
    drop(position) {
      if (position <= base) return;
      units.copyWithin(0, position - base, limit - base);
      base = position;
    },
    decode: (from, to) => decoder.toString("utf8", from - base, to - base),
    offset: (position) => origin + position,
    release() {
      if (!released && units.length === SMALL_BYTES && small.length < MOST_SMALL) small.push(decoder);
      released = true;
    },
  };
}

function wideWindow(capacity: number, lowByte: 0 | 1, decoder: TextDecoder, origin: number): Window {
  const units = new Uint8Array(capacity);
  const raw = new Uint8Array(2 * capacity);
  const highByte = 1 - lowByte;
  let base = 0;
  let limit = 0;
  let rawLength = 0;
  return {
    units,
    get base() {
      return base;
    },
    get limit() {
      return limit;
    },
    append(chunk) {
      const taken = Math.min(chunk.length, raw.length - rawLength);
      raw.set(chunk.subarray(0, taken), rawLength);
      rawLength += taken;
      const held = rawLength >> 1;
      for (let unit = limit - base; unit < held; unit++) {
        units[unit] = squeeze((raw[2 * unit + lowByte] as number) | (raw[2 * unit + highByte] as number) << 8);
      }
      limit = base + held;
      return taken;
    },
    drop(position) {
      if (position <= base) return;
      units.copyWithin(0, position - base, limit - base);
      raw.copyWithin(0, 2 * (position - base), rawLength);
      rawLength -= 2 * (position - base);
      base = position;
    },
    decode: (from, to) => decoder.decode(raw.subarray(2 * (from - base), 2 * (to - base))),
    offset: (position) => origin + 2 * position,
    release: () => {},
  };
}

/** How an input begins: its encoding, and how many bytes of a byte order mark to skip. */
export interface Opening {
  /** The encoding that the first bytes show. */
  readonly encoding: Encoding;
  /** Length of the byte order mark in bytes, 0 where there is none. */
  readonly mark: number;
}

/** How many bytes {@linkcode detectEncoding} needs to see, unless the input is shorter. */
export const OPENING_BYTES = 4;

/** Reads the encoding off the first bytes: a byte order mark, or the zero bytes of ASCII in UTF-16. */
export function detectEncoding(bytes: Uint8Array): Opening {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: "utf-8", mark: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: "utf-16le", mark: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: "utf-16be", mark: 2 };
  if (a && b === 0 && c && d === 0) return { encoding: "utf-16le", mark: 0 };
  if (a === 0 && b && c === 0 && d) return { encoding: "utf-16be", mark: 0 };
  return { encoding: "utf-8", mark: 0 };
}
