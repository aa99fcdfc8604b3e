/**
 * The pages of a database as a transaction would see them, read without SQLite.
 *
 * `node:sqlite` cannot do this. Measured on Deno 2.9.6: opened read-only, a database in WAL mode gets new `-wal` and
 * `-shm` files beside it, which stay there, although the sandbox allows no writing; `file:` URIs, which could call it
 * immutable, are taken for file names (and would hide what is in the log); `deserialize` holds the whole database in
 * memory; and a row is only to be had with its whole cells.
 *
 * @module
 */
import { type HistoryHandle, isOpen, openHistory, type OpenOptions } from "../open.ts";
import { type Problem, problem } from "../problem.ts";
import type { Encoding } from "../window.ts";
import { u16, u32 } from "./bytes.ts";
import { type Overlay, readJournal, readWal, walStamp } from "./overlay.ts";

/** The pages of one state of a database. */
export interface Pages {
  /** Bytes of a page that hold content. */
  readonly usable: number;
  /** How many pages there are; they are counted from 1. */
  readonly count: number;
  /** How text is encoded. */
  readonly encoding: Encoding;
  /** Whether the database is in WAL mode, or has a log of that mode. */
  readonly wal: boolean;
  /** Bytes of a page. */
  readonly pageSize: number;
  /** Reads a page into an array of that size; false where the file does not hold it. */
  read(number: number, into: Uint8Array): boolean;
  /** Whether pages may have been overwritten since they were opened, so that what was read may not fit together. */
  changed(): boolean;
  /** Closes the log; the database is the caller's. */
  close(): void;
}

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
const WAL_VERSION = 2;
const ENCODINGS: Readonly<Record<number, Encoding>> = { 1: "utf-8", 2: "utf-16le", 3: "utf-16be" };

/** Size of a page by the header, or 0 where the header is not one. */
function pageSizeOf(header: Uint8Array): number {
  if (!MAGIC.split("").every((character, index) => header[index] === character.charCodeAt(0))) return 0;
  const stored = u16(header, 16);
  const size = stored === 1 ? 65536 : stored;
  return size >= 512 && (size & (size - 1)) === 0 ? size : 0;
}

/** What is the same as long as the file was not written to: its header counts changes, where its time is too coarse. */
function stampOf(file: HistoryHandle): string {
  const header = new Uint8Array(HEADER_BYTES);
  return `${file.stamp()}:${header.subarray(0, file.read(header, 0)).join()}`;
}

/** Opens a log beside the database; undefined where there is none. */
function openLog(path: string, options: OpenOptions): HistoryHandle | Problem | undefined {
  const opened = openHistory(path, options);
  return !isOpen(opened) && opened.kind === "vanished" ? undefined : opened;
}

/**
 * How many pages there are. The header's number counts only where the last writer knew of it, and no number counts for
 * more than what files hold.
 */
function countOf(header: Uint8Array, filePages: number, overlay: Overlay | undefined): number {
  const stored = u32(header, 24) === u32(header, 92) ? u32(header, 28) : 0;
  const count = overlay?.count || stored || filePages;
  return Math.min(count, filePages + (overlay?.pages.size ?? 0));
}

/**
 * Opens the committed state of a database, in steps of bounded work. What stands in the way of it is returned where nothing can be read, and
 * reported where some of it can.
 */
export function* openPages(
  file: HistoryHandle,
  path: string,
  report: (problem: Problem) => void,
  options: OpenOptions = {},
): Generator<void, Pages | Problem> {
  if (file.size === 0) return problem("empty");
  const before = stampOf(file);
  const header = new Uint8Array(HEADER_BYTES);
  const pageSize = file.read(header, 0) === HEADER_BYTES ? pageSizeOf(header) : 0;
  if (pageSize === 0) return problem("not-a-database");
  // SQLite uses a write-ahead log that it finds, whatever mode the header names.
  const walLog = openLog(path + "-wal", options);
  const wal = walLog !== undefined || header[19] === WAL_VERSION;
  const logPath = path + (wal ? "-wal" : "-journal");
  const log = wal ? walLog : openLog(logPath, options);
  if (log === undefined || !isOpen(log)) {
    if (log !== undefined) report(problem("journal", log.reason));
    const changed = () => stampOf(file) !== before || (log === undefined && exists(logPath));
    return createPages(file, pageSize, wal, undefined, changed);
  }
  let kept = false;
  try {
    const overlay = yield* (wal ? readWal : readJournal)(log, pageSize);
    const stamp = wal ? walStamp : (journal: HistoryHandle) => journal.stamp();
    const changed = () => stampOf(file) !== before || stamp(log) !== overlay.stamp;
    const pages = createPages(file, pageSize, wal, { file: log, overlay }, changed);
    kept = "read" in pages;
    return pages;
  } finally {
    if (!kept) log.close();
  }
}

/** Creates the pages of a database and of the log that was read, if there is one. */
function createPages(
  file: HistoryHandle,
  pageSize: number,
  wal: boolean,
  log: { file: HistoryHandle; overlay: Overlay } | undefined,
  changed: () => boolean,
): Pages | Problem {
  function read(number: number, into: Uint8Array): boolean {
    const place = log?.overlay.pages.get(number);
    const got = log === undefined || place === undefined
      ? file.read(into, (number - 1) * pageSize)
      : log.file.read(into, place);
    return got === pageSize;
  }

  const first = new Uint8Array(pageSize);
  if (!read(1, first) || pageSizeOf(first) !== pageSize) return problem("corrupt");
  return {
    pageSize,
    usable: pageSize - (first[20] as number),
    count: countOf(first, Math.floor(file.size / pageSize), log?.overlay),
    encoding: ENCODINGS[u32(first, 56)] ?? "utf-8",
    wal,
    read,
    changed,
    close: () => log?.file.close(),
  };
}

/** Whether there is a log now. */
function exists(path: string): boolean {
  const opened = openLog(path, {});
  if (opened === undefined) return false;
  if (isOpen(opened)) opened.close();
  return true;
}
