/**
 * Puts backups back, and deletes them.
 *
 * @module
 */

import { lstatSync } from "node:fs";
import { Refusal } from "../guard/mod.ts";
import { type LogEntry, pathHash } from "./audit_log.ts";
import { CHANGED, openLog, refusalOf, syncFolder } from "./disk.ts";
import { type Ending, ENDLESS, STAGE } from "./ending.ts";
import { fileGate } from "./gates.ts";
import { type Hold, holdDatabase, requireSameBeside } from "./hold.ts";
import { modeInPlaceOf } from "./mode.ts";
import { backupOf, BESIDE } from "./names.ts";
import { backedUpBeside, isThere } from "./remains.ts";
import { identityAt, readWhole, type Snapshot } from "./snapshot.ts";

/** A backup that is put back. */
export interface Restoration {
  /** The file that the backup is of. */
  readonly path: string;
  /** SHA-256 that the file may have now: what a redaction made of it. */
  readonly expected: readonly string[];
  /** The log's entry of that redaction: what it kept, and so what a backup must hold. */
  readonly entry: LogEntry;
  /** Whether it is a database. */
  readonly isDatabase: boolean;
  /** Whether nobody but its owner gets to it, by a folder that this thread cannot look at. @default false */
  readonly isSheltered?: boolean | undefined;
  /** Path of the audit log. */
  readonly logPath: string;
  /** Makes a path showable. */
  readonly shown: (path: string) => string;
  /** Ends the work, as long as nothing was moved. @default nobody does */
  readonly ending?: Ending | undefined;
}

const FOREIGN =
  "the backup is not what the redaction kept: nothing was put back. Look at it, and move it away or put it back by hand";
const LOST = "the backup of its log is missing, without which rows would be lost: nothing was put back";
const NEWER =
  "beside it is a log (-wal or -journal) that the redaction did not leave: it may hold newer rows, or be in use. End what " +
  "uses the database; if the log stays, open the database once with that program or sqlite3 and end it, and run undo again";

/**
 * Puts a backup back by renaming it over the file: the bytes and times are those of before, the mode that of the file.
 *
 * @returns Bytes of the file before and after.
 * @throws {Refusal} When the file changed since it was redacted, the backup is not the one that was made then, there is a
 *   log beside a database that may hold more, or a step fails.
 */
export function restoreHistory(restoration: Restoration): { before: number; after: number } {
  const { path, expected, entry, isDatabase, shown, ending = ENDLESS } = restoration;
  const log = openLog(restoration.logPath);
  const holds: Hold[] = [];
  try {
    // An undo that was killed has put the file itself back, but not what stands beside it.
    const names = [path, ...backedUpBeside(path)].filter((name) => isThere(backupOf(name)));
    const shut = [path, ...names.map(backupOf)].map(fileGate).find((reason) => reason !== null);
    if (shut) throw new Refusal("changed", shut);
    const now = readWhole(path, ending.check);
    if (!expected.includes(now.sha256)) {
      throw new Refusal("changed", "it changed since it was redacted: putting the backup back would lose that");
    }
    const backups = new Map(names.map((name) => [name, readWhole(backupOf(name), ending.check)]));
    for (const [name, { sha256 }] of backups) {
      if (sha256 !== keptOf(entry, name.slice(path.length))) throw new Refusal("unproven", FOREIGN);
    }
    const beside = isDatabase ? explainedBeside(path, entry, names) : [];
    const old = backups.get(path) ?? now;
    ending.enter(STAGE.writing);
    // Of one that was put back already, a log that is put beside it would be taken for the empty one of the lock.
    if (isDatabase && backups.has(path)) holds.push(holdDatabase(path), holdDatabase(backupOf(path)));
    for (const { path, identity } of [now, ...backups.values(), ...beside]) {
      if (identityAt(path) !== identity) throw new Refusal("changed", CHANGED);
    }
    if (isDatabase) requireSameBeside(path, beside);
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
    const mode = modeInPlaceOf(path, now.mode, restoration.isSheltered);
    for (const name of names) {
      if (Deno.build.os !== "windows") Deno.chmodSync(backupOf(name), mode);
      Deno.renameSync(backupOf(name), name);
    }
    if (syncFolder(path)) { for (const hold of holds) hold.spoil(); }
    return { before: now.size, after: old.size };
  } catch (error) {
    ending.leave(STAGE.reading);
    throw refusalOf(error);
  } finally {
    for (const hold of holds) hold[Symbol.dispose]();
    log.close();
  }
}

/** SHA-256 of what a redaction kept of a file, or of what stands beside a database under its name and an ending. */
function keptOf(entry: LogEntry, ending: string): string | null | undefined {
  return ending === "" ? entry.sha256_before : entry.sha256_beside?.[ending];
}

/**
 * What stands beside a database; all of it must be what the redaction found there.
 *
 * @throws {Refusal} Where a log does not, or one that was there is lost.
 */
function explainedBeside(path: string, entry: LogEntry, names: readonly string[]): Snapshot[] {
  const isHalf = !names.includes(path);
  return BESIDE.flatMap((ending): Snapshot[] => {
    const name = path + ending;
    const kept = keptOf(entry, ending);
    // The index of a log holds nothing of its own; but it belongs to whoever made it.
    const isIndex = ending === "-shm";
    if (!isThere(name)) {
      if (kept !== undefined && !isIndex && !names.includes(name)) throw new Refusal("incomplete", LOST);
      return [];
    }
    const found = readWhole(name);
    if (found.sha256 !== kept && (!isIndex || isHalf)) throw new Refusal("changed", NEWER);
    return [found];
  });
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
