/**
 * Scanning one history file, in a worker. What is handed out is masked.
 *
 * @module
 */

import { createHmac } from "node:crypto";
import { type HistoryString, PROBLEMS, stringsOf } from "../../history/mod.ts";
import { fingerprint, type IgnoreList, isIgnored } from "../../secrets/mod.ts";
import { findingOf } from "../../secrets/scan.ts";
import { plaintextsOf, type Span } from "../../secrets/spans.ts";
import { guardedKeys } from "./names.ts";
import type { Pieces } from "./pieces.ts";
import { scanRaw } from "./scan_raw.ts";
import { spansOf, suspects } from "./scrub.ts";
import { createTally, type Tally } from "./tally.ts";
import { ENDED, type PlaceFinding, type Resume, type Scanned, type ScanTask } from "./types.ts";

/** What scanning needs beside the file. */
export interface ScanContext {
  /** Random key of this process for hashes of secrets. */
  readonly key: Uint8Array;
  /** What a human does not want to see. */
  readonly ignore: IgnoreList;
  /** Takes note of the secrets, so that no name shows one. */
  readonly pieces: Pieces;
  /** Whether the scan is to end now. */
  readonly isStopped: () => boolean;
}

/** A finding before its keypath is known. */
export type Unplaced = Omit<PlaceFinding, "keypath">;

/** The scan of one file as it goes on. */
export interface Progress {
  /** What is asked. */
  readonly task: ScanTask;
  /** What it needs. */
  readonly context: ScanContext;
  /** Bytes scanned. */
  bytes: number;
  /** Strings scanned. */
  strings: number;
  /** Findings, counted. */
  readonly tally: Tally;
  /** What could not be read. */
  readonly problems: Set<string>;
  /** Takes a span on `line`; gives back the finding where it is one to hand out. */
  take(span: Span, line: number, column: number): Unplaced | null;
}

/** Findings of one file that are handed out; more are counted. */
const MAX_FINDINGS = 20_000;
/** Strings are scanned together until they come to this many characters: most hold nothing. */
const BATCH_CHARACTERS = 256 * 1024;
/** What a string costs beside its characters, in characters: millions of empty ones are not held together either. */
const STRING_CHARACTERS = 8;
/** How often the reading of a database looks whether it is to end, in milliseconds. */
const LOOK_MS = 50;

/** Scans the file of `task`. Never throws for anything about the file: what cannot be read is in the outcome. */
export async function scanFile(task: ScanTask, context: ScanContext): Promise<Scanned> {
  const progress = begin(task, context);
  const { format, compression } = task.file;
  const isRaw = compression === undefined && (format === "jsonl" || format === "json" || format === "text");
  const { findings, resume, isResumed } = isRaw ? scanRaw(progress) : await scanStrings(progress);
  const { bytes, strings, tally, problems } = progress;
  // Only now all secrets of the file are known.
  const shown = findings.map((finding) => ({
    ...finding,
    keypath: context.pieces.hide(guardedKeys(finding.keypath)),
  }));
  return {
    findings: shown,
    outcome: {
      bytes,
      strings,
      ...tally.total(),
      problems: [...problems],
      isTruncated: problems.has(PROBLEMS.shrunk) || problems.has(ENDED),
      isResumed,
      resume: problems.size > 0 ? null : resume,
    },
  };
}

function begin(task: ScanTask, context: ScanContext): Progress {
  const tally = createTally();
  let handed = 0;
  return {
    task,
    context,
    bytes: 0,
    strings: 0,
    tally,
    problems: new Set(),
    take(span, line, column) {
      const plaintexts = plaintextsOf(span);
      plaintexts.forEach(context.pieces.note);
      const place = { source: task.file.source, path: task.file.relpath, line, rule: span.rule.id };
      const isSuppressed = plaintexts.some((text) => isIgnored(context.ignore, place, text));
      tally.add(line, isSuppressed);
      if (isSuppressed || handed === MAX_FINDINGS) return null;
      handed++;
      const { rule, display, masked } = findingOf(span);
      const group = groupOf(context.key, span.secret);
      return { rule, display, masked, line, column, fingerprint: fingerprint(place), group };
    },
  };
}

function groupOf(key: Uint8Array, secret: string): string {
  return createHmac("sha256", key).update(secret).digest("hex").slice(0, 32);
}

/** What a way of scanning gives back. */
export interface Part {
  /** Findings to hand out. */
  readonly findings: readonly PlaceFinding[];
  /** Where the next scan may go on. */
  readonly resume: Resume | null;
  /** Whether this scan went on where the task said. */
  readonly isResumed: boolean;
}

/** Scans the decoded strings of a file whose bytes are not its text: databases, XML, compressed files. */
async function scanStrings(progress: Progress): Promise<Part> {
  const { task: { file }, context, problems } = progress;
  const findings: PlaceFinding[] = [];
  const seen = new Set<string>();
  let batch: HistoryString[] = [];
  let size = 0;
  const flush = () => {
    for (const index of suspects(batch.map(({ text }) => text))) {
      for (const finding of findingsIn(progress, batch[index]!, seen)) findings.push(finding);
    }
    progress.strings += batch.length;
    batch = [];
    size = 0;
  };
  const ending = new AbortController();
  const look = setInterval(() => context.isStopped() && ending.abort(), LOOK_MS);
  try {
    for await (const string of stringsOf(file, ({ reason }) => problems.add(reason), { signal: ending.signal })) {
      batch.push(string);
      size += string.text.length + STRING_CHARACTERS;
      progress.bytes += string.end - string.start;
      if (size < BATCH_CHARACTERS) continue;
      flush();
      if (context.isStopped()) ending.abort();
    }
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    problems.add(ENDED);
  } finally {
    clearInterval(look);
  }
  flush();
  return { findings, resume: null, isResumed: false };
}

/** The findings of one string. Parts of a long one overlap: what stands in two of them counts once. */
function findingsIn(progress: Progress, string: HistoryString, seen: Set<string>): PlaceFinding[] {
  const { text, keypath, part, start } = string;
  return spansOf(text).flatMap((span) => {
    // A string of JSON stands on one line, whatever line breaks it holds; a text may go over many.
    const line = string.line + (string.form === "text" && !string.cell ? span.line - 1 : 0);
    const column = string.cell ? start + span.column : span.column;
    if (part > 0) {
      const id = `${line} ${keypath} ${span.rule.id} ${groupOf(progress.context.key, span.secret)}`;
      if (seen.has(id)) return [];
      seen.add(id);
    }
    const finding = progress.take(span, line, column);
    return finding ? [{ ...finding, keypath }] : [];
  });
}
