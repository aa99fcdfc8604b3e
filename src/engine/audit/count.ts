/**
 * Counting the strings of a file that is scanned as bytes.
 *
 * @module
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;

/** Counts in what passes by. */
export interface Counter {
  /** Takes the next bytes. */
  push(chunk: Uint8Array): void;
  /** How many there were. */
  total(): number;
}

/** Counts string tokens of JSON: every second quote that no backslash escapes. */
export function countTokens(): Counter {
  let quotes = 0;
  let isEscaped = false;
  return {
    push(chunk) {
      if (chunk.length === 0) return;
      for (let at = chunk.indexOf(QUOTE); at >= 0; at = chunk.indexOf(QUOTE, at + 1)) {
        if (backslashes(chunk, at, isEscaped) % 2 === 0) quotes++;
      }
      isEscaped = backslashes(chunk, chunk.length, isEscaped) % 2 === 1;
    },
    total: () => quotes >> 1,
  };
}

/** How many backslashes stand in a row before `at`; one more when the chunk before ended within an escape. */
function backslashes(chunk: Uint8Array, at: number, isEscaped: boolean): number {
  let first = at;
  while (first > 0 && chunk[first - 1] === BACKSLASH) first--;
  return at - first + (first === 0 && isEscaped ? 1 : 0);
}

/** Counts lines, a last one without a line feed included. */
export function countLines(): Counter {
  let lines = 0;
  let isOpen = false;
  return {
    push(chunk) {
      if (chunk.length === 0) return;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
      isOpen = chunk[chunk.length - 1] !== LINE_FEED;
    },
    total: () => lines + (isOpen ? 1 : 0),
  };
}
