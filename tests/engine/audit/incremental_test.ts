import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { join } from "@std/path";
import type { AuditOutcome, AuditService } from "../../../src/engine/audit/service.ts";
import { createMachine, exampleOf, type Machine, settle, token } from "../../support/audit.ts";
import { unixTest } from "../../support/system.ts";
import { command } from "../../support/tree.ts";
import { spyOnWorkers, type WorkerSpy } from "../../support/workers.ts";

const record = (text: string) => JSON.stringify({ type: "user", message: { content: text } }) + "\n";
const clean = (count: number) => record("nothing to see here, only words and more words").repeat(count);
const places = ({ findings }: AuditOutcome) => findings.map(({ masked, line }) => `${masked}:${line}`);
const masked = (secret: string) => `${secret.slice(0, 5)}********${secret.slice(-3)}`;
const at = (secret: string, line: number) => `${masked(secret)}:${line}`;

/** A machine with one session of some hundred kilobytes, scanned once. */
async function withSession(
  text: string,
  test: (
    given: { machine: Machine; audit: AuditService; file: string; spy: WorkerSpy; scan(): Promise<AuditOutcome> },
  ) => Promise<void>,
): Promise<void> {
  await using machine = await createMachine();
  using spy = spyOnWorkers();
  const file = await machine.write(`${machine.sessions}/a.jsonl`, text);
  const audit = machine.audit();
  const scan = () => audit.scan({ sources: ["claude-code"] });
  await scan();
  spy.clear();
  await test({ machine, audit, file, spy, scan });
}

/** What a process that remembers nothing finds: what is remembered must come to the same. */
async function assertSameAsFresh(machine: Machine, outcome: AuditOutcome): Promise<void> {
  const fresh = await machine.audit().scan({ sources: ["claude-code"] });
  const without = ({ seconds: _, findings, ...rest }: AuditOutcome) => ({
    ...rest,
    findings: findings.map(({ group: _, ...finding }) => finding),
  });
  assertEquals(without(outcome), without(fresh));
}

Deno.test("nothing changed: no worker is started, and the result is the same", () =>
  withSession(clean(3000) + record(token(1)) + clean(10), async ({ machine, spy, scan }) => {
    const outcome = await scan();
    assertEquals(spy.started(), 0);
    assertEquals(places(outcome), [at(token(1), 3001)]);
    await assertSameAsFresh(machine, outcome);
  }));

Deno.test("a session that grew: only its end is scanned, however often", () =>
  withSession(clean(20_000) + record(token(1)) + clean(3000), async ({ machine, file, spy, scan }) => {
    for (let round = 2; round < 6; round++) {
      await Deno.writeTextFile(file, record(token(round)), { append: true });
      await settle(file);
      spy.clear();
      const outcome = await scan();
      assert(spy.bytes() < 80 * 1024, `${spy.bytes()} bytes were scanned`);
      assertEquals(outcome.total, round);
      await assertSameAsFresh(machine, outcome);
    }
  }));

Deno.test("a torn last line that is completed later is found once, on its line", () =>
  withSession(clean(3000) + record(token(1)).slice(0, -30), async ({ machine, file, scan }) => {
    await Deno.writeTextFile(file, record(token(1)).slice(-30) + record("x") + record(token(2)).slice(0, -3), {
      append: true,
    });
    await settle(file);
    const outcome = await scan();
    assertEquals(places(outcome), [at(token(1), 3001), at(token(2), 3003)]);
    await Deno.writeTextFile(file, record(token(2)).slice(-3), { append: true });
    await settle(file);
    const whole = await scan();
    assertEquals(places(whole), places(outcome));
    await assertSameAsFresh(machine, whole);
  }));

Deno.test("a key block over several lines that was half written is found when the rest comes", async () => {
  const block = exampleOf("private-key-pem");
  const half = block.indexOf("\n") + 20;
  await withSession(clean(3000) + block.slice(0, half), async ({ machine, file, scan }) => {
    await Deno.writeTextFile(file, block.slice(half) + clean(2), { append: true });
    await settle(file);
    const outcome = await scan();
    assertEquals(outcome.findings.map(({ rule, line }) => [rule, line]), [["private-key-pem", 3001]]);
    await assertSameAsFresh(machine, outcome);
  });
});

Deno.test("truncated, replaced, edited, renamed and deleted: what is found is what is there", () =>
  withSession(clean(3000) + record(token(1)) + clean(2000), async ({ machine, file, scan }) => {
    const check = async (...expected: string[]) => {
      await settle(file);
      const outcome = await scan();
      assertEquals(places(outcome), expected);
      await assertSameAsFresh(machine, outcome);
    };
    await Deno.truncate(file, clean(3000).length);
    await check();
    await Deno.writeTextFile(file, clean(4000) + record(token(2)) + clean(2000));
    await check(at(token(2), 4001));
    await Deno.writeTextFile(`${file}.new`, clean(4000) + record(token(3)) + clean(2000));
    await Deno.rename(`${file}.new`, file);
    await check(at(token(3), 4001));
    await Deno.writeTextFile(file, clean(4000) + record(token(4)) + clean(2000));
    await check(at(token(4), 4001));
    // The part that was scanned already is edited while the file grows.
    const text = await Deno.readTextFile(file);
    const secret = JSON.stringify({ type: "user", k: token(6), m: "" }).padEnd(clean(1).length - 1) + "\n";
    await Deno.writeTextFile(file, clean(1111) + secret + text.slice(clean(1112).length) + clean(5));
    await check(at(token(6), 1112), at(token(4), 4001));
    const moved = join(file, "..", "b.jsonl");
    await Deno.rename(file, moved);
    const renamed = await scan();
    assertEquals(renamed.findings.map(({ file }) => file), [moved, moved]);
    await Deno.remove(moved);
    assertEquals((await scan()).files, 0);
  }));

Deno.test("a file that is edited in the same moment as it is scanned is not taken for unchanged", async () => {
  await using machine = await createMachine();
  const audit = machine.audit();
  const file = await machine.write(`${machine.sessions}/a.jsonl`, "");
  for (let round = 0; round < 5; round++) {
    const now = new Date();
    await Deno.writeTextFile(file, record("x".repeat(20)));
    await Deno.utime(file, now, now);
    assertEquals((await audit.scan({ sources: ["claude-code"] })).total, 0);
    await Deno.writeTextFile(file, record(token(round)));
    await Deno.utime(file, now, now);
    assertEquals((await audit.scan({ sources: ["claude-code"] })).total, 1, `round ${round}`);
  }
});

Deno.test("ignore files hold for their own source, at once when they are added, edited or removed", () =>
  withSession(record(token(1)) + clean(2000) + record(token(2)), async ({ machine, audit, scan }) => {
    const ignore = join(machine.home, ".claude/projects/.agentsweepignore");
    await machine.write(".codex/history.jsonl", record(token(1)));
    const counts = async () => {
      const { total, suppressed } = await scan();
      return [total, suppressed];
    };
    assertEquals(await counts(), [2, 0]);
    await Deno.writeTextFile(ignore, token(1));
    assertEquals(await counts(), [1, 1]);
    await Deno.writeTextFile(ignore, token(2));
    assertEquals(await counts(), [1, 1]);
    await Deno.writeTextFile(ignore, `rule:${(await scan()).findings[0]!.rule}`);
    assertEquals(await counts(), [0, 2]);
    const all = await audit.scan({ sources: ["claude-code", "codex"] });
    assertEquals([all.total, all.suppressed], [1, 2], "another source's ignore file says nothing of this one");
    await Deno.remove(ignore);
    assertEquals(await counts(), [2, 0]);
  }));

unixTest(
  "attack: a pipe, a device or a folder in the place of an ignore file holds nobody up and ignores nothing",
  () =>
    withSession(record(token(1)), async ({ machine, scan }) => {
      const ignore = join(machine.home, ".claude/projects/.agentsweepignore");
      const text = join(machine.home, "ignored.txt");
      await Deno.writeTextFile(text, token(1));
      const places: [() => unknown, number][] = [
        [() => command("mkfifo", [ignore]), 1],
        [() => Deno.symlinkSync("/dev/zero", ignore), 1],
        [() => Deno.mkdirSync(ignore), 1],
        [() => Deno.symlinkSync(text, ignore), 0],
      ];
      for (const [place, expected] of places) {
        place();
        assertEquals((await scan()).total, expected);
        await Deno.remove(ignore);
      }
    }),
);

Deno.test("new rows of a database are found while they are only in its log", async () => {
  await using machine = await createMachine();
  await machine.write(".local/share/opencode/storage/x.json", "{}");
  const path = join(machine.home, ".local/share/opencode/opencode.db");
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE part (id TEXT, data TEXT)");
  database.exec("CREATE TABLE message (id TEXT, data TEXT); CREATE TABLE session (id TEXT, title TEXT)");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  await settle(path);
  const audit = machine.audit();
  for (let count = 0; count < 4; count++) {
    assertEquals((await audit.scan({ sources: ["opencode"] })).total, count);
    database.prepare("INSERT INTO part VALUES (?, ?)").run(`${count}`, JSON.stringify({ text: token(count) }));
    await settle(path);
    await Deno.utime(path, 1_600_000_000, 1_600_000_000);
  }
  database.close();
});

Deno.test("the same file under another root has the fingerprints of that root", async () => {
  await using machine = await createMachine();
  await machine.write(".openclaw/agents/a.jsonl", record(token(1)));
  const prints = async (audit: AuditService, root?: string) =>
    (await audit.scan({ sources: ["openclaw"], root })).findings.map(({ fingerprint }) => fingerprint);
  const root = join(machine.home, ".openclaw/agents");
  const audit = machine.audit();
  for (const at of [undefined, root, undefined]) {
    assertEquals(await prints(audit, at), await prints(machine.audit(), at));
  }
  assert((await prints(audit))[0] !== (await prints(audit, root))[0]);
});

Deno.test("two scans at once come to the same", () =>
  withSession(clean(20_000) + record(token(1)), async ({ machine, file, scan }) => {
    for (let round = 2; round < 5; round++) {
      await Deno.writeTextFile(file, record(token(round)), { append: true });
      await settle(file);
      for (const outcome of await Promise.all([scan(), scan(), scan()])) await assertSameAsFresh(machine, outcome);
    }
  }));
