/**
 * Keeps every other program out of a database while the file at its path is exchanged: by SQLite's own locks, which end
 * with this process.
 *
 * @module
 */

import { closeSync, constants, fstatSync, lstatSync, readSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { errorCode, Refusal } from "../guard/mod.ts";
import { openItself } from "../guard/open.ts";
import { BESIDE } from "./names.ts";
import { identityAt, type Snapshot } from "./snapshot.ts";

/** A database that nobody else can read or write. */
export interface Hold extends Disposable {
  /**
   * Makes the held file unreadable as a database, once it has no name any more: whoever opened it while it was held, or
   * has it open without a lock, gets an error then, where it would write into a file that nobody will ever read.
   */
  spoil(): void;
}

const IN_USE = "another program has the database open: end it first";
const HOT =
  "what used the database ended within a transaction, or is within one: let it end, or open the database with it once " +
  "more and end it, so that the transaction is rolled back";
/** Says that a database was opened since. */
export const OPENED =
  "there are files beside the database that were not there: a program opened it since, and may have written newer rows " +
  "there";

/** What SQLite answers where somebody else has a lock. */
const BUSY = 5;
/** Result codes keep what kind they are of in their lowest byte. */
const KIND = 0xff;

/**
 * Holds the database at `path`. Until that is disposed of, no other descriptor of that file may be closed in this process:
 * the system would end the lock with it.
 *
 * With a log beside it, SQLite writes that log into the database when the hold ends while the file still has its name. So
 * everything that may fail is done before.
 *
 * @throws {Refusal} `changed` where another program has it open, as far as SQLite can tell.
 */
export function holdDatabase(path: string): Hold {
  // There, no file that SQLite has open can be renamed or replaced: neither by us nor under another program.
  if (Deno.build.os === "windows") return { spoil: () => {}, [Symbol.dispose]: () => {} };
  if (isHot(`${path}-journal`)) throw new Refusal("changed", HOT);
  const hadLog = identityAt(`${path}-wal`) !== "";
  const fd = openItself(path, constants.O_RDWR);
  let database: DatabaseSync | null = null;
  try {
    // With the mode set before anything is read, the index of the log is kept in memory, and no -shm is made.
    database = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: false });
    database.prepare("PRAGMA locking_mode = EXCLUSIVE").get();
    database.prepare("BEGIN EXCLUSIVE").run();
    if (!hadLog) removeOwnLog(`${path}-wal`);
  } catch (error) {
    database?.close();
    closeSync(fd);
    if (error instanceof Refusal) throw error;
    const code = error instanceof Error && "errcode" in error ? Number(error.errcode) : null;
    if (code !== null && (code & KIND) === BUSY) throw new Refusal("changed", IN_USE);
    throw new Refusal(
      "unreadable",
      `the database cannot be locked (${code === null ? errorCode(error) : `SQLite ${code}`})`,
    );
  }
  const held = database;
  return {
    spoil: () => spoil(fd),
    [Symbol.dispose]() {
      held.close();
      closeSync(fd);
    },
  };
}

/** An open log needs no name, and under its name it would stand beside the new file. */
function removeOwnLog(path: string): void {
  if (identityAt(path) === "") return;
  if (lstatSync(path).size > 0) throw new Refusal("changed", OPENED);
  Deno.removeSync(path);
}

/** How a database and a journal that is to be rolled back begin. */
const HEAD_BYTES = 16;

function isHot(path: string): boolean {
  if (identityAt(path) === "") return false;
  const fd = openItself(path, constants.O_RDONLY);
  try {
    const head = new Uint8Array(HEAD_BYTES);
    return readSync(fd, head) > 0 && head.some((byte) => byte !== 0);
  } finally {
    closeSync(fd);
  }
}

function spoil(fd: number): void {
  try {
    if (fstatSync(fd).nlink === 0) writeSync(fd, new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
  } catch {
    // What cannot be told to have lost its name is left as it is.
  }
}

/** Refuses where something stands beside a database that was not among `originals`. */
export function requireSameBeside(path: string, originals: readonly Snapshot[]): void {
  const known = new Set(originals.map(({ path }) => path));
  const isNew = BESIDE.some((ending) => !known.has(path + ending) && identityAt(path + ending) !== "");
  if (isNew) throw new Refusal("changed", OPENED);
}
