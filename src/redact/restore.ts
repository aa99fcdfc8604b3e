/**
 * Puts backups back, and deletes them.
 *
 * @module
 */

import { lstatSync } from "node:fs";
import { Refusal } from "../guard/mod.ts";
import { pathHash } from "./audit_log.ts";
import { CHANGED, openLog, refusalOf, syncFolder } from "./disk.ts";
import { type Ending, ENDLESS, STAGE } from "./ending.ts";
import { fileGate } from "./gates.ts";
import { backupOf } from "./names.ts";
import { identityAt, readWhole } from "./snapshot.ts";

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
