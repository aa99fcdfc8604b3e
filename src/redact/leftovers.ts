/**
 * What redactions that were killed left beside a history: who still works there is told by locks, which end with their
 * process.
 *
 * @module
 */

import { closeSync, constants, readSync, realpathSync } from "node:fs";
import { Refusal } from "../guard/mod.ts";
import { openItself } from "../guard/open.ts";
import { accessTo } from "../history/access.ts";
import { lastEntries, pathHash } from "./audit_log.ts";
import { openLog, removeQuietly, writeAll } from "./disk.ts";
import { backupOf, BESIDE, SETTLED, TEMPORARY, WORK } from "./names.ts";
import { identityAt, readWhole } from "./snapshot.ts";

/** Where what was found is noted down. */
export interface Notes {
  /** Path of the audit log. */
  readonly logPath: string;
  /** Makes a path showable. */
  readonly shown: (path: string) => string;
}

const BUSY = "another redaction is writing it";

/** Makes the temporary file, which is locked as long as this process lives: only one redaction has it. */
export function claimTemporary(path: string, notes: Notes): Deno.FsFile {
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
      if (!clearInterrupted(path, notes)) break;
    }
  }
  throw new Refusal("changed", BUSY);
}

/** Makes the private folder, which goes when it is disposed of. One whose maker was killed is emptied: its lock is gone. */
export function claimFolder(folder: string): Disposable {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      Deno.mkdirSync(folder, { mode: 0o700 });
      const lock = Deno.openSync(`${folder}/lock`, { write: true, createNew: true, mode: 0o600 });
      if (lock.tryLockSync(true)) return ownFolder(folder, lock);
      lock.close();
      break;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      if (!clearFolder(folder)) break;
    }
  }
  throw new Refusal("changed", BUSY);
}

function ownFolder(folder: string, lock: Deno.FsFile): Disposable {
  return {
    [Symbol.dispose]() {
      lock.close();
      Deno.removeSync(folder, { recursive: true });
    },
  };
}

/**
 * Whether the open file is the one that stands at `path`. Where a link stands above a folder that is allowed, Deno does
 * not let an open file be asked what it is, or asks a human first: then it is told by what is written into it.
 */
function isSame(file: Deno.FsFile, path: string): boolean {
  try {
    if (accessTo(realpathSync(path)) !== "granted") return holdsMark(file, path);
    return file.statSync().ino === Deno.lstatSync(path).ino;
  } catch (error) {
    return error instanceof Deno.errors.NotCapable && holdsMark(file, path);
  }
}

function holdsMark(file: Deno.FsFile, path: string): boolean {
  const mark = crypto.getRandomValues(new Uint8Array(16));
  try {
    file.truncateSync(0);
    file.seekSync(0, Deno.SeekMode.Start);
    writeAll(file, mark);
    const found = Deno.readFileSync(path);
    return found.length === mark.length && found.every((byte, index) => byte === mark[index]);
  } catch {
    return false;
  } finally {
    file.truncateSync(0);
    file.seekSync(0, Deno.SeekMode.Start);
  }
}

/**
 * Removes what redactions of the file left beside it that were killed, the backups among it that are but copies of what
 * stands there.
 *
 * @returns Whether there was something, and it went.
 */
export function clearLeftovers(path: string, notes: Notes): boolean {
  const hadFolder = clearFolder(path + WORK);
  return clearInterrupted(path, notes) || hadFolder;
}

const ODD = "what stands beside it under the name of a redaction's own folder is not one: look at it, and move it away";

function clearFolder(folder: string): boolean {
  if (identityAt(folder) === "" || !Deno.lstatSync(folder).isDirectory) return false;
  const name = `${folder}/lock`;
  if (identityAt(name) !== "" && !Deno.lstatSync(name).isFile) throw new Refusal("changed", ODD);
  const lock = openLock(name);
  try {
    if (!lock.tryLockSync(true) || !isSame(lock, name)) return false;
    Deno.removeSync(folder, { recursive: true });
    return true;
  } finally {
    lock.close();
  }
}

/** Opened for reading as well, a pipe that was put there since is not waited for. */
function openLock(name: string): Deno.FsFile {
  // Makes it where it is missing, and follows no link.
  closeSync(openItself(name, constants.O_RDWR | constants.O_CREAT, 0o600));
  return Deno.openSync(name, { read: true, write: true });
}

function clearInterrupted(path: string, notes: Notes): boolean {
  const name = path + TEMPORARY;
  if (identityAt(name) === "" || !Deno.lstatSync(name).isFile) return false;
  const file = Deno.openSync(name, { read: true, write: true });
  try {
    if (!file.tryLockSync(true) || !isSame(file, name)) return false;
    noteInterrupted(path, notes);
    // The backups of that redaction are copies of the beginnings of the files, or of all of them.
    for (const original of [path, ...BESIDE.map((ending) => path + ending)]) {
      if (isBeginning(backupOf(original), original)) removeQuietly(backupOf(original));
    }
    for (const name of [path + SETTLED, `${path + SETTLED}-wal`]) removeQuietly(name);
    Deno.removeSync(name);
    return true;
  } finally {
    file.close();
  }
}

/** The log promised a redaction that did not come about: the log says so, too. */
function noteInterrupted(path: string, { logPath, shown }: Notes): void {
  const entry = lastEntries(logPath, ["redact", "undo", "interrupted"]).get(pathHash(path));
  if (entry?.action !== "redact") return;
  let now;
  try {
    now = readWhole(path);
  } catch {
    return;
  }
  if (now.sha256 !== entry.sha256_before) return;
  const log = openLog(logPath);
  try {
    log.append({
      time: new Date().toISOString(),
      action: "interrupted",
      path: shown(path),
      path_sha256: entry.path_sha256,
      sha256_before: now.sha256,
      sha256_after: now.sha256,
      backup: null,
      bytes_before: now.size,
      bytes_after: now.size,
    });
  } finally {
    log.close();
  }
}

const CHUNK_BYTES = 1 << 20;

/** Whether a backup holds what its file begins with, or all of it. */
function isBeginning(backup: string, path: string): boolean {
  if (identityAt(backup) === "" || !Deno.lstatSync(backup).isFile) return false;
  const open: number[] = [];
  try {
    for (const name of [backup, path]) open.push(openItself(name, constants.O_RDONLY));
    const [copy, original] = open as [number, number];
    const [one, other] = [new Uint8Array(CHUNK_BYTES), new Uint8Array(CHUNK_BYTES)];
    for (let at = 0;;) {
      const got = readSync(copy, one, 0, CHUNK_BYTES, at);
      if (got === 0) return true;
      for (let read = 0; read < got;) {
        const more = readSync(original, other, 0, got - read, at + read);
        if (more === 0 || !other.subarray(0, more).every((byte, index) => byte === one[read + index])) return false;
        read += more;
      }
      at += got;
    }
  } catch {
    return false;
  } finally {
    for (const fd of open) closeSync(fd);
  }
}
