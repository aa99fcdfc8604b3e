/**
 * Finding secrets in text and bytes. What is reported is masked.
 *
 * @module
 */

import { chooseRules, MNEMONIC_RULES, type RuleChoice } from "./catalogue.ts";
import { mask, maskWords } from "./mask.ts";
import { scanSpans, type Span } from "./spans.ts";

/** A secret at one place, masked. There is no field for the secret itself. */
export interface Finding {
  /** Id of the rule that found it. */
  readonly rule: string;
  /** The rule's human name. */
  readonly display: string;
  /** The most of the secret that is ever shown. */
  readonly masked: string;
  /** Line of the secret's first character, from 1. */
  readonly line: number;
  /** Place of that character in its line, from 1: in bytes, or for {@linkcode scanText} in UTF-16 code units. */
  readonly column: number;
  /** Where the secret begins in the input: in bytes, or for {@linkcode scanText} in UTF-16 code units. */
  readonly start: number;
  /** Where the secret ends in the input, exclusive, in the same unit. */
  readonly end: number;
}

/** How to scan. */
export type ScanOptions = RuleChoice;

/** How to scan a stream. */
export interface ScannerOptions extends ScanOptions {
  /** Receives each finding, in ascending order of places, as soon as nothing that follows can change it. */
  readonly onFinding: (finding: Finding) => void;
}

/** A scan of a stream of bytes. */
export interface Scanner {
  /** Takes the next bytes of the input, any number of them. They may be changed afterwards. */
  push(chunk: Uint8Array): void;
  /** Takes the end of the input: reports what is left. */
  finish(): void;
}

/** What is shown of a span. */
export function findingOf(span: Span): Finding {
  const { rule, line, column, start, end, secret } = span;
  const masked = MNEMONIC_RULES.includes(rule) ? maskWords(secret.split(" ").length) : mask(secret);
  return { rule: rule.id, display: rule.display, masked, line, column, start, end };
}

/**
 * Begins the scan of a stream of bytes: UTF-8, invalid in places or not, or UTF-16. Memory stays bounded whatever the
 * input is, no secret is lost between two chunks, and none is reported twice.
 *
 * @example
 * ```ts
 * import { createScanner } from "@agentsweep/mcp/secrets";
 *
 * const scanner = createScanner({ onFinding: (finding) => console.log(finding.rule, finding.masked) });
 * scanner.push(new TextEncoder().encode("token = "));
 * scanner.finish();
 * ```
 *
 * @throws {RangeError} If `rules` names a rule that does not exist.
 */
export function createScanner(options: ScannerOptions): Scanner {
  const { push, finish } = scanSpans({
    ...chooseRules(options),
    onSpan: (span) => options.onFinding(findingOf(span)),
  });
  return { push, finish };
}

/**
 * Finds the secrets in bytes: UTF-8, invalid in places or not, or UTF-16.
 *
 * @example
 * ```ts
 * import { scanBytes } from "@agentsweep/mcp/secrets";
 *
 * const findings = scanBytes(new Uint8Array(16));
 * ```
 *
 * @throws {RangeError} If `rules` names a rule that does not exist.
 */
export function scanBytes(bytes: Uint8Array, options: ScanOptions = {}): Finding[] {
  const findings: Finding[] = [];
  const scanner = createScanner({ ...options, onFinding: (finding) => findings.push(finding) });
  scanner.push(bytes);
  scanner.finish();
  return findings;
}

/**
 * Finds the secrets in a text.
 *
 * @example
 * ```ts
 * import { scanText } from "@agentsweep/mcp/secrets";
 *
 * const findings = scanText("nothing to see here"); // []
 * ```
 *
 * @throws {RangeError} If `rules` names a rule that does not exist.
 */
export function scanText(text: string, options: ScanOptions = {}): Finding[] {
  const bytes = new TextEncoder().encode(text);
  const findings = scanBytes(bytes, options);
  if (bytes.length === text.length) return findings;
  const unitAt = unitCounter(text);
  return findings.map((finding) => {
    const start = unitAt(finding.start);
    const column = start - text.lastIndexOf("\n", start - 1);
    return { ...finding, column, start, end: unitAt(finding.end) };
  });
}

/** Turns ascending offsets in the UTF-8 form of `text` into indices of `text`. */
function unitCounter(text: string): (offset: number) => number {
  let index = 0;
  let bytes = 0;
  return (offset) => {
    while (bytes < offset && index < text.length) {
      const code = text.codePointAt(index) as number;
      bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      index += code < 0x10000 ? 1 : 2;
    }
    return index;
  };
}
