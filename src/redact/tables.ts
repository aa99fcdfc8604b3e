/**
 * The tables of a database whose cells can be written, and how.
 *
 * @module
 */

import type { DatabaseSync } from "node:sqlite";
import { readModule } from "../history/formats/sqlite/schema.ts";

/** A table whose cells can be rewritten. */
export interface WritableTable {
  /** Its name. */
  readonly name: string;
  /** The table that holds its rows: itself, or of a full-text table the one behind it. */
  readonly stored: string;
  /** Columns that can be set. */
  readonly columns: readonly string[];
  /** Columns that tell a row from all others. */
  readonly key: readonly string[];
  /** Whether the key is the row's id. */
  readonly hasRowid: boolean;
}

/** A full-text index. */
export interface TextIndex {
  /** Its name. */
  readonly name: string;
  /** Whether its text can be read somewhere, so that it can be built anew. */
  readonly isReadable: boolean;
}

/** Writes a name as SQL does. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const ROWIDS = ["rowid", "_rowid_", "oid"];

interface Listed {
  readonly schema: string;
  readonly name: string;
  readonly type: string;
  readonly wr: number;
}

/** The tables of a database, and its full-text indexes. */
export function tablesOf(database: DatabaseSync): { tables: WritableTable[]; indexes: TextIndex[] } {
  const tables: WritableTable[] = [];
  const indexes: TextIndex[] = [];
  const statements = new Map(
    database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all()
      .map(({ name, sql }) => [String(name), String(sql)]),
  );
  for (const listed of database.prepare("PRAGMA table_list").all() as unknown as Listed[]) {
    const { name, type, wr } = listed;
    // The schema itself is not written; `sqlite_sequence` and its like hold numbers and names of tables.
    if (listed.schema !== "main" || name.startsWith("sqlite_")) continue;
    if (type === "virtual") {
      const call = readModule(statements.get(name) ?? "");
      if (!call?.module.startsWith("fts")) continue;
      const content = call.options.get("content");
      indexes.push({ name, isReadable: content !== "" });
      if (content === undefined) tables.push(writable(database, name, `${name}_content`, false));
    } else if (type === "table") tables.push(writable(database, name, name, wr === 1));
  }
  return { tables, indexes };
}

function writable(database: DatabaseSync, name: string, stored: string, isWithoutRowid: boolean): WritableTable {
  const all = database.prepare(`PRAGMA table_xinfo(${quoted(name)})`).all().map(({ name, hidden, pk }) => ({
    name: String(name),
    isPlain: Number(hidden) === 0,
    pk: Number(pk),
  }));
  const taken = new Set(all.map(({ name }) => name.toLowerCase()));
  const rowid = ROWIDS.find((alias) => !taken.has(alias));
  const primary = all.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk).map(({ name }) => name);
  const hasRowid = !isWithoutRowid && rowid !== undefined;
  return {
    name,
    stored,
    columns: all.filter(({ isPlain }) => isPlain).map(({ name }) => name),
    key: hasRowid ? [rowid] : primary,
    hasRowid,
  };
}
