/**
 * A reading of bytes in which escapes of every kind and depth are undone at once.
 *
 * @module
 */

/** Bytes read, each with the place that it was read from. */
export interface Reading {
  /** The bytes; valid up to `length`, and until the next reading. */
  readonly bytes: Uint8Array;
  /** Offset in the input of each byte; at `length`, of the end. */
  readonly starts: Int32Array;
  /** How many bytes there are. */
  readonly length: number;
}

/** Reads inputs of bounded length. */
export interface Canon {
  /** Reads `input[from, to)`. */
  read(input: Uint8Array, from: number, to: number): Reading;
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const LETTER_U = 0x75;

const CONTROLS: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, b: 0x08, f: 0x0c };
const SIGNS = new Int16Array(256).fill(-1);
for (const [letter, code] of Object.entries(CONTROLS)) SIGNS[letter.charCodeAt(0)] = code;
for (const sign of `"'/`) SIGNS[sign.charCodeAt(0)] = sign.charCodeAt(0);

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** Longest reference, from `&` to `;`. */
const LONGEST_REFERENCE = 12;

/**
 * Creates a canon for inputs of up to `capacity` bytes.
 *
 * - a run of backslashes and what it escapes in JSON is that character; before anything else it is one backslash
 * - `%HH` is that byte, also where the percent sign is itself encoded
 * - a reference of XML is its character
 */
export function createCanon(capacity: number): Canon {
  const bytes = new Uint8Array(capacity + 8);
  const starts = new Int32Array(capacity + 9);
  let length = 0;

  function put(byte: number, start: number): void {
    starts[length] = start;
    bytes[length++] = byte;
  }

  function putCharacter(code: number, start: number): void {
    if (code < 0x80) return put(code, start);
    for (const byte of new TextEncoder().encode(String.fromCodePoint(code))) put(byte, start);
  }

  /** Reads what begins with a backslash, and returns where it ends. */
  function readEscape(input: Uint8Array, start: number, to: number): number {
    let at = start;
    while (at < to && input[at] === BACKSLASH) at++;
    const sign = at < to ? input[at] as number : 0;
    if (sign === LETTER_U) {
      const unit = hex(input, at + 1, 4, to);
      if (unit >= 0) {
        const low = (unit & 0xfc00) === 0xd800 ? lowSurrogate(input, at + 5, to) : null;
        if (low === null) {
          putCharacter(unit, start);
          return at + 5;
        }
        putCharacter(0x10000 + ((unit & 0x3ff) << 10 | low.unit & 0x3ff), start);
        return low.end;
      }
    }
    const control = at < to ? SIGNS[sign] as number : -1;
    put(control >= 0 ? control : BACKSLASH, start);
    return control >= 0 ? at + 1 : at;
  }

  function read(input: Uint8Array, from: number, to: number): Reading {
    length = 0;
    for (let at = from; at < to;) {
      const byte = input[at] as number;
      if (byte === BACKSLASH) at = readEscape(input, at, to);
      else if (byte === PERCENT) {
        let digits = at + 1;
        let code = hex(input, digits, 2, to);
        while (code === PERCENT && hex(input, digits + 2, 2, to) >= 0) {
          digits += 2;
          code = hex(input, digits, 2, to);
        }
        put(code >= 0 ? code : byte, at);
        at = code >= 0 ? digits + 2 : at + 1;
      } else if (byte === AMPERSAND) {
        const reference = referenceAt(input, at, to);
        if (reference === null) put(byte, at++);
        else {
          putCharacter(reference.code, at);
          at = reference.end;
        }
      } else put(byte, at++);
    }
    starts[length] = to;
    return { bytes, starts, length };
  }
  return { read };
}

/** The number that hexadecimal digits stand for, or -1. */
function hex(input: Uint8Array, at: number, digits: number, to: number): number {
  if (at + digits > to) return -1;
  let value = 0;
  for (let index = at; index < at + digits; index++) {
    const byte = input[index] as number;
    const digit = byte >= 0x30 && byte <= 0x39
      ? byte - 0x30
      : (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66
      ? (byte | 0x20) - 0x57
      : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function lowSurrogate(input: Uint8Array, from: number, to: number): { unit: number; end: number } | null {
  let at = from;
  while (at < to && input[at] === BACKSLASH) at++;
  if (at === from || input[at] !== LETTER_U) return null;
  const unit = hex(input, at + 1, 4, to);
  return (unit & 0xfc00) === 0xdc00 ? { unit, end: at + 5 } : null;
}

function referenceAt(input: Uint8Array, start: number, to: number): { code: number; end: number } | null {
  const text = String.fromCharCode(...input.subarray(start, Math.min(to, start + LONGEST_REFERENCE)));
  const [whole = "", decimal, digits, name = ""] =
    /^&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/.exec(text) ??
      [];
  if (whole === "") return null;
  const named = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  const code = decimal !== undefined
    ? Number(decimal)
    : digits !== undefined
    ? Number.parseInt(digits, 16)
    : named?.charCodeAt(0) ?? -1;
  return code < 0 || code > 0x10ffff ? null : { code, end: start + whole.length };
}
