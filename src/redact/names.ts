/**
 * What stands beside a history while it is redacted and afterwards, by name.
 *
 * @module
 */

/** Ends the name of a file's new content while it is written; its lock says that a redaction is under way. */
export const TEMPORARY = ".agentsweep-tmp";

/** Ends the name of a database with its log written into it, before it takes the database's place for a moment. */
export const SETTLED = ".agentsweep-old";

/** Ends the name of the private folder in which a database is redacted. */
export const WORK = ".agentsweep-work";

/** Endings of the files beside a database that belong to it. */
export const BESIDE = ["-wal", "-journal", "-shm"] as const;

const BACKUP = ".bak";

/** Where the backup of a file goes. */
export function backupOf(path: string): string {
  return path + BACKUP;
}

/** Endings of all that a redaction, an undo or a purge of a file makes, removes or looks for under its name. */
export const LOOKED_AT: readonly string[] = [
  "",
  BACKUP,
  TEMPORARY,
  WORK,
  SETTLED,
  `${SETTLED}-wal`,
  ...BESIDE,
  ...BESIDE.map(backupOf),
];
