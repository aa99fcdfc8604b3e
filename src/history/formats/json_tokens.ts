/**
 * An incremental JSON tokenizer over bytes that reports where strings are. It decodes nothing, recurses nowhere, and
 * can be stopped and resumed at any byte.
 *
 * It is strict about structure and numbers, and lenient inside strings (raw control characters, unknown escapes and
 * bytes that are no UTF-8 pass), since a lenient reader loses nothing there. Several arrays or objects may follow one
 * another, which is how two records look that lost the line break between them.
 *
 * @module
 */
import { KEYPATH_LEVELS } from "./keypath.ts";

/** Takes the span of a string token, quotes included, in absolute positions. */
export type OnString = (start: number, end: number, key: boolean) => void;

/** See the module's description. */
export interface JsonTokenizer {
  /**
   * Reads `bytes[from]` up to `bytes[to]`, which continue what was fed before, and returns the index it reached: `to`,
   * or that of the first byte which is not JSON, after which only {@linkcode JsonTokenizer.reset} makes sense.
   *
   * @param base absolute position of `bytes[0]`
   */
  feed(bytes: Uint8Array, from: number, to: number, base: number): number;
  /** Whether what was fed so far, followed by the end of the input, is JSON. */
  complete(): boolean;
  /** Where the string begins that the last feed ended inside of, or -1. */
  openString(): number;
  /** Whether that string is a key. */
  openIsKey(): boolean;
  /** How many arrays and objects are open. */
  depth(): number;
  /** The index reached in the array open at this level; -1 if it is an object. Level < {@linkcode KEYPATH_LEVELS}. */
  indexAt(level: number): number;
  /** Forgets everything fed. */
  reset(): void;
}

/** Deepest nesting that is read as JSON. One byte a level is all that it costs. */
export const DEPTH_LIMIT = 1 << 24;

const VALUE = 0;
const FIRST_ITEM = 1;
const FIRST_KEY = 2;
const KEY = 3;
const COLON = 4;
const AFTER = 5;
const DONE = 6;
const STRING = 7;
const ESCAPE = 8;
const NUMBER = 9;
const LITERAL = 10;

const ARRAY = 0;
const OBJECT = 1;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const LITERALS = ["true", "false", "null"].map((word) => new TextEncoder().encode(word));

/** States of a number: after `-`, `0`, digits, `.`, decimals, `e`, its sign, its digits. */
const MINUS = 0;
const ZERO = 1;
const INTEGER = 2;
const POINT = 3;
const FRACTION = 4;
const EXPONENT = 5;
const SIGN = 6;
const POWER = 7;
const NUMBER_ENDS = 255;
const MAY_END = [false, true, true, false, true, false, false, true];

/** The state behind each byte in each state of a number, at `state << 8 | byte`. */
const NUMBER_NEXT = buildNumberTable();

function buildNumberTable(): Uint8Array {
  const table = new Uint8Array(8 << 8).fill(NUMBER_ENDS);
  const allow = (state: number, characters: string, next: number) => {
    for (const character of characters) table[state << 8 | character.charCodeAt(0)] = next;
  };
  const digits = "0123456789";
  allow(MINUS, digits, INTEGER);
  allow(MINUS, "0", ZERO);
  allow(INTEGER, digits, INTEGER);
  for (const state of [ZERO, INTEGER]) allow(state, ".", POINT);
  for (const state of [ZERO, INTEGER, FRACTION]) allow(state, "eE", EXPONENT);
  for (const state of [POINT, FRACTION]) allow(state, digits, FRACTION);
  allow(EXPONENT, "+-", SIGN);
  for (const state of [EXPONENT, SIGN, POWER]) allow(state, digits, POWER);
  return table;
}

/** Creates a tokenizer that reports to `onString`. */
export function createJsonTokenizer(onString: OnString): JsonTokenizer {
  let mode = VALUE;
  let depth = 0;
  let kinds = new Uint8Array(64);
  const indexes = new Float64Array(KEYPATH_LEVELS);
  let stringStart = -1;
  let stringIsKey = false;
  let numberState = MINUS;
  let literal = LITERALS[0] as Uint8Array;
  let literalAt = 0;

  /** Opens an array or object; false where it is too deep. */
  function open(kind: number): boolean {
    if (depth === DEPTH_LIMIT) return false;
    if (depth === kinds.length) {
      const larger = new Uint8Array(2 * depth);
      larger.set(kinds);
      kinds = larger;
    }
    kinds[depth] = kind;
    if (depth < KEYPATH_LEVELS) indexes[depth] = kind === ARRAY ? 0 : -1;
    depth++;
    mode = kind === ARRAY ? FIRST_ITEM : FIRST_KEY;
    return true;
  }

  /** Closes an array or object; false where another kind is open. */
  function close(kind: number): boolean {
    if (depth === 0 || kinds[depth - 1] !== kind) return false;
    depth--;
    mode = depth === 0 ? DONE : AFTER;
    return true;
  }

  /** Begins the value that this byte begins; false where it begins none. */
  function beginValue(byte: number, position: number): boolean {
    switch (byte) {
      case QUOTE:
        stringStart = position;
        stringIsKey = false;
        mode = STRING;
        return true;
      case 0x7b:
        return open(OBJECT);
      case 0x5b:
        return open(ARRAY);
      case 0x74:
      case 0x66:
      case 0x6e:
        literal = LITERALS[byte === 0x74 ? 0 : byte === 0x66 ? 1 : 2] as Uint8Array;
        literalAt = 1;
        mode = LITERAL;
        return true;
    }
    if (byte !== 0x2d && (byte < 0x30 || byte > 0x39)) return false;
    numberState = byte === 0x2d ? MINUS : byte === 0x30 ? ZERO : INTEGER;
    mode = NUMBER;
    return true;
  }

  /** Takes a comma behind a value; false at the top level. */
  function comma(): boolean {
    if (depth === 0) return false;
    if (kinds[depth - 1] === OBJECT) {
      mode = KEY;
    } else {
      if (depth <= KEYPATH_LEVELS) (indexes[depth - 1] as number)++;
      mode = VALUE;
    }
    return true;
  }

  /** Takes one byte outside of strings, numbers and literals; false where it is out of place. */
  function structure(byte: number, position: number): boolean {
    switch (mode) {
      case FIRST_ITEM:
        return byte === 0x5d ? close(ARRAY) : beginValue(byte, position);
      case FIRST_KEY:
      case KEY:
        if (byte === 0x7d && mode === FIRST_KEY) return close(OBJECT);
        if (byte !== QUOTE) return false;
        stringStart = position;
        stringIsKey = true;
        mode = STRING;
        return true;
      case COLON:
        mode = VALUE;
        return byte === 0x3a;
      case AFTER:
        if (byte === 0x2c) return comma();
        if (byte === 0x7d) return close(OBJECT);
        return byte === 0x5d && close(ARRAY);
      case DONE:
        return (byte === 0x7b || byte === 0x5b) && beginValue(byte, position);
      default:
        return beginValue(byte, position);
    }
  }

  /** Ends a number or literal. */
  function endScalar(): void {
    mode = depth === 0 ? DONE : AFTER;
  }

  function feed(bytes: Uint8Array, from: number, to: number, base: number): number {
    let index = from;
    while (index < to) {
      if (mode === STRING) {
        let byte = 0;
        while (index < to && (byte = bytes[index] as number) !== QUOTE && byte !== BACKSLASH) index++;
        if (index === to) return to;
        index++;
        if (byte === BACKSLASH) {
          if (index < to) index++;
          else mode = ESCAPE;
          continue;
        }
        const start = stringStart;
        stringStart = -1;
        mode = stringIsKey ? COLON : depth === 0 ? DONE : AFTER;
        onString(start, base + index, stringIsKey);
      } else if (mode < STRING) {
        const byte = bytes[index] as number;
        if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
          if (!structure(byte, base + index)) return index;
        }
        index++;
      } else if (mode === ESCAPE) {
        index++;
        mode = STRING;
      } else if (mode === NUMBER) {
        let next = 0;
        while (
          index < to && (next = NUMBER_NEXT[numberState << 8 | (bytes[index] as number)] as number) < NUMBER_ENDS
        ) {
          numberState = next;
          index++;
        }
        if (index === to) return to;
        if (!MAY_END[numberState]) return index;
        endScalar();
      } else {
        while (index < to && literalAt < literal.length && bytes[index] === literal[literalAt]) {
          literalAt++;
          index++;
        }
        if (literalAt === literal.length) endScalar();
        else if (index < to) return index;
      }
    }
    return index;
  }

  return {
    feed,
    complete: () => mode === DONE || (depth === 0 && mode === NUMBER && MAY_END[numberState] === true),
    openString: () => stringStart,
    openIsKey: () => stringIsKey,
    depth: () => depth,
    indexAt: (level) => indexes[level] as number,
    reset() {
      mode = VALUE;
      depth = 0;
      stringStart = -1;
    },
  };
}
