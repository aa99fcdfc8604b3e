/**
 * Keeping secrets out of names: file names and keys of objects are shown, and may be or hold secrets themselves.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { chooseRules } from "../../secrets/catalogue.ts";
import { findingOf } from "../../secrets/scan.ts";
import { scanSpans, type Span } from "../../secrets/spans.ts";
import type { Pieces } from "./pieces.ts";

/** Stands between texts that are scanned as one: no secret reaches across it. */
const GAP = "\n\0\n";

/** The spans of `text`. */
export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  const scanner = scanSpans({ ...chooseRules({}), onSpan: (span) => spans.push(span) });
  scanner.push(new TextEncoder().encode(text));
  scanner.finish();
  return spans;
}

/**
 * The indices of those `texts` in which there may be something to be found, told by one scan of all of them: a scan costs
 * far more than a short text.
 */
export function suspects(texts: readonly string[]): Set<number> {
  const spans = spansOf(texts.join(GAP));
  const found = new Set<number>();
  if (spans.length === 0) return found;
  let next = 0;
  let start = 0;
  for (const [index, text] of texts.entries()) {
    const end = start + Buffer.byteLength(text) + GAP.length;
    while (next < spans.length && spans[next]!.end <= start) next++;
    if (next === spans.length) break;
    if (spans[next]!.start < end) found.add(index);
    start = end;
  }
  return found;
}

/** `texts` with every secret in them masked: what rules find there, and what they share with secrets met elsewhere. */
export function scrubbed(texts: readonly string[], pieces: Pieces): string[] {
  const suspect = suspects(texts);
  return texts.map((text, index) => pieces.hide(suspect.has(index) ? maskSpans(text) : text));
}

/** `text` with what rules find in it masked. */
export function maskSpans(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  let result = "";
  let at = 0;
  for (const span of spansOf(text)) {
    result += decoder.decode(bytes.subarray(at, span.start)) + findingOf(span).masked;
    at = Math.max(at, span.end);
  }
  return result + decoder.decode(bytes.subarray(at));
}
