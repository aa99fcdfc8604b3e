/**
 * Where a long span may be cut without splitting a character or an escape.
 *
 * @module
 */

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
/** Longest character reference that is kept whole, e.g. `&#x0010FFFF;`. */
const REFERENCE_BYTES = 12;

/** How many bytes a UTF-8 character takes that begins with this byte; 1 for bytes that begin none. */
function characterBytes(lead: number): number {
  if (lead >= 0xf0) return lead < 0xf8 ? 4 : 1;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/**
 * The last index at or before `at` that splits no UTF-8 character.
 *
 * @param low the cut never lies before this index
 */
export function cutText(bytes: Uint8Array, low: number, at: number): number {
  for (let index = at - 1; index >= low && index >= at - 3; index--) {
    const byte = bytes[index] as number;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return index + characterBytes(byte) > at ? index : at;
  }
  return at;
}

/** Index of the first backslash of the run of them that ends at `index`. */
function runStart(bytes: Uint8Array, low: number, index: number): number {
  while (index > low && bytes[index - 1] === BACKSLASH) index--;
  return index;
}

/** Whether the four bytes from `index` on spell a high surrogate, D800 to DBFF. */
function isHighSurrogate(bytes: Uint8Array, index: number): boolean {
  const [first, second] = [(bytes[index] as number) | 0x20, (bytes[index + 1] as number) | 0x20];
  return first === 0x64 && (second === 0x38 || second === 0x39 || second === 0x61 || second === 0x62);
}

/**
 * The last index at or before `at` that splits no UTF-8 character, no JSON escape and no escaped surrogate pair.
 *
 * @param low an index where no escape is under way; the cut never lies before it
 */
export function cutJson(bytes: Uint8Array, low: number, at: number): number {
  const cut = cutText(bytes, low, at);
  for (let index = cut - 1; index >= low && index >= cut - 6; index--) {
    if (bytes[index] !== BACKSLASH) continue;
    const escaped = (index - runStart(bytes, low, index)) % 2 === 1;
    const begin = escaped ? index - 1 : index;
    if (begin < cut - 6) return cut;
    const length = begin + 1 >= cut || bytes[begin + 1] !== LETTER_U ? 2 : 6;
    if (begin + length > cut) return beforePair(bytes, low, begin);
    return length === 6 && begin + 6 === cut && isHighSurrogate(bytes, begin + 2) ? begin : cut;
  }
  return cut;
}

/** Moves a cut in front of an escaped low surrogate to the front of the high one that it completes. */
function beforePair(bytes: Uint8Array, low: number, cut: number): number {
  const begin = cut - 6;
  if (begin < low || bytes[begin] !== BACKSLASH || bytes[begin + 1] !== LETTER_U) return cut;
  const escaped = (begin - runStart(bytes, low, begin)) % 2 === 1;
  return !escaped && isHighSurrogate(bytes, begin + 2) ? begin : cut;
}

/** The last index at or before `at` that splits no UTF-8 character and no XML character reference. */
export function cutXml(bytes: Uint8Array, low: number, at: number): number {
  const cut = cutText(bytes, low, at);
  for (let index = cut - 1; index >= low && index > cut - REFERENCE_BYTES; index--) {
    if (bytes[index] === SEMICOLON) break;
    if (bytes[index] === AMPERSAND) return index;
  }
  return cut;
}
