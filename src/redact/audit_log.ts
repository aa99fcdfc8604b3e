/**
 * The log of what was written: one JSON line for each file, appended, never a secret.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { closeSync, constants, fchmodSync, fstatSync, fsyncSync, mkdirSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "@std/path";
import { errorCode } from "../guard/mod.ts";
import { openItself } from "../guard/open.ts";

/** What a line of the log tells of. */
export type LogAction = "redact" | "undo" | "purge" | "interrupted";

/** One line of the log. */
export interface LogEntry {
  /** When, as ISO 8601. */
  readonly time: string;
  /** What was done; `interrupted` where the redaction of the line before was killed and the file is as it was. */
  readonly action: LogAction;
  /** The file, as it may be shown. */
  readonly path: string;
  /** SHA-256 of the path, by which it is found again. */
  readonly path_sha256: string;
  /** SHA-256 of the content before; null where that does not matter. */
  readonly sha256_before: string | null;
  /** SHA-256 of the content after. */
  readonly sha256_after: string | null;
  /** SHA-256 of a database with its log written into it, which stood there for a moment in between. */
  readonly sha256_between?: string;
  /** SHA-256 of the files beside a database that were kept with it, by the endings of their names; none where absent. */
  readonly sha256_beside?: Readonly<Record<string, string>>;
  /** The backup, as it may be shown; null for none. */
  readonly backup: string | null;
  /** Bytes before. */
  readonly bytes_before: number;
  /** Bytes after. */
  readonly bytes_after: number;
}

/** The log, open for appending. */
export interface AuditLog {
  /** Appends one line, and waits until it is on the disk. */
  append(entry: LogEntry): void;
  /** Closes it. */
  close(): void;
}

/** Where the log is, below a home directory. */
export function auditLogPath(home: string): string {
  return `${home.replace(/[\\/]$/, "")}/.agentsweep/audit.jsonl`;
}

/** What a path is found by in the log. */
export function pathHash(path: string): string {
  return createHash("sha256").update(path).digest("hex");
}

/**
 * Opens the log, readable by its owner alone.
 *
 * @throws What the system says where it cannot be written, or is no plain file.
 */
export function openAuditLog(path: string): AuditLog {
  makeFolder(dirname(path));
  const fd = openOrCreate(path);
  const info = fstatSync(fd);
  if (!info.isFile() || info.nlink > 1) {
    closeSync(fd);
    throw new TypeError("the audit log is no plain file");
  }
  if (Deno.build.os !== "windows" && (info.mode & 0o077) !== 0) fchmodSync(fd, 0o600);
  return {
    append(entry) {
      writeSync(fd, `${JSON.stringify(entry)}\n`);
      fsyncSync(fd);
    },
    close: () => closeSync(fd),
  };
}

/** Makes the folder alone: for those above it, which are there, the runtime would ask whoever sits at the terminal. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** Never makes a file where a link leads: a new one is made exclusively. */
function openOrCreate(path: string): number {
  const append = constants.O_WRONLY | constants.O_APPEND;
  try {
    return openItself(path, append | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return openItself(path, append);
  }
}

/** The last entry of each path that tells of one of `actions`, by the path's hash. */
export function lastEntries(logPath: string, actions: readonly LogAction[]): Map<string, LogEntry> {
  const entries = new Map<string, LogEntry>();
  let text = "";
  try {
    text = readLog(logPath);
  } catch {
    return entries;
  }
  for (const line of text.split("\n")) {
    try {
      const entry = JSON.parse(line) as LogEntry;
      if (actions.includes(entry.action)) entries.set(entry.path_sha256, entry);
    } catch {
      // A torn line says nothing: what it was for did not happen either.
    }
  }
  return entries;
}

function readLog(path: string): string {
  const fd = openItself(path, constants.O_RDONLY);
  try {
    return fstatSync(fd).isFile() ? readFileSync(fd, "utf8") : "";
  } finally {
    closeSync(fd);
  }
}
