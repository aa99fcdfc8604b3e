/**
 * Writes the databases of a history: every kind of cell, table and leftover in which text may stand.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { DatabaseSync } from "node:sqlite";
import { dirname, join } from "@std/path";
import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { Amount, Store } from "./files.ts";

/** How a database is written. */
export interface DatabaseWriting extends Amount {
  /** Whether its log is left beside it, with rows that are nowhere else. @default false */
  readonly isLive?: boolean;
  /** Encoding of its text. @default "UTF-8" */
  readonly encoding?: "UTF-8" | "UTF-16le" | "UTF-16be";
  /** What stands in it that cannot be redacted, so that it must be left as it is and named. */
  readonly obstacle?: "schema" | "index-without-text";
}

const SCHEMA = `
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, role TEXT NOT NULL, body TEXT, data BLOB, n REAL, any ANY,
  upper TEXT AS (upper(role)));
CREATE INDEX messages_body ON messages (body);
CREATE VIRTUAL TABLE messages_fts USING fts5 (body, content='messages', content_rowid='id');
CREATE TRIGGER messages_insert AFTER INSERT ON messages
  BEGIN INSERT INTO messages_fts (rowid, body) VALUES (new.id, new.body); END;
CREATE TRIGGER messages_update AFTER UPDATE ON messages BEGIN SELECT raise(ABORT, 'a trigger ran'); END;
CREATE VIRTUAL TABLE notes USING fts5 (title, body);
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE pairs (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
CREATE TABLE gone (body TEXT);
`;

const PACKERS = [(text: string) => Buffer.from(text), zstdCompressSync, gzipSync, deflateSync] as const;

function fill({ author }: Store, file: string, database: DatabaseSync, { bytes, clean }: Amount): void {
  const message = database.prepare("INSERT INTO messages (role, body, data, n, any) VALUES (?, ?, ?, ?, ?)");
  const note = database.prepare("INSERT INTO notes (title, body) VALUES (?, ?)");
  const item = database.prepare("INSERT INTO ItemTable VALUES (?, ?)");
  const pair = database.prepare("INSERT OR IGNORE INTO pairs VALUES (?, ?)");
  const gone = database.prepare("INSERT INTO gone VALUES (?)");
  database.exec("BEGIN");
  for (let size = 0, row = 0; size < bytes; row++) {
    const isPlanted = author.below(clean + 1) === 0 || row < PACKERS.length;
    const text = isPlanted ? author.record(file) : author.line();
    const pack = PACKERS[row % PACKERS.length]!;
    // A packed copy costs little room, and one that is text as much as the text.
    const packed = isPlanted || row % 8 === 0 ? new Uint8Array(pack(text)) : null;
    message.run(
      "user",
      isPlanted && row % 3 === 0 ? author.passage(file) : text.slice(0, 4000),
      packed,
      row / 4,
      row % 2 ? `v${row}` : row,
    );
    item.run(`chat.${row}`, row % 2 === 0 ? text : new Uint8Array(Buffer.from(text)));
    size += 2 * text.length + (packed?.length ?? 0);
    if (!isPlanted) continue;
    note.run(author.plant(file, true).text, `${author.prose().slice(0, 300)} ${author.plant(file, true).text}`);
    pair.run(`k ${author.plant(file, true).text}`, `v${row}`);
    gone.run(`${text.slice(0, 500)} ${author.passage(file)}`);
  }
  database.exec("COMMIT");
}

/** Writes a database. */
export function writeDatabase(store: Store, file: string, writing: DatabaseWriting): void {
  const { root, author } = store;
  const path = join(root, file);
  Deno.mkdirSync(dirname(path), { recursive: true });
  const made = `${path}.being-made`;
  const database = new DatabaseSync(made);
  database.exec(
    `PRAGMA encoding = '${writing.encoding ?? "UTF-8"}'; PRAGMA synchronous = OFF; PRAGMA secure_delete = OFF`,
  );
  database.exec(`PRAGMA journal_mode = ${writing.isLive ? "WAL" : "MEMORY"}; PRAGMA user_version = 7`);
  database.exec(SCHEMA);
  if (writing.obstacle === "schema") {
    database.exec(`CREATE TABLE settings (token TEXT DEFAULT '${author.plant(file, true).text}')`);
    database.exec("INSERT INTO settings DEFAULT VALUES");
  }
  if (writing.obstacle === "index-without-text") {
    database.exec("CREATE VIRTUAL TABLE blind USING fts5 (body, content='')");
    const { text } = author.plant(file, true);
    database.prepare("INSERT INTO blind (body) VALUES (?)").run(`say ${text}`);
    database.prepare("INSERT INTO messages (role, body) VALUES ('user', ?)").run(`say ${text}`);
  }
  fill(store, file, database, writing);
  // What was deleted stays on free pages and in gaps.
  database.exec("DROP TABLE gone; DELETE FROM ItemTable WHERE rowid % 7 = 3");
  if (writing.isLive) {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0");
    for (let row = 0; row < 5; row++) {
      database.prepare("INSERT INTO messages (role, body) VALUES ('log', ?)").run(author.passage(file));
    }
    for (const ending of ["", "-wal", "-shm"]) Deno.copyFileSync(made + ending, path + ending);
  }
  database.close();
  if (writing.isLive) Deno.removeSync(made);
  else Deno.renameSync(made, path);
}
