import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { spansOf } from "../../src/redact/content.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";
import { inProcess } from "../engine/redact/_in_process.ts";
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

/** A password that nothing but its place in a URL tells: as a name it looks like any other. */
const PASSWORD = "Zk9" + "vQ4mTx7LpR2wB";

/** A copy whose first file is named by what only the last one tells to be a secret. */
function plantNamed(dir: string): { copy: string; home: string; named: string } {
  const [copy, home] = [join(dir, "copy"), join(dir, "home")];
  const folder = join(copy, "sessions");
  Deno.mkdirSync(folder, { recursive: true });
  Deno.mkdirSync(home);
  const named = join(folder, `a-${PASSWORD}.jsonl`);
  Deno.writeTextFileSync(named, JSON.stringify({ text: `token ${secret(1)}` }) + "\n");
  Deno.writeTextFileSync(join(folder, "b_cdef.jsonl"), JSON.stringify({ text: `token ${secret(2)}` }) + "\n");
  const url = `postgres://app:${PASSWORD}@db.corp.internal/prod`;
  Deno.writeTextFileSync(join(folder, "z.jsonl"), JSON.stringify({ text: url }) + "\n");
  for (const { name } of Deno.readDirSync(folder)) rest(join(folder, name));
  return { copy, home, named };
}

Deno.test("a file named by a secret of a later file: neither asking, redacting, the log, undo nor purge tells it", () =>
  withDir(async (dir) => {
    const { copy, home, named } = plantNamed(dir);
    const before = Deno.readTextFileSync(named);
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
    const { redacted_files } = (await calling).result.structuredContent;
    assertEquals(redacted_files.map(({ file }: { file: string }) => file), [
      join(copy, "sessions", "a-********.jsonl"),
      join(copy, "sessions", "b_cdef.jsonl"),
      join(copy, "sessions", "z.jsonl"),
    ]);
    assertEquals(redacted_files[0].backup, join(copy, "sessions", "a-********.jsonl.bak"));
    const { stdout, stderr } = await server.end();
    let said = stdout + stderr;
    const at = ["--source", "codex", "--root", copy, "--yes", "--json"];
    for (const command of ["undo", "fix", "purge"]) {
      const { code, ...texts } = await cli(home, command, ...at);
      assertEquals(code, 0, texts.stderr);
      said += texts.stdout + texts.stderr;
      if (command === "undo") assertEquals(Deno.readTextFileSync(named), before, "undo finds it all the same");
    }
    said += Deno.readTextFileSync(join(home, ".agentsweep", "audit.jsonl"));
    for (let at = 0; at + 8 <= PASSWORD.length; at++) assert(!said.includes(PASSWORD.slice(at, at + 8)), said);
  }));

Deno.test("a secret that only a file left as it is holds, or a backup, is told by no name", () =>
  withDir(async (dir) => {
    const { copy, home } = plantNamed(dir);
    Deno.linkSync(join(copy, "sessions", "z.jsonl"), join(copy, "sessions", "zz.jsonl"));
    const { run } = inProcess(home);
    const at = ["--source", "codex", "--root", copy];
    const fixed = await run(["fix", ...at]);
    assertEquals(JSON.parse(fixed.stdout).skipped.length, 2);
    assert(!fixed.stdout.includes(PASSWORD.slice(0, 8)), fixed.stdout);

    // What the backup holds is read by no second redaction.
    Deno.removeSync(join(copy, "sessions", "zz.jsonl"));
    assertEquals(JSON.parse((await run(["fix", ...at])).stdout).redacted_files.length, 1);
    const named = join(copy, "sessions", `c-${PASSWORD}.jsonl`);
    Deno.writeTextFileSync(named, JSON.stringify({ text: `token ${secret(3)}` }) + "\n");
    rest(named);
    const again = await run(["fix", ...at]);
    assertEquals(JSON.parse(again.stdout).redacted_files.length, 1);
    assert(!again.stdout.includes(PASSWORD.slice(0, 8)), again.stdout);
  }));
