import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { readTable } from "../../src/history/formats/sqlite/schema.ts";
import { PART_BYTES } from "../../src/history/formats/strings.ts";
import { readFile, utf8, withDir } from "./_formats.ts";
import { seeded } from "./_random.ts";

/** Makes a database and closes it. */
function make(path: string, ...statements: string[]): void {
  const database = new DatabaseSync(path);
  for (const statement of statements) database.exec(statement);
  database.close();
}

/** Puts one text in the place of another of the same length, where SQLite itself would refuse to. */
async function patch(path: string, from: string, to: string): Promise<void> {
  const bytes = await Deno.readFile(path);
  const at = new TextDecoder("latin1").decode(bytes).indexOf(from);
  assert(at > 0 && from.length === to.length);
  bytes.set(utf8(to), at);
  await Deno.writeFile(path, bytes);
}

/** Everything in a directory: names, sizes, content and times of last change. */
async function snapshot(dir: string): Promise<unknown[]> {
  const entries = [];
  for await (const { name } of Deno.readDir(dir)) {
    const { mtime } = await Deno.stat(`${dir}/${name}`);
    const hash = await crypto.subtle.digest("SHA-256", await Deno.readFile(`${dir}/${name}`));
    entries.push([name, mtime?.getTime(), new Uint8Array(hash).join()]);
  }
  return entries.sort();
}

/** Makes a copy of a database in WAL mode as it lies on the disk while a process has rows only in its log. */
async function makeWal(dir: string, name: string): Promise<string> {
  const live = `${dir}/live-${name}`;
  const database = new DatabaseSync(live);
  database.exec("PRAGMA journal_mode=WAL; CREATE TABLE t(a TEXT); INSERT INTO t VALUES('checkpointed')");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES('only in the log')");
  database.exec("UPDATE t SET a = 'changed in the log' WHERE rowid = 1");
  await Deno.copyFile(live, `${dir}/${name}`);
  await Deno.copyFile(`${live}-wal`, `${dir}/${name}-wal`);
  database.close();
  await Deno.remove(live);
  return `${dir}/${name}`;
}

const texts = (strings: readonly { text: string; keypath: string }[], prefix: string) =>
  strings.filter(({ keypath }) => keypath.startsWith(prefix)).map(({ text }) => text);

Deno.test("each text and blob of each kind of table is found with its table, column and row", () =>
  withDir(async (dir) => {
    const path = `${dir}/kinds.db`;
    make(
      path,
      "CREATE TABLE plain(id INTEGER PRIMARY KEY, a TEXT, n INT, b BLOB)",
      "INSERT INTO plain VALUES(-5, 'minus', 1, x'00'), (7, 'seven', 2.5, CAST('blob' AS BLOB)), (9007199254740995, 'large', 0, NULL)",
      "CREATE TABLE keyed(v TEXT, k2 TEXT, k1 INT, PRIMARY KEY(k1, k2)) WITHOUT ROWID",
      "INSERT INTO keyed VALUES('value', 'key', 3), ('other', 'k', 1)",
      "CREATE TABLE computed(a TEXT, v TEXT AS (a || '!') VIRTUAL, s TEXT AS (upper(a)) STORED, z TEXT)",
      "INSERT INTO computed(a, z) VALUES('abc', 'behind')",
      'CREATE TABLE "odd ""name"("a,b(" TEXT, [c d] TEXT -- a comment, with a comma\n, CHECK (length([c d]) > 1))',
      "INSERT INTO \"odd \"\"name\" VALUES('one', 'two')",
      "ALTER TABLE plain ADD COLUMN added TEXT DEFAULT 'the default'",
      "CREATE VIEW seen AS SELECT a FROM plain",
      "CREATE INDEX by_a ON plain(a)",
    );
    const { strings, problems } = await readFile(path, "sqlite");
    assertEquals(problems, []);
    const cells = strings.filter(({ cell }) => !["sqlite_schema", "(unused space)"].includes(cell?.table ?? ""));
    assertEquals(cells.map(({ cell, text }) => [cell?.table, cell?.column, cell?.row, text]), [
      ["plain", "a", -5n, "minus"],
      ["plain", "b", -5n, "\0"],
      ["plain", "a", 7n, "seven"],
      ["plain", "b", 7n, "blob"],
      ["plain", "a", 9007199254740995n, "large"],
      ["keyed", "k2", 1n, "k"],
      ["keyed", "v", 1n, "other"],
      ["keyed", "k2", 2n, "key"],
      ["keyed", "v", 2n, "value"],
      ["computed", "a", 1n, "abc"],
      ["computed", "s", 1n, "ABC"],
      ["computed", "z", 1n, "behind"],
      ['odd "name', "a,b(", 1n, "one"],
      ['odd "name', "c d", 1n, "two"],
    ]);
    assert(texts(strings, "sqlite_schema.sql").some((sql) => sql.includes("'the default'")));
  }));

Deno.test("a database in UTF-16 is read", () =>
  withDir(async (dir) => {
    for (const encoding of ["UTF-16le", "UTF-16be"]) {
      const path = `${dir}/${encoding}.db`;
      make(
        path,
        `PRAGMA encoding='${encoding}'`,
        "CREATE TABLE t(a TEXT)",
        `INSERT INTO t VALUES('é😀'), ('{"k":"v"}')`,
      );
      const { strings } = await readFile(path, "sqlite");
      assertEquals(texts(strings, "t.a"), ["é😀", "k", "v"]);
    }
  }));

Deno.test("what SQLite selects from random tables is what is found: pages of every size, deleted and changed rows", () =>
  withDir(async (dir) => {
    for (const [size, vacuum] of [[512, 0], [1024, 1], [4096, 2], [65536, 0]] as const) {
      const path = `${dir}/${size}.db`;
      const random = seeded(size);
      const database = new DatabaseSync(path);
      database.exec(`PRAGMA page_size=${size}; PRAGMA auto_vacuum=${vacuum}; CREATE TABLE t(a TEXT, n, b TEXT)`);
      database.exec("CREATE TABLE w(k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID; CREATE INDEX i ON t(b); BEGIN");
      const insert = [database.prepare("INSERT INTO t VALUES(?,?,?)"), database.prepare("INSERT INTO w VALUES(?,?)")];
      const text = (prefix: string) => `${prefix} ` + "x".repeat(Math.floor(random() ** 6 * 20_000));
      for (let row = 0; row < 1500; row++) {
        insert[0]?.run(text(`a${row}`), row * 1e12, text(`b${row}`));
        insert[1]?.run(text(`k${row}`), text(`v${row}`));
      }
      database.exec("DELETE FROM t WHERE rowid % 3 = 0; UPDATE t SET b = b || b WHERE rowid % 5 = 0");
      database.exec("DELETE FROM w WHERE length(v) % 4 = 0; COMMIT; ANALYZE");
      const selected = database.prepare(
        "SELECT a AS s FROM t UNION ALL SELECT b FROM t UNION ALL SELECT k FROM w UNION ALL SELECT v FROM w",
      );
      const expected = selected.all().map((row) => String(row.s));
      database.close();
      const { strings, problems } = await readFile(path, "sqlite");
      assertEquals(problems, []);
      const found = strings.filter(({ cell }) => cell?.table === "t" || cell?.table === "w").map(({ text }) => text);
      assertEquals(found.sort(), expected.sort());
    }
  }));

Deno.test("a huge cell comes in parts", () =>
  withDir(async (dir) => {
    const path = `${dir}/huge.db`;
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE t(a TEXT, b TEXT)");
    database.prepare("INSERT INTO t VALUES(?, ?)").run(
      "x".repeat(8 * PART_BYTES) + "end",
      JSON.stringify({ k: "y".repeat(8 * PART_BYTES) }),
    );
    database.close();
    const { strings, problems } = await readFile(path, "sqlite");
    assertEquals(problems, []);
    assert(texts(strings, "t.a").length > 8 && texts(strings, "t.a").at(-1)?.endsWith("xend"));
    assert(texts(strings, "t.b.k").length > 8);
  }));

Deno.test("full-text tables: the content is read once, and their index where there is no content", () =>
  withDir(async (dir) => {
    const path = `${dir}/fts.db`;
    make(
      path,
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT)",
      "CREATE VIRTUAL TABLE external USING fts5(body, content='docs', content_rowid='id')",
      "CREATE VIRTUAL TABLE own USING fts5(title, body)",
      "CREATE VIRTUAL TABLE bare USING fts5(body, content='')",
      "CREATE VIRTUAL TABLE older USING fts4(body)",
      "INSERT INTO docs VALUES(1, 'externalword')",
      "INSERT INTO external(rowid, body) VALUES(1, 'externalword')",
      "INSERT INTO own VALUES('ownword', 'b')",
      "INSERT INTO bare(rowid, body) VALUES(1, 'bareword')",
      "INSERT INTO older VALUES('olderword')",
    );
    const { strings, problems } = await readFile(path, "sqlite");
    assertEquals(problems, []);
    const places = (word: string) => strings.filter(({ text }) => text.includes(word)).map(({ cell }) => cell?.table);
    assertEquals(places("externalword"), ["docs"]);
    assertEquals(places("ownword"), ["own_content"]);
    assertEquals(places("bareword"), ["bare_data"]);
    assertEquals(places("olderword"), ["older_content"]);
  }));

Deno.test("a virtual table whose module nobody has does not stop the others from being read", () =>
  withDir(async (dir) => {
    const path = `${dir}/vector.db`;
    make(
      path,
      "CREATE TABLE t(a TEXT)",
      "INSERT INTO t VALUES('ordinary')",
      "CREATE VIRTUAL TABLE vectors USING fts5(embedding)",
      "INSERT INTO vectors VALUES('in the shadow')",
    );
    await patch(path, "USING fts5", "USING vec0");
    const { text, problems } = await readFile(path, "sqlite");
    assertEquals(problems, []);
    assert(text.includes("ordinary") && text.includes("in the shadow") && text.includes("USING vec0"));
  }));

Deno.test("rows that are only in the write-ahead log are found, and no file is created or changed", () =>
  withDir(async (dir) => {
    const path = await makeWal(dir, "wal.db");
    const before = await snapshot(dir);
    const { strings, problems } = await readFile(path, "sqlite");
    assertEquals(problems, []);
    assertEquals(texts(strings, "t.a"), ["changed in the log", "only in the log"]);
    await Deno.remove(`${path}-wal`);
    assertEquals(texts((await readFile(path, "sqlite")).strings, "t.a"), ["checkpointed"]);
    assertEquals(before.filter((entry) => !String(entry).includes("-wal")), await snapshot(dir));
  }));

Deno.test("a stale log brings rows back that SQLite would bring back, even if the database left WAL mode", () =>
  withDir(async (dir) => {
    const path = await makeWal(dir, "replaced.db");
    const bytes = await Deno.readFile(path);
    bytes.fill(1, 18, 20);
    await Deno.writeFile(path, bytes);
    const before = await snapshot(dir);
    assertEquals(texts((await readFile(path, "sqlite")).strings, "t.a"), ["changed in the log", "only in the log"]);
    assertEquals(await snapshot(dir), before);
    const database = new DatabaseSync(path);
    assertEquals(database.prepare("SELECT count(*) AS rows FROM t").get()?.rows, 2);
    database.close();
  }));

Deno.test("a log that is cut, torn or of an earlier generation counts as far as it is sound", () =>
  withDir(async (dir) => {
    const path = await makeWal(dir, "torn.db");
    const log = await Deno.readFile(`${path}-wal`);
    const frame = (log.length - 32) / 2;
    await Deno.writeFile(`${path}-wal`, log.subarray(0, 32 + frame + frame / 2));
    assertEquals(texts((await readFile(path, "sqlite")).strings, "t.a"), ["checkpointed", "only in the log"]);
    log[32 + 100] = (log[32 + 100] ?? 0) ^ 1;
    await Deno.writeFile(`${path}-wal`, log);
    assertEquals(texts((await readFile(path, "sqlite")).strings, "t.a"), ["checkpointed"]);
    await Deno.writeFile(`${path}-wal`, log.subarray(0, 20));
    assertEquals(texts((await readFile(path, "sqlite")).strings, "t.a"), ["checkpointed"]);
  }));

/** Runs a program with what it prints as its result; `input` is its last argument. */
async function run(permissions: string[], code: string, ...args: string[]): Promise<string> {
  const program = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(program, code);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-config", "--quiet", ...permissions, program, ...args],
    env: { NO_COLOR: "1" },
  }).output();
  await Deno.remove(program);
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

const READ = new URL("../../src/history/read.ts", import.meta.url).href;
const READER = `import { readStrings } from ${JSON.stringify(READ)};
const out = [];
for await (const s of readStrings(Deno.args[0], "sqlite", (p) => out.push(p.kind))) {
  if (s.cell?.table === "t") out.push(s.text);
}
console.log(JSON.stringify(out));`;

Deno.test("the sandbox needs to allow reading only: rollback mode, WAL mode, and a log that may not be read is named", () =>
  withDir(async (dir) => {
    const wal = await makeWal(dir, "wal.db");
    const rollback = `${dir}/rollback.db`;
    make(rollback, "CREATE TABLE t(a TEXT)", "INSERT INTO t VALUES('row')");
    const before = await snapshot(dir);
    const all = [`--allow-read=${dir}`];
    assertEquals(JSON.parse(await run(all, READER, wal)), ["changed in the log", "only in the log"]);
    assertEquals(JSON.parse(await run(all, READER, rollback)), ["row"]);
    assertEquals(JSON.parse(await run([`--allow-read=${wal}`], READER, wal)), ["journal", "checkpointed"]);
    assertEquals(JSON.parse(await run([], READER, wal)), ["not-granted"]);
    assertEquals(await snapshot(dir), before);
  }));

/** A process that holds a database open; it is told to end by closing its input. */
async function withWriter(code: string, path: string, use: () => Promise<void>): Promise<void> {
  const program = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(
    program,
    `import { DatabaseSync } from "node:sqlite";
const database = new DatabaseSync(Deno.args[0]);
let over = false;
const input = Deno.stdin.read(new Uint8Array(1)).then(() => over = true);
const ready = () => console.log("ready");
const turn = () => new Promise((resolve) => setTimeout(resolve));
${code}
await input;
Deno.exit(0);`,
  );
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", "--quiet", program, path],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  try {
    const { value } = await reader.read();
    assertEquals(new TextDecoder().decode(value).trim(), "ready");
    await use();
  } finally {
    await child.stdin.close();
    while (!(await reader.read()).done);
    await child.status;
    await Deno.remove(program);
  }
}

for (const mode of ["WAL", "DELETE"]) {
  Deno.test(`no row that was there before is missed while another process writes in ${mode} mode`, () =>
    withDir(async (dir) => {
      const path = `${dir}/live.db`;
      make(path, `PRAGMA journal_mode=${mode}`, "CREATE TABLE t(a TEXT)", "CREATE TABLE other(a TEXT)");
      const database = new DatabaseSync(path);
      database.exec("BEGIN");
      const insert = database.prepare("INSERT INTO t VALUES(?)");
      const old = Array.from({ length: 3000 }, (_, row) => `old row ${row} ${"x".repeat(row % 300)}`);
      for (const text of old) insert.run(text);
      database.exec("COMMIT");
      database.close();
      const writer = `database.exec("PRAGMA busy_timeout=20000; PRAGMA synchronous=OFF");
const insert = database.prepare("INSERT INTO t VALUES(?)");
insert.run("first");
ready();
for (let row = 0; !over; row++) { insert.run("new row " + row + "y".repeat(row % 500)); await turn(); }`;
      await withWriter(writer, path, async () => {
        for (let round = 0; round < 5; round++) {
          const { strings, kinds } = await readFile(path, "sqlite");
          const found = new Set(texts(strings, "t.a"));
          if (!kinds.includes("changed")) assertEquals(old.filter((text) => !found.has(text)), []);
          if (!kinds.includes("changed")) assert(kinds.every((kind) => kind === "locked"), kinds.join());
        }
      });
      const { strings, problems } = await readFile(path, "sqlite");
      assertEquals(problems, []);
      assert(texts(strings, "t.a").some((text) => text.startsWith("new row")));
    }));
}

Deno.test("a locked database is named, and its committed rows are read all the same", () =>
  withDir(async (dir) => {
    const path = `${dir}/locked.db`;
    make(path, "CREATE TABLE t(a TEXT)", "INSERT INTO t VALUES('committed')");
    const writer = `database.exec("PRAGMA cache_size=2; PRAGMA cache_spill=1; BEGIN EXCLUSIVE");
database.exec("UPDATE t SET a = 'not committed'");
for (let row = 0; row < 2000; row++) database.exec("INSERT INTO t VALUES('" + "z".repeat(400) + "')");
ready();`;
    await withWriter(writer, path, async () => {
      // The writer's cache is so small that much of its transaction stands in the file already.
      assert((await Deno.stat(path)).size > 100_000);
      const { strings, kinds } = await readFile(path, "sqlite");
      assertEquals(kinds, ["locked"]);
      assertEquals(texts(strings, "t.a"), ["committed"]);
    });
  }));

Deno.test("a transaction that a crash cut off is not seen: the journal it left has the rows as they were", () =>
  withDir(async (dir) => {
    const path = `${dir}/crashed.db`;
    make(path, "CREATE TABLE t(a TEXT)", "INSERT INTO t VALUES('before the crash')");
    const writer = `database.exec("PRAGMA cache_size=2; BEGIN; UPDATE t SET a = 'torn'");
for (let row = 0; row < 2000; row++) database.exec("INSERT INTO t VALUES('" + "z".repeat(400) + "')");
ready();`;
    await withWriter(writer, path, async () => {
      await Deno.copyFile(path, `${dir}/copy.db`);
      await Deno.copyFile(`${path}-journal`, `${dir}/copy.db-journal`);
    });
    const before = await snapshot(dir);
    const { strings, problems } = await readFile(`${dir}/copy.db`, "sqlite");
    assertEquals(problems, []);
    assertEquals(texts(strings, "t.a"), ["before the crash"]);
    assertEquals(await snapshot(dir), before);
  }));

Deno.test("a database that holds nothing, is none, is encrypted or is cut is named with the reason", () =>
  withDir(async (dir) => {
    const path = `${dir}/x.db`;
    const kinds = async (bytes: Uint8Array) => {
      await Deno.writeFile(path, bytes);
      return (await readFile(path, "sqlite")).kinds;
    };
    const random = seeded(5);
    assertEquals(await kinds(new Uint8Array(0)), ["empty"]);
    assertEquals(await kinds(utf8("just text")), ["not-a-database"]);
    assertEquals(await kinds(Uint8Array.from({ length: 8192 }, () => random() * 256)), ["not-a-database"]);
    assertEquals(await kinds(utf8("SQLite format 3\0")), ["not-a-database"]);
    await Deno.remove(path);
    make(path, "CREATE TABLE t(a TEXT)", `INSERT INTO t VALUES('${"x".repeat(50_000)}'), ('second')`);
    const whole = await Deno.readFile(path);
    assertEquals(await kinds(whole.subarray(0, 20_000)), ["corrupt"]);
    assertEquals(await kinds(whole.subarray(0, 3000)), ["corrupt"]);
  }));

Deno.test("what can still be reached in a damaged database is read, and nothing hangs or throws", () =>
  withDir(async (dir) => {
    const path = `${dir}/damaged.db`;
    make(path, "CREATE TABLE t(a TEXT, b TEXT)", "CREATE TABLE w(k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID");
    const database = new DatabaseSync(path);
    database.exec("BEGIN");
    for (let row = 0; row < 400; row++) {
      database.prepare("INSERT INTO t VALUES(?, ?)").run(`row ${row}`, "x".repeat(row * 3));
      database.prepare("INSERT INTO w VALUES(?, ?)").run(`key ${row}`, "y".repeat(row * 3));
    }
    database.exec("COMMIT");
    database.close();
    const whole = await Deno.readFile(path);
    const random = seeded(6);
    let reported = 0;
    for (let round = 0; round < 60; round++) {
      const bytes = whole.slice();
      for (let hit = 0; hit < 40; hit++) {
        // Where pages keep their structure, and anywhere.
        const page = 4096 * Math.floor(random() * bytes.length / 4096);
        bytes[Math.max(100, page + Math.floor(random() * (hit % 2 === 0 ? 40 : 4096)))] = random() * 256;
      }
      await Deno.writeFile(path, bytes);
      const { problems } = await readFile(path, "sqlite");
      if (problems.length > 0) reported++;
      assert(problems.every(({ reason }) => !reason.includes("row ")));
    }
    assert(reported > 50);
    // One page of many is gone: everything else is still read.
    const bytes = whole.slice();
    bytes.fill(0, 40 * 4096, 41 * 4096);
    await Deno.writeFile(path, bytes);
    const { strings, kinds } = await readFile(path, "sqlite");
    assertEquals(kinds, ["corrupt"]);
    assert(texts(strings, "t.a").length > 300);
  }));

Deno.test("a table or column that a store should have and does not is reported, and everything is read all the same", () =>
  withDir(async (dir) => {
    const path = `${dir}/drift.db`;
    make(path, "CREATE TABLE Messages(body TEXT)", "INSERT INTO Messages VALUES('moved here')");
    assertEquals((await readFile(path, "sqlite", { expects: ["messages", "messages.body"] })).kinds, []);
    for (const expects of [["message"], ["messages.content"]]) {
      const { kinds, text } = await readFile(path, "sqlite", { expects });
      assertEquals(kinds, ["drifted"]);
      assert(text.includes("moved here"));
    }
  }));

Deno.test("a statement made to be slow to understand is not", () => {
  const many = (text: string) => text.repeat(200_000 / text.length);
  for (const text of ["[", "/*", '"', "'", "(", "a,", "a PRIMARY KEY,", "((),", "--", "AS (", "$"]) {
    readTable(`CREATE TABLE t(${many(text)}`);
    readTable(`CREATE TABLE t(${many(text)}, PRIMARY KEY(${many(text)})) WITHOUT ROWID`);
  }
});

Deno.test("statements in the schema are never run", () =>
  withDir(async (dir) => {
    const path = `${dir}/hostile.db`;
    const hostile = `CREATE TABLE t AS SELECT 1; VACUUM INTO '${dir}/planted'`;
    const harmless = "CREATE TABLE t(a TEXT".padEnd(hostile.length - 1) + ")";
    make(path, harmless, "INSERT INTO t VALUES('row')");
    await patch(path, harmless, hostile);
    const { kinds, text } = await readFile(path, "sqlite");
    assertEquals(kinds, ["schema"]);
    assert(text.includes("row"));
    assertEquals(Array.from(Deno.readDirSync(dir), ({ name }) => name), ["hostile.db"]);
  }));
