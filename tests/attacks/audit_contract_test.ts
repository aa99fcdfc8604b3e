/** The plaintext boundary: whatever is asked, and whatever the files hold, nothing beyond the mask comes out. */

import { assert, assertEquals } from "@std/assert";
import { auditReport } from "../../src/engine/audit/report.ts";
import { findRule } from "../../src/secrets/mod.ts";
import { random } from "../../tools/fixtures/random.ts";
import { spansIn, startAudit } from "../support/audit.ts";
import { createPlantedMachine, type PlantedMachine } from "../support/planted.ts";
import type { RawServer } from "../support/server.ts";

const SHOWN = { maxFindings: 100_000, rotationOf: (rule: string) => findRule(rule)?.rotation ?? "" };

Deno.test("every kind of secret is found in every format, and none of them is shown", async () => {
  await using machine = await createPlantedMachine();
  const audit = machine.audit();
  const outcome = await audit.scan({ sources: audit.keys });
  const report = auditReport(outcome, SHOWN);
  assertEquals(machine.watch.leaks([report, outcome]), []);
  assertEquals(report.unscanned, []);
  const files = Map.groupBy(outcome.findings, ({ file }) => file);
  const rulesIn = (suffix: string) =>
    new Set([...files].filter(([file]) => file.endsWith(suffix)).flatMap(([, found]) => found.map(({ rule }) => rule)));
  const wanted = machine.planted.map(({ spans }) => spans[0]!.rule.id);
  const forms = ["values.jsonl", "nested.jsonl", "packed.jsonl.zst", "torn.jsonl", "plain.jsonl.bak", "1.json"];
  for (const form of [...forms, "api_conversation_history.json", ".aider.chat.history.md", "1.xml", "opencode.db"]) {
    const found = rulesIn(form);
    assertEquals(wanted.filter((rule) => !found.has(rule)), [], form);
  }
  assertEquals(outcome.backups, 1);
  const again = auditReport(await audit.scan({ sources: audit.keys }), SHOWN);
  assertEquals(again.findings, report.findings, "what is remembered is what was found");
});

Deno.test("the server shows no piece of a secret in any answer, error, progress message or log line", async () => {
  await using machine = await createPlantedMachine();
  const server = await startAudit(machine.home);
  await callEverything(server, machine);
  const { stdout, stderr, code } = await server.end();
  assertEquals(code, 0);
  // A scan that was ended shows the ids and hashes by which agents name their files: some secrets look the same.
  const complete = server.messages.filter(({ result }) => result?.structuredContent?.summary?.complete !== false);
  assertEquals(machine.watch.leaks(complete), []);
  assertEquals(machine.mixed.leaks([stderr, ...stdout.split("\n")]), []);
  assert(server.messages.some(({ method }) => method === "notifications/progress"));
});

/** Every shape of every call, with secrets for arguments too. */
async function callEverything(server: RawServer, { planted, home }: PlantedMachine): Promise<void> {
  const call = (name: string, args: unknown, meta?: unknown) =>
    server.request("tools/call", { name, arguments: args, ...(meta ? { _meta: meta } : {}) });
  const sources: string[] = (await server.call("list_sources", {})).sources.map(({ source }: { source: string }) =>
    source
  );
  await call("list_sources", { detected_only: true });
  await call("scan_history", { all_sources: true, timeout_seconds: 0.05 }, { progressToken: "a" });
  await call("scan_history", { all_sources: true, max_findings: 50_000, include_blast_radius: true }, {
    progressToken: "b",
  });
  for (const source of ["claude-code", "codex", "jetbrains-ai", "zed"]) {
    await call("scan_history", { source, include_blast_radius: true });
  }
  for (const max_findings of [0, 1, -1, 1.5, "5"]) await call("scan_history", { all_sources: true, max_findings });
  for (const timeout_seconds of [0, -1, 1e9, 1e-6]) await call("scan_history", { all_sources: true, timeout_seconds });
  const last = { name: "scan_history", arguments: { source: "codex", root: `${home}/.codex` } };
  await server.send({ jsonrpc: "2.0", id: "cut", method: "tools/call", params: last });
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "cut" } });
  await call("get_rotation_guidance", {});
  const chance = random(5);
  for (let round = 0; round < 12; round++) {
    const secret = chance.pick(chance.pick(planted).spans).secret;
    const shapes: [string, unknown][] = [
      ["scan_history", { source: secret }],
      ["scan_history", { source: "codex", root: secret }],
      ["scan_history", { source: "codex", root: `${home}/.codex/${secret}` }],
      ["scan_history", { source: "codex", root: `${home}/${secret}\0` }],
      ["scan_history", { source: "codex", [secret]: secret }],
      ["scan_history", { source: { [secret]: 1 }, max_findings: secret }],
      ["scan_history", { all_sources: secret, timeout_seconds: secret }],
      ["list_sources", { detected_only: secret, [secret]: 1 }],
      ["get_rotation_guidance", { rules: [secret] }],
      ["get_rotation_guidance", { rules: secret, [secret]: [secret] }],
    ];
    for (const [name, args] of shapes) await call(name, args);
  }
}

Deno.test("corrupted histories give away nothing either, and never end the scan", async () => {
  await using machine = await createPlantedMachine();
  const chance = random(11);
  const files: string[] = [];
  const collect = (folder: string): void => {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      if (isDirectory) collect(`${folder}/${name}`);
      else files.push(`${folder}/${name}`);
    }
  };
  collect(machine.home);
  for (const file of files) {
    const bytes = Deno.readFileSync(file);
    if (chance.below(4) === 0) {
      Deno.writeFileSync(file, bytes.subarray(0, chance.below(bytes.length)));
      continue;
    }
    for (let flips = chance.below(1 + bytes.length / 200); flips >= 0; flips--) {
      bytes[chance.below(bytes.length)] = chance.below(256);
    }
    Deno.writeFileSync(file, bytes);
  }
  const audit = machine.audit();
  const report = auditReport(await audit.scan({ sources: audit.keys }), SHOWN);
  assert(report.summary.findings > 100);
  // A secret that was hit is another one now, or none: only pieces of whole ones are looked for where they are masked.
  const shown = report.findings.map(({ masked }) => masked).join(" ");
  assertEquals(spansIn(shown), []);
  const failed = report.unscanned.filter(({ reason }) => reason.includes("worker"));
  assertEquals(failed, []);
  assertEquals(
    machine.watch.leaks([report.summary, report.unscanned, report.findings.map(({ keypath }) => keypath)]),
    [],
  );
});
