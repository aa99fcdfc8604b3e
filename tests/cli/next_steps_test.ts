import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { plantCopy } from "../engine/redact/_store.ts";
import { onTerminal, program, withFolder } from "./_program.ts";

Deno.test({
  name: "fix suggests no other fix before it asks",
  // No `script` there, which brings the terminal.
  ignore: Deno.build.os === "windows",
  fn: () =>
    withFolder(async (folder) => {
      const { copy, home } = plantCopy(folder);
      const { shown, code } = await onTerminal(["fix", "--source", "codex", "--root", copy], {
        home,
        answers: "no\n",
        when: /Type REDACT/,
        columns: 200,
      });
      assertEquals(code, 2);
      assertStringIncludes(shown, "Rotate first");
      assert(!/Then remove|fix --source|--allow-production|purge --source/.test(shown), shown);
    }),
});

Deno.test("after a fix the way to purge is a command that can be pasted", () =>
  withFolder(async (folder) => {
    const { copy, home } = plantCopy(join(folder, "a b"));
    const at = ["--source", "codex", "--root", copy];
    const { stdout } = await program(["fix", ...at, "--yes"], { home });
    const command = /deno run -A .*main\.ts purge --source codex --root '[^']+'/.exec(stdout)?.[0] ?? "";
    assertStringIncludes(command, `--root '${copy}'`);
    await program(["undo", ...at, "--yes"], { home });
    const bare = (await program(["fix", ...at, "--yes", "--no-backup"], { home })).stdout;
    assert(bare.includes("Rotate every secret") && !/backup.*still|purge/.test(bare), bare);
  }));
