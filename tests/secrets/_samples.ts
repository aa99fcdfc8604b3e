/** Secrets for tests, taken from the rules' own examples, so that no test file holds one. */

import type { Rule } from "../../src/secrets/rule.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";
import { scanSpans, type Span } from "../../src/secrets/spans.ts";

/** The rule with this id. */
export function ruleNamed(id: string): Rule {
  const rule = RULES.find((rule) => rule.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  return rule;
}

/** Spans that these rules find in bytes, pushed in pieces that end at the given offsets. */
export function spansOf(bytes: Uint8Array, rules: readonly Rule[], cuts: readonly number[] = []): Span[] {
  const spans: Span[] = [];
  const scanner = scanSpans({ rules, mnemonics: true, onSpan: (span) => spans.push(span) });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    scanner.push(bytes.slice(from, cut));
    from = cut;
  }
  scanner.finish();
  return spans;
}

/** The first secret that a rule's own examples hold. */
export function secretOf(id: string, example = 0): string {
  const rule = ruleNamed(id);
  const text = rule.examples.match()[example] ?? "";
  const span = spansOf(new TextEncoder().encode(text), [rule])[0];
  if (span === undefined) throw new Error(`rule ${id} does not find its own example`);
  return span.secret;
}

/** A text in UTF-16. */
export function utf16(text: string, littleEndian = true): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), littleEndian);
  return new Uint8Array(view.buffer);
}

/** Bytes one after the other. */
export function joined(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const encoder = new TextEncoder();
  const pieces = parts.map((part) => typeof part === "string" ? encoder.encode(part) : part);
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
