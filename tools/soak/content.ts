/**
 * What files hold, by means of its own: unpacked, decoded, and cell by cell.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { DatabaseSync } from "node:sqlite";
import { join } from "@std/path";
import { gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";

const DATABASE = "SQLite format 3\0";
const ZSTD = 0xfd2fb528;
/** Room for what a file unpacks to. */
const MOST = 1 << 30;

/** Whether bytes are a database. */
export function isDatabase(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, DATABASE.length)).toString("latin1") === DATABASE;
}

/** Bytes unpacked, where they are packed and whole. */
export function unpacked(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 4) return bytes;
  const magic = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  try {
    if (magic === ZSTD) return unpackedFrames(bytes);
    if ((magic & 0xffff) === 0x8b1f) return new Uint8Array(gunzipSync(bytes));
    if ((magic & 0xff) === 0x78) return new Uint8Array(inflateSync(bytes));
  } catch {
    // It only begins like it.
  }
  return bytes;
}

/** Every frame of a Zstandard file: a decoder may end with the first. */
function unpackedFrames(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let from = 0; from < buffer.length;) {
    let to = buffer.indexOf(magic, from + 4);
    for (;; to = buffer.indexOf(magic, to + 1)) {
      const end = to < 0 ? buffer.length : to;
      try {
        parts.push(zstdDecompressSync(buffer.subarray(from, end), { maxOutputLength: MOST }));
        from = end;
        break;
      } catch (error) {
        // The magic number may stand within a frame by chance.
        if (to < 0) throw error;
      }
    }
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** Bytes as UTF-8, where a byte order mark says that they are UTF-16. */
export function asUtf8(bytes: Uint8Array): Uint8Array {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
    ? "utf-16be"
    : null;
  if (encoding === null) return bytes;
  return new TextEncoder().encode(new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes));
}

/** A cell of text or bytes. */
export interface Cell {
  /** Table, row in the order of the table, column. */
  readonly place: string;
  readonly kind: string;
  /** Its bytes; of a number or nothing, how SQLite writes it. */
  readonly bytes: Uint8Array;
}

/** Runs `use` with a copy of a database, its log beside it, in a folder of its own. */
export function withDatabase<T>(path: string, use: (database: DatabaseSync) => T): T {
  const folder = Deno.makeTempDirSync({ prefix: "soak-database-" });
  try {
    const copy = join(folder, "copy.db");
    Deno.copyFileSync(path, copy);
    Deno.chmodSync(copy, 0o600);
    try {
      Deno.copyFileSync(`${path}-wal`, `${copy}-wal`);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    const database = new DatabaseSync(copy);
    try {
      return use(database);
    } finally {
      database.close();
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Every cell of the tables that hold rows of their own. */
export function* cellsOf(database: DatabaseSync): Generator<Cell> {
  const tables = database.prepare(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%' ORDER BY name",
  ).all().map(({ name }) => String(name));
  const encoding = String(database.prepare("PRAGMA encoding").get()?.encoding).toLowerCase();
  const decoder = new TextDecoder(encoding === "utf-8" ? "utf-8" : encoding, { ignoreBOM: true });
  const isShadow = (name: string) => tables.some((other) => name !== other && name.startsWith(`${other}_`));
  for (const table of tables.filter((name) => !isShadow(name))) {
    const columns = database.prepare(`SELECT name FROM pragma_table_xinfo(?)`).all(table).map(({ name }) =>
      String(name)
    );
    const fields = columns.flatMap((name, index) => [
      `typeof(${quoted(name)}) AS t${index}`,
      `CAST(${quoted(name)} AS BLOB) AS c${index}`,
    ]);
    // Without row ids, a row stands where its key puts it, which redaction may change: the last column tells it.
    const order = hasRowids(database, table) ? "rowid" : quoted(columns.at(-1)!);
    let row = 0;
    const rows = database.prepare(`SELECT ${fields.join(", ")} FROM ${quoted(table)} ORDER BY ${order}`);
    for (const values of rows.iterate()) {
      row++;
      for (const [index, name] of columns.entries()) {
        const [kind, cell] = [String(values[`t${index}`]), values[`c${index}`]];
        const bytes = cell instanceof Uint8Array ? cell : new Uint8Array();
        const isWide = kind === "text" && encoding !== "utf-8";
        yield {
          place: `${table}:${row}:${name}`,
          kind,
          bytes: isWide ? new TextEncoder().encode(decoder.decode(bytes)) : bytes,
        };
      }
    }
  }
}

function hasRowids(database: DatabaseSync, table: string): boolean {
  return database.prepare("SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?").get(table)?.wr === 0;
}

/** Full-text indexes of a database. */
export function indexesOf(database: DatabaseSync): string[] {
  return database.prepare("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts%'").all()
    .map(({ name }) => String(name));
}
