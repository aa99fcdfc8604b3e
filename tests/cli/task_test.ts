import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { CHECKOUT, runToEnd } from "../support/server.ts";
import { environment, plantSecrets, withFolder } from "./_program.ts";

/** Runs a command line in a shell, in `folder`. */
function inShell(line: string, folder: string, home: string) {
  return runToEnd(["bash", "-c", `unset INIT_CWD; cd "$1" && ${line}`, "bash", folder], environment(home));
}

Deno.test({
  name: "deno task cli takes a path as written where the human stands, and what it tells to run runs there",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withFolder(async (home) => {
      const here = join(home, "a folder");
      await Deno.mkdir(join(here, "shop"), { recursive: true });
      plantSecrets(home, ["codex"]);
      await Deno.rename(join(home, ".codex"), join(here, "copy"));
      const task = `'${Deno.execPath()}' task --quiet --cwd '${CHECKOUT}' cli`;
      const swept = await inShell(`${task} sweep . --json`, here, home);
      assertEquals(JSON.parse(swept.stdout)[0].scanned, here, swept.stderr);
      const { stdout } = await inShell(`${task} scan --source codex --root copy`, here, home);
      const [, told = ""] = /^ {2}(deno run -A .* fix --source codex --root copy)$/m.exec(stdout) ?? [];
      assert(told !== "", stdout);
      const fixed = await inShell(`${told.replace("deno", `'${Deno.execPath()}'`)} --yes --force --json`, here, home);
      assertStringIncludes(fixed.stdout, "redacted_files", fixed.stderr);
    }),
});
