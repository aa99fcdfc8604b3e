/**
 * Where in a file copies of a secret are looked for. Anybody who can put a text into a history can have a scan take a word
 * such as `message` for a password; were all its copies replaced, the keys and roles of all records would go with it.
 *
 * @module
 */

/** How far copies of a value are replaced. */
export type Reach =
  /** Everywhere in the file. */
  | "everywhere"
  /** Everywhere but in the keys of JSON objects. */
  | "values"
  /** Inside longer texts: neither keys, nor names of XML, nor what a whole string or cell consists of. */
  | "prose"
  /** Nowhere but at the place where the scan found it. */
  | "place";

/** Shorter values are a coincidence. */
const SHORTEST = 4;
/** Below this length a value must be as mixed as chance makes it. */
const SHORT = 8;
/** From this length on words are a pass phrase rather than a name. */
const PHRASE = 24;
/** Digits alone, from this many on, are no year, date, port or size. */
const MANY_DIGITS = 9;
/** Characters a piece, on average, from which on a value reads like words; random letters and digits come to 1.5. */
const WORDY = 3;
const WORDY_SHORT = 2;
/** Where small letters, capitals and digits meet. */
const WORDY_MIXED = 4;

/** A word in one case or with a capital, or a number. */
const PIECES = /\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+|\d+/gu;
/** No language's word, whatever it means. */
const CONSONANTS = /[b-df-hj-np-tv-xz]{6}/i;
/** Digits among letters more than once, as names with a version do not have them. */
const AMID = /\p{L}\d+\p{L}+\d+\p{L}/u;
/** Vowels a letter: English comes to 0.4, chance to 0.23. */
const FEWEST_VOWELS = 0.2;
/** Hexadecimal digits in which letters and digits mix: no word is that long. */
const DIGEST = /^(?=.*\d)(?=.*[a-f])[\da-f-]{12,}$/i;
/** A time: each record has one. */
const TIME = /^\d{4}-\d\d-\d\d[T ][\d:.,]{4,20}(?:Z|[+-]\d\d:?\d\d)?$/;
/** What names, paths, addresses, versions and times are made of. */
const NAME = /^[\p{L}\p{M}\d\s_./:@-]*$/u;

/**
 * How far copies of `value` are replaced. It is cut into words and numbers, at every change from a small letter to a
 * capital, to a digit, or to a sign. It may be an ordinary name where
 *
 * - the pieces are three characters long on average (two in a value of fewer than eight characters, four where small
 *   letters, capitals and digits meet),
 * - no sign stands in it that names, paths, versions and times do not have,
 * - it can be spoken: enough vowels, no six consonants in a row, digits among letters at most once, no digest.
 *
 * From 24 characters on such a value is taken for a pass phrase. Times, short numbers and what has fewer than four
 * characters are everywhere, and have no copies at all.
 */
export function reachOf(value: string): Reach {
  const { length } = value;
  if (length < SHORTEST || TIME.test(value)) return "place";
  if (/^\d+$/.test(value)) return length < MANY_DIGITS ? "place" : "everywhere";
  const pieces = value.match(PIECES)?.length ?? 0;
  const isMixed = pieces > 0 && length < wordy(value) * pieces;
  if (isMixed || isUnspeakable(value) || (length >= SHORT && !NAME.test(value))) {
    return "everywhere";
  }
  return length < PHRASE ? "prose" : "values";
}

function isUnspeakable(value: string): boolean {
  if (CONSONANTS.test(value) || DIGEST.test(value)) return true;
  if (value.length < SHORT) return false;
  const letters = value.match(/[a-z]/gi)?.length ?? 0;
  const vowels = value.match(/[aeiouy]/gi)?.length ?? 0;
  return AMID.test(value) || (letters >= SHORT && vowels < letters * FEWEST_VOWELS);
}

/** Characters a piece from which on a value of that kind reads like words. */
function wordy(value: string): number {
  if (value.length < SHORT) return WORDY_SHORT;
  return [/\p{Ll}/u, /\p{Lu}/u, /\d/].every((kind) => kind.test(value)) ? WORDY_MIXED : WORDY;
}
