/**
 * Databases: every text and blob of every table, whatever the schema says today.
 *
 * Rows are read straight from the file's pages, so that reading takes no lock for longer than a moment, creates and
 * changes no file, sees what is only in the write-ahead log, and holds no more than a page of a huge cell. Indexes are
 * passed over, since they repeat their table; so are the tables of a full-text index whose text another table holds.
 * What SQLite no longer reaches is read where it lies on free pages or in gaps of others, page by page, as text.
 *
 * @module
 */
import { realpathSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { shownKey } from "../keypath.ts";
import { isOpen, isSystemError, openHistory, type OpenOptions, problemOf } from "../open.ts";
import { type Problem, problem, type ProblemKind, type Report } from "../problem.ts";
import type { Cell, Emit } from "../strings.ts";
import { createVisited, walkRows } from "./btree.ts";
import { readCell } from "./cells.ts";
import { openPages, type Pages } from "./pages.ts";
import { readValues } from "./record.ts";
import { emitUnused, readFreePages } from "./unused.ts";
import { findTables, missingFrom, type Table } from "./tables.ts";

/** Options of {@linkcode databaseSteps}. */
export interface DatabaseOptions extends OpenOptions {
  /** Tables (`messages`) and columns (`messages.content`) whose absence is reported. @default none */
  readonly expects?: readonly string[];
}

/** How often a database is read that changes meanwhile. */
const ATTEMPTS = 3;
/** How long to wait for a lock. The wait blocks the thread. */
const LOCK_WAIT_MS = 300;
const SQLITE_BUSY = 5;
/** How many rows without any text are passed over in one step. */
const ROWS_AT_ONCE = 256n;
const MOST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Reads the strings of a database in steps of bounded work. Needs `--allow-read` for it and for the `-wal` or
 * `-journal` file beside it.
 *
 * A database that changes so that what was read may not fit together is read again; its strings then come again.
 */
export function* databaseSteps(path: string, emit: Emit, report: Report, options: DatabaseOptions): Generator<void> {
  const seen = new Map<ProblemKind, Problem>();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    // While another process writes, what does not fit together is no damage: the last attempt tells.
    seen.clear();
    const changed = yield* readOnce(path, emit, (found) => seen.set(found.kind, found), options);
    if (!changed) break;
    if (attempt === ATTEMPTS) seen.set("changed", problem("changed"));
  }
  for (const found of seen.values()) report(found);
}

/** Reads a database as it is now, and tells whether it changed meanwhile. */
function* readOnce(path: string, emit: Emit, report: Report, options: DatabaseOptions): Generator<void, boolean> {
  const file = openHistory(path, options);
  if (!isOpen(file)) {
    report(file);
    return false;
  }
  let pages: Pages | undefined;
  try {
    // SQLite keeps the log beside what a link leads to.
    const real = options.follow ? realpathSync(path) : path;
    const opened = yield* openPages(file, real, report, options.follow ? {} : options);
    if (!("read" in opened)) {
      report(opened);
      return false;
    }
    pages = opened;
    if (!pages.wal && isLocked(real)) report(problem("locked"));
    yield* readTables(pages, emit, report, options.expects ?? []);
    return pages.changed();
  } catch (error) {
    report(isSystemError(error) ? problemOf(error) : problem("corrupt"));
    return false;
  } finally {
    pages?.close();
    file.close();
  }
}

function* readTables(pages: Pages, emit: Emit, report: Report, expects: readonly string[]): Generator<void> {
  const tables = findTables(pages);
  if (missingFrom(tables, expects).length > 0) report(problem("drifted"));
  const visited = createVisited(pages);
  const damaged = () => report(problem("corrupt"));
  const unused = emitUnused(emit, pages);
  for (const table of tables.read) {
    if (table.columns === undefined) report(problem("schema"));
    let ordinal = 0n;
    for (const row of walkRows(pages, table.root, visited, damaged, unused)) {
      ordinal++;
      if (ordinal % ROWS_AT_ONCE === 0n) yield;
      for (const value of readValues(row.payload, damaged)) {
        if (value.kind === "integer") continue;
        const place = emitCell(emit, table, value.index, row.rowid ?? ordinal);
        if (!(yield* readCell(place, value, pages.encoding))) report(problem("compressed"));
      }
    }
  }
  // What these pages hold is said by the tables; damage to them loses nothing.
  for (const root of tables.passedOver) {
    let ordinal = 0n;
    for (const _ of walkRows(pages, root, visited, () => {}, unused)) if (++ordinal % ROWS_AT_ONCE === 0n) yield;
  }
  yield* readFreePages(pages, visited, unused);
}

/** Adds to what is found in a cell where the cell is. */
function emitCell(emit: Emit, table: Table, index: number, row: bigint): Emit {
  const column = table.columns?.[index] ?? `column ${index + 1}`;
  const cell: Cell = { table: table.name, column, row };
  const prefix = `${shownKey(table.name)}.${shownKey(column)}`;
  const line = row > 0n && row <= MOST_SAFE ? Number(row) : 1;
  return (found) => emit({ ...found, line, keypath: under(prefix, found.keypath), cell });
}

/** The keypath of what is at `keypath` of a cell. */
function under(prefix: string, keypath: string): string {
  if (keypath === "" || keypath === "$") return prefix;
  return keypath.startsWith("[") || keypath.startsWith("{") ? prefix + keypath : `${prefix}.${keypath}`;
}

/**
 * Whether another process keeps readers out. Only for databases that are not in WAL mode: in WAL mode readers are never
 * kept out, and SQLite would create files beside it.
 */
function isLocked(path: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    database.exec(`PRAGMA busy_timeout=${LOCK_WAIT_MS}`);
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return false;
  } catch (error) {
    return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
  } finally {
    database?.close();
  }
}
