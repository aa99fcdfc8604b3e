/** scan_history while it works: other requests, cancellation, timeouts, progress, a session that grows, a client that goes. */

import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { writeBulk } from "../../tools/fixtures/mod.ts";
import { createMachine, type Machine, startAudit, token } from "../support/audit.ts";
import type { Message, RawServer } from "../support/server.ts";

const record = (text: string) => JSON.stringify({ type: "user", message: { content: text } }) + "\n";

/** A machine with so much history that scanning it takes seconds. */
async function createBusyMachine(bytes: number): Promise<Machine> {
  const machine = await createMachine();
  await machine.write(".claude/projects/-a/a.jsonl", record(token(1)));
  writeBulk(machine.host, { bytes, fileBytes: 24 << 20 });
  return machine;
}

const scanAll = { name: "scan_history", arguments: { all_sources: true } };

async function timed(server: RawServer, method: string): Promise<number> {
  const began = performance.now();
  await server.request(method);
  return performance.now() - began;
}

Deno.test("while hundreds of megabytes are scanned the server answers, cancels, times out, and ends with its client", async () => {
  await using machine = await createBusyMachine(300 << 20);
  const server = await startAudit(machine.home);

  // Times out within a second, and says what is missing.
  const late = performance.now();
  const cut = await server.call("scan_history", { all_sources: true, timeout_seconds: 1.2 });
  assert(performance.now() - late < 2500, "a timeout is kept");
  assertEquals(cut.summary.complete, false);
  assertEquals(cut.findings.length, 1, "what was found so far is told");
  const missing = cut.unscanned.filter(({ reason }: { reason: string }) => reason.includes("was ended"));
  assert(missing.length > 0 && missing.every(({ file }: { file: string }) => file.startsWith(machine.home)));

  // Cancelled, it answers nothing more and does nothing more.
  await server.send({ jsonrpc: "2.0", id: "cancelled", method: "tools/call", params: scanAll });
  await new Promise((resolve) => setTimeout(resolve, 700));
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "cancelled" } });
  const began = performance.now();
  await server.call("scan_history", { source: "goose" });
  assert(performance.now() - began < 2000, "the cancelled scan makes way for the next");
  assertEquals(server.messages.filter(({ id }) => id === "cancelled"), []);

  const answer = server.request("tools/call", { ...scanAll, _meta: { progressToken: "p" } });
  let isOver = false;
  answer.then(() => isOver = true);
  const times: number[] = [];
  while (!isOver) {
    times.push(await timed(server, "ping"), await timed(server, "tools/list"));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  times.sort((one, other) => one - other);
  assert(times.length > 20, `${times.length} requests`);
  assert(times[times.length >> 1]! < 100, `median of ${times[times.length >> 1]} ms`);
  assert(times.at(-1)! < 2000, `at most ${times.at(-1)} ms`);
  const { summary, unscanned } = (await answer).result.structuredContent;
  assertEquals(summary.findings, 1);
  assert(summary.bytes_scanned > 300 << 20);
  assertEquals(unscanned.filter(({ reason }: { reason: string }) => !reason.includes("sandbox")), []);
  const progress = server.messages.filter(({ method }) => method === "notifications/progress");
  const done = progress.map(({ params }: Message) => params!.progress as number);
  assertEquals(done, Array.from({ length: summary.files_scanned }, (_, index) => index + 1));
  assert(progress.every(({ params }) => params!.progressToken === "p"));

  // The client goes away in the middle of a scan that remembers nothing.
  await Deno.writeTextFile(join(machine.home, ".codex/.agentsweepignore"), "rule:x");
  await server.send({ jsonrpc: "2.0", id: "last", method: "tools/call", params: scanAll });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const left = performance.now();
  const { code } = await server.end();
  assertEquals(code, 0);
  assert(performance.now() - left < 2000, "it ends with its client");
});

Deno.test("a session that an agent writes while it is scanned: no error, nothing torn, found at the next call", async () => {
  await using machine = await createMachine();
  const file = await machine.write(`${machine.sessions}/live.jsonl`, record("hello"));
  await using server = await startAudit(machine.home);
  let written = 0;
  let isDone = false;
  const writing = (async () => {
    const handle = await Deno.open(file, { append: true });
    while (!isDone) {
      const line = new TextEncoder().encode(record(`key ${token(written)} end`));
      // An agent's line may arrive in pieces.
      const cut = written % 3 === 0 ? 40 : line.length;
      await handle.write(line.subarray(0, cut));
      if (cut < line.length) {
        await new Promise((resolve) => setTimeout(resolve, 4));
        await handle.write(line.subarray(cut));
      }
      written++;
      await new Promise((resolve) => setTimeout(resolve, 12));
    }
    handle.close();
  })();
  try {
    for (let round = 0; round < 25; round++) {
      const before = written;
      const { summary, findings } = await server.call("scan_history", { source: "claude-code", max_findings: 100_000 });
      assertEquals([summary.complete, summary.unscanned, summary.truncated_files], [true, 0, 0]);
      assert(summary.findings >= before, `${summary.findings} of ${before}`);
      assertEquals(findings.length, summary.findings);
      findings.forEach(({ line, masked }: { line: number; masked: string }, index: number) => {
        assertEquals([line, masked], [index + 2, `${token(index).slice(0, 5)}********${token(index).slice(-3)}`]);
      });
    }
  } finally {
    isDone = true;
    await writing;
  }
  assertEquals((await server.call("scan_history", { source: "claude-code" })).summary.findings, written);
});
