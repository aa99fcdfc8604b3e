/** The workers: what crosses from them, what they may do, and what happens when one dies. */

import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { createMachine, startAudit, token } from "../support/audit.ts";
import { copyCheckout, override } from "../support/checkout.ts";
import { createPlantedMachine } from "../support/planted.ts";
import { spyOnWorkers } from "../support/workers.ts";

const record = (text: string) => JSON.stringify({ message: { content: text } }) + "\n";

Deno.test("no message that crosses from a worker holds a piece of a secret", async () => {
  await using machine = await createPlantedMachine();
  using spy = spyOnWorkers();
  const audit = machine.audit();
  await audit.scan({ sources: audit.keys });
  await audit.scan({ sources: ["claude-code", "codex"], signal: AbortSignal.timeout(600) });
  assert(spy.replies.length > 300);
  const scanned = spy.replies.filter(({ kind }) => kind === "scanned");
  assert(scanned.length > 300);
  assertEquals(machine.watch.leaks(spy.replies), []);
  assertEquals(spy.replies.filter(({ kind }) => kind === "failed"), []);
});

/** What a worker is made to try; each that is allowed is told. */
const TRIES = `
  const allowed = [];
  const attempt = async (name, run) => { try { await run(); allowed.push(name); } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) allowed.push(name + ": " + error.name + error.message); } };
  const path = args[0].file.path;
  await attempt("history", () => Deno.readTextFile(path));
  await attempt("read", () => Deno.readTextFile(OUTSIDE));
  await attempt("code", () => Deno.readTextFile(ROOT + "/x.txt"));
  await attempt("others", () => Deno.readTextFile(path.includes(".codex") ? OTHERS[0] : OTHERS[1]));
  await attempt("list", () => Array.from(Deno.readDirSync("/")));
  await attempt("write", () => Deno.writeTextFile(path + ".x", ""));
  await attempt("writeroot", () => Deno.writeTextFile(ROOT + "/x", ""));
  await attempt("remove", () => Deno.remove(path));
  await attempt("net", () => Deno.connect({ hostname: "127.0.0.1", port: 8099 }));
  await attempt("fetch", () => fetch("http://127.0.0.1:8099/"));
  await attempt("env", () => Deno.env.get("HOME"));
  await attempt("run", () => new Deno.Command(Deno.execPath()).output());
  await attempt("sys", () => Deno.hostname());
  await attempt("ffi", () => Deno.dlopen("libc.so.6", {}));
  await attempt("worker", () => new Promise((resolve, reject) => {
    const source = "Deno.readTextFileSync(" + JSON.stringify(OUTSIDE) + "); postMessage(1)";
    const worker = new Worker(URL.createObjectURL(new Blob([source])), { type: "module" });
    worker.onmessage = resolve;
    worker.onerror = (event) => { event.preventDefault(); reject(new Deno.errors.NotCapable()); };
  }));
  const outcome = { bytes: 0, strings: 0, findings: 0, suppressed: 0, problems: allowed, isTruncated: false,
    isResumed: false, resume: null };
  return { findings: [], outcome };`;

for (const posture of ["process-flags", "worker"]) {
  Deno.test(`a worker may read the histories that it scans and do nothing else (${posture})`, async () => {
    await using machine = await createMachine();
    await using copy = await copyCheckout();
    const root = join(machine.home, "code");
    await machine.write("code/x.txt", "");
    const claude = await machine.write(`${machine.sessions}/a.jsonl`, record("hello"));
    const outside = await machine.write("private/diary.txt", "dear diary");
    const codex = await machine.write(".codex/history.jsonl", record("hello"));
    const names = `const OUTSIDE = ${JSON.stringify(outside)}; const ROOT = ${JSON.stringify(root)}; const OTHERS = ${
      JSON.stringify([claude, codex])
    };`;
    await override(
      copy.folder,
      "src/engine/audit/scan_file.ts",
      "scanFile",
      `return (async () => {${names}${TRIES}})();`,
    );
    const start = posture === "worker" ? { permissions: ["-A"] } : {};
    const server = await startAudit(
      machine.home,
      { ...start, roots: [root], main: copy.main, config: copy.config },
      copy.folder,
    );
    assertEquals((await server.call("list_sources", {})).sandbox, posture);
    const { unscanned } = await server.call("scan_history", { source: "claude-code" });
    assertEquals(unscanned.map(({ reason }: { reason: string }) => reason), ["history"]);
    const all = await server.call("scan_history", { source: "codex" });
    assertEquals(all.unscanned.map(({ file, reason }: { file: string; reason: string }) => [file, reason]), [[
      codex,
      "history",
    ]]);
    const { stderr } = await server.end();
    assert(!stderr.includes("dear diary"));
  });
}

const POISON = "0199e0f1-52b4-7abc-8def-0123456789ab";
const DEATHS = {
  "throws": "return (async () => { throw new Error(SECRET); })();",
  "throws where nobody catches": "setTimeout(() => { throw new Error(SECRET); }); return new Promise(() => {});",
  "closes itself": "self.close(); return new Promise(() => {});",
};

for (const [how, death] of Object.entries(DEATHS)) {
  Deno.test(`a worker that ${how} on a file: the file is named, the others are scanned, nothing is told of it`, async () => {
    await using machine = await createMachine();
    await using copy = await copyCheckout();
    const secret = token(99);
    for (const index of [1, 2, 3, 4, 5]) {
      await machine.write(`${machine.sessions}/good${index}.jsonl`, record(token(index)));
    }
    const poison = await machine.write(`${machine.sessions}/${POISON}.jsonl`, record(secret));
    const body = `if (!args[0].file.path.includes("${POISON}")) return original(...args);
      const SECRET = ${JSON.stringify(secret.slice(0, 10))} + ${JSON.stringify(secret.slice(10))}; ${death}`;
    await override(copy.folder, "src/engine/audit/scan_file.ts", "scanFile", body);
    const server = await startAudit(machine.home, { main: copy.main, config: copy.config }, copy.folder);
    const limit = how === "closes itself" ? { timeout_seconds: 3 } : {};
    const { summary, unscanned } = await server.call("scan_history", { source: "claude-code", ...limit });
    // A scan that was ended shows the session's id, and not the project's name: it may be a secret of what was not read.
    const named = "timeout_seconds" in limit ? poison.replace("-work-shop", "********") : poison;
    assertEquals(unscanned.map(({ file }: { file: string }) => file), [named]);
    assertEquals([summary.findings, summary.files_scanned, summary.complete], [5, 5, false]);
    const { stderr, stdout, code } = await server.end();
    assertEquals(code, 0);
    assert(!stderr.includes(secret.slice(0, 8)) && !stdout.includes(secret.slice(0, 8)), stderr);
  });
}
