/** Histories that are hostile, broken, locked, huge or elsewhere: each is named or read, and none ends the scan. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { join } from "@std/path";
import { auditReport } from "../../src/engine/audit/report.ts";
import { createMachine, startAudit, token } from "../support/audit.ts";
import { IS_SUPERUSER, unixTest } from "../support/system.ts";
import { command } from "../support/tree.ts";

const record = (text: string) => JSON.stringify({ message: { content: text } }) + "\n";
type Entry = { file: string; reason: string };

unixTest("what the sandbox or the system denies is named with its reason, and the scan is not complete", async () => {
  await using machine = await createMachine();
  await machine.write(`${machine.sessions}/good.jsonl`, record(token(1)));
  const closed = await machine.write(`${machine.sessions}/closed.jsonl`, record(token(2)));
  const folder = join(machine.home, ".claude/projects/-closed");
  await machine.write(".claude/projects/-closed/a.jsonl", record(token(3)));
  await Deno.chmod(closed, 0);
  await Deno.chmod(folder, 0);
  const before = IS_SUPERUSER ? ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] : [];
  const server = await startAudit(machine.home, { before });
  const { summary, findings, unscanned } = await server.call("scan_history", { source: "claude-code" });
  assertEquals([summary.complete, findings.length], [false, 1]);
  assertEquals(unscanned.map(({ file }: Entry) => file).sort(), [folder, closed].sort());
  assert(unscanned.every(({ reason }: Entry) => /operating system/.test(reason)), JSON.stringify(unscanned));
  await server.end();
  await Deno.chmod(folder, 0o700);

  const narrow = [
    "--no-prompt",
    `--allow-read=${machine.home}/.codex,${new URL("../../src", import.meta.url).pathname}` +
    `,${new URL("../../tools/offline/std", import.meta.url).pathname}`,
    "--allow-env=HOME",
  ];
  await using other = await startAudit(machine.home, { permissions: narrow });
  const { sources } = await other.call("list_sources", {});
  assertEquals([sources[0].access, sources[1].access], ["denied", "granted"]);
  const denied = await other.call("scan_history", { source: "claude-code" });
  assertEquals([denied.summary.complete, denied.summary.sources_scanned, denied.summary.files_scanned], [false, 0, 0]);
  assertMatch(denied.unscanned[0].reason, /sandbox.*--allow-read=/);
});

unixTest(
  "links, pipes, broken databases and hostile names: nothing outside is read, and nothing is passed over",
  async () => {
    await using machine = await createMachine();
    const { home, sessions } = machine;
    const outside = await machine.write("outside/secret.jsonl", record(token(1)));
    await machine.write("outside/folder/x.jsonl", record(token(2)));
    await machine.write(`${sessions}/good.jsonl`, record(token(3)));
    await Deno.symlink(outside, join(home, sessions, "link.jsonl"));
    await Deno.symlink(join(home, "outside/folder"), join(home, sessions, "linked"));
    command("mkfifo", [join(home, sessions, "pipe.jsonl")]);
    const hostile = "evil\u202e\u200b\n\u{e0041}.jsonl";
    await machine.write(`${sessions}/${hostile}`, record(token(4)));
    const deep = `${'{"a":'.repeat(100_000)}"${token(5)}"${"}".repeat(100_000)}\n`;
    await machine.write(`${sessions}/deep.jsonl`, deep);
    await machine.write(".continue/sessions/deep.json", deep);
    command("python3", [
      "-c",
      "import os,sys; open(os.path.join(os.fsencode(sys.argv[1]), b'bad\\xff\\xfe.jsonl'), 'wb').write(b'{}\\n')",
      join(home, sessions),
    ]);
    await machine.write(".local/share/opencode/opencode.db", "this is no database, or an encrypted one".repeat(100));
    await using server = await startAudit(home);
    const report = await server.call("scan_history", { source: "claude-code" });
    const files = report.findings.map(({ file }: Entry) => file.slice(file.lastIndexOf("/") + 1));
    assertEquals(files, ["deep.jsonl", "evil\\u{202e}\\u{200b}\\u{a}\\u{e0041}.jsonl", "good.jsonl"]);
    const named = report.unscanned.map(({ file }: Entry) => file.slice(file.lastIndexOf("/") + 1)).sort();
    assertEquals(named, ["bad\uFFFD\uFFFD.jsonl", "link.jsonl", "linked", "pipe.jsonl"]);
    assertEquals((await server.call("scan_history", { source: "continue-vscode" })).summary.findings, 1);
    const broken = await server.call("scan_history", { source: "opencode" });
    assertEquals([broken.summary.complete, broken.unscanned.length], [false, 1]);
    assertMatch(broken.unscanned[0].reason, /not a database/);

    await Deno.remove(join(home, ".local/share/opencode/opencode.db"));
    const path = join(home, ".local/share/opencode/opencode.db");
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE part (id TEXT, data TEXT); CREATE TABLE message (id TEXT, data TEXT)");
    database.exec("CREATE TABLE session (id TEXT, title TEXT)");
    database.prepare("INSERT INTO part VALUES ('1', ?)").run(`{"text":"${token(6)}"}`);
    database.exec("BEGIN EXCLUSIVE; INSERT INTO part VALUES ('2', 'x')");
    const locked = await server.call("scan_history", { source: "opencode" });
    assertEquals(locked.summary.findings, 1);
    database.close();
  },
);

Deno.test("a line of 200 MB full of secrets is scanned in bounded memory and in time that grows with its length", async () => {
  await using machine = await createMachine();
  const path = await machine.write(`${machine.sessions}/long.jsonl`, '{"a":["');
  const words = new TextEncoder().encode("nothing to see but words and words and more of them, ".repeat(20_000));
  using file = Deno.openSync(path, { append: true });
  for (let size = 0, index = 0; size < 200 << 20; size += words.length, index++) {
    file.writeSync(words);
    file.writeSync(new TextEncoder().encode(`", "${token(index % 1900)}", "`));
  }
  file.writeSync(new TextEncoder().encode('"]}\n'));
  await using server = await startAudit(machine.home);
  const { summary, findings } = await server.call("scan_history", { source: "claude-code", max_findings: 3 });
  assertEquals([summary.complete, summary.findings], [true, 198]);
  assertEquals(findings.map(({ line, keypath }: { line: number; keypath: string }) => `${line} ${keypath}`), [
    "1 a[1]",
    "1 a[3]",
    "1 a[5]",
  ]);
  if (Deno.build.os === "linux") {
    const peak = Number(/VmHWM:\s+(\d+)/.exec(await Deno.readTextFile(`/proc/${server.pid}/status`))![1]) / 1024;
    assert(peak < 300, `${peak} MB`);
  }
});

Deno.test("the order and the counts are the same at every run, however many workers there are, and whatever is listed", async () => {
  await using machine = await createMachine();
  for (let index = 0; index < 24; index++) {
    const texts = Array.from({ length: 1 + index % 7 }, (_, line) => record(token(index * 10 + line) + ` ${token(1)}`));
    await machine.write(`${index % 2 ? ".codex/sessions" : machine.sessions}/s${index * 7 % 24}.jsonl`, texts.join(""));
    await machine.write(`.continue/sessions/${index}.json`, JSON.stringify({ history: texts.map(encodeURIComponent) }));
  }
  const run = async () => {
    const audit = machine.audit();
    return await audit.scan({ sources: audit.keys });
  };
  const first = await run();
  const rotationOf = () => "rotate";
  const wanted = auditReport(first, { maxFindings: 1e6, rotationOf });
  const places = wanted.findings.map(({ source, file, line }) =>
    `${first.sources.indexOf(source)} ${file} ${`${line}`.padStart(9)}`
  );
  assertEquals(places, [...places].sort());
  for (let round = 0; round < 2; round++) {
    const again = auditReport(await run(), { maxFindings: 1e6, rotationOf });
    assertEquals([again.findings, again.blast_radius], [wanted.findings, wanted.blast_radius]);
  }
  // The same secret in three sources, also percent-encoded in JSON, is one.
  const [most] = wanted.blast_radius!;
  const texts = Array.from({ length: 24 }, (_, index) => 1 + index % 7).reduce((sum, count) => sum + count, 0);
  assert(most!.occurrences >= 2 * texts);
  for (const maxFindings of [0, 1, 7]) {
    const short = auditReport(first, { maxFindings, rotationOf });
    assertEquals(short.findings, wanted.findings.slice(0, maxFindings));
    assertEquals(short.summary, wanted.summary);
    assertEquals(short.blast_radius, wanted.blast_radius);
  }
});
