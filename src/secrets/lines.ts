/**
 * Counting lines in a stream of bytes.
 *
 * @module
 */

const LINE_FEED = 10;

/** A place in the input. */
export interface Position {
  /** Line, from 1. */
  readonly line: number;
  /** Bytes from the line's beginning, from 1. */
  readonly column: number;
}

/** Turns ascending offsets into lines and columns. */
export interface LineCounter {
  /** The position of `offset`, not below any asked for before; `bytes` holds the input from `base` on, up to there. */
  positionOf(offset: number, bytes: Uint8Array, base: number): Position;
}

/** A counter at the beginning of an input. */
export function lineCounter(): LineCounter {
  let counted = 0;
  let line = 1;
  let lineStart = 0;

  function positionOf(offset: number, bytes: Uint8Array, base: number): Position {
    const part = bytes.subarray(Math.max(0, counted - base), Math.max(0, offset - base));
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) {
      line++;
      lineStart = Math.max(base, counted) + at + 1;
    }
    counted = Math.max(counted, offset);
    return { line, column: offset - lineStart + 1 };
  }

  return { positionOf };
}
