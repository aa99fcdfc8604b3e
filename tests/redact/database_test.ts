import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { DatabaseSync } from "node:sqlite";
import { gzipSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { purgeBackup, restoreBackup } from "../../src/redact/backups.ts";
import { type FileResult, redactFile } from "../../src/redact/file.ts";
import { stringsOf } from "../../src/history/mod.ts";
import { backupOf } from "../../src/redact/names.ts";
import type { WriteStep } from "../../src/redact/write.ts";
import { scanText } from "../../src/secrets/mod.ts";
import { denoCommand } from "../support/child.ts";
import { stands, withDir } from "../support/tree.ts";
import { fileAt, plaintextsIn, rest, secret, settingsFor } from "./_histories.ts";

const MARK = "[REDACTED:gitlab-pat]";
const WRITER = new URL("./_writer.ts", import.meta.url).pathname;

interface Store {
  readonly root: string;
  readonly home: string;
  readonly path: string;
}

/** A folder with a database that `fill` fills. With `live` the log stays beside it, as an editor leaves it when killed. */
function plantDatabase(dir: string, fill: (database: DatabaseSync) => void, live = false): Store {
  const [root, home] = [`${dir}/store`, `${dir}/home`];
  Deno.mkdirSync(root);
  Deno.mkdirSync(home);
  const path = `${root}/history.sqlite`;
  const made = live ? `${home}/made.sqlite` : path;
  const database = new DatabaseSync(made);
  fill(database);
  if (live) { for (const ending of ["", "-wal", "-shm"]) Deno.copyFileSync(made + ending, path + ending); }
  database.close();
  restAll(root);
  return { root, home, path };
}

function restAll(root: string): void {
  for (const { name } of Deno.readDirSync(root)) rest(`${root}/${name}`);
}

const redact = ({ root, home, path }: Store): Promise<FileResult> =>
  redactFile(fileAt(path, "sqlite", root), settingsFor(root, home));

function rows(path: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path);
  try {
    return database.prepare(sql).all().map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

/** Every byte below a folder, but for backups. */
function remaining(root: string, secrets: readonly string[]): string[] {
  return [...Deno.readDirSync(root)].filter(({ name }) => !name.endsWith(".bak")).flatMap(({ name }) =>
    plaintextsIn(Deno.readFileSync(`${root}/${name}`), secrets)
  );
}

const snapshotOf = (root: string): Map<string, Uint8Array> =>
  new Map([...Deno.readDirSync(root)].map(({ name }) => [name, Deno.readFileSync(`${root}/${name}`)]));

Deno.test("text, JSON, compressed and binary cells are redacted; every other cell, type and setting stays", () =>
  withDir(async (dir) => {
    const json = (s: string) => JSON.stringify({ b: 1.5, a: `x\n${s}`, c: [null, "é"] });
    const store = plantDatabase(dir, (database) => {
      database.exec(`PRAGMA user_version = 7; PRAGMA application_id = 99;
        CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT, packed BLOB, zipped BLOB, n REAL, g TEXT AS (upper(body)), o ANY);
        CREATE TABLE w (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID; CREATE INDEX t_body ON t (body);`);
      const insert = database.prepare("INSERT INTO t (body, packed, zipped, n, o) VALUES (?, ?, ?, ?, ?)");
      insert.run(json(secret(1)), zstdCompressSync(json(secret(2))), gzipSync(`log ${secret(3)}`), 1.25, null);
      insert.run("untouched", Buffer.from([0, 1, 255]), Buffer.from(`\0\x01 ${secret(4)}\0`), 2, "z");
      database.prepare("INSERT INTO w VALUES (?, ?)").run(`k ${secret(5)}`, "v");
    });
    const result = await redact(store);
    assertEquals(result.kind, "redacted", JSON.stringify(result));
    assertEquals(remaining(store.root, [1, 2, 3, 4, 5].map(secret)), []);
    const [first, second] = rows(store.path, "SELECT *, typeof(packed) AS kind FROM t ORDER BY id");
    assertEquals(first!.body, json(MARK));
    assertEquals(new TextDecoder().decode(zstdDecompressSync(first!.packed as Uint8Array)), json(MARK));
    assertEquals([first!.n, first!.kind, second!.body, second!.o], [1.25, "blob", "untouched", "z"]);
    assertEquals(second!.packed, new Uint8Array([0, 1, 255]));
    assertEquals(second!.zipped, new Uint8Array(Buffer.from(`\0\x01 ${MARK}\0`)));
    assertEquals(rows(store.path, "SELECT * FROM w"), [{ a: `k ${MARK}`, b: "v" }]);
    assertEquals(rows(store.path, "PRAGMA user_version"), [{ user_version: 7 }]);
    assertEquals(rows(store.path, "PRAGMA application_id"), [{ application_id: 99 }]);
    assertEquals((await redact(store)).kind, "clean");
  }));

Deno.test("a live log beside the database does not bring the secret back, and undo restores all three files", () =>
  withDir(async (dir) => {
    const store = plantDatabase(dir, (database) => {
      database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (body TEXT)");
      database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0");
      database.prepare("INSERT INTO t VALUES (?)").run(`in the log alone: ${secret(1)}`);
      database.prepare("INSERT INTO t VALUES ('plain')").run();
    }, true);
    const before = snapshotOf(store.root);
    assertEquals([...before.keys()].sort(), ["history.sqlite", "history.sqlite-shm", "history.sqlite-wal"]);
    const result = await redact(store);
    assertEquals(result.kind, "redacted", JSON.stringify(result));
    assert(!stands(`${store.path}-wal`) && !stands(`${store.path}-shm`));
    assertEquals(remaining(store.root, [secret(1)]), []);

    const backup = { ...fileAt(backupOf(store.path), "sqlite", store.root), backup: true };
    const logPath = `${store.home}/.agentsweep/audit.jsonl`;
    const restored = restoreBackup(backup, { roots: [store.root], logPath, shown: String });
    assertEquals(restored.kind, "restored", JSON.stringify(restored));
    assertEquals(snapshotOf(store.root), before);

    restAll(store.root);
    assertEquals((await redact(store)).kind, "redacted");
    assertEquals(rows(store.path, "SELECT body FROM t"), [{ body: `in the log alone: ${MARK}` }, { body: "plain" }]);
    assertEquals(rows(store.path, "PRAGMA journal_mode"), [{ journal_mode: "wal" }]);
  }));

for (
  const step of [
    "created",
    "prepared",
    "backed-up",
    "checked",
    "logged",
    "settled",
    "cleared",
    "renamed",
  ] as WriteStep[]
) {
  Deno.test(`a database with a log, killed after the step "${step}": the old or the new rows are all there`, () =>
    withDir(async (dir) => {
      const store = plantDatabase(dir, (database) => {
        database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (body TEXT); INSERT INTO t VALUES ('one')");
        database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0");
        database.prepare("INSERT INTO t VALUES (?)").run(secret(1));
      }, true);
      const [program, args] = await denoCommand(WRITER, [store.path, "sqlite", store.root, store.home, step]);
      const { signal } = await new Deno.Command(program, { args, stderr: "inherit" }).output();
      assertEquals(signal, "SIGKILL");
      const isNew = step === "renamed";
      // Reading a database with a log changes it: a copy is read.
      for (const ending of ["", "-wal"]) {
        if (stands(store.path + ending)) Deno.copyFileSync(store.path + ending, `${store.home}/copy${ending}`);
      }
      assertEquals(rows(`${store.home}/copy`, "SELECT body FROM t").map(({ body }) => body), [
        "one",
        isNew ? MARK : secret(1),
      ]);
      restAll(store.root);
      const next = await redact(store);
      const isHalf = step === "settled" || step === "cleared";
      assertEquals(next.kind, isNew ? "clean" : isHalf ? "skipped" : "redacted", JSON.stringify(next));
      if (isHalf) {
        // The backups of the killed redaction are put back, and then there is nothing in the way of another one.
        const backup = { ...fileAt(backupOf(store.path), "sqlite", store.root), backup: true };
        const logPath = `${store.home}/.agentsweep/audit.jsonl`;
        const restored = restoreBackup(backup, { roots: [store.root], logPath, shown: String });
        assertEquals(restored.kind, "restored", JSON.stringify(restored));
        restAll(store.root);
        assertEquals((await redact(store)).kind, "redacted");
      }
      assertEquals(rows(store.path, "SELECT body FROM t").map(({ body }) => body), ["one", MARK]);
      assertEquals(remaining(store.root, [secret(1)]), []);
    }));
}

/** A database of which one row is in the log alone, redacted. */
async function redactedLive(dir: string): Promise<{ store: Store; before: Map<string, Uint8Array> }> {
  const store = plantDatabase(dir, (database) => {
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (body TEXT); INSERT INTO t VALUES ('one')");
    database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0");
    database.prepare("INSERT INTO t VALUES (?)").run(secret(1));
  }, true);
  const before = snapshotOf(store.root);
  assertEquals((await redact(store)).kind, "redacted");
  return { store, before };
}

const settingsOf = ({ root, home }: Store) => ({
  roots: [root],
  logPath: `${home}/.agentsweep/audit.jsonl`,
  shown: String,
});
const reasonOf = (result: { kind: string; reason?: string }): string => {
  assertEquals(result.kind, "skipped", JSON.stringify(result));
  return result.reason ?? "";
};

Deno.test("an undo killed behind the database: fix and purge leave it to undo, which ends it", () =>
  withDir(async (dir) => {
    const { store, before } = await redactedLive(dir);
    // What an undo does first.
    Deno.renameSync(backupOf(store.path), store.path);
    restAll(store.root);
    const half = snapshotOf(store.root);
    assertStringIncludes(reasonOf(await redact(store)), "undo");
    const file = fileAt(store.path, "sqlite", store.root);
    assertStringIncludes(reasonOf(purgeBackup(file, settingsOf(store))), "run undo again");
    assertEquals(snapshotOf(store.root), half);
    assertEquals(restoreBackup(file, settingsOf(store)).kind, "restored");
    assertEquals(snapshotOf(store.root), before);
  }));

Deno.test("a purge deletes a database's backup first: killed then, undo leaves it to purge, which ends it", () =>
  withDir(async (dir) => {
    const { store } = await redactedLive(dir);
    const deleted: string[] = [];
    const backup = { ...fileAt(backupOf(store.path), "sqlite", store.root), backup: true };
    const watched = { ...settingsOf(store), shown: (path: string) => (deleted.push(path), path) };
    const whole = snapshotOf(store.root);
    assertEquals(purgeBackup(backup, watched).kind, "deleted");
    assertEquals(deleted[0], backupOf(store.path));
    for (const [name, bytes] of whole) {
      if (name !== "history.sqlite.bak") Deno.writeFileSync(`${store.root}/${name}`, bytes);
    }
    restAll(store.root);
    const file = fileAt(store.path, "sqlite", store.root);
    const half = snapshotOf(store.root);
    assertStringIncludes(reasonOf(restoreBackup(file, settingsOf(store))), "run purge again");
    assertStringIncludes(reasonOf(await redact(store)), "purge");
    assertEquals(snapshotOf(store.root), half);
    assertEquals(purgeBackup(file, settingsOf(store)).kind, "deleted");
    assertEquals([...snapshotOf(store.root).keys()], ["history.sqlite"]);
    assertEquals(rows(store.path, "SELECT body FROM t").map(({ body }) => body), ["one", MARK]);
  }));

Deno.test("a full-text index forgets the words, whether it keeps its text, another table does, or nobody", () =>
  withDir(async (dir) => {
    const store = plantDatabase(dir, (database) => {
      database.exec(`CREATE TABLE m (body TEXT);
        CREATE VIRTUAL TABLE outer_fts USING fts5 (body, content='m');
        CREATE TRIGGER m_ai AFTER INSERT ON m BEGIN INSERT INTO outer_fts (rowid, body) VALUES (new.rowid, new.body); END;
        CREATE TRIGGER m_au AFTER UPDATE ON m BEGIN SELECT raise(ABORT, 'a trigger ran'); END;
        CREATE VIRTUAL TABLE own_fts USING fts5 (body);
        CREATE VIRTUAL TABLE four_fts USING fts4 (body)`);
      for (let row = 0; row < 50; row++) {
        const text = row % 10 === 0 ? `say ${secret(row)} end` : `row ${row} plain`;
        for (const table of ["m", "own_fts", "four_fts"]) {
          database.prepare(`INSERT INTO ${table} (body) VALUES (?)`).run(text);
        }
      }
      database.exec("DELETE FROM m WHERE rowid = 2");
    });
    const result = await redact(store);
    assertEquals(result.kind, "redacted", JSON.stringify(result));
    const bytes = Buffer.from(Deno.readFileSync(store.path)).toString("latin1").toLowerCase();
    for (const row of [0, 10, 20, 30, 40]) {
      const word = secret(row).slice(6).toLowerCase();
      assert(
        !bytes.includes(word) && !bytes.includes(word.slice(4)),
        "neither the word nor its end stands in an index",
      );
      for (const table of ["outer_fts", "own_fts", "four_fts"]) {
        assertEquals(rows(store.path, `SELECT rowid FROM ${table} WHERE ${table} MATCH '"${word}"'`), []);
      }
    }
    for (const table of ["outer_fts", "own_fts", "four_fts"]) {
      assertEquals(rows(store.path, `SELECT count(*) AS n FROM ${table} WHERE ${table} MATCH 'redacted'`), [{ n: 5 }]);
    }
    assertEquals(rows(store.path, "SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name"), [
      { name: "m_ai" },
      { name: "m_au" },
    ]);
    assertEquals(
      rows(store.path, "SELECT rowid AS r FROM m LIMIT 3"),
      [{ r: 1 }, { r: 3 }, { r: 4 }],
      "rows keep their ids",
    );
  }));

Deno.test("what deleted rows left on free pages and in gaps goes, too", () =>
  withDir(async (dir) => {
    const store = plantDatabase(dir, (database) => {
      database.exec("PRAGMA secure_delete = OFF; CREATE TABLE t (body TEXT); CREATE TABLE gone (body TEXT)");
      const filler = "f".repeat(900);
      for (let row = 0; row < 40; row++) {
        database.prepare("INSERT INTO gone VALUES (?)").run(`${secret(row % 5)} ${filler}`);
        database.prepare("INSERT INTO t VALUES (?)").run(`${secret(row % 5)} ${filler}`);
      }
      database.exec("DROP TABLE gone; DELETE FROM t WHERE rowid % 3 = 0");
    });
    const secrets = [0, 1, 2, 3, 4].map(secret);
    const result = await redact(store);
    assertEquals(result.kind, "redacted", JSON.stringify(result));
    assertEquals(remaining(store.root, secrets), []);
    assertEquals(rows(store.path, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
    assertEquals(rows(store.path, "SELECT count(*) AS n FROM t"), [{ n: 27 }]);
  }));

Deno.test("what stood before on the last page of a long cell goes, too", () =>
  withDir(async (dir) => {
    const store = plantDatabase(dir, (database) => {
      database.exec(`PRAGMA secure_delete = OFF; CREATE TABLE gone (body TEXT); CREATE TABLE t (body TEXT);
        CREATE TABLE w (k TEXT PRIMARY KEY) WITHOUT ROWID`);
      // Pages that are freed and taken again within one transaction keep what stood there.
      database.exec("BEGIN");
      for (let row = 0; row < 400; row++) {
        database.prepare("INSERT INTO gone VALUES (?)").run(`${secret(row % 5)} `.repeat(30));
      }
      database.exec("DROP TABLE gone");
      for (let row = 0; row < 20; row++) {
        database.prepare("INSERT INTO t VALUES (?)").run(`${row} ${"plain ".repeat(700 + 90 * row)}`);
        database.prepare("INSERT INTO w VALUES (?)").run(`${row} ${"other ".repeat(700 + 90 * row)}`);
      }
      for (const row of [0, 1, 2, 3, 4]) database.prepare("INSERT INTO t VALUES (?)").run(`say ${secret(row)}`);
      database.exec("COMMIT");
    });
    const secrets = [0, 1, 2, 3, 4].map(secret);
    const result = await redact(store);
    assertEquals(result.kind, "redacted", JSON.stringify(result));
    assertEquals(remaining(store.root, secrets), []);
    assertEquals(rows(store.path, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
    assertEquals(rows(store.path, "SELECT sum(length(body)) AS n FROM t WHERE body LIKE '%plain%'"), [{ n: 186650 }]);
  }));

Deno.test("a column that allows each text once gets numbered markers", () =>
  withDir(async (dir) => {
    const store = plantDatabase(dir, (database) => {
      database.exec("CREATE TABLE t (k TEXT PRIMARY KEY)");
      for (const number of [1, 2, 3]) database.prepare("INSERT INTO t VALUES (?)").run(secret(number));
    });
    assertEquals((await redact(store)).kind, "redacted");
    assertEquals(rows(store.path, "SELECT k FROM t").map(({ k }) => k).sort(), [MARK, `${MARK} (2)`, `${MARK} (3)`]);
  }));

Deno.test("a database in UTF-16 stays so", () =>
  withDir(async (dir) => {
    const store = plantDatabase(dir, (database) => {
      database.exec("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (body TEXT)");
      database.prepare("INSERT INTO t VALUES (?)").run(`é ${secret(1)} 😀`);
    });
    const result = await redact(store);
    assertEquals(result.kind, "redacted", JSON.stringify(result));
    assertEquals(rows(store.path, "SELECT body FROM t"), [{ body: `é ${MARK} 😀` }]);
    assertEquals(remaining(store.root, [secret(1)]), []);
  }));

for (
  const [name, fill, reason] of [
    ["that is damaged", null, "cannot be read"],
    ["whose schema holds the secret", (database: DatabaseSync) => {
      database.exec(`CREATE TABLE t (body TEXT DEFAULT '${secret(1)}'); INSERT INTO t DEFAULT VALUES`);
    }, "would be left"],
  ] as const
) {
  Deno.test(`a database ${name} is left as it is, with nothing beside it`, () =>
    withDir(async (dir) => {
      const store = plantDatabase(dir, (database) => {
        if (fill) return fill(database);
        database.exec("CREATE TABLE t (body TEXT)");
        for (let row = 0; row < 200; row++) {
          database.prepare("INSERT INTO t VALUES (?)").run(`${secret(1)} ${"x".repeat(300)}`);
        }
      });
      if (!fill) {
        const bytes = Deno.readFileSync(store.path);
        bytes.fill(0xab, 3 * 4096, 4 * 4096);
        Deno.writeFileSync(store.path, bytes);
        rest(store.path);
      }
      const before = snapshotOf(store.root);
      const result = await redact(store);
      assertEquals(result.kind, "skipped", JSON.stringify(result));
      if (result.kind === "skipped" && reason !== "cannot be read") assertStringIncludes(result.reason, reason);
      assertEquals(snapshotOf(store.root), before);
    }));
}

Deno.test("what an ignore file names by its row stays, also beside what is redacted in the same row", () =>
  withDir(async (dir) => {
    const store = plantDatabase(dir, (database) => {
      database.exec("CREATE TABLE t (a TEXT, b TEXT)");
      database.prepare("INSERT INTO t VALUES ('', '')").run();
      database.prepare("INSERT INTO t VALUES (?, ?)").run(secret(1), secret(2));
    });
    const settings = settingsFor(store.root, store.home, {
      isWanted: ({ line, secret: text }) => line !== 2 || text !== secret(1),
    });
    assertEquals((await redactFile(fileAt(store.path, "sqlite", store.root), settings)).kind, "redacted");
    assertEquals(rows(store.path, "SELECT a, b FROM t")[1], { a: secret(1), b: MARK });
  }));

Deno.test("columns that allow each text once keep valid JSON, and rows that refer to one another still do", () =>
  withDir(async (dir) => {
    const store = plantDatabase(dir, (database) => {
      database.exec(`
        PRAGMA journal_mode = WAL;
        CREATE TABLE c (id INTEGER PRIMARY KEY, doc TEXT UNIQUE CHECK (json_valid(doc)));
        CREATE TABLE parent (k TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE child (id INTEGER PRIMARY KEY, k TEXT REFERENCES parent (k), of TEXT)`);
      for (const number of [1, 2, 3]) {
        database.prepare("INSERT INTO c (doc) VALUES (?)").run(JSON.stringify({ k: secret(number) }));
        database.prepare("INSERT INTO parent VALUES (?, ?)").run(secret(number), `p${number}`);
        database.prepare("INSERT INTO child (k, of) VALUES (?, ?)").run(secret(number), `p${number}`);
      }
    });
    const join = "SELECT name, of FROM child JOIN parent USING (k) ORDER BY name";
    const before = rows(store.path, join);
    for (const round of ["first", "with markers there"]) {
      assertEquals((await redact(store)).kind, "redacted", round);
      assertEquals(rows(store.path, join), before);
      assertEquals(rows(store.path, "PRAGMA journal_mode"), [{ journal_mode: "wal" }]);
      assertEquals(rows(store.path, "SELECT count(DISTINCT doc) AS n, sum(json_valid(doc)) AS v FROM c"), [
        { n: before.length, v: before.length },
      ]);
      Deno.removeSync(backupOf(store.path));
      const database = new DatabaseSync(store.path);
      const number = before.length + 1;
      database.prepare("INSERT INTO c (doc) VALUES (?)").run(JSON.stringify({ k: secret(number) }));
      database.prepare("INSERT INTO parent VALUES (?, ?)").run(secret(number), `p${number}`);
      database.prepare("INSERT INTO child (k, of) VALUES (?, ?)").run(secret(number), `p${number}`);
      database.close();
      restAll(store.root);
      before.push({ name: `p${number}`, of: `p${number}` });
    }
  }));

for (const encoding of ["UTF-8", "UTF-16le"]) {
  Deno.test(`a deleted row that SQLite left in the file is found and cleared (${encoding})`, () =>
    withDir(async (dir) => {
      const store = plantDatabase(dir, (database) => {
        database.exec(
          `PRAGMA encoding = '${encoding}'; PRAGMA secure_delete = OFF; CREATE TABLE m (id INTEGER, t TEXT)`,
        );
        const insert = database.prepare("INSERT INTO m VALUES (?, ?)");
        // Those of whole pages go to the free list, some of the last page into its gaps.
        for (let row = 1; row <= 60; row++) insert.run(row, `row ${row} token ${secret(row)} ${"x".repeat(300)}`);
        for (let row = 61; row <= 70; row++) insert.run(row, `row ${row} hello`);
        database.exec("DELETE FROM m WHERE id <= 60");
      });
      const file = fileAt(store.path, "sqlite", store.root);
      const found: string[] = [];
      for await (const { text, keypath } of stringsOf(file, (problem) => assertEquals(problem, null))) {
        if (scanText(text).some(({ rule }) => rule === "gitlab-pat")) found.push(keypath);
      }
      assert(found.length > 5 && found.every((keypath) => keypath === "(unused space)"), found.join());
      const before = rows(store.path, "SELECT * FROM m");
      const result = await redact(store);
      assert(result.kind === "redacted" && result.replaced > 10, JSON.stringify(result));
      assertEquals(remaining(store.root, Array.from({ length: 60 }, (_, row) => secret(row + 1))), []);
      assertEquals(rows(store.path, "SELECT * FROM m"), before);
      assertEquals(
        (await redactFile(
          fileAt(store.path, "sqlite", store.root),
          settingsFor(store.root, store.home, {
            isForced: true,
          }),
        )).kind,
        "clean",
      );
    }));
}
