/**
 * Tells structure from text by what stands around a place, at any depth of JSON in strings of JSON.
 *
 * @module
 */

/** Longer keys are no structure. */
const LONGEST_KEY = 256;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SLASH = 0x2f;
const LESS = 0x3c;

/** Whether the string in which a place ends at `end` is followed by a colon. */
export function isInKey(units: Uint8Array, end: number): boolean {
  const most = Math.min(units.length, end + LONGEST_KEY);
  let at = end;
  while (at < most && units[at] !== QUOTE) at++;
  if (at === most) return false;
  at++;
  // Line breaks and tabs of JSON in a string are written `\n` and `\t`.
  while (at < most && (units[at] as number <= 0x20 || isEscapedSpace(units, at))) at += units[at] === BACKSLASH ? 2 : 1;
  return units[at] === COLON;
}

function isEscapedSpace(units: Uint8Array, at: number): boolean {
  return units[at] === BACKSLASH && [0x6e, 0x72, 0x74].includes(units[at + 1] as number);
}

/** Whether a place is all of a string, all of a cell, or the name of an XML element. */
export function isWhole(units: Uint8Array, start: number, end: number): boolean {
  if (start === 0) return end === units.length;
  const before = units[start - 1];
  if (before === LESS || (before === SLASH && units[start - 2] === LESS)) return true;
  let at = end;
  while (units[at] === BACKSLASH) at++;
  return before === QUOTE && units[at] === QUOTE;
}
