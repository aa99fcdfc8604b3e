import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { cli } from "../engine/redact/_store.ts";
import { rest, secret } from "../redact/_histories.ts";
import { withDir } from "../support/tree.ts";

Deno.test({
  name: "a pipe in place of the lock of a redaction's folder is not waited for, neither by fix nor by undo",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withDir(async (dir) => {
      const [copy, home] = [`${dir}/copy`, `${dir}/home`];
      const stored = `${copy}/state.sqlite`;
      for (const folder of [copy, home, `${stored}.agentsweep-work`]) Deno.mkdirSync(folder);
      const database = new DatabaseSync(stored);
      database.exec("CREATE TABLE t (body TEXT)");
      database.prepare("INSERT INTO t VALUES (?)").run(secret(1));
      database.close();
      rest(stored);
      const before = Deno.readFileSync(stored);
      const pipe = `${stored}.agentsweep-work/lock`;
      assert(new Deno.Command("mkfifo", { args: [pipe] }).outputSync().success);
      for (const command of ["fix", "undo"]) {
        const { code, stdout } = await cli(home, command, "--source", "codex", "--root", copy, "--yes", "--json");
        assertEquals(code, 2);
        const { file, reason } = JSON.parse(stdout).skipped[0];
        assertEquals(file, stored);
        assertStringIncludes(reason, "move it away");
      }
      assertEquals(Deno.readFileSync(stored), before);
      assert(Deno.lstatSync(pipe).isFifo);
    }),
});
