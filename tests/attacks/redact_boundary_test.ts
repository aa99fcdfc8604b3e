import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { spansOf } from "../../src/redact/content.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";
import { cli, envAt } from "../engine/redact/_store.ts";
import { rest, secret } from "../redact/_histories.ts";
import { initialize, startRaw } from "../support/server.ts";
import { withDir } from "../support/tree.ts";

/** A copy of a history with an example of every rule, under names that hold secrets themselves. */
function plantEverything(dir: string): { copy: string; home: string; secrets: string[] } {
  const [copy, home] = [join(dir, "copy"), join(dir, "home")];
  const folder = join(copy, "sessions", secret(90));
  Deno.mkdirSync(folder, { recursive: true });
  Deno.mkdirSync(home);
  const secrets = [secret(90), secret(91)];
  const lines = RULES.flatMap(({ examples }) => examples.match()).map((example) => JSON.stringify({ text: example }));
  for (const span of spansOf(new TextEncoder().encode(lines.join("\n")))) secrets.push(span.secret);
  Deno.writeTextFileSync(join(folder, "a.jsonl"), lines.join("\n") + "\n");
  Deno.writeTextFileSync(join(folder, `${secret(91)}.jsonl`), lines.slice(0, 50).join("\n") + "\n");
  // One that is refused, so that reasons are told, too.
  Deno.writeTextFileSync(join(folder, "b.jsonl"), lines.slice(50, 90).join("\n") + "\n");
  Deno.writeTextFileSync(join(folder, "b.jsonl.bak"), "{}\n");
  for (const { name } of Deno.readDirSync(folder)) rest(join(folder, name));
  return { copy, home, secrets: [...new Set(secrets)].filter((text) => text.length >= 8) };
}

function assertSilent(said: string, secrets: readonly string[]): void {
  assertEquals(secrets.filter((text) => said.includes(text)), [], "a plaintext was told");
  for (const number of [90, 91]) {
    const inner = secret(number).slice(6, -4);
    for (let at = 0; at + 8 <= inner.length; at++) {
      assert(!said.includes(inner.slice(at, at + 8)), "a piece of a secret");
    }
  }
}

Deno.test("redact_source tells no plaintext of any rule: not in results, nor on stderr, nor in the audit log", () =>
  withDir(async (dir) => {
    const { copy, home, secrets } = plantEverything(dir);
    const server = startRaw({
      roots: [],
      args: ["--audit-only", "--history", `codex=${copy}`],
      permissions: ["-A"],
      env: { ...envAt(home), AGENTSWEEP_MCP_ALLOW_REDACT: "1" },
    });
    await initialize(server, { elicitation: {} });
    const calling = server.request("tools/call", {
      name: "redact_source",
      arguments: { source: "codex", confirm: "REDACT codex" },
    });
    const question = await server.awaited(({ method }) => method === "elicitation/create");
    await server.send({ jsonrpc: "2.0", id: question.id, result: { action: "accept", content: {} } });
    const { structuredContent } = (await calling).result;
    assertEquals(structuredContent.redacted_files.length, 2, JSON.stringify(structuredContent));
    assertEquals(structuredContent.skipped.length, 1);
    const { stdout, stderr } = await server.end();
    const log = Deno.readTextFileSync(join(home, ".agentsweep", "audit.jsonl"));
    assertSilent(stdout + stderr + log, secrets);
  }));

Deno.test("fix, undo and purge tell no plaintext of any rule", () =>
  withDir(async (dir) => {
    const { copy, home, secrets } = plantEverything(dir);
    const at = ["--source", "codex", "--root", copy, "--yes"];
    let said = "";
    for (const [command, ...more] of [["fix"], ["fix", "--json"], ["undo"], ["undo", "--json"], ["fix"], ["purge"]]) {
      const { stdout, stderr } = await cli(home, command!, ...at, ...more);
      said += stdout + stderr;
    }
    assertSilent(said + Deno.readTextFileSync(join(home, ".agentsweep", "audit.jsonl")), secrets);
  }));
