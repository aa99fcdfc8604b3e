/**
 * Searches bytes for thousands of texts in every form at once. It shares no code with the product.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { formsOf } from "./forms.ts";

/** A place where a text stands. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** Which text: its place in the list that was given. */
  readonly text: number;
}

/** A search for fixed texts. */
export interface Search {
  /** What is searched for. */
  readonly texts: readonly string[];
  /** All places in `bytes`, in the order of their ends. */
  in(bytes: Uint8Array): Hit[];
}

/** Bytes at the end of a pattern by which it is looked up: its beginning is what it shares with others. */
const ANCHOR = 8;
const BITS = 22;

interface Pattern {
  readonly bytes: Uint8Array;
  readonly text: number;
}

/** Prepares a search. Texts of fewer than eight bytes are not taken. */
export function searchFor(texts: readonly string[]): Search {
  const filter = new Uint8Array(1 << BITS);
  const anchored = new Map<string, Pattern[]>();
  const keyAt = (bytes: Uint8Array, end: number) => Buffer.from(bytes.subarray(end - ANCHOR, end)).toString("latin1");
  texts.forEach((text, index) => {
    if (text.length < ANCHOR) throw new RangeError("a text is too short to be searched for");
    for (const bytes of formsOf(text)) {
      if (bytes.length < ANCHOR) continue;
      const key = keyAt(bytes, bytes.length);
      const patterns = anchored.get(key);
      if (patterns) patterns.push({ bytes, text: index });
      else anchored.set(key, [{ bytes, text: index }]);
      const view = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - ANCHOR, ANCHOR);
      filter[slot(view.getUint32(0), view.getUint32(4))] = 1;
    }
  });

  function find(bytes: Uint8Array): Hit[] {
    const hits: Hit[] = [];
    let high = 0;
    let low = 0;
    for (let at = 0; at < bytes.length; at++) {
      high = (high << 8 | low >>> 24) >>> 0;
      low = (low << 8 | (bytes[at] as number)) >>> 0;
      if (filter[slot(high, low)] === 0 || at < ANCHOR - 1) continue;
      const end = at + 1;
      for (const pattern of anchored.get(keyAt(bytes, end)) ?? []) {
        const start = end - pattern.bytes.length;
        if (start >= 0 && Buffer.compare(bytes.subarray(start, end), pattern.bytes) === 0) {
          hits.push({ start, end, text: pattern.text });
        }
      }
    }
    return hits;
  }
  return { texts, in: find };
}

function slot(high: number, low: number): number {
  return (Math.imul(high, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b)) >>> (32 - BITS);
}

/** A stretch of bytes. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Hits as stretches apart from one another, ascending. */
export function mergedHits(hits: readonly Hit[]): Stretch[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of [...hits].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
