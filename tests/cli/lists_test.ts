import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { loadCommands } from "../../src/cli/commands/mod.ts";
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
