/**
 * The one module through which a history is written. A crash at any instant leaves the complete old or the complete new
 * content at the path.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { closeSync, fsyncSync, lstatSync, openSync } from "node:fs";
import { dirname } from "@std/path";
import { errorCode, Refusal } from "../guard/mod.ts";
import { type AuditLog, type LogEntry, openAuditLog, pathHash } from "./audit_log.ts";
import { type Ending, ENDLESS, STAGE, type Stage } from "./ending.ts";
import { backupGate, fileGate, placeGate } from "./gates.ts";
import { identityAt, readWhole, type Snapshot } from "./snapshot.ts";

/** The steps of a write, in order; the ones about the log of a database happen only where there is one. */
export type WriteStep =
  | "created"
  | "prepared"
  | "backed-up"
  | "checked"
  | "logged"
  | "settled"
  | "cleared"
  | "renamed"
  | "synced";

/** New content: the bytes, or a file that holds them. */
export type Content = Uint8Array | { readonly file: string };

/** A change of one file. */
export interface Change {
  /** The file as it was when the new content was made from it. */
  readonly before: Snapshot;
  /** Folders that it must really lie in. */
  readonly roots: readonly string[];
  /** What it becomes. */
  readonly content: Content;
  /** Whether the old content is kept as `<path>.bak`. */
  readonly keepsBackup: boolean;
  /** Path of the audit log. */
  readonly logPath: string;
  /** Makes a path showable. */
  readonly shown: (path: string) => string;
  /** Of a database with a log beside it: the files beside it, and its old content with that log written into it. */
  readonly database?: { readonly beside: readonly Snapshot[]; readonly settled: Content } | undefined;
  /** Told after each step; tests end the process there. */
  readonly onStep?: ((step: WriteStep) => void) | undefined;
  /** Ends the work, as long as nothing was moved. @default nobody does */
  readonly ending?: Ending | undefined;
}

/** What was written. */
export interface Written {
  /** Path of the backup; null for none. */
  readonly backup: string | null;
  /** Bytes that the file has now. */
  readonly bytes: number;
}

/** Stands beside a file while its new content is being written. */
export const TEMPORARY = ".agentsweep-tmp";
const SETTLED = ".agentsweep-old";
const BACKUP = ".bak";

/** Endings of the files beside a database that belong to it. */
export const BESIDE = ["-wal", "-journal", "-shm"] as const;

/** Where the backup of a file goes. */
export function backupOf(path: string): string {
  return path + BACKUP;
}

/**
 * Replaces a file.
 *
 * 1. The new content goes into a file beside it, with the same mode and owner, down to the disk.
 * 2. The old content goes into `<path>.bak`, which must not exist.
 * 3. The file is compared with what it was: kind, device, inode, size, time, content.
 * 4. A line goes into the audit log, so that no redaction is without one.
 * 5. The new file is renamed over the old one, down to the disk.
 *
 * Of a database with a write-ahead log, the old content with that log in it is put in place first and the log removed
 * then: neither the old database without its log nor the new one with the old log ever stands there.
 *
 * @throws {Refusal} When anything is not as it was or a step fails; the file is then as it was, and nothing is left.
 */
export function writeHistory(change: Change): Written {
  const { before, onStep = () => {}, ending = ENDLESS } = change;
  const { path } = before;
  const log = openLog(change.logPath);
  const made: string[] = [];
  let temporary: Deno.FsFile | null = null;
  let stage: Stage | null = null;
  try {
    stage = ending.enter(STAGE.writing);
    temporary = claim(path);
    made.push(path + TEMPORARY);
    // Where the new file was really made is proven now. Should its folder be swapped for a link later on, the rename finds
    // no such file behind the link, and fails.
    const outside = placeGate(path + TEMPORARY, rootsBeside(path, change.roots));
    if (outside !== null) throw new Refusal("outside", outside);
    onStep("created");
    const after = fill(temporary, path + TEMPORARY, change.content, before, ending);
    const between = change.database && prepare(path + SETTLED, change.database.settled, before, made, ending);
    onStep("prepared");
    const originals = [before, ...change.database?.beside ?? []];
    for (const original of originals) keep(original, change.keepsBackup, made, ending);
    onStep("backed-up");
    for (const { path, identity } of originals) {
      const shut = fileGate(path) ?? (identityAt(path) === identity ? null : CHANGED);
      if (shut !== null) throw new Refusal("changed", shut);
    }
    onStep("checked");
    ending.check();
    log.append(entryOf(change, after, between));
    onStep("logged");
    if (change.database) {
      Deno.renameSync(path + SETTLED, path);
      syncFolder(path);
      onStep("settled");
      for (const { path } of change.database.beside) Deno.removeSync(path);
      syncFolder(path);
      onStep("cleared");
    }
    Deno.renameSync(path + TEMPORARY, path);
    onStep("renamed");
    made.length = 0;
    syncRenamed(path);
    onStep("synced");
    return { backup: change.keepsBackup ? backupOf(path) : null, bytes: after.size };
  } catch (error) {
    for (const left of made) removeQuietly(left);
    if (stage !== null) ending.leave(stage);
    throw refusalOf(error);
  } finally {
    temporary?.close();
    log.close();
  }
}

/** A root may be a single file: what stands beside it under its name lies in it, too. */
function rootsBeside(path: string, roots: readonly string[]): readonly string[] {
  return roots.includes(path) ? [path + TEMPORARY] : roots;
}

const CHANGED = "it changed since it was scanned: nothing was written";

function openLog(path: string): AuditLog {
  try {
    return openAuditLog(path);
  } catch (error) {
    throw new Refusal("unreadable", `the audit log cannot be written (${errorCode(error)})`);
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = errorCode(error);
  if (code === "ENOENT") return new Refusal("missing", "it no longer exists");
  if (code === "ENOSPC" || code === "EDQUOT") return new Refusal("incomplete", "the disk is full: nothing was changed");
  if (error instanceof Deno.errors.NotCapable) {
    return new Refusal(
      "unreadable",
      "the sandbox does not allow writing it: start Deno with --allow-write for its folder",
    );
  }
  return new Refusal("unreadable", `it cannot be written (${code}): nothing was changed`);
}

/** Makes the temporary file, which is locked as long as this process lives: only one redaction has it. */
function claim(path: string): Deno.FsFile {
  const name = path + TEMPORARY;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = Deno.openSync(name, { write: true, createNew: true, mode: 0o600 });
      const isMine = file.tryLockSync(true) && isSame(file, name);
      if (isMine) return file;
      file.close();
      break;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      if (!clearInterrupted(path)) break;
    }
  }
  throw new Refusal("changed", "another redaction is writing it");
}

function isSame(file: Deno.FsFile, path: string): boolean {
  try {
    return file.statSync().ino === Deno.lstatSync(path).ino;
  } catch {
    return false;
  }
}

/**
 * Removes what a redaction of the file left that was killed: the lock of its temporary file is gone with it.
 *
 * @returns Whether there was something, and it went.
 */
export function clearInterrupted(path: string): boolean {
  const name = path + TEMPORARY;
  if (identityAt(name) === "" || !Deno.lstatSync(name).isFile) return false;
  const file = Deno.openSync(name, { read: true, write: true });
  try {
    if (!file.tryLockSync(true) || !isSame(file, name)) return false;
    // The backups of that redaction are copies of the beginnings of the files, or of all of them.
    for (const name of [path, ...BESIDE.map((ending) => path + ending)]) {
      if (isBeginning(backupOf(name), name)) removeQuietly(backupOf(name));
    }
    removeQuietly(path + SETTLED);
    Deno.removeSync(name);
    return true;
  } finally {
    file.close();
  }
}

function isBeginning(backup: string, path: string): boolean {
  try {
    const info = Deno.lstatSync(backup);
    if (!info.isFile) return false;
    const parts: Uint8Array[] = [];
    const copy = readWhole(backup, (piece) => parts.push(piece.slice()));
    let at = 0;
    let isEqual = true;
    const bytes = new Uint8Array(copy.size);
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    at = 0;
    readWhole(path, (piece) => {
      const mine = bytes.subarray(at, at + piece.length);
      isEqual &&= mine.every((byte, index) => byte === piece[index]);
      at += piece.length;
    });
    return isEqual && copy.size <= at;
  } catch {
    return false;
  }
}

/** How much is written at once. */
const PIECE_BYTES = 1 << 20;

/** What a file holds by now. */
type Filled = Pick<Snapshot, "sha256" | "size">;

/** Writes content into an open file, down to the disk, and gives it the mode and owner of the old one. */
function fill(file: Deno.FsFile, path: string, content: Content, before: Snapshot, ending: Ending): Filled {
  const hash = createHash("sha256");
  const write = (piece: Uint8Array) => {
    ending.check();
    hash.update(piece);
    writeAll(file, piece);
  };
  let size = 0;
  if (content instanceof Uint8Array) {
    for (size = 0; size < content.length; size += PIECE_BYTES) write(content.subarray(size, size + PIECE_BYTES));
    size = content.length;
  } else size = readWhole(content.file, write).size;
  if (Deno.build.os !== "windows") {
    const info = file.statSync();
    if (info.uid !== before.uid || info.gid !== before.gid) Deno.chownSync(path, before.uid, before.gid);
    Deno.chmodSync(path, before.mode);
  }
  ending.check();
  file.syncSync();
  return { sha256: hash.digest("hex"), size };
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

function prepare(path: string, content: Content, before: Snapshot, made: string[], ending: Ending): Filled {
  removeQuietly(path);
  const file = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
  made.push(path);
  try {
    return fill(file, path, content, before, ending);
  } finally {
    file.close();
  }
}

/** Keeps a file's content as its backup; in any case what is read must be what was scanned. */
function keep(original: Snapshot, keepsBackup: boolean, made: string[], ending: Ending): void {
  const { path, sha256, mtime } = original;
  if (!keepsBackup) {
    if (readWhole(path, ending.check).sha256 !== sha256) throw new Refusal("changed", CHANGED);
    return;
  }
  const backup = backupOf(path);
  const shut = backupGate(backup);
  if (shut !== null) throw new Refusal("changed", shut);
  const file = Deno.openSync(backup, { write: true, createNew: true, mode: 0o600 });
  made.push(backup);
  try {
    const copy = (piece: Uint8Array) => {
      ending.check();
      writeAll(file, piece);
    };
    if (readWhole(path, copy).sha256 !== sha256) throw new Refusal("changed", CHANGED);
    Deno.utimeSync(backup, new Date(mtime), new Date(mtime));
    file.syncSync();
  } finally {
    file.close();
  }
  syncFolder(path);
}

function entryOf({ before, keepsBackup, shown }: Change, after: Filled, between: Filled | undefined): LogEntry {
  return {
    time: new Date().toISOString(),
    action: "redact",
    path: shown(before.path),
    path_sha256: pathHash(before.path),
    sha256_before: before.sha256,
    sha256_after: after.sha256,
    ...(between ? { sha256_between: between.sha256 } : {}),
    backup: keepsBackup ? shown(backupOf(before.path)) : null,
    bytes_before: before.size,
    bytes_after: after.size,
  };
}

/** Brings the names in a file's folder down to the disk. Windows knows no such thing. */
function syncFolder(path: string): void {
  if (Deno.build.os === "windows") return;
  const fd = openSync(dirname(path), "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The file is in place by now, whatever the disk says to this. */
function syncRenamed(path: string): void {
  try {
    syncFolder(path);
  } catch {
    // A crash of the machine may bring the old content back, which is complete, too.
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It is not there, or cannot be removed: the refusal that follows says what matters.
  }
}

/** A backup that is put back. */
export interface Restoration {
  /** The file that the backup is of. */
  readonly path: string;
  /** SHA-256 that the file may have now: what a redaction made of it. */
  readonly expected: readonly string[];
  /** Paths beside it whose backups are put back behind it, of a database. */
  readonly beside: readonly string[];
  /** Path of the audit log. */
  readonly logPath: string;
  /** Makes a path showable. */
  readonly shown: (path: string) => string;
  /** Ends the work, as long as nothing was moved. @default nobody does */
  readonly ending?: Ending | undefined;
}

/**
 * Puts a backup back by renaming it over the file: the bytes and times are those of before, the mode that of the file.
 *
 * @returns Bytes of the file before and after.
 * @throws {Refusal} When the file changed since it was redacted, or a step fails.
 */
export function restoreHistory(restoration: Restoration): { before: number; after: number } {
  const { path, expected, beside, shown, ending = ENDLESS } = restoration;
  const log = openLog(restoration.logPath);
  try {
    // An undo that was killed has put the file itself back, but not what stands beside it.
    const names = [path, ...beside].filter((name) => identityAt(backupOf(name)) !== "");
    const shut = [path, ...names.map(backupOf)].map(fileGate).find((reason) => reason !== null);
    if (shut) throw new Refusal("changed", shut);
    const now = readWhole(path, ending.check);
    if (!expected.includes(now.sha256)) {
      throw new Refusal("changed", "it changed since it was redacted: putting the backup back would lose that");
    }
    const old = names.includes(path) ? readWhole(backupOf(path), ending.check) : now;
    ending.enter(STAGE.writing);
    log.append({
      time: new Date().toISOString(),
      action: "undo",
      path: shown(path),
      path_sha256: pathHash(path),
      sha256_before: now.sha256,
      sha256_after: old.sha256,
      backup: shown(backupOf(path)),
      bytes_before: now.size,
      bytes_after: old.size,
    });
    if (identityAt(path) !== now.identity) throw new Refusal("changed", CHANGED);
    for (const name of names) {
      if (Deno.build.os !== "windows") Deno.chmodSync(backupOf(name), now.mode);
      Deno.renameSync(backupOf(name), name);
    }
    syncFolder(path);
    return { before: now.size, after: old.size };
  } catch (error) {
    ending.leave(STAGE.reading);
    throw refusalOf(error);
  } finally {
    log.close();
  }
}

/**
 * Deletes a backup.
 *
 * @throws {Refusal} When it is no plain file, or cannot be deleted.
 */
export function deleteBackup(backup: string, logPath: string, shown: (path: string) => string): number {
  const log = openLog(logPath);
  try {
    const info = lstatSync(backup);
    if (!info.isFile()) throw new Refusal("changed", "it is not a file");
    log.append({
      time: new Date().toISOString(),
      action: "purge",
      path: shown(backup),
      path_sha256: pathHash(backup),
      sha256_before: null,
      sha256_after: null,
      backup: null,
      bytes_before: info.size,
      bytes_after: 0,
    });
    Deno.removeSync(backup);
    syncFolder(backup);
    return info.size;
  } catch (error) {
    throw refusalOf(error);
  } finally {
    log.close();
  }
}
