/**
 * Reads every string of a history file.
 *
 * @module
 */
import { breathe } from "../concurrency/slices.ts";
import { type HistoryHandle, isOpen, isSystemError, openHistory, problemOf } from "./formats/open.ts";
import { problem, type Report } from "./formats/problem.ts";
import { createReaderAt, type StreamFormat } from "./formats/reader.ts";
import { type DatabaseOptions, databaseSteps } from "./formats/sqlite/mod.ts";
import type { Emit, HistoryString } from "./formats/strings.ts";
import { detectEncoding, OPENING_BYTES } from "./formats/window.ts";
import type { Format } from "./source.ts";

export type { Cell, Form, HistoryString } from "./formats/strings.ts";
export type { OpenOptions } from "./formats/open.ts";
export type { Problem, ProblemKind, PROBLEMS, Report } from "./formats/problem.ts";
export type { DatabaseOptions } from "./formats/sqlite/mod.ts";
export type { Format } from "./source.ts";

/** Options of {@linkcode readStrings}. */
export interface ReadOptions extends DatabaseOptions {
  /**
   * Byte offset to begin at, which must be the beginning of a line: what stands before it was read already. Not for
   * databases and documents. @default 0
   */
  readonly from?: number;
  /** Line of that offset. @default 1 */
  readonly fromLine?: number;
  /** Ends the reading early; the iteration then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

const CHUNK_BYTES = 256 * 1024;
/** How long to work before others get their turn. */
const TURN_MS = 20;

/** Reads a file of a format other than SQLite, one chunk a step, as far as it went when it was opened. */
function* fileSteps(
  file: HistoryHandle,
  format: StreamFormat,
  emit: Emit,
  report: Report,
  options: ReadOptions,
): Generator<void> {
  const opening = new Uint8Array(OPENING_BYTES);
  const { encoding, mark } = detectEncoding(opening.subarray(0, file.read(opening, 0)));
  let offset = Math.max(mark, options.from ?? 0);
  const wants = () => true;
  const size = Math.max(0, file.size - offset);
  const reader = createReaderAt(format, emit, { encoding, origin: offset, line: options.fromLine ?? 1, wants, size });
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size));
  while (offset < file.size) {
    const got = file.read(chunk.subarray(0, Math.min(chunk.length, file.size - offset)), offset);
    if (got === 0) {
      report(problem("shrunk"));
      break;
    }
    reader.push(chunk.subarray(0, got));
    offset += got;
    yield;
  }
  reader.end();
}

/** Opens a file of a format other than SQLite and reads it. */
function* openSteps(
  path: string,
  format: StreamFormat,
  emit: Emit,
  report: Report,
  options: ReadOptions,
): Generator<void> {
  const file = openHistory(path, options);
  if (!isOpen(file)) return report(file);
  try {
    yield* fileSteps(file, format, emit, report, options);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    report(problemOf(error));
  } finally {
    file.close();
  }
}

/**
 * Reads every string of a history file, in the order of the file. Needs `--allow-read` for it (of a database also for
 * the files beside it). Memory stays bounded whatever the size of the file, of a line or of a string.
 *
 * A file that grows is read as far as it went when it was opened.
 *
 * @param report takes what could not be read; there is no error to catch besides the signal's
 * @example
 * ```ts
 * const path = await Deno.makeTempFile();
 * await Deno.writeTextFile(path, '{"role":"user","text":"hello"}\n');
 * for await (const { line, keypath, text } of readStrings(path, "jsonl", (problem) => console.error(problem.reason))) {
 *   console.log(line, keypath, text.length);
 * }
 * ```
 */
export async function* readStrings(
  path: string,
  format: Format,
  report: Report,
  options: ReadOptions = {},
): AsyncGenerator<HistoryString, void, void> {
  const found: HistoryString[] = [];
  const emit: Emit = (string) => found.push(string);
  const steps = format === "sqlite"
    ? databaseSteps(path, emit, report, options)
    : openSteps(path, format, emit, report, options);
  let turn = performance.now();
  try {
    for (const _ of steps) {
      options.signal?.throwIfAborted();
      for (const string of found) yield string;
      found.length = 0;
      if (performance.now() - turn < TURN_MS) continue;
      await breathe();
      turn = performance.now();
    }
    for (const string of found) yield string;
  } finally {
    steps.return(undefined);
  }
}
