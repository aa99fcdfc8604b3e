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

Deno.test("a word that no rule and no kind has is refused, and is no table without rows", async () => {
  for (
    const [name, word, near] of [["rules", "githb-pat", "github-pat"], ["list-targets", "node-module5", "node-modules"]]
  ) {
    for (const [args, expected] of [[[word!], `did you mean ${near}?`], [["zzz", "--json"], "lists all"]] as const) {
      const { code, stdout, stderr } = await program([name!, ...args]);
      assertEquals([code, stdout], [2, ""], stderr);
      assertStringIncludes(stderr, expected);
    }
  }
});

Deno.test("-v is the version, help --help is help, and the usage is what can be typed", async () => {
  const [version, short] = await Promise.all([["--version"], ["-v"]].map((args) => program(args, { permissions: [] })));
  assertEquals([short!.code, short!.stdout], [0, version!.stdout]);
  const help = await program(["help", "--help"], { permissions: [] });
  assertEquals([help.code, help.stderr, help.stdout], [0, "", (await program(["help"], { permissions: [] })).stdout]);
  assert(/^Usage: \S.*main\.ts \[serve\] --root DIR/m.test(help.stdout) && !/^Usage: main\.ts/m.test(help.stdout));
  assertStringIncludes((await program(["help", "sweep", "-h"], { permissions: [] })).stdout, "Usage: sweep");
});
