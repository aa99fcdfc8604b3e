/**
 * The backups of histories: which there are, which of them can be put back, and what is left of killed redactions.
 *
 * @module
 */

import { Refusal } from "../guard/mod.ts";
import type { HistoryFile } from "../history/mod.ts";
import { lastRedactions, pathHash } from "./audit_log.ts";
import { type Ending, STAGE } from "./ending.ts";
import { clearLeftovers, hasLeftovers } from "./file.ts";
import { fileGate, placeGate } from "./gates.ts";
import { identityAt } from "./snapshot.ts";
import { backupOf, BESIDE, deleteBackup, restoreHistory } from "./write.ts";

/** What the work on a backup needs. */
export interface BackupSettings {
  /** Folders and files of the source. */
  readonly roots: readonly string[];
  /** Path of the audit log. */
  readonly logPath: string;
  /** Makes a path showable. */
  readonly shown: (path: string) => string;
  /** Ends the work, as long as nothing was moved. @default nobody does */
  readonly ending?: Ending | undefined;
}

/** What became of a backup. */
export type BackupResult =
  | { readonly kind: "restored" | "deleted"; readonly bytes: number }
  | { readonly kind: "clean" }
  | { readonly kind: "skipped"; readonly reason: string };

/**
 * Puts the backup of a file back, with those of the files beside a database. Of a database itself: puts back what an
 * undo that was killed left beside it.
 */
export function restoreBackup(file: HistoryFile, settings: BackupSettings): BackupResult {
  const path = file.backup ? file.path.slice(0, -backupOf("").length) : file.path;
  const beside = BESIDE.map((ending) => path + ending).filter((path) => isThere(backupOf(path)));
  if (!file.backup && (beside.length === 0 || isThere(backupOf(path)))) return { kind: "clean" };
  return guarded(file.path, settings, () => {
    const { logPath, shown, ending } = settings;
    const entry = lastRedactions(logPath).get(pathHash(path));
    if ((file.backup && backupOf(path) !== file.path) || entry === undefined) {
      throw new Refusal("unproven", "the audit log does not know it: it was not made here, or its file was moved");
    }
    const old = entry.sha256_before ?? "";
    const expected = file.backup ? [entry.sha256_after ?? "", entry.sha256_between ?? "", old] : [old];
    const { after } = restoreHistory({ path, expected, beside, logPath, shown, ending });
    return { kind: "restored", bytes: after };
  });
}

/** Deletes a backup, with those of the files beside a database. Of a history: what killed redactions left beside it. */
export function purgeBackup(backup: HistoryFile, settings: BackupSettings): BackupResult {
  if (!backup.backup && !hasLeftovers(backup.path)) return { kind: "clean" };
  return guarded(backup.path, settings, () => {
    const { logPath, shown, ending } = settings;
    ending?.enter(STAGE.writing);
    if (!backup.backup) return clearLeftovers(backup.path) ? { kind: "deleted", bytes: 0 } : { kind: "clean" };
    const path = backup.path.slice(0, -backupOf("").length);
    const beside = BESIDE.map((ending) => backupOf(path + ending)).filter(isThere);
    let bytes = 0;
    for (const name of [...beside, backup.path]) bytes += deleteBackup(name, logPath, shown);
    return { kind: "deleted", bytes };
  });
}

function isThere(path: string): boolean {
  return identityAt(path) !== "";
}

function guarded(path: string, { roots, ending }: BackupSettings, act: () => BackupResult): BackupResult {
  // A root may be a single file.
  const shut = fileGate(path) ?? placeGate(path, [...roots, ...roots.map(backupOf).filter(isThere)]);
  if (shut !== null) return { kind: "skipped", reason: shut };
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ending?.leave(STAGE.reading);
    return { kind: "skipped", reason: error.message };
  }
}
