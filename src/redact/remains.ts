/**
 * What a command that was killed left beside a history. Looks only.
 *
 * @module
 */

import { backupOf, BESIDE, TEMPORARY, WORK } from "./names.ts";
import { identityAt } from "./snapshot.ts";

/** Whether redactions of the file that were killed, or are under way, have something beside it. */
export function hasLeftovers(path: string): boolean {
  return [TEMPORARY, WORK].some((ending) => isThere(path + ending));
}

/** Whether backups of files beside a database stand there without its own: an undo or a purge was killed. */
export function isHalfRestored(path: string): boolean {
  return !isThere(backupOf(path)) && backedUpBeside(path).length > 0;
}

/** The files beside a database that have a backup. */
export function backedUpBeside(path: string): string[] {
  return BESIDE.map((ending) => path + ending).filter((path) => isThere(backupOf(path)));
}

/** Whether anything stands at a path. */
export function isThere(path: string): boolean {
  return identityAt(path) !== "";
}
