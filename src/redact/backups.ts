/**
 * The backups of histories: which there are, which of them can be put back, and what is left of killed redactions.
 *
 * @module
 */

import { Refusal } from "../guard/mod.ts";
import type { HistoryFile } from "../history/mod.ts";
import { lastEntries, pathHash } from "./audit_log.ts";
import { type Ending, STAGE } from "./ending.ts";
import { fileGate, placeGate } from "./gates.ts";
import { clearLeftovers } from "./leftovers.ts";
import { backupOf } from "./names.ts";
import { backedUpBeside, hasLeftovers, isHalfRestored, isThere } from "./remains.ts";
import { deleteBackup, restoreHistory } from "./restore.ts";
import { readWhole } from "./snapshot.ts";

/** What the work on a backup needs. */
export interface BackupSettings {
  /** Folders and files of the source. */
  readonly roots: readonly string[];
  /** Whether nobody but its owner gets to a file, by a folder that this thread cannot look at. @default false */
  readonly isSheltered?: boolean | undefined;
  /** Path of the audit log. */
  readonly logPath: string;
  /** Makes a path showable. */
  readonly shown: (path: string) => string;
  /** Ends the work, as long as nothing was moved. @default nobody does */
  readonly ending?: Ending | undefined;
}

/** What became of a backup, or of a history whose leftovers were looked for. */
export type BackupResult =
  | { readonly kind: "restored" | "deleted"; readonly bytes: number }
  /** What a redaction that was killed left beside it is gone. */
  | { readonly kind: "cleared" }
  | { readonly kind: "clean" }
  | { readonly kind: "skipped"; readonly reason: string };

/**
 * Puts the backup of a file back, with those of the files beside a database. Of a history itself: clears what a
 * redaction that was killed left beside it, and puts back what an undo that was killed left.
 */
export function restoreBackup(file: HistoryFile, settings: BackupSettings): BackupResult {
  const path = file.backup ? file.path.slice(0, -backupOf("").length) : file.path;
  // It may have been a copy that a redaction that was killed left.
  if (file.backup && !isThere(file.path)) return { kind: "clean" };
  if (!file.backup && !hasLeftovers(path) && !isHalfRestored(path)) return { kind: "clean" };
  return guarded(file.path, settings, () => {
    const { logPath, shown, ending } = settings;
    if (!file.backup) {
      const isCleared = clearLeftovers(path, settings);
      if (!isHalfRestored(path)) return { kind: isCleared ? "cleared" : "clean" };
    }
    const entry = lastEntries(logPath, ["redact"]).get(pathHash(path));
    if ((file.backup && backupOf(path) !== file.path) || entry === undefined) {
      throw new Refusal("unproven", "the audit log does not know it: it was not made here, or its file was moved");
    }
    if (entry.backup === null) throw new Refusal("unproven", KEPT_NONE);
    const old = entry.sha256_before ?? "";
    if (!file.backup && readWhole(path).sha256 !== old) throw new Refusal("changed", PURGED);
    const expected = file.backup ? [entry.sha256_after ?? "", entry.sha256_between ?? "", old] : [old];
    const isDatabase = file.format === "sqlite";
    const { isSheltered } = settings;
    const { after } = restoreHistory({ path, expected, entry, isDatabase, isSheltered, logPath, shown, ending });
    return { kind: "restored", bytes: after };
  });
}

/**
 * Deletes a backup, with those of the files beside a database. Of a history itself: clears what a redaction that was
 * killed left beside it, and deletes what a purge that was killed left.
 */
export function purgeBackup(file: HistoryFile, settings: BackupSettings): BackupResult {
  const path = file.backup ? file.path.slice(0, -backupOf("").length) : file.path;
  if (file.backup && !isThere(file.path)) return { kind: "clean" };
  if (!file.backup && !hasLeftovers(path) && !isHalfRestored(path)) return { kind: "clean" };
  return guarded(file.path, settings, () => {
    const { logPath, shown, ending } = settings;
    ending?.enter(STAGE.writing);
    const isCleared = !file.backup && clearLeftovers(path, settings);
    if (!file.backup && !isHalfRestored(path)) return { kind: isCleared ? "cleared" : "clean" };
    const beside = backedUpBeside(path).map(backupOf);
    if (!file.backup) {
      const entry = lastEntries(logPath, ["redact"]).get(pathHash(path));
      if (entry && readWhole(path).sha256 === entry.sha256_before) throw new Refusal("changed", UNDONE);
    }
    // The backup of a database goes first: without those of the files beside it, nobody could put it back whole.
    let bytes = file.backup ? deleteBackup(file.path, logPath, shown) : 0;
    for (const name of beside) bytes += deleteBackup(name, logPath, shown);
    return { kind: "deleted", bytes };
  });
}

const KEPT_NONE =
  "the last redaction of it kept no backup: this one is older, or of somebody else. Look at it, and move it away or put " +
  "it back by hand";
const UNDONE =
  "an undo of it was cut short, and only the backups beside it hold what is missing: run undo again before purge";
const PURGED = "a purge of it was cut short: what is left of its backups cannot be put back; run purge again";

function guarded(path: string, { roots, ending }: BackupSettings, act: () => BackupResult): BackupResult {
  // A root may be a single file. Beside one that is a folder nothing is looked at: it may not be read.
  const shut = fileGate(path) ?? placeGate(path, [...roots, ...roots.map(backupOf).filter((root) => root === path)]);
  if (shut !== null) return { kind: "skipped", reason: shut };
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ending?.leave(STAGE.reading);
    return { kind: "skipped", reason: error.message };
  }
}
