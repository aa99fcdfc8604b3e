import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { restoreBackup } from "../../src/redact/backups.ts";
import { redactFile } from "../../src/redact/file.ts";
import { backupOf } from "../../src/redact/names.ts";
import type { WriteStep } from "../../src/redact/write.ts";
import { denoCommand } from "../support/child.ts";
import { withDir } from "../support/tree.ts";
import { fileAt, rest, secret, settingsFor } from "../redact/_histories.ts";

const AGENT = new URL("../redact/_agent.ts", import.meta.url).pathname;
const IGNORE = Deno.build.os === "windows";

interface Store {
  readonly root: string;
  readonly home: string;
  readonly path: string;
}

function plantDatabase(dir: string, mode: "WAL" | "DELETE", isLive = false): Store {
  const [root, home] = [`${dir}/store`, `${dir}/home`];
  for (const folder of [root, home]) Deno.mkdirSync(folder);
  const path = `${root}/history.sqlite`;
  const made = isLive ? `${home}/made.sqlite` : path;
  const database = new DatabaseSync(made);
  database.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (body TEXT)`);
  database.prepare("INSERT INTO t VALUES (?)").run(`x ${secret(1)}`);
  if (isLive) { for (const ending of ["", "-wal", "-shm"]) Deno.copyFileSync(made + ending, path + ending); }
  database.close();
  for (const { name } of Deno.readDirSync(root)) rest(`${root}/${name}`);
  return { root, home, path };
}

const namesIn = (root: string): string[] => [...Deno.readDirSync(root)].map(({ name }) => name).sort();

/** Rows of a sound database, and whether the secret is in them. */
function rowsOf(path: string): { newer: number; secrets: number; marked: number } {
  const database = new DatabaseSync(path);
  try {
    assertEquals(database.prepare("PRAGMA integrity_check").get()?.integrity_check, "ok");
    const count = (like: string) =>
      Number(database.prepare("SELECT count(*) AS n FROM t WHERE body LIKE ?").get(like)?.n);
    return { newer: count("newer%"), secrets: count(`%${secret(1)}`), marked: count("%REDACTED%") };
  } finally {
    database.close();
  }
}

async function startAgent(deed: string, path: string) {
  const [program, args] = await denoCommand(AGENT, [deed, path]);
  return new Deno.Command(program, { args, stdin: "piped", stdout: "piped" }).spawn();
}

const redact = ({ root, home, path }: Store, onStep: (step: WriteStep) => void = () => {}) =>
  redactFile(fileAt(path, "sqlite", root), settingsFor(root, home, { onStep }));

for (const when of ["created", "backed-up", "logged"] as const) {
  Deno.test({
    name: `an agent that writes into a new log after "${when}" loses no row, and its database stays sound`,
    ignore: IGNORE,
    fn: () =>
      withDir(async (dir) => {
        const store = plantDatabase(dir, "WAL");
        const [program, args] = await denoCommand(AGENT, ["leave", store.path]);
        const result = await redact(store, (step) => {
          if (step === when) assertEquals(new Deno.Command(program, { args }).outputSync().signal, "SIGKILL");
        });
        assert(result.kind === "skipped", JSON.stringify(result));
        assertStringIncludes(result.reason, "opened it since");
        assertEquals(rowsOf(store.path), { newer: 50, secrets: 1, marked: 0 });
        assertEquals(namesIn(store.root), ["history.sqlite"]);
      }),
  });
}

Deno.test({
  name: "a database with a write-ahead log that another process has open, idle, is not replaced",
  ignore: IGNORE,
  fn: () =>
    withDir(async (dir) => {
      const store = plantDatabase(dir, "WAL");
      const agent = await startAgent("idle", store.path);
      const said = agent.stdout.getReader();
      await said.read();
      for (const { name } of Deno.readDirSync(store.root)) rest(`${store.root}/${name}`);
      const names = namesIn(store.root);
      const result = await redact(store);
      assert(result.kind === "skipped", JSON.stringify(result));
      assertStringIncludes(result.reason, "another program has the database open");
      assertEquals(namesIn(store.root), names);
      await agent.stdin.getWriter().close();
      assertStringIncludes(new TextDecoder().decode((await said.read()).value), "wrote");
      await said.cancel();
      await agent.status;
      assertEquals(rowsOf(store.path), { newer: 50, secrets: 1, marked: 0 });
    }),
});

Deno.test({
  name:
    "a database without a log that another process has open, idle: what it writes later fails, and is not lost unseen",
  ignore: IGNORE,
  fn: () =>
    withDir(async (dir) => {
      const store = plantDatabase(dir, "DELETE");
      const agent = await startAgent("idle", store.path);
      const said = agent.stdout.getReader();
      await said.read();
      const result = await redact(store);
      assertEquals(result.kind, "redacted", JSON.stringify(result));
      await agent.stdin.getWriter().close();
      assertStringIncludes(new TextDecoder().decode((await said.read()).value), "failed");
      await said.cancel();
      await agent.status;
      assertEquals(rowsOf(store.path), { newer: 0, secrets: 0, marked: 1 });
      assertEquals(namesIn(store.root), ["history.sqlite", "history.sqlite.bak"]);
    }),
});

for (const isLive of [true, false]) {
  Deno.test({
    name: `an agent that waits for a database ${
      isLive ? "with" : "without"
    } a log while it is exchanged spoils nothing`,
    ignore: IGNORE,
    fn: () =>
      withDir(async (dir) => {
        const store = plantDatabase(dir, "WAL", isLive);
        const [program, args] = await denoCommand(AGENT, ["wait", store.path]);
        const output = `${store.home}/said`;
        let agent: Deno.ChildProcess | null = null;
        const result = await redact(store, (step) => {
          if (step !== (isLive ? "settled" : "renamed")) return;
          agent = new Deno.Command("sh", {
            args: ["-c", 'out="$1"; shift; exec "$@" > "$out"', "sh", output, program, ...args],
            stdin: "null",
          }).spawn();
          // It has the file open that stands there at this moment.
          for (let text = ""; !text.includes("open");) {
            try {
              text = Deno.readTextFileSync(output);
            } catch {
              // The shell has not begun.
            }
          }
        });
        assertEquals(result.kind, "redacted", JSON.stringify(result));
        await (agent as Deno.ChildProcess | null)?.status;
        const isIn = Deno.readTextFileSync(output).includes("wrote");
        assertEquals(rowsOf(store.path), { newer: isIn ? 50 : 0, secrets: 0, marked: 1 });
        // Of a database without a log the new file stands there by then; with one, it is the one in between.
        assertEquals(isIn, !isLive);
      }),
  });
}

Deno.test({
  name: "a journal that is to be rolled back is left to its own program",
  ignore: IGNORE,
  fn: () =>
    withDir(async (dir) => {
      const store = plantDatabase(dir, "DELETE");
      Deno.writeFileSync(`${store.path}-journal`, Uint8Array.of(0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7));
      rest(`${store.path}-journal`);
      const before = Deno.readFileSync(store.path);
      const result = await redact(store);
      assert(result.kind === "skipped", JSON.stringify(result));
      assertStringIncludes(result.reason, "transaction");
      assertEquals(Deno.readFileSync(store.path), before);
      assertEquals(namesIn(store.root), ["history.sqlite", "history.sqlite-journal"]);
    }),
});

/** Undoes a redaction as the command does: the backup, and where there is none any more, what is beside the database. */
function undo({ root, home, path }: Store) {
  const isBackup = namesIn(root).includes("history.sqlite.bak");
  const file = { ...fileAt(isBackup ? backupOf(path) : path, "sqlite", root), backup: isBackup };
  return restoreBackup(file, settingsFor(root, home));
}

for (const deed of ["leave", "idle"]) {
  Deno.test({
    name: `undo puts no database under a log that is newer (${deed})`,
    ignore: IGNORE,
    fn: () =>
      withDir(async (dir) => {
        const store = plantDatabase(dir, "WAL");
        assertEquals((await redact(store)).kind, "redacted");
        const agent = await startAgent(deed, store.path);
        const said = agent.stdout.getReader();
        await said.read();
        if (deed === "leave") await agent.status;
        const names = namesIn(store.root);
        const result = undo(store);
        assert(result.kind === "skipped", JSON.stringify(result));
        assertStringIncludes(result.reason, "newer rows");
        assertStringIncludes(result.reason, "run undo again");
        assertEquals(namesIn(store.root), names);
        await agent.stdin.getWriter().close();
        await said.cancel();
        await agent.status;
        assertEquals(rowsOf(store.path), { newer: 50, secrets: 0, marked: 1 });
      }),
  });
}

Deno.test({
  name: "an undo that was cut short is not ended over a log that was written since",
  ignore: IGNORE,
  fn: () =>
    withDir(async (dir) => {
      const store = plantDatabase(dir, "WAL", true);
      assertEquals((await redact(store)).kind, "redacted");
      // What an undo does first; then the agent begins a log of its own.
      Deno.renameSync(backupOf(store.path), store.path);
      const agent = await startAgent("leave", store.path);
      await agent.status;
      await agent.stdin.close();
      await agent.stdout.cancel();
      const newer = Deno.readFileSync(`${store.path}-wal`);
      const result = undo(store);
      assert(result.kind === "skipped", JSON.stringify(result));
      assertStringIncludes(result.reason, "newer rows");
      assertEquals(Deno.readFileSync(`${store.path}-wal`), newer);
    }),
});

Deno.test({
  name: "a database is not put back without the log that was kept with it, nor with a log that is not that one",
  ignore: IGNORE,
  fn: () =>
    withDir(async (dir) => {
      const store = plantDatabase(dir, "WAL", true);
      assertEquals((await redact(store)).kind, "redacted");
      const log = backupOf(`${store.path}-wal`);
      const kept = Deno.readFileSync(log);
      const before = Deno.readFileSync(store.path);
      const tell = (reason: string) => {
        const result = undo(store);
        assert(result.kind === "skipped", JSON.stringify(result));
        assertStringIncludes(result.reason, reason);
        assertEquals(Deno.readFileSync(store.path), before);
      };
      Deno.writeFileSync(log, kept.subarray(0, 40));
      tell("not what the redaction kept");
      Deno.removeSync(log);
      tell("missing");
      Deno.writeFileSync(log, kept);
      assertEquals(undo(store).kind, "restored");
      assertEquals(rowsOf(store.path), { newer: 0, secrets: 1, marked: 0 });
    }),
});
