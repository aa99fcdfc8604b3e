/** Histories made to cost more than they weigh, and stores that nobody can read: each is read in bounds, or named. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { auditReport } from "../../src/engine/audit/report.ts";
import type { AuditOutcome } from "../../src/engine/audit/service.ts";
import { createMachine, exampleOf, token } from "../support/audit.ts";
import { unixTest } from "../support/system.ts";

const record = (text: string) => JSON.stringify({ message: { content: text } }) + "\n";
const reportOf = (outcome: AuditOutcome) => auditReport(outcome, { maxFindings: 1_000_000, rotationOf: () => "" });
const ROLLOUT = ".codex/sessions/2025/01/01/rollout-a.jsonl.zst";
const packed = (text: string) => new Uint8Array(zstdCompressSync(new TextEncoder().encode(text)));

unixTest("a folder of 140,000 folders does not overflow the walk", async () => {
  await using machine = await createMachine();
  await machine.write(`${machine.sessions}/a.jsonl`, record(token(1)));
  const projects = join(machine.home, ".claude/projects");
  for (let index = 0; index < 140_000; index++) Deno.mkdirSync(`${projects}/${index}`);
  const { total, isComplete } = await machine.audit().scan({ sources: ["claude-code"] });
  assertEquals([total, isComplete], [1, true]);
});

Deno.test("a million strings of one letter and one secret a batch take no scan each", async () => {
  await using machine = await createMachine();
  const unit = `[${'"a",'.repeat(250_000)}"${token(1)}"]\n`;
  await machine.write(ROLLOUT, packed(unit.repeat(4)));
  const { findings, seconds } = await machine.audit().scan({ sources: ["codex"] });
  assertEquals(findings.map(({ line, keypath }) => [line, keypath]), [1, 2, 3, 4].map((line) => [line, "[250000]"]));
  assert(seconds < 15, `took ${seconds} s`);
});

Deno.test("a packed file of a kilobyte that unpacks to millions of empty strings does not fill the memory", async () => {
  await using machine = await createMachine();
  const bytes = packed(`[${'"",'.repeat(8_000_000)}"${token(1)}"]\n`);
  assert(bytes.length < 10_000);
  await machine.write(ROLLOUT, bytes);
  const before = Deno.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => most = Math.max(most, Deno.memoryUsage().rss), 20);
  const { total, strings } = await machine.audit().scan({ sources: ["codex"] });
  clearInterval(watch);
  assertEquals([total, strings], [1, 8_000_001]);
  assert(most - before < 600e6, `grew by ${(most - before) / 1e6} MB`);
});

Deno.test("a packed file of a million empty frames ends with what was found before the time is up", async () => {
  await using machine = await createMachine();
  const [frame, first] = [packed(""), packed(record(token(1)))];
  const bytes = new Uint8Array(first.length + 1_000_000 * frame.length);
  bytes.set(first);
  for (let at = first.length; at < bytes.length; at += frame.length) bytes.set(frame, at);
  await machine.write(ROLLOUT, bytes);
  const began = performance.now();
  const outcome = await machine.audit().scan({ sources: ["codex"], signal: AbortSignal.timeout(2000) });
  assert(performance.now() - began < 3000);
  assertEquals([outcome.total, outcome.isComplete], [1, false]);
});

Deno.test("more findings in one file than are handed out are not left out in silence", async () => {
  await using machine = await createMachine();
  const lines = Array.from({ length: 20_500 }, (_, index) => record(token(index + 1)));
  await machine.write(`${machine.sessions}/a.jsonl`, lines.join(""));
  const { summary, findings, next_steps } = reportOf(await machine.audit().scan({ sources: ["claude-code"] }));
  assert(summary.findings > findings.length);
  assertMatch(next_steps.join("\n"), new RegExp(`first ${findings.length} of ${summary.findings} findings`));
});

Deno.test("what is packed or a database under another name is not called clean", async () => {
  const opaque: Record<string, Uint8Array> = {
    "app.log.gz": new Uint8Array(gzipSync(record(token(1)))),
    "all.zip": Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0),
    "old.tar.bz2": new TextEncoder().encode("BZh91AY&SY....."),
    "old.tar.xz": Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4),
    "old.7z": Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4),
    "unnamed": packed(record(token(1))),
    "cache": new TextEncoder().encode("SQLite format 3\0" + "\x10\0\x01\x01"),
  };
  for (const [name, bytes] of Object.entries(opaque)) {
    await using machine = await createMachine();
    const file = await machine.write(`${machine.sessions}/one/tool-results/${name}`, bytes);
    const { summary, unscanned } = reportOf(await machine.audit().scan({ sources: ["claude-code"] }));
    assertEquals([summary.complete, unscanned.length], [false, 1], name);
    assertEquals(unscanned[0]!.file, file);
    assertMatch(unscanned[0]!.reason, /packed|database/);
  }
});

Deno.test("a file changed to another of the same size and the same time is scanned again", async () => {
  await using machine = await createMachine();
  const audit = machine.audit();
  const file = await machine.write(`${machine.sessions}/a.jsonl`, record("x".repeat(20)));
  const { mtime } = await Deno.stat(file);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assertEquals((await audit.scan({ sources: ["claude-code"] })).total, 0);
  await Deno.writeTextFile(file, record(token(1)));
  await Deno.utime(file, mtime!, mtime!);
  assertEquals((await audit.scan({ sources: ["claude-code"] })).total, 1);
});

Deno.test("a name that is a secret in the other case of letters is not shown", async () => {
  await using machine = await createMachine();
  await machine.write(`${machine.sessions}/${token(1).toLowerCase()}.jsonl`, record(token(1)));
  const { findings } = reportOf(await machine.audit().scan({ sources: ["claude-code"] }));
  assertEquals(findings.length, 1);
  const shown = findings[0]!.file.toLowerCase();
  for (let at = 0; at + 8 <= token(1).length; at++) {
    assert(!shown.includes(token(1).toLowerCase().slice(at, at + 8)), shown);
  }
});

Deno.test("a scan that was ended shows of names what agents write there, and nothing that may be a secret of the rest", async () => {
  await using machine = await createMachine();
  const hidden = [
    "9f8e2c71" + "d04b6a35e8c1972f0b5d4a63",
    "Zk9v-Q4mT" + "-x7Lp-R2wB",
    "pw-q7" + "R!xZ",
    "correct-horse",
  ];
  const usual = "sessions/2025/11/27/rollout-2025-11-27T18-41-27-0199e0f1-52b4-7abc-8def-0123456789ab.jsonl";
  await machine.write(".codex/sessions/0.jsonl", record(token(1)));
  for (let index = 0; index < 20; index++) {
    for (const name of hidden) {
      await machine.write(`.codex/sessions/${index}/a-${name}.jsonl`, record(token(index + 2)));
    }
  }
  await machine.write(`.codex/${usual}`, record("x"));
  await machine.write(
    ".codex/sessions/z/z.jsonl",
    hidden.map((name) => record(`postgres://app:${name}@db.io/p`)).join(""),
  );
  const ending = new AbortController();
  const outcome = await machine.audit().scan({
    sources: ["codex"],
    signal: ending.signal,
    onProgress: () => ending.abort(),
  });
  assertEquals(outcome.isComplete, false);
  const shown = JSON.stringify(reportOf(outcome));
  for (const name of hidden) assert(!shown.includes(name), name);
  const unread = outcome.unscanned.map(({ file }) => file.slice(machine.home.length));
  assert(unread.includes(`/.codex/${usual}`), unread.join("\n"));
  assert(unread.includes("/.codex/sessions/7/********.jsonl"), unread.join("\n"));
  // Of a file that was cut, it may not be known yet where in the record the finding is.
  assert(outcome.findings.length > 0);
  assert(outcome.findings.every(({ keypath }) => keypath === "message.content" || keypath === ""));
});

Deno.test("a name that is a short secret, or one written with other signs between its letters, is not shown", async () => {
  await using machine = await createMachine();
  const [short, long] = ["q7" + "R!xZ", "Zk9v_Q4mT" + ".x7Lp!R2wB"];
  const url = (password: string) => record(`postgres://app:${password}@db.corp.io/p`);
  const named: Record<string, string> = {
    [`pw-${short}`]: "pw-********",
    "by-q7r-xz-too": "by-********-too",
    "zk9v-q4mt-x7lp-r2wb": "********",
    "x-Pa5$": "x-********",
    "main_x": "********_x",
    "domain": "domain",
    "mainly-q7r": "mainly-q7r",
  };
  for (const name of Object.keys(named)) {
    await machine.write(`${machine.sessions}/${name}.jsonl`, url(short) + url(long) + url("main") + url("Pa5$"));
  }
  const { findings } = reportOf(await machine.audit().scan({ sources: ["claude-code"] }));
  const shown = new Set(findings.map(({ file }) => file.slice(file.lastIndexOf("/") + 1, -".jsonl".length)));
  assertEquals([...shown].sort(), Object.values(named).sort());
});

Deno.test("the heading of a private key hides no name or key that says what it is", async () => {
  await using machine = await createMachine();
  const key = exampleOf("private-key-pem");
  const file = await machine.write(
    `${machine.sessions}/my-private-key.jsonl`,
    JSON.stringify({ privateKey: key }) + "\n",
  );
  const { findings } = reportOf(await machine.audit().scan({ sources: ["claude-code"] }));
  assertEquals(findings.map(({ file, keypath }) => [file, keypath]), [[file, "privateKey"]]);
});
