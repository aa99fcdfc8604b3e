/**
 * Redacts a database on a private copy of it, and proves what it did. The database itself is only read.
 *
 * @module
 */

import { readFileSync, writeFileSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { Refusal } from "../guard/mod.ts";
import { UNUSED } from "../history/formats/sqlite/unused.ts";
import { readStrings } from "../history/mod.ts";
import { plaintextsOf } from "../secrets/spans.ts";
import { redactCell } from "./cell.ts";
import { spansOf } from "./content.ts";
import type { IsWanted } from "./content.ts";
import { createCopyFinder, type Value } from "./copies.ts";
import { type Ending, ENDLESS } from "./ending.ts";
import { BESIDE } from "./names.ts";
import { createNumbers, type Numbers } from "./numbers.ts";
import { readWhole, type Snapshot } from "./snapshot.ts";
import { quoted, tablesOf, type WritableTable } from "./tables.ts";
import { reachOf } from "./telling.ts";
import { clearUnused } from "./unused.ts";

/** A redacted copy. */
export interface DatabaseRedaction {
  /** The database as it was when it was copied. */
  readonly before: Snapshot;
  /** The files beside it, which belong to it. */
  readonly beside: readonly Snapshot[];
  /** Path of the redacted copy; null where nothing was found. */
  readonly redacted: string | null;
  /** Path of a copy with nothing changed but that the log is written into it. */
  readonly settled: string;
  /** Cells rewritten, and places cleared outside of cells. */
  readonly replaced: number;
  /** What was found. Plaintext: stays in the worker. */
  readonly values: readonly Value[];
}

const ROUNDS = 4;
/**
 * Where a column allows each text once, all markers are numbered, by secret: so rows stay apart, and what refers to one of
 * them still does. Numbers begin here; at the latter ones where markers of an earlier redaction stand in the way.
 */
const NUMBERINGS = [1, 1_001, 1_000_001];
const UNFIT = "a constraint of the database does not allow the markers";
/** Values of at least this length are searched for among all bytes; shorter ones stand in any binary file by chance. */
const TELLING = 8;
const BATCH = 256 * 1024;

/**
 * Redacts a copy of the database at `path`, in `folder`, which must be private and empty.
 *
 * @throws {Refusal} Where something could not be read or removed; the copy must not be used then.
 */
export async function redactDatabase(
  path: string,
  folder: string,
  isWanted: IsWanted,
  ending: Ending = ENDLESS,
): Promise<DatabaseRedaction> {
  const settled = `${folder}/settled.db`;
  const before = copyTo(path, settled, ending);
  const beside = BESIDE.flatMap((name) => exists(path + name) ? [copyTo(path + name, settled + name, ending)] : []);
  // The index of the log is made anew from the log.
  if (exists(`${settled}-shm`)) Deno.removeSync(`${settled}-shm`);
  const work = `${folder}/work.db`;
  ending.check();
  await settle(settled, work);
  const found = await find(work, isWanted, ending);
  if (found.values.size === 0) return { before, beside, settled, redacted: null, replaced: 0, values: [] };
  const rows = rowCounts(work);
  // What stands in unused space is no cell: rewriting clears it, place by place.
  const cleared = found.unused;
  const replaced = cleared + await rewrite(work, found, isWanted, ending);
  await verify(work, found.values, rows, isWanted, ending);
  return { before, beside, settled, redacted: work, replaced, values: [...found.values.values()] };
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function copyTo(path: string, copy: string, ending: Ending): Snapshot {
  const file = Deno.openSync(copy, { write: true, createNew: true, mode: 0o600 });
  try {
    return readWhole(path, (piece) => {
      ending.check();
      for (let at = 0; at < piece.length;) at += file.writeSync(piece.subarray(at));
    });
  } finally {
    file.close();
  }
}

/** Writes the log into a copied database, and copies it once more for the work. */
async function settle(path: string, work: string): Promise<void> {
  const database = open(path);
  try {
    const mode = journalMode(database);
    if (mode === "wal") database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    await backup(database, work);
  } catch (error) {
    throw refused(error);
  } finally {
    database.close();
  }
}

function open(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { enableForeignKeyConstraints: false });
  } catch (error) {
    throw refused(error);
  }
}

function refused(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && "errcode" in error ? ` (SQLite ${error.errcode})` : "";
  return new Refusal("unreadable", `the database cannot be rewritten${code}: nothing was changed`);
}

function journalMode(database: DatabaseSync): string {
  return String(database.prepare("PRAGMA journal_mode").get()?.journal_mode);
}

interface Found {
  /** By plaintext. */
  readonly values: Map<string, Value>;
  /** Rows in which a secret was found, as {@linkcode rowId} says them. */
  readonly rows: Set<string>;
  /** How many were found outside of rows. */
  unused: number;
}

const rowId = (table: string, row: bigint): string => `${table.toLowerCase()}\0${row}`;

/** Scans every string of a database. */
async function find(path: string, isWanted: IsWanted, ending: Ending): Promise<Found> {
  const found: Found = { values: new Map(), rows: new Set(), unused: 0 };
  let batch: { text: string; line: number; id: string; isUnused: boolean }[] = [];
  let size = 0;
  const flush = () => {
    ending.check();
    const scan = (text: string) => spansOf(new TextEncoder().encode(text));
    if (scan(batch.map(({ text }) => text).join("\n\0\n")).length > 0) {
      for (const { text, line, id, isUnused } of batch) {
        for (const span of scan(text)) {
          if (!isWanted({ ...span, line })) continue;
          for (const secret of plaintextsOf(span)) found.values.set(secret, { secret, rule: span.rule.id });
          if (isUnused) found.unused++;
          else found.rows.add(id);
        }
      }
    }
    batch = [];
    size = 0;
  };
  const strings = readStrings(path, "sqlite", ({ reason }) => {
    throw new Refusal("unreadable", `the database cannot be read as a whole: ${reason}`);
  });
  for await (const { text, line, cell } of strings) {
    const isUnused = cell?.table === UNUSED;
    batch.push({ text, line, id: cell ? rowId(cell.table, cell.row) : "", isUnused });
    size += text.length;
    if (size >= BATCH) flush();
  }
  flush();
  return found;
}

function rowCounts(path: string): string {
  const database = open(path);
  try {
    const names = tablesOf(database).tables.map(({ name }) => name);
    return names.map((name) => database.prepare(`SELECT count(*) AS n FROM ${quoted(name)}`).get()?.n).join();
  } finally {
    database.close();
  }
}

/** Rewrites the cells, the indexes and what is unused; returns how many cells that were. */
async function rewrite(path: string, found: Found, isWanted: IsWanted, ending: Ending): Promise<number> {
  let replaced = 0;
  let [numbers = createNumbers(), ...further] = [
    createNumbers(),
    ...NUMBERINGS.map((first) => createNumbers(true, first)),
  ];
  for (let round = 0; round < ROUNDS; round++) {
    let cells = rewriteOnce(path, found, isWanted, numbers, ending);
    while (cells === null) {
      const [next] = further.splice(0, 1);
      if (next === undefined) throw new Refusal("incomplete", `${UNFIT}: nothing was changed`);
      numbers = next;
      cells = rewriteOnce(path, found, isWanted, numbers, ending);
    }
    replaced += cells;
    const again = await find(path, isWanted, ending);
    if (again.values.size === 0 || cells === 0) break;
    for (const [secret, value] of again.values) found.values.set(secret, value);
    found.rows.clear();
    for (const id of again.rows) found.rows.add(id);
  }
  return replaced;
}

/** How many cells were rewritten; null where a constraint of the database does not allow the markers: nothing is then. */
function rewriteOnce(
  path: string,
  found: Found,
  isWanted: IsWanted,
  numbers: Numbers,
  ending: Ending,
): number | null {
  const database = open(path);
  let cells = 0;
  let roots: number[] = [];
  let mode = "delete";
  try {
    mode = journalMode(database);
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON; BEGIN IMMEDIATE");
    // Triggers would note the change, or change more than the cells.
    const triggers = triggersOf(database);
    for (const { name } of triggers) database.exec(`DROP TRIGGER ${quoted(String(name))}`);
    const { tables, indexes } = tablesOf(database);
    for (const table of tables) cells += rewriteTable(database, table, found, isWanted, numbers, ending);
    for (const { name, isReadable } of indexes) {
      const command = isReadable ? "rebuild" : "optimize";
      database.exec(`INSERT INTO ${quoted(name)}(${quoted(name)}) VALUES ('${command}')`);
    }
    for (const { sql } of triggers) remake(database, sql);
    // A statement is remade without what stands behind its end.
    if (JSON.stringify(triggersOf(database)) !== JSON.stringify(triggers)) throw new Refusal("incomplete", NO_TRIGGER);
    database.exec("COMMIT");
    roots = database.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE rootpage > 0").all()
      .map(({ page }) => Number(page));
    if (mode === "wal") database.exec("PRAGMA journal_mode = WAL");
  } catch (error) {
    if (isConstraint(error)) {
      database.exec(`ROLLBACK; PRAGMA journal_mode = ${mode}`);
      return null;
    }
    throw refused(error);
  } finally {
    database.close();
  }
  ending.check();
  const bytes = readFileSync(path);
  clearUnused(bytes, roots);
  writeFileSync(path, bytes);
  return cells;
}

interface Trigger {
  readonly name: string;
  readonly sql: string;
}

const NO_TRIGGER = "a trigger in it is not a single statement that makes a trigger: nothing was changed";

function triggersOf(database: DatabaseSync): Trigger[] {
  return database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid").all()
    .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
}

/** Makes a trigger anew. Its SQL is data of whoever wrote the file: preparing takes the first statement alone. */
function remake(database: DatabaseSync, sql: string): void {
  if (!/^CREATE\s+TRIGGER\s/i.test(sql)) throw new Refusal("incomplete", NO_TRIGGER);
  database.prepare(sql).run();
}

/** The line that a scan says for a row. */
function lineOf(row: bigint): number {
  return row > 0n && row <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(row) : 1;
}

interface Update {
  readonly column: string;
  readonly key: readonly (string | number | bigint | Uint8Array | null)[];
  readonly kind: string;
  readonly bytes: Uint8Array;
}

function rewriteTable(
  database: DatabaseSync,
  table: WritableTable,
  found: Found,
  isWanted: IsWanted,
  numbers: Numbers,
  ending: Ending,
): number {
  if (table.key.length === 0 || table.columns.length === 0) return 0;
  const values = [...found.values.values()];
  const finder = createCopyFinder(values);
  const columns = table.columns.map(quoted);
  const key = table.key.map(quoted);
  const select = database.prepare(
    `SELECT ${
      [
        ...key.map((name, index) => `${name} AS k${index}`),
        ...columns.flatMap((name, index) => [`typeof(${name}) AS t${index}`, `CAST(${name} AS BLOB) AS c${index}`]),
      ].join(", ")
    } FROM ${quoted(table.name)}`,
  );
  select.setReadBigInts(true);
  const updates: Update[] = [];
  let ordinal = 0n;
  for (const row of select.iterate()) {
    ending.check();
    ordinal++;
    const id = rowId(table.stored, table.hasRowid ? row.k0 as bigint : ordinal);
    const isNamed = found.rows.has(id);
    const line = lineOf(table.hasRowid ? row.k0 as bigint : ordinal);
    const isWantedHere: IsWanted = (span) => isWanted({ ...span, line });
    table.columns.forEach((column, index) => {
      const kind = String(row[`t${index}`]);
      const bytes = row[`c${index}`];
      if ((kind !== "text" && kind !== "blob") || !(bytes instanceof Uint8Array)) return;
      const rewritten = redactCell(bytes, kind, { finder, values, isWanted: isWantedHere, isNamed, numbers });
      if (rewritten === null) return;
      updates.push({ column, kind, bytes: rewritten, key: table.key.map((_, index) => row[`k${index}`] ?? null) });
    });
  }
  for (const update of updates) {
    ending.check();
    apply(database, table, update);
  }
  return updates.length;
}

const CONSTRAINT = 19;

function isConstraint(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === CONSTRAINT;
}

function apply(database: DatabaseSync, table: WritableTable, { column, key, kind, bytes }: Update): void {
  const value = kind === "text" ? "CAST(? AS TEXT)" : "?";
  const where = table.key.map((name) => `${quoted(name)} IS ?`).join(" AND ");
  database.prepare(`UPDATE ${quoted(table.name)} SET ${quoted(column)} = ${value} WHERE ${where}`).run(bytes, ...key);
}

async function verify(
  path: string,
  values: ReadonlyMap<string, Value>,
  rows: string,
  isWanted: IsWanted,
  ending: Ending,
): Promise<void> {
  const left = await find(path, isWanted, ending);
  if (left.values.size > 0) throw new Refusal("incomplete", "secrets would be left in it: nothing was changed");
  const long = [...values.values()].filter(({ secret }) =>
    secret.length >= TELLING && ["everywhere", "values"].includes(reachOf(secret))
  );
  if (createCopyFinder(long).find(readFileSync(path)).length > 0) {
    throw new Refusal("incomplete", "its schema or unused space would still hold a secret: nothing was changed");
  }
  if (rowCounts(path) !== rows) throw new Refusal("incomplete", "rows would be lost: nothing was changed");
  ending.check();
  const database = open(path);
  try {
    const { integrity_check: verdict } = database.prepare("PRAGMA integrity_check").get() ?? {};
    if (verdict !== "ok") throw new Refusal("incomplete", "the rewritten database is not sound: nothing was changed");
    for (const { name, isReadable } of tablesOf(database).indexes) {
      if (!isReadable && long.some(({ secret }) => isIndexed(database, name, secret))) {
        throw new Refusal(
          "incomplete",
          "a full-text index without text of its own holds a secret: nothing was changed",
        );
      }
    }
  } finally {
    database.close();
  }
}

/** Whether an index that keeps no text knows a secret's words in their order. */
function isIndexed(database: DatabaseSync, index: string, secret: string): boolean {
  const phrase = `"${secret.replaceAll('"', '""')}"`;
  return database.prepare(`SELECT 1 FROM ${quoted(index)} WHERE ${quoted(index)} MATCH ? LIMIT 1`).get(phrase) !==
    undefined;
}
