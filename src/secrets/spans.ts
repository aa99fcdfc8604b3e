/**
 * Scanning a stream of bytes for the places of secrets. What is found here still knows the plaintext: this module is for
 * code that runs in the scanning thread and needs it (redaction, literal ignore rules), and is not part of the public
 * surface.
 *
 * @module
 */

import { emptyHits, PADDING } from "./automaton.ts";
import { type Candidate, searchStretch, type Work } from "./candidates.ts";
import { compileRules } from "./compile.ts";
import { lineCounter, type Position } from "./lines.ts";
import { findMnemonics, LONGEST_MNEMONIC } from "./mnemonic.ts";
import { resolveOverlaps } from "./resolve.ts";
import type { Rule, RuleInfo } from "./rule.ts";
import { wideStretches } from "./stretch.ts";

/** A secret at one place of the input. */
export interface Span extends Position {
  readonly rule: RuleInfo;
  /** Bytes of the input that hold the secret: `[start, end)`. */
  readonly start: number;
  readonly end: number;
  /** The secret itself, decoded. */
  readonly secret: string;
  /** What the place says as a whole, where the secret is a part of it: `user:password`, a URL, base64. */
  readonly whole?: string;
}

/** Everything that a span knows in plaintext: the secret, and what stands at its place as a whole. */
export function plaintextsOf({ secret, whole }: Pick<Span, "secret" | "whole">): string[] {
  return whole === undefined ? [secret] : [secret, whole];
}

/** How to scan for spans. */
export interface SpanOptions {
  readonly rules: readonly Rule[];
  /** Whether seed phrases are looked for. */
  readonly mnemonics: boolean;
  /** Receives each span, in ascending order of places. */
  readonly onSpan: (span: Span) => void;
}

/** A scan in progress. */
export interface SpanScanner {
  /** Takes the next bytes of the input, any number of them. */
  push(chunk: Uint8Array): void;
  /** Takes the end of the input. */
  finish(): void;
  /** What the scan did so far. */
  readonly work: Readonly<Work>;
}

type Placed = Candidate & Position;

const BLOCK = 1 << 20;
const SMALLEST_BUFFER = 1 << 14;
/** Bytes in front of the part that is being decided which patterns and look-arounds may see. */
const CONTEXT = 2048;
/** Candidates that may overlap in a chain before they are resolved all the same. */
const LONGEST_CHAIN = 4096;

/** Begins a scan. Memory stays bounded whatever the input is. */
export function scanSpans(options: SpanOptions): SpanScanner {
  const rules = compileRules(options.rules);
  // A match that begins in the decided part must lie in the buffer as a whole, even as UTF-16.
  const overlap = 2 * Math.max(rules.widest, LONGEST_MNEMONIC) + CONTEXT;
  const capacity = CONTEXT + overlap + BLOCK;
  let buffer = new Uint8Array(SMALLEST_BUFFER + PADDING);
  const lines = lineCounter();
  const hits = emptyHits();
  const work: Work = { hits: 0, windows: 0, characters: 0 };
  /** Offset in the input of the buffer's first byte. */
  let base = 0;
  let used = 0;
  /** What begins before this offset has been decided. */
  let decided = 0;
  let pending: Placed[] = [];

  /** Candidates that begin from where the last search ended to before `limit`. */
  function search(limit: number): void {
    const fresh: Candidate[] = [];
    const found = (candidate: Candidate): boolean => {
      if (candidate.start < decided) return false;
      if (candidate.start < limit) fresh.push(candidate);
      return true;
    };
    const plain = { bytes: buffer, length: used, base, scale: 1 } as const;
    for (const stretch of [plain, ...wideStretches(buffer, used, base)]) {
      searchStretch(stretch, { rules, hits, work, found });
      if (options.mnemonics) findMnemonics(stretch, found);
    }
    fresh.sort((left, right) => left.start - right.start);
    for (const candidate of fresh) pending.push({ ...candidate, ...lines.positionOf(candidate.start, buffer, base) });
  }

  /** Reports what ends before `limit`; what a later candidate may still overlap waits. */
  function report(limit: number): void {
    let first = 0;
    while (first < pending.length) {
      let end = 0;
      let next = first;
      for (; next < pending.length; next++) {
        const candidate = pending[next] as Placed;
        if (next > first && candidate.start >= end) break;
        end = Math.max(end, candidate.end);
      }
      if (end > limit && next - first < LONGEST_CHAIN) break;
      for (const { rule, start, end, secret, whole, line, column } of resolveOverlaps(pending.slice(first, next))) {
        options.onSpan({ rule, start, end, secret, ...(whole === undefined ? {} : { whole }), line, column });
      }
      first = next;
    }
    pending = pending.slice(first);
  }

  function scanBuffer(final: boolean): void {
    buffer.fill(0, used, used + PADDING);
    const limit = final ? Infinity : base + used - overlap;
    search(limit);
    report(limit);
    if (final) return;
    decided = limit;
    const passed = Math.max(0, decided - CONTEXT - base);
    lines.positionOf(base + passed, buffer, base);
    buffer.copyWithin(0, passed, used);
    base += passed;
    used -= passed;
  }

  function makeRoom(wanted: number): void {
    if (used + wanted + PADDING <= buffer.length || buffer.length === capacity + PADDING) return;
    const larger = new Uint8Array(Math.min(capacity, Math.max(used + wanted, 4 * used)) + PADDING);
    larger.set(buffer.subarray(0, used));
    buffer = larger;
  }

  function push(chunk: Uint8Array): void {
    makeRoom(chunk.length);
    for (let taken = 0; taken < chunk.length;) {
      const part = chunk.subarray(taken, taken + buffer.length - PADDING - used);
      buffer.set(part, used);
      used += part.length;
      taken += part.length;
      if (used === capacity) scanBuffer(false);
    }
  }

  function finish(): void {
    scanBuffer(true);
    buffer.fill(0);
    used = 0;
  }

  return { push, finish, work };
}
