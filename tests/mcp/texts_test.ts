/** What a model reads: the text of results, beside their structured form. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { exactPermissions, initialize, startRaw } from "../support/server.ts";
import { auditStart, createMachine, startAudit, token } from "../support/audit.ts";

const record = (text: string) => JSON.stringify({ type: "user", message: { content: text } }) + "\n";

/** A call's text and structured result. */
async function answerOf(server: Awaited<ReturnType<typeof startAudit>>, name: string, args: Record<string, unknown>) {
  const { result } = await server.request("tools/call", { name, arguments: args });
  return { text: result.content[0].text as string, told: result.structuredContent, isError: result.isError === true };
}

Deno.test("sources that no human granted are told in one line, and the whole home is never asked for", async () => {
  await using machine = await createMachine();
  await machine.write(".codex/history.jsonl", record("nothing"));
  const permissions = [...exactPermissions([join(machine.home, ".codex")]).slice(0, 2), "--allow-env=HOME"];
  await using server = await startAudit(machine.home, { permissions });
  const { text, told } = await answerOf(server, "scan_history", { all_sources: true });
  assertEquals(told.summary.complete, false, "unknown is not clean");
  assertMatch(text, /NOT COMPLETE/);
  assert(told.unscanned.length > 30);
  assertEquals(text.split("\n").filter((line) => /not grant/.test(line)).length, 1);
  const line = text.split("\n").find((line) => /not grant/.test(line))!;
  for (const part of ["claude-code", "aider", "--history", "--every-history"]) assertStringIncludes(line, part);
  assert(text.split("\n").length < 10, text);
  for (const { reason } of told.unscanned) {
    assert(!new RegExp(`--allow-read=${machine.home}/?$`).test(reason), reason);
  }
  const { text: one, told: aider } = await answerOf(server, "scan_history", { source: "aider" });
  assertMatch(aider.unscanned[0].reason, /--history aider=DIR/);
  assertStringIncludes(one, aider.unscanned[0].reason);
});

Deno.test("a finding's text names the rule's id, and get_rotation_guidance takes what scan_history shows", async () => {
  await using machine = await createMachine();
  await machine.write(".codex/history.jsonl", record(token(1)));
  await using server = await startAudit(machine.home);
  const { text, told } = await answerOf(server, "scan_history", { source: "codex", include_blast_radius: true });
  const { rule, display } = told.findings[0];
  assertEquals(text.split(`${display} (${rule})`).length, 3, text);
  const byName = await answerOf(server, "get_rotation_guidance", { rules: [display.toUpperCase(), rule, "zzz"] });
  assertEquals(byName.told.guidance.map(({ rule }: { rule: string }) => rule), [rule]);
  assertEquals(byName.told.unknown_rules, ["zzz"]);
  const none = await answerOf(server, "get_rotation_guidance", { rules: [] });
  assert(none.isError);
  assertMatch(none.text, /rules is empty/);
  assertMatch(told.next_steps.join(" "), /fix --source SOURCE.*--root COPY.*--allow-production/);
});

Deno.test("texts of long lists are short, and say where the rest is", async () => {
  await using machine = await createMachine();
  await machine.write(".codex/history.jsonl", record("nothing"));
  await Deno.mkdir(join(machine.home, "code"));
  await using server = await startAudit(machine.home, { roots: [join(machine.home, "code")] });
  const sources = await answerOf(server, "list_sources", {});
  assert(sources.text.length < 3000, `${sources.text.length}`);
  for (const { source } of sources.told.sources) assertStringIncludes(sources.text, source);
  assertMatch(sources.text, /^codex .*history found/m);
  assertMatch(sources.text, /^Unknown.*aider/m);
  const targets = await answerOf(server, "list_targets", {});
  assert(targets.text.length < 13_000, `${targets.text.length}`);
  const table = await answerOf(server, "get_rotation_guidance", {});
  assert(table.text.length < 600, `${table.text.length}`);
  assertMatch(table.text, /structured.*rules/s);
});

Deno.test("the instructions lead to scan without the long catalogue of list_targets", async () => {
  await using machine = await createMachine();
  await using server = startRaw(auditStart(machine.home));
  const { instructions } = (await initialize(server)).result;
  assertMatch(instructions, /scan, then reclaim as a dry run, then reclaim with confirm/);
  assert(!/list_targets, then/.test(instructions), instructions);
});
