/**
 * How far long work is: one line that is drawn over and over on a terminal, a plain line now and then elsewhere.
 *
 * @module
 */

import { clip } from "./layout.ts";

/** How far some work is. */
export interface Progress {
  /**
   * Shows it, not more often than people can read.
   *
   * @param done How much is done.
   * @param of How much there is to do, as far as it is known; null where it is not.
   * @param noun What is counted.
   */
  update(done: number, of: number | null, noun: string): void;
  /** Takes the line away. */
  end(): void;
}

const REDRAW_MS = 100;
const PLAIN_MS = 5000;
const BAR = 20;

/**
 * @param write Writes on standard error.
 * @param width Columns of the terminal; null where it is none.
 */
export function createProgress(label: string, write: (text: string) => void, width: number | null): Progress {
  const began = performance.now();
  let last = width === null ? began : -Infinity;
  let isDrawn = false;
  return {
    update(done, of, noun) {
      const now = performance.now();
      if (now - last < (width === null ? PLAIN_MS : REDRAW_MS)) return;
      last = now;
      const text = describe(label, done, of, noun, (now - began) / 1000, width !== null);
      write(width === null ? `${text}\n` : `\r\x1b[K${clip(text, width - 1)}`);
      isDrawn = width !== null;
    },
    end() {
      if (isDrawn) write("\r\x1b[K");
      isDrawn = false;
    },
  };
}

function describe(
  label: string,
  done: number,
  of: number | null,
  noun: string,
  seconds: number,
  hasBar: boolean,
): string {
  const speed = seconds > 0 ? done / seconds : 0;
  const parts = [`${done}${of === null ? "" : ` of ${of}`} ${noun}`];
  if (speed >= 1) parts.push(`${Math.round(speed)}/s`);
  if (of !== null && done > 0 && seconds >= 1) parts.push(`${duration((of - done) / speed)} left`);
  const filled = of ? Math.round(BAR * Math.min(1, done / of)) : 0;
  const bar = hasBar && of ? `[${"#".repeat(filled)}${"-".repeat(BAR - filled)}] ` : "";
  return `${label} ${bar}${parts.join(", ")}`;
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
