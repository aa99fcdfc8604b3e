/**
 * The one module through which a history is written. A crash at any instant leaves the complete old or the complete new
 * content at the path.
 *
 * @module
 */

import { Refusal } from "../guard/mod.ts";
import { type LogEntry, pathHash } from "./audit_log.ts";
import {
  CHANGED,
  type Content,
  fill,
  type Filled,
  openLog,
  refusalOf,
  removeQuietly,
  syncFolder,
  takeOwner,
  writeAll,
} from "./disk.ts";
import { type Ending, ENDLESS, STAGE, type Stage } from "./ending.ts";
import { backupGate, fileGate, placeGate } from "./gates.ts";
import { type Hold, holdDatabase, requireSameBeside } from "./hold.ts";
import { claimTemporary } from "./leftovers.ts";
import { modeInPlaceOf } from "./mode.ts";
import { backupOf, SETTLED, TEMPORARY } from "./names.ts";
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
  /** Whether nobody but its owner gets to it, by a folder that this thread cannot look at. @default false */
  readonly isSheltered?: boolean | undefined;
  /** Path of the audit log. */
  readonly logPath: string;
  /** Makes a path showable. */
  readonly shown: (path: string) => string;
  /** Of a database: the files beside it, and its old content with the log among them written into it. */
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

/**
 * Replaces a file.
 *
 * 1. The new content goes into a file beside it, with the same owner and no more access, down to the disk.
 * 2. The old content goes into `<path>.bak`, which must not exist.
 * 3. The file is compared with what it was: kind, device, inode, size, time, content.
 * 4. A line goes into the audit log, so that no redaction is without one. Of one that is killed right behind it, the next
 *    command that finds what it left says so in a further line.
 * 5. The new file is renamed over the old one, down to the disk.
 *
 * A database is locked between the last two steps, and compared once more: no other program can have it open, as far as
 * SQLite tells. Of one with a write-ahead log, the old content with that log in it is put in place first and the log removed
 * then: neither the old database without its log nor the new one with the old log ever stands there.
 *
 * @throws {Refusal} When anything is not as it was or a step fails; the file is then as it was, and nothing is left.
 */
export function writeHistory(change: Change): Written {
  const { onStep = () => {}, ending = ENDLESS } = change;
  const { path } = change.before;
  const before = { ...change.before, mode: modeInPlaceOf(path, change.before.mode, change.isSheltered) };
  const log = openLog(change.logPath);
  const made: string[] = [];
  let temporary: Deno.FsFile | null = null;
  let entry: LogEntry | null = null;
  let stage: Stage | null = null;
  const holds: Hold[] = [];
  try {
    stage = ending.enter(STAGE.writing);
    temporary = claimTemporary(path, change);
    made.push(path + TEMPORARY);
    // Where the new file was really made is proven now. Should its folder be swapped for a link later on, the rename finds
    // no such file behind the link, and fails.
    const outside = placeGate(path + TEMPORARY, rootsBeside(path, change.roots));
    if (outside !== null) throw new Refusal("outside", outside);
    onStep("created");
    const after = fill(temporary, path + TEMPORARY, change.content, before, ending);
    const { database } = change;
    const settled = database && database.beside.length > 0 ? database.settled : undefined;
    const between = settled && prepare(path + SETTLED, settled, before, made, ending);
    onStep("prepared");
    const originals = [before, ...database?.beside ?? []];
    for (const original of originals) keep(original, change.keepsBackup, made, ending);
    onStep("backed-up");
    requireUnchanged(change, originals);
    onStep("checked");
    ending.check();
    entry = entryOf(change, after, between);
    log.append(entry);
    onStep("logged");
    if (database) {
      holds.push(holdDatabase(path));
      requireUnchanged(change, originals);
    }
    if (database && settled) {
      // Neither does anybody get into the one that stands there in between.
      holds.push(holdDatabase(path + SETTLED));
      Deno.renameSync(path + SETTLED, path);
      syncFolder(path);
      onStep("settled");
      for (const { path } of database.beside) Deno.removeSync(path);
      syncFolder(path);
      onStep("cleared");
    }
    Deno.renameSync(path + TEMPORARY, path);
    onStep("renamed");
    made.length = 0;
    // Only what can no longer come back is spoilt.
    if (syncRenamed(path)) { for (const hold of holds) hold.spoil(); }
    onStep("synced");
    return { backup: change.keepsBackup ? backupOf(path) : null, bytes: after.size };
  } catch (error) {
    for (const left of made) removeQuietly(left);
    if (entry !== null) log.append({ ...entry, action: "interrupted", backup: null });
    if (stage !== null) ending.leave(stage);
    throw refusalOf(error);
  } finally {
    for (const hold of holds) hold[Symbol.dispose]();
    temporary?.close();
    log.close();
  }
}

/** Opens no file: a database may be held. */
function requireUnchanged({ before, database }: Change, originals: readonly Snapshot[]): void {
  for (const { path, identity } of originals) {
    const shut = fileGate(path) ?? (identityAt(path) === identity ? null : CHANGED);
    if (shut !== null) throw new Refusal("changed", shut);
  }
  if (database) requireSameBeside(before.path, originals);
}

/** A root may be a single file: what stands beside it under its name lies in it, too. */
function rootsBeside(path: string, roots: readonly string[]): readonly string[] {
  return roots.includes(path) ? [path + TEMPORARY] : roots;
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
    takeOwner(backup, original);
    Deno.utimeSync(backup, new Date(mtime), new Date(mtime));
    file.syncSync();
  } finally {
    file.close();
  }
  syncFolder(path);
}

function entryOf(
  { before, database, keepsBackup, shown }: Change,
  after: Filled,
  between: Filled | undefined,
): LogEntry {
  return {
    time: new Date().toISOString(),
    action: "redact",
    path: shown(before.path),
    path_sha256: pathHash(before.path),
    sha256_before: before.sha256,
    sha256_after: after.sha256,
    ...(between ? { sha256_between: between.sha256, sha256_beside: hashesBeside(before.path, database) } : {}),
    backup: keepsBackup ? shown(backupOf(before.path)) : null,
    bytes_before: before.size,
    bytes_after: after.size,
  };
}

function hashesBeside(path: string, database: Change["database"]): Record<string, string> {
  return Object.fromEntries(
    (database?.beside ?? []).map((original) => [original.path.slice(path.length), original.sha256]),
  );
}

/** The file is in place by now, whatever the disk says to this. Returns whether it is certain that it stays. */
function syncRenamed(path: string): boolean {
  try {
    return syncFolder(path);
  } catch {
    // A crash of the machine may bring the old content back, which is complete, too.
    return false;
  }
}
