/**
 * Scanning the bytes of a file as they stand: the scanner undoes escapes around what it finds.
 *
 * @module
 */

import { crc32 } from "node:zlib";
import { createLocator, locateInLine } from "../../history/formats/locate.ts";
import { type HistoryHandle, isOpen, isSystemError, openHistory, problemOf } from "../../history/formats/open.ts";
import { PROBLEMS } from "../../history/mod.ts";
import { chooseRules } from "../../secrets/catalogue.ts";
import { scanSpans, type Span } from "../../secrets/spans.ts";
import { countLines, countTokens } from "./count.ts";
import type { Part, Progress, Unplaced } from "./scan_file.ts";
import { ENDED, type PlaceFinding, type Resume } from "./types.ts";

const CHUNK_BYTES = 1 << 20;
/** Bytes that are read at once for a keypath: most lines are short. */
const LOCATE_BYTES = 32 * 1024;
/**
 * A file that grew is scanned again from a line this far before its old end: a secret that goes over several lines may
 * have been half there.
 */
const RESUME_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const NOTHING: Part = { findings: [], resume: null, isResumed: false };

/** A finding and the byte that it begins at. */
interface Placed {
  readonly finding: Unplaced;
  readonly start: number;
}

/** Scans a file of JSON lines, JSON or text. */
export function scanRaw(progress: Progress): Part {
  const { task, problems } = progress;
  const handle = openHistory(task.file.path, { root: task.file.root });
  if (!isOpen(handle)) {
    problems.add(handle.reason);
    return NOTHING;
  }
  try {
    const beyond = packingOf(handle);
    if (beyond) problems.add(PROBLEMS[beyond]);
    const from = task.resume && isAsBefore(task.resume, handle, progress) ? task.resume : null;
    const { found, resume } = scanFrom(from, handle, progress);
    return { findings: withKeypaths(found, handle, progress), resume, isResumed: from !== null };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    problems.add(problemOf(error).reason);
    return NOTHING;
  } finally {
    handle.close();
  }
}

/** How contents begin that do not say what is in them when their bytes are scanned as they stand. */
const OPENINGS: readonly (readonly [opening: string, problem: "packed" | "misnamed"])[] = [
  ["\x1f\x8b\x08", "packed"],
  ["PK\x03\x04", "packed"],
  ["BZh91AY&SY", "packed"],
  ["\xfd7zXZ\0", "packed"],
  ["7z\xbc\xaf\x27\x1c", "packed"],
  ["Rar!\x1a\x07", "packed"],
  ["\x04\x22\x4d\x18", "packed"],
  ["\x28\xb5\x2f\xfd", "packed"],
  ["SQLite format 3\0", "misnamed"],
];
const OPENING_BYTES = 16;

/** Why the bytes of a file are not its text, whatever its name says; undefined where they may be. */
function packingOf(handle: HistoryHandle): "packed" | "misnamed" | undefined {
  const bytes = new Uint8Array(OPENING_BYTES);
  const opening = String.fromCharCode(...bytes.subarray(0, handle.read(bytes, 0)));
  return OPENINGS.find(([start]) => opening.startsWith(start))?.[1];
}

/** Whether every byte before the place to go on at is what it was. */
function isAsBefore({ offset, checksum }: Resume, handle: HistoryHandle, { context }: Progress): boolean {
  if (offset > handle.size) return false;
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, offset));
  let sum = 0;
  for (let at = 0; at < offset;) {
    const got = handle.read(chunk.subarray(0, Math.min(chunk.length, offset - at)), at);
    if (got === 0 || context.isStopped()) return false;
    sum = crc32(chunk.subarray(0, got), sum);
    at += got;
  }
  return sum === checksum;
}

/** Scans from a place on, or from the beginning, as far as the file went when it was opened. */
function scanFrom(
  from: Resume | null,
  handle: HistoryHandle,
  progress: Progress,
): { found: Placed[]; resume: Resume | null } {
  const { task: { file }, context, problems, tally } = progress;
  const origin = from?.offset ?? 0;
  const firstLine = from?.line ?? 1;
  const found: Placed[] = [];
  const onSpan = (span: Span) => {
    const finding = progress.take(span, span.line + firstLine - 1, span.column);
    if (finding) found.push({ finding, start: span.start + origin });
  };
  const scanner = scanSpans({ ...chooseRules({}), onSpan });
  const strings = file.format === "text" ? countLines() : countTokens();
  const lines = countLines();
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(0, handle.size - origin)));
  let at = origin;
  let checksum = from?.checksum ?? 0;
  // Only lines that are UTF-8 can be begun in the middle: of wider characters a line feed is a part.
  let canResume = file.format === "jsonl";
  let place = from && { offset: origin, line: firstLine, checksum, strings: 0 };
  const count = (part: Uint8Array) => {
    strings.push(part);
    lines.push(part);
    checksum = crc32(part, checksum);
  };
  while (at < handle.size) {
    if (context.isStopped()) {
      problems.add(ENDED);
      break;
    }
    const got = handle.read(chunk.subarray(0, Math.min(chunk.length, handle.size - at)), at);
    if (got === 0) {
      problems.add(PROBLEMS.shrunk);
      break;
    }
    const part = chunk.subarray(0, got);
    scanner.push(part);
    canResume &&= !part.includes(0);
    const limit = Math.min(got, handle.size - RESUME_BYTES - at);
    const feed = limit > 0 ? part.lastIndexOf(LINE_FEED, limit - 1) : -1;
    count(part.subarray(0, feed + 1));
    if (feed >= 0) {
      place = { offset: at + feed + 1, line: firstLine + lines.total(), checksum, strings: strings.total() };
      tally.passed(place.line);
    }
    count(part.subarray(feed + 1));
    at += got;
  }
  scanner.finish();
  progress.bytes = at - origin;
  progress.strings = strings.total();
  return { found, resume: place && canResume ? { ...place, ...tally.before(place.line) } : null };
}

/** Findings with their keypaths: of JSON lines, only lines that hold one are read again; of a document, all of it. */
function withKeypaths(found: readonly Placed[], handle: HistoryHandle, progress: Progress): PlaceFinding[] {
  const { task: { file: { format } }, context: { isStopped } } = progress;
  if (format === "text") return found.map(({ finding }) => ({ ...finding, keypath: "" }));
  const isDocument = format === "json";
  const groups = new Map<number, Placed[]>();
  for (const one of found) {
    const begin = isDocument ? 0 : one.start - one.finding.column + 1;
    const group = groups.get(begin);
    if (group) group.push(one);
    else groups.set(begin, [one]);
  }
  return [...groups].flatMap(([begin, group]) => {
    const offsets = group.map(({ start }) => start - begin);
    const keypaths = isStopped() ? [] : keypathsAt(isDocument ? "json" : "jsonl", handle, begin, offsets, isStopped);
    return group.map(({ finding }, index) => ({ ...finding, keypath: keypaths[index] ?? "" }));
  });
}

/** The line at `begin` where it is read at once; most are, and then need no buffers to pass through. */
function shortLine(handle: HistoryHandle, begin: number, offset: number): Uint8Array | null {
  if (offset >= LOCATE_BYTES) return null;
  const chunk = new Uint8Array(Math.min(LOCATE_BYTES, handle.size - begin));
  const part = chunk.subarray(0, handle.read(chunk, begin));
  const feed = part.indexOf(LINE_FEED);
  if (feed >= 0) return part.subarray(0, feed);
  return part.length < LOCATE_BYTES ? part : null;
}

/** Keypaths at offsets behind `begin`: of one line in JSON lines, else to the end of the file. */
function keypathsAt(
  format: "json" | "jsonl",
  handle: HistoryHandle,
  begin: number,
  offsets: readonly number[],
  isStopped: () => boolean,
): string[] {
  if (format === "jsonl" && offsets.length === 1) {
    const line = shortLine(handle, begin, offsets[0]!);
    if (line) return [locateInLine(line, offsets[0]!).keypath];
  }
  const locator = createLocator(format, offsets);
  const chunk = new Uint8Array(LOCATE_BYTES);
  for (let at = begin; at < handle.size;) {
    if (isStopped()) return [];
    const got = handle.read(chunk.subarray(0, Math.min(chunk.length, handle.size - at)), at);
    if (got === 0) break;
    const feed = format === "jsonl" ? chunk.subarray(0, got).indexOf(LINE_FEED) : -1;
    locator.push(chunk.slice(0, feed < 0 ? got : feed));
    if (feed >= 0) break;
    at += got;
  }
  return locator.end().map(({ keypath }) => keypath);
}
