/**
 * Counts lines in what a window holds.
 *
 * @module
 */
import type { Window } from "./window.ts";

/** Tells the line of positions. */
export interface LineCounter {
  /**
   * Line of a position, which the window must still hold. It is cheap for positions that grow from call to call. Ask
   * for the position up to which the window is about to be emptied before it is.
   */
  at(position: number): number;
}

const LINE_FEED = 0x0a;

/** Position of the first line feed from `from` on and before `to`; -1 if there is none. */
export function findLineFeed(window: Window, from: number, to: number = window.limit): number {
  const index = window.units.subarray(0, to - window.base).indexOf(LINE_FEED, from - window.base);
  return index < 0 ? -1 : window.base + index;
}

/** Creates a counter for an input whose position 0 is on line `first`. */
export function createLineCounter(window: Window, first: number): LineCounter {
  let line = first;
  // All line feeds before `from` are counted, and there is none from there up to `next`.
  let from = 0;
  let next = 0;

  function backTo(position: number): number {
    let feeds = 0;
    for (let at = findLineFeed(window, position, from); at >= 0; at = findLineFeed(window, at + 1, from)) feeds++;
    return line - feeds;
  }

  return {
    at(position) {
      if (position < from) return backTo(position);
      while (next < position) {
        if (window.units[next - window.base] === LINE_FEED) {
          line++;
          from = next + 1;
        }
        const found = findLineFeed(window, Math.max(next, from));
        next = found < 0 ? window.limit : found;
        if (found < 0) break;
      }
      return line;
    },
  };
}
