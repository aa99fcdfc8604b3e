/**
 * Deterministic stand-ins for secrets. Examples are built from them at run time, so that no source file holds a text
 * that a secret scanner would report.
 *
 * @module
 */

/** Decimal digits. */
export const DIGITS = "0123456789";
/** Hexadecimal digits, lower case. */
export const HEX = `${DIGITS}abcdef`;
/** Hexadecimal digits, upper case. */
export const UPPER_HEX = `${DIGITS}ABCDEF`;
/** Letters and digits, lower case. */
export const LOWER_ALNUM = `${DIGITS}abcdefghijklmnopqrstuvwxyz`;
/** Letters and digits, upper case. */
export const UPPER_ALNUM = `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
/** Letters and digits of both cases. */
export const ALNUM = `${LOWER_ALNUM}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
/** The alphabet of base64, without padding. */
export const BASE64 = `${ALNUM}+/`;
/** The alphabet of base64url, without padding. */
export const BASE64URL = `${ALNUM}-_`;
/** The alphabet of base32 (RFC 4648), without padding. */
export const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A small generator (mulberry32): the same seed gives the same numbers in [0, 1) on every platform. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Whether two characters follow each other as in `aa`, `ab` or `ba`: what placeholders are made of. */
function adjacent(left: string, right: string): boolean {
  return Math.abs(left.charCodeAt(0) - right.charCodeAt(0)) <= 1;
}

/**
 * `length` characters of `alphabet`, always the same ones for the same arguments. Characters are dealt like cards, so
 * that even a short sample has nearly the most entropy its alphabet allows, and neighbours never look like a sequence.
 *
 * @example
 * ```ts
 * import { HEX, sample } from "./sample.ts";
 *
 * const made = sample(HEX, 32);
 * ```
 */
export function sample(alphabet: string, length: number, seed = 1): string {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) + length);
  let deck: string[] = [];
  let made = "";
  while (made.length < length) {
    if (deck.length === 0) deck = [...alphabet];
    const last = made.at(-1);
    const start = Math.floor(random() * deck.length);
    let pick = start;
    if (last !== undefined) {
      // The first card from a random place on that does not continue a sequence; any card when none is left.
      const fits = deck.findIndex((_, step) => !adjacent(last, deck[(start + step) % deck.length] ?? last));
      pick = fits < 0 ? start : (start + fits) % deck.length;
    }
    made += deck.splice(pick, 1)[0] ?? "";
  }
  return made;
}
