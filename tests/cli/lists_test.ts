import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { completionScript, SHELLS } from "../../src/cli/completion_script.ts";
import { loadCommands } from "../../src/cli/commands/mod.ts";
import { runToEnd } from "../support/server.ts";
import { program, withFolder } from "./_program.ts";

Deno.test("lists are tables for people and arrays for scripts", () =>
  withFolder(async (home) => {
    const expected: Record<string, string[]> = {
      "list-sources": ["source", "display", "experimental", "root", "roots", "detected", "access"],
      "list-targets": ["key", "ecosystem", "matches", "requires_marker_file", "regenerate_with"],
      rules: ["id", "display", "provider", "confidence", "rotation", "documentation"],
    };
    for (const [name, keys] of Object.entries(expected)) {
      const { code, stdout, stderr } = await program([name, "--json"], { home });
      assertEquals([code, stderr], [0, ""]);
      const entries = JSON.parse(stdout);
      assert(entries.length > 30, name);
      assertEquals(Object.keys(entries[0]), keys, name);
    }
    assertStringIncludes((await program(["rules", "github"], { home })).stdout, "github-pat");
    assertStringIncludes((await program(["explain", "github-pat"], { home })).stdout, "Rotate: ");
    const wrong = await program(["explain", "github-pta"], { home });
    assertEquals([wrong.code, wrong.stdout], [2, ""]);
    assertStringIncludes(wrong.stderr, "did you mean github-pat?");
  }));

Deno.test("an unknown command is refused with the nearest; help names all of them", async () => {
  const { code, stdout, stderr } = await program(["sacn"], { permissions: [] });
  assertEquals([code, stdout], [2, ""]);
  assertStringIncludes(stderr, "unknown command sacn; did you mean scan?");
  const help = await program(["help"], { permissions: [] });
  assertEquals([help.code, help.stderr], [0, ""]);
  for (const { name } of await loadCommands()) assertStringIncludes(help.stdout, name);
  assertStringIncludes((await program(["help", "swep"], { permissions: [] })).stderr, "did you mean sweep?");
  assertStringIncludes((await program(["scan", "--help"], { permissions: [] })).stdout, "Usage: scan");
});

Deno.test("completions are scripts that their shells read, and bash completes with them", async () => {
  const commands = await loadCommands();
  for (const shell of SHELLS) {
    const script = completionScript(shell, "agentsweep", commands);
    for (const { name } of commands) assertStringIncludes(script, name);
    const check = await runToEnd([shell, "-n", "-c", script]).catch(() => null); // not every machine has every shell
    if (check) assertEquals([check.code, check.stderr], [0, ""], shell);
  }
  if (Deno.build.os === "windows") return;
  const script = completionScript("bash", "agentsweep", commands);
  const complete = async (...words: string[]) => {
    const { stdout } = await runToEnd([
      "bash",
      "-c",
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _agentsweep; echo "\${COMPREPLY[@]}"`,
      "bash",
      ...words,
    ]);
    return stdout.trim();
  };
  assertEquals(await complete("agentsweep", "sw"), "sweep");
  assertEquals(await complete("agentsweep", "scan", "--sa"), "--sarif");
  assertEquals(await complete("agentsweep", "config", "--client", "wind"), "windsurf");
});
