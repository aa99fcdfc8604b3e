/**
 * Scanning one history file, in a worker. What is handed out is masked.
 *
 * @module
 */

import { createHmac } from "node:crypto";
import { isOpen, isSystemError, openHistory, problemOf } from "../../history/formats/open.ts";
import { createLocator } from "../../history/formats/locate.ts";
import { type HistoryString, PROBLEMS, stringsOf } from "../../history/mod.ts";
import { chooseRules } from "../../secrets/catalogue.ts";
import { fingerprint, type IgnoreList, isIgnored } from "../../secrets/mod.ts";
import { findingOf } from "../../secrets/scan.ts";
import { scanSpans, type Span } from "../../secrets/spans.ts";
import { countLines, countTokens } from "./count.ts";
import { sampleHash } from "./samples.ts";
import { createDiscretion, type Discretion, spansOf } from "./scrub.ts";
import type { FileOutcome, PlaceFinding, Resume, ScanTask } from "./types.ts";

/** What scanning needs beside the file. */
export interface ScanContext {
  /** Random key of this process for hashes of secrets. */
  readonly key: Uint8Array;
  /** What a human does not want to see. */
  readonly ignore: IgnoreList;
  /** Takes findings as they are made. */
  readonly onFindings: (findings: readonly PlaceFinding[]) => void;
}

const CHUNK_BYTES = 1 << 20;
/** Findings of one file that are handed out; more are counted. */
const MAX_FINDINGS = 20_000;
/** Strings are scanned together until they come to this many bytes: most hold nothing. */
const BATCH_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** What has been made of a file so far. */
interface Progress {
  readonly task: ScanTask;
  readonly context: ScanContext;
  readonly discretion: Discretion;
  bytes: number;
  strings: number;
  findings: number;
  suppressed: number;
  readonly problems: Set<string>;
}

/** A place of a span: its line, column and keypath. */
interface Located {
  readonly line: number;
  readonly column: number;
  readonly keypath: string;
}

/** Scans the file of `task`. Never throws for anything about the file: what cannot be read is in the outcome. */
export async function scanFile(task: ScanTask, context: ScanContext): Promise<FileOutcome> {
  const progress: Progress = {
    task,
    context,
    discretion: createDiscretion(),
    bytes: 0,
    strings: 0,
    findings: 0,
    suppressed: 0,
    problems: new Set(),
  };
  const { format, compression } = task.file;
  const isRaw = compression === undefined && (format === "jsonl" || format === "json" || format === "text");
  const { resume, isResumed } = isRaw ? scanRaw(progress) : { resume: null, isResumed: false };
  if (!isRaw) await scanStrings(progress);
  const { bytes, strings, findings, suppressed, problems, discretion } = progress;
  return {
    shown: discretion.scrub(task.file.path),
    bytes,
    strings,
    findings,
    suppressed,
    problems: [...problems],
    isTruncated: problems.has(PROBLEMS.shrunk),
    isResumed,
    resume,
  };
}

/** Scans the bytes of a file as they stand: the scanner undoes escapes around what it finds. */
function scanRaw(progress: Progress): { resume: Resume | null; isResumed: boolean } {
  const { task, context, problems } = progress;
  const { file } = task;
  const handle = openHistory(file.path);
  if (!isOpen(handle)) {
    problems.add(handle.reason);
    return { resume: null, isResumed: false };
  }
  try {
    const isResumed = task.from > 0 && task.from <= handle.size &&
      task.samples === sampleHash(context.key, handle.read, task.from);
    const [from, fromLine] = isResumed ? [task.from, task.fromLine] : [0, 1];
    const spans: Span[] = [];
    const scanner = scanSpans({ ...chooseRules({}), onSpan: (span) => spans.push(span) });
    const counter = file.format === "text" ? countLines() : countTokens();
    const lines = countLines();
    const chunk = new Uint8Array(CHUNK_BYTES);
    let at = from;
    let lastLine = from;
    let complete = 0;
    const flush = () => {
      const found = spans.splice(0).map((span) => ({ ...span, start: span.start + from, end: span.end + from }));
      tell(progress, locate(file.format, handle.read, found, fromLine));
    };
    while (at < handle.size) {
      const got = handle.read(chunk.subarray(0, Math.min(CHUNK_BYTES, handle.size - at)), at);
      if (got === 0) {
        problems.add(PROBLEMS.shrunk);
        break;
      }
      const part = chunk.subarray(0, got);
      const feed = part.lastIndexOf(LINE_FEED);
      scanner.push(part);
      lines.push(part);
      counter.push(part.subarray(0, feed + 1));
      if (feed >= 0) [lastLine, complete] = [at + feed + 1, counter.total()];
      counter.push(part.subarray(feed + 1));
      at += got;
      if (spans.length > 0) flush();
    }
    scanner.finish();
    flush();
    progress.bytes = at - from;
    progress.strings = counter.total();
    if (file.format !== "jsonl" || problems.size > 0) return { resume: null, isResumed };
    const resume: Resume = {
      offset: lastLine,
      line: fromLine + lines.total() - (lastLine < at ? 1 : 0),
      strings: complete,
      samples: sampleHash(context.key, handle.read, lastLine),
    };
    return { resume, isResumed };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    problems.add(problemOf(error).reason);
    return { resume: null, isResumed: false };
  } finally {
    handle.close();
  }
}

/** Finds the keypath of each span; only the lines that hold one are read again, of a document all of it. */
function locate(
  format: string,
  read: (into: Uint8Array, offset: number) => number,
  spans: readonly Span[],
  fromLine: number,
): [Span, Located][] {
  const located = (span: Span, keypath: string): [Span, Located] => [
    span,
    { line: span.line + fromLine - 1, column: span.column, keypath },
  ];
  if (format === "text" || spans.length === 0) return spans.map((span) => located(span, ""));
  if (format === "json") {
    const keypaths = keypathsAt("json", read, 0, spans.map(({ start }) => start));
    return spans.map((span, index) => located(span, keypaths[index] ?? ""));
  }
  return spans.map((span) => {
    const lineStart = span.start - span.column + 1;
    return located(span, keypathsAt("jsonl", read, lineStart, [span.start - lineStart])[0] ?? "");
  });
}

/** Keypaths at offsets behind `start`: of one line in JSON lines, else to the end of the file. */
function keypathsAt(
  format: "json" | "jsonl",
  read: (into: Uint8Array, offset: number) => number,
  start: number,
  offsets: readonly number[],
): string[] {
  const locator = createLocator(format, offsets);
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, 64 * 1024));
  for (let at = start;;) {
    const got = read(chunk, at);
    if (got === 0) break;
    const feed = format === "jsonl" ? chunk.subarray(0, got).indexOf(LINE_FEED) : -1;
    locator.push(chunk.slice(0, feed < 0 ? got : feed));
    if (feed >= 0) break;
    at += got;
  }
  return locator.end().map(({ keypath }) => keypath);
}

/** Scans the decoded strings of a file whose bytes are not its text: databases, XML, compressed files. */
async function scanStrings(progress: Progress): Promise<void> {
  const { file } = progress.task;
  let batch: HistoryString[] = [];
  let size = 0;
  const seen = new Set<string>();
  const flush = () => {
    if (spansOf(batch.map(({ text }) => text).join("\n\0\n")).length > 0) {
      for (const string of batch) tell(progress, spansIn(progress, string, seen));
    }
    progress.strings += batch.length;
    batch = [];
    size = 0;
  };
  for await (const string of stringsOf(file, ({ reason }) => progress.problems.add(reason))) {
    batch.push(string);
    size += string.text.length;
    progress.bytes += string.end - string.start;
    if (size >= BATCH_BYTES) flush();
  }
  flush();
}

/** The spans of one string. Parts of a long one overlap: what stands in two of them counts once. */
function spansIn(progress: Progress, string: HistoryString, seen: Set<string>): [Span, Located][] {
  const { text, line, keypath, part, start } = string;
  return spansOf(text).flatMap((span): [Span, Located][] => {
    if (part > 0) {
      const id = `${line} ${keypath} ${span.rule.id} ${groupOf(progress.context.key, span.secret)}`;
      if (seen.has(id)) return [];
      seen.add(id);
    }
    return [[span, { line, column: string.cell ? start + span.column : span.column, keypath }]];
  });
}

function groupOf(key: Uint8Array, secret: string): string {
  return createHmac("sha256", key).update(secret).digest("hex").slice(0, 32);
}

/** Hands out findings, masked, but for those that a human does not want to see. */
function tell(progress: Progress, spans: readonly [Span, Located][]): void {
  const { task, context, discretion } = progress;
  for (const [{ secret }] of spans) discretion.note(secret);
  const findings: PlaceFinding[] = [];
  for (const [span, { line, column, keypath }] of spans) {
    const place = { source: task.file.source, path: task.file.relpath, line, rule: span.rule.id };
    if (isIgnored(context.ignore, place, span.secret)) {
      progress.suppressed++;
      continue;
    }
    if (progress.findings++ >= MAX_FINDINGS) continue;
    const { rule, display, masked } = findingOf(span);
    findings.push({
      rule,
      display,
      masked,
      line,
      column,
      keypath: discretion.scrub(keypath),
      fingerprint: fingerprint(place),
      group: groupOf(context.key, span.secret),
    });
  }
  if (findings.length > 0) context.onFindings(findings);
}
