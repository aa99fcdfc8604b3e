/**
 * Which tables a database has, and what their stored columns are called.
 *
 * @module
 */
import type { Encoding } from "../window.ts";
import { createVisited, walkRows } from "./btree.ts";
import type { Pages } from "./pages.ts";
import { gather, readValues, type Value } from "./record.ts";
import { indexTables, readModule, readTable } from "./schema.ts";

/** A table, and the names of its stored columns. */
export interface Table {
  /** Its name. */
  readonly name: string;
  /** The page at its root. */
  readonly root: number;
  /** Names of its columns in stored order; undefined where its statement is not understood. */
  readonly columns: readonly string[] | undefined;
}

/** The tables of a database. */
export interface Tables {
  /** Those to read, the schema table first. */
  readonly read: readonly Table[];
  /** Root pages of the indexes and tables that only repeat what those hold. */
  readonly passedOver: readonly number[];
  /** Names of all tables and views in lower case. */
  readonly names: ReadonlySet<string>;
}

/** An entry of the schema table. */
interface Entry {
  readonly type: string;
  readonly name: string;
  readonly root: number;
  readonly sql: string;
}

const SCHEMA: Table = { name: "sqlite_schema", root: 1, columns: ["type", "name", "tbl_name", "rootpage", "sql"] };
/** Longest statement that is understood; SQLite's own limit by default. */
const STATEMENT_LIMIT = 1_000_000;

function readText(value: Value, encoding: Encoding): string {
  return value.length > STATEMENT_LIMIT ? "" : new TextDecoder(encoding).decode(gather(value.next(), value));
}

function readInteger(value: Value): number {
  return gather(value.next(), value).reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Reads the entries of the schema table. */
function readEntries(pages: Pages): Entry[] {
  const entries: Entry[] = [];
  // Damage is reported when the table is read as such.
  const ignore = () => {};
  for (const row of walkRows(pages, SCHEMA.root, createVisited(pages), ignore)) {
    const entry = { type: "", name: "", root: 0, sql: "" };
    for (const value of readValues(row.payload, ignore)) {
      if (value.index === 0) entry.type = readText(value, pages.encoding);
      else if (value.index === 1) entry.name = readText(value, pages.encoding);
      else if (value.index === 3 && value.kind === "integer") entry.root = readInteger(value);
      else if (value.index === 4) entry.sql = readText(value, pages.encoding);
    }
    entries.push(entry);
  }
  return entries;
}

/** Finds the tables of a database. */
export function findTables(pages: Pages): Tables {
  const entries = readEntries(pages);
  const names = new Set(
    entries.filter(({ type }) => type === "table" || type === "view").map(({ name }) => name.toLowerCase()),
  );
  const passedOver = new Set(entries.flatMap(({ name, sql }) => {
    const call = readModule(sql);
    return call === undefined ? [] : indexTables(name, call, (table) => names.has(table.toLowerCase()));
  }));
  const tables = entries
    .filter(({ type, name, root }) => type === "table" && root > 0 && !passedOver.has(name.toLowerCase()))
    .map(({ name, root, sql }) => ({ name, root, columns: readTable(sql)?.columns }));
  const roots = new Set(tables.map(({ root }) => root));
  const others = entries.map(({ root }) => root).filter((root) => root > 0 && !roots.has(root));
  return { read: [SCHEMA, ...tables], passedOver: others, names };
}

/** Which of the tables (`messages`) and columns (`messages.content`) that a store should have are missing. */
export function missingFrom(tables: Tables, expects: readonly string[]): string[] {
  const columns = new Set(
    tables.read.flatMap((table) => (table.columns ?? []).map((column) => `${table.name}.${column}`.toLowerCase())),
  );
  return expects.filter((expected) => {
    const name = expected.toLowerCase();
    return !(name.includes(".") ? columns : tables.names).has(name);
  });
}
