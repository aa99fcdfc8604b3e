/**
 * Keeping secrets out of names: file names and keys of objects are shown, and may be or hold secrets themselves.
 *
 * @module
 */

import { mask } from "../../secrets/mod.ts";
import { chooseRules } from "../../secrets/catalogue.ts";
import { scanSpans, type Span } from "../../secrets/spans.ts";

/** How many characters of a secret in a row may not be shown. */
const TELLING = 8;
const HIDDEN = "********";

/** The plaintexts met so far in one file, asked about before something of it is shown. */
export interface Discretion {
  /** Notes a secret. */
  note(secret: string): void;
  /**
   * `text` with every secret in it masked: what rules find there, and what it shares with a noted secret.
   */
  scrub(text: string): string;
}

/** The spans of `text`. */
export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  const scanner = scanSpans({ ...chooseRules({}), onSpan: (span) => spans.push(span) });
  scanner.push(new TextEncoder().encode(text));
  scanner.finish();
  return spans;
}

/** A discretion that knows nothing yet. */
export function createDiscretion(): Discretion {
  const pieces = new Set<string>();
  const scrubbed = new Map<string, string>();
  return {
    note(secret) {
      for (let at = 0; at + TELLING <= secret.length; at++) pieces.add(secret.slice(at, at + TELLING));
      scrubbed.clear();
    },
    scrub(text) {
      let result = scrubbed.get(text);
      if (result === undefined) {
        result = hidePieces(maskSpans(text), pieces);
        scrubbed.set(text, result);
      }
      return result;
    },
  };
}

function maskSpans(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  let result = "";
  let at = 0;
  for (const { start, end, secret } of spansOf(text)) {
    result += decoder.decode(bytes.subarray(at, start)) + mask(secret);
    at = end;
  }
  return result + decoder.decode(bytes.subarray(at));
}

/** Hides every run of `text` that is made of pieces of secrets. */
function hidePieces(text: string, pieces: ReadonlySet<string>): string {
  if (pieces.size === 0) return text;
  let result = "";
  for (let at = 0; at < text.length;) {
    if (!pieces.has(text.slice(at, at + TELLING))) {
      result += text[at++];
      continue;
    }
    do at++; while (pieces.has(text.slice(at, at + TELLING)));
    result += HIDDEN;
    at += TELLING - 1;
  }
  return result;
}
