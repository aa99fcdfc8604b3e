/** Databases that say the same bytes over and over: what is read stays in proportion to the file. */

import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { createMachine, token } from "../support/audit.ts";

const PAGE = 65536;
const CELLS = 6000;

/** Makes every cell of a page the same one, thousands of times. */
function multiply(bytes: Uint8Array, page: number): void {
  const header = (page - 1) * PAGE + (page === 1 ? 100 : 0);
  const view = new DataView(bytes.buffer);
  const first = view.getUint16(header + 8);
  view.setUint16(header + 3, CELLS);
  for (let cell = 0; cell < CELLS; cell++) view.setUint16(header + 8 + 2 * cell, first);
}

for (const [name, page] of [["the schema", 1], ["a table", 2]] as const) {
  Deno.test(`a page of ${name} whose thousands of cells are all the same one is damage, not gigabytes`, async () => {
    await using machine = await createMachine();
    const path = join(machine.home, ".codex/state_1.sqlite");
    await Deno.mkdir(join(machine.home, ".codex"));
    const database = new DatabaseSync(path);
    const long = "word ".repeat(9000);
    database.exec(`PRAGMA page_size=${PAGE}; CREATE TABLE t(a /* ${long} */ TEXT)`);
    database.prepare("INSERT INTO t VALUES(?)").run(`${long} ${token(1)}`);
    database.close();
    const bytes = await Deno.readFile(path);
    multiply(bytes, page);
    await Deno.writeFile(path, bytes);
    const outcome = await machine.audit().scan({ sources: ["codex"], signal: AbortSignal.timeout(20_000) });
    assertEquals(outcome.unscanned.map(({ reason }) => /damaged/.test(reason)), [true]);
    assertEquals(outcome.total, 1);
    assert(outcome.bytes < 4 * bytes.length, `${outcome.bytes} bytes`);
  });
}

Deno.test("a cell of a million packed frames is named after the first of them, and ends soon", async () => {
  await using machine = await createMachine();
  const path = join(machine.home, ".codex/state_1.sqlite");
  await Deno.mkdir(join(machine.home, ".codex"));
  const [first, frame] = [token(1), ""].map((text) => zstdCompressSync(new TextEncoder().encode(text)));
  const cell = new Uint8Array(first!.length + 1_000_000 * frame!.length);
  cell.set(first!);
  for (let at = first!.length; at < cell.length; at += frame!.length) cell.set(frame!, at);
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE t(a BLOB)");
  database.prepare("INSERT INTO t VALUES(?)").run(cell);
  database.close();
  const { total, unscanned, seconds } = await machine.audit().scan({ sources: ["codex"] });
  assertEquals([total, unscanned.map(({ reason }) => /compressed cell/.test(reason))], [1, [true]]);
  assert(seconds < 6, `took ${seconds} s`);
});
