/**
 * One scan: files as they are discovered go to the workers, or are answered from memory.
 *
 * @module
 */

import { discover, isUnscanned } from "../../history/discover.ts";
import type { ResolvedSource } from "../../history/resolve.ts";
import type { HistoryFile, Unscanned } from "../../history/source.ts";
import type { ScanCache } from "./cache.ts";
import { guarded, type Names, NOT_SHOWN } from "./names.ts";
import type { Pool } from "./pool.ts";
import type { AuditFinding, AuditOutcome, AuditRequest } from "./service.ts";
import { ENDED, type Scanned } from "./types.ts";
import { createGuard, familiarIn } from "./unread.ts";

/** What a process remembers from scan to scan. */
export interface Memory {
  /** What was found in files. */
  readonly cache: ScanCache;
  /** How names are shown. */
  readonly names: Names;
}

/** A source to scan, and the ignore files that hold for it. */
export interface SourcePlan {
  /** The source. */
  readonly source: ResolvedSource;
  /** Paths of ignore files, whether they are there or not. */
  readonly ignoreFiles: readonly string[];
}

const FAILED = "the scanning worker failed on it";
/** Reasons of this module's own, which name nothing. */
const PLAIN: ReadonlySet<string> = new Set([ENDED, FAILED]);

interface Result {
  readonly file: HistoryFile;
  readonly scanned: Scanned;
}

/** Scans sources with the workers of `pool`, which it does not end. */
export async function runScan(
  plans: readonly SourcePlan[],
  { signal, onProgress }: AuditRequest,
  pool: Pool,
  { cache, names }: Memory,
): Promise<AuditOutcome> {
  const began = performance.now();
  const results: Result[] = [];
  const unscanned: Unscanned[] = [];
  const pending: Promise<void>[] = [];
  const files: HistoryFile[] = [];
  const ignoreFiles = new Map(plans.map(({ source, ignoreFiles }) => [source.key, ignoreFiles]));
  let isNewlyTold = false;

  const settle = (file: HistoryFile, scanned: Scanned) => {
    results.push({ file, scanned });
    onProgress?.(results.length, files.length);
  };
  const scan = async (file: HistoryFile) => {
    const { known, task, remember } = cache.plan(file, ignoreFiles.get(file.source)!);
    if (known) return settle(file, known);
    const scanned = await pool.scan(task);
    if (!scanned) {
      unscanned.push({ source: file.source, file: file.path, reason: signal?.aborted ? ENDED : FAILED });
      return;
    }
    isNewlyTold ||= scanned.outcome.findings + scanned.outcome.suppressed > 0;
    settle(file, remember(scanned));
  };
  const sources = plans.map(({ source }) => source);
  try {
    for await (const event of discover(sources, signal ? { signal } : {})) {
      if (isUnscanned(event)) unscanned.push(event);
      else {
        files.push(event);
        pending.push(scan(event));
      }
    }
    for (const { key, trees } of sources) {
      cache.retain(key, trees.map(({ root }) => root), files.filter(({ source }) => source === key));
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    for (const { key, root } of sources) unscanned.push({ source: key, file: root, reason: ENDED });
  }
  await Promise.all(pending);
  const shown = await names.show(textsOf(sources, results, unscanned), pool, isNewlyTold);
  // Of a scan that was ended nobody knows what it would have met.
  const show = signal?.aborted ? showUnread(sources, shown) : showAll(shown);
  const all = unscannedOf(sources, results, unscanned, show);
  const outcomes = results.map(({ scanned }) => scanned.outcome);
  return {
    sources: sources.map(({ key }) => key).filter((key) => isIn(key, files)),
    absent: sources.filter(({ key }) => !isIn(key, files) && !isIn(key, unscanned))
      .map(({ key, display, roots }) => ({ source: key, display, roots })),
    findings: findingsOf(sources, results, show),
    total: sum(outcomes.map(({ findings }) => findings)),
    unscanned: all,
    files: results.length,
    bytes: sum(outcomes.map(({ bytes }) => bytes)),
    strings: sum(outcomes.map(({ strings }) => strings)),
    suppressed: sum(outcomes.map(({ suppressed }) => suppressed)),
    truncated: outcomes.filter(({ isTruncated }) => isTruncated).length,
    backups: results.filter(({ file, scanned }) => file.backup && scanned.outcome.findings > 0).length,
    isComplete: all.length === 0 && !signal?.aborted,
    seconds: (performance.now() - began) / 1000,
  };
}

/** How what comes from the disk is shown. */
interface Show {
  path(path: string): string;
  keypath(keypath: string): string;
  reason(entry: Unscanned): string;
}

function showAll(shown: (text: string) => string): Show {
  return { path: shown, keypath: shown, reason: ({ reason }) => shown(reason) };
}

/** Shows a path below the part that a human named by what is familiar; where nobody could mask it any more, not at all. */
function showUnread(sources: readonly ResolvedSource[], shown: (text: string) => string): Show {
  const familiar = familiarIn(sources);
  const guard = createGuard(familiar);
  const roots = longestFirst(familiar.own);
  const path = (path: string) => {
    const scrubbed = shown(path);
    if (scrubbed !== NOT_SHOWN) return guard(path, scrubbed);
    const root = roots.find((root) => path.startsWith(root));
    return root === undefined ? NOT_SHOWN : `${root.replace(/[\\/]$/, "")}/${NOT_SHOWN}`;
  };
  return {
    path,
    keypath: (keypath) => guarded(shown(keypath)),
    // Beside the path, a reason is made of fixed words.
    reason: ({ file, reason }) =>
      reason.includes(file) ? reason.replaceAll(file, () => path(file)) : guarded(shown(reason)),
  };
}

/** Paths that come from a human, not from the disk. */
function ownPaths(sources: readonly ResolvedSource[]): Set<string> {
  return new Set(sources.flatMap(({ root, roots, trees }) => [root, ...roots, ...trees.map(({ root }) => root)]));
}

function longestFirst(paths: Iterable<string>): string[] {
  return [...paths].sort((one, other) => other.length - one.length);
}

/** Every text from the disk that is to be shown. */
function* textsOf(
  sources: readonly ResolvedSource[],
  results: readonly Result[],
  unscanned: readonly Unscanned[],
): Generator<string> {
  const own = ownPaths(sources);
  for (const { file, scanned: { findings, outcome } } of results) {
    if (findings.length + outcome.problems.length > 0) yield file.path;
    for (const { keypath } of findings) yield keypath;
  }
  for (const { file, reason } of unscanned) {
    if (own.has(file)) continue;
    yield file;
    // A reason may name the path in a flag that would help.
    if (!PLAIN.has(reason)) yield reason;
  }
}

function unscannedOf(
  sources: readonly ResolvedSource[],
  results: readonly Result[],
  unscanned: readonly Unscanned[],
  show: Show,
): Unscanned[] {
  const own = ownPaths(sources);
  const order = orderOf(sources);
  const unread = unscanned.map((entry) =>
    own.has(entry.file) ? entry : {
      ...entry,
      file: show.path(entry.file),
      reason: PLAIN.has(entry.reason) ? entry.reason : show.reason(entry),
    }
  );
  const halfRead = results.flatMap(({ file: { source, path }, scanned }) =>
    scanned.outcome.problems.map((reason) => ({ source, file: show.path(path), reason }))
  );
  return [...unread, ...halfRead].sort((one, other) =>
    order(one) - order(other) || compare(one.file, other.file) || compare(one.reason, other.reason)
  );
}

function findingsOf(sources: readonly ResolvedSource[], results: readonly Result[], show: Show): AuditFinding[] {
  const order = orderOf(sources);
  return results
    .flatMap(({ file: { source, path }, scanned }) => {
      const file = scanned.findings.length > 0 ? show.path(path) : "";
      return scanned.findings.map((finding) => ({ source, file, ...finding, keypath: show.keypath(finding.keypath) }));
    })
    .sort((one, other) =>
      order(one) - order(other) || compare(one.file, other.file) || one.line - other.line ||
      one.column - other.column || compare(one.rule, other.rule) || compare(one.fingerprint, other.fingerprint) ||
      compare(one.keypath, other.keypath)
    );
}

function orderOf(sources: readonly ResolvedSource[]): (entry: { readonly source: string }) => number {
  const order = new Map(sources.map(({ key }, index) => [key, index]));
  return ({ source }) => order.get(source)!;
}

/** Whether any of `entries` is of the source. */
function isIn(key: string, entries: readonly { readonly source: string }[]): boolean {
  return entries.some(({ source }) => source === key);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
