/**
 * Tells keys of JSON objects by what stands behind a place, at any depth of JSON in strings of JSON.
 *
 * @module
 */

/** Longer keys are no structure. */
const LONGEST_KEY = 256;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

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
