/**
 * In which state a kill left a history, as far as can be seen from outside.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { join } from "@std/path";
import { cellsOf, withDatabase } from "./content.ts";
import { type Tree, treeOf } from "./tree.ts";

/** How far one file came. */
type Progress = "old" | "between" | "new";

/** What was found after a kill. */
export interface Found {
  /** How far each file came. */
  readonly progress: ReadonlyMap<string, Progress>;
  /** What stands beside files that does not belong there in the end. */
  readonly beside: {
    readonly work: number;
    readonly temporary: number;
    readonly copies: number;
    readonly backups: number;
  };
  /** What must not be; empty where all is well. */
  readonly failures: readonly string[];
}

const BACKUP = ".bak";
const BESIDE = /-(?:wal|shm|journal)$/;

/** Looks at a history at `root` that was in the state `before` and was on its way to or from `after`. */
export function stateOf(root: string, home: string, before: Tree, after: Tree): Found {
  const now = treeOf(root);
  const failures: string[] = [];
  const progress = new Map<string, Progress>();
  const isOld = (path: string, at = path) => hashIn(now, at) === hashIn(before, path);
  const files = [...before].filter(([path, entry]) => entry !== "folder" && !BESIDE.test(path)).map(([path]) => path);
  let copies = 0;
  for (const path of files) {
    const backup = path + BACKUP;
    if (isOld(path)) progress.set(path, "old");
    else if (hashIn(now, path) === hashIn(after, path)) progress.set(path, "new");
    else if (isSettled(join(root, path), logged(home, hashIn(now, path)))) progress.set(path, "between");
    else failures.push(`${path} is neither its old nor its new content`);
    if (progress.get(path) !== "old" && !isOld(path, backup)) failures.push(`${path} was changed, and has no backup`);
    if (progress.get(path) === "old" && now.has(backup)) copies++;
    for (const beside of [...before.keys()].filter((other) => BESIDE.test(other) && other.startsWith(`${path}-`))) {
      // The index of the log is made anew by whoever opens the database.
      if (!isOld(beside) && !isOld(beside, beside + BACKUP) && !beside.endsWith("-shm")) {
        failures.push(`${beside} is gone, and has no backup`);
      }
      const isNew = progress.get(path) === "new";
      if (isNew && now.has(beside)) failures.push(`${beside} stands beside the new content, which it would undo`);
    }
  }
  const names = [...now.keys()];
  const count = (ending: string) => names.filter((name) => name.endsWith(ending)).length;
  return {
    progress,
    beside: {
      work: count(".agentsweep-work"),
      temporary: count(".agentsweep-tmp"),
      copies,
      backups: count(BACKUP),
    },
    failures,
  };
}

function hashIn(tree: Tree, path: string): string {
  const entry = tree.get(path);
  return entry === undefined || entry === "folder" ? "" : entry.sha256;
}

/** Whether the audit log knows a content as that of a database with its log written into it. */
function logged(home: string, sha256: string): boolean {
  try {
    return Deno.readTextFileSync(join(home, ".agentsweep/audit.jsonl")).includes(`"sha256_between":"${sha256}"`);
  } catch {
    return false;
  }
}

/** Whether a database has all the rows that its backup and the log's have. */
function isSettled(path: string, isKnown: boolean): boolean {
  if (!isKnown) return false;
  const folder = Deno.makeTempDirSync({ prefix: "soak-between-" });
  try {
    Deno.copyFileSync(path + BACKUP, join(folder, "old.db"));
    for (const log of [`${path}-wal${BACKUP}`, `${path}-wal`]) {
      try {
        Deno.copyFileSync(log, join(folder, "old.db-wal"));
        break;
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    return rowsOf(path) === rowsOf(join(folder, "old.db"));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function rowsOf(path: string): string {
  return withDatabase(path, (database) => {
    const hash = createHash("sha256");
    for (const { place, kind, bytes } of cellsOf(database)) {
      hash.update(`${place} ${kind} ${bytes.length} `).update(bytes);
    }
    return hash.digest("hex");
  });
}

/** Where a kill landed, in words. */
export function landingOf(killed: "fix" | "undo" | "purge", { progress, beside }: Found): string {
  const states = [...progress.values()];
  const isStarted = states.some((state) => state !== (killed === "fix" ? "old" : "new"));
  const isDone = states.every((state) => state === (killed === "fix" ? "new" : "old"));
  if (killed === "purge") return beside.backups === 0 ? "after the last deletion" : "before or between deletions";
  if (killed === "undo") {
    return isDone ? "after the last file" : isStarted ? "between two files" : "before the first change";
  }
  if (states.includes("between")) return "a database with its log written in stands in place";
  if (beside.temporary > 0 && beside.copies > 0) return "between backup and rename";
  if (beside.temporary > 0) return "while new content is written";
  if (beside.work > 0) return "while a database is redacted in its folder";
  if (isDone) return "after the last file";
  return isStarted ? "between two files" : "before the first change";
}
