/**
 * Keeping secrets out of names: file names and keys of objects are shown, and may be or hold secrets themselves.
 *
 * @module
 */

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

/** Whether there is nothing to be found in any of `texts`, which most often holds and is told by one scan. */
export function areClean(texts: readonly string[]): boolean {
  return spansOf(texts.join(GAP)).length === 0;
}

/** `texts` with every secret in them masked: what rules find there, and what they share with secrets met elsewhere. */
export function scrubbed(texts: readonly string[], pieces: Pieces): string[] {
  const isClean = areClean(texts);
  return texts.map((text) => pieces.hide(isClean ? text : maskSpans(text)));
}

function maskSpans(text: string): string {
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
