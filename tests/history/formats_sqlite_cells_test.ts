import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { inflate } from "../../src/history/formats/sqlite/inflate.ts";
import { concat, readFile, utf16, utf8, withDir } from "./_formats.ts";
import { seeded } from "./_random.ts";

Deno.test("cells that are JSON have keypaths, whatever they are compressed with or encoded in", () =>
  withDir(async (dir) => {
    const path = `${dir}/json.db`;
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE kv(key TEXT, value BLOB)");
    const insert = database.prepare("INSERT INTO kv VALUES(?, ?)");
    const json = JSON.stringify({ messages: [{ text: "hello é" }] });
    insert.run("text", json);
    insert.run("blob", utf8(json));
    insert.run("utf16", utf16(json, true));
    insert.run("zstd", zstdCompressSync(utf8(json)));
    insert.run("zstd twice", concat(zstdCompressSync(utf8(json.slice(0, 9))), zstdCompressSync(utf8(json.slice(9)))));
    insert.run("gzip", gzipSync(utf8(json)));
    insert.run("zlib", deflateSync(utf8(json)));
    database.close();
    const { strings, problems } = await readFile(path, "sqlite");
    assertEquals(problems, []);
    const found = strings.filter(({ keypath }) => keypath === "kv.value.messages[0].text");
    assertEquals(found.map(({ text, line }) => [text, line]), [1, 2, 3, 4, 5, 6, 7].map((row) => ["hello é", row]));
    const [first] = found;
    assertEquals(utf8(json).slice(first?.start, first?.end), utf8('"hello é"'));
  }));

Deno.test("a compressed cell that is damaged, cut or too large is reported and the rest is read", () =>
  withDir(async (dir) => {
    for (const [index, compress] of [zstdCompressSync, gzipSync, deflateSync].entries()) {
      const path = `${dir}/${index}.db`;
      const database = new DatabaseSync(path);
      database.exec("CREATE TABLE t(a BLOB)");
      const insert = database.prepare("INSERT INTO t VALUES(?)");
      const random = seeded(1);
      const whole = compress(Uint8Array.from({ length: 400_000 }, () => 65 + Math.floor(random() * 16)));
      insert.run(whole.subarray(0, whole.length - 5));
      insert.run(compress(new Uint8Array(200 * 1024 * 1024)));
      insert.run(concat(whole.subarray(0, 8), new Uint8Array(90).fill(0xee)));
      insert.run("behind");
      database.close();
      const { strings, kinds } = await readFile(path, "sqlite");
      assertEquals(kinds, ["compressed"]);
      assert(strings.some(({ keypath, text }) => keypath.startsWith("t.a") && text === "behind"));
    }
  }));

Deno.test("no damage to a compressed cell ends the process or goes unnoticed where the frame says its size", () => {
  const whole = zstdCompressSync(Uint8Array.from({ length: 500_000 }, (_, index) => 65 + index * index % 26));
  for (let at = 0; at < whole.length; at++) {
    const damaged = whole.slice();
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    const { pieces, sound } = inflate(damaged, "zstd");
    if (sound) assertEquals(pieces.map(({ length }) => length), [500_000]);
    assert(!inflate(whole.subarray(0, at), "zstd").sound || at === 0);
  }
});
