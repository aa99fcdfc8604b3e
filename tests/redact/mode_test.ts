import { assertEquals } from "@std/assert";
import { restoreBackup } from "../../src/redact/backups.ts";
import { redactFile } from "../../src/redact/file.ts";
import { backupOf } from "../../src/redact/names.ts";
import { cli, plantCopy } from "../engine/redact/_store.ts";
import { withDir } from "../support/tree.ts";
import { fileAt, rest, secret, settingsFor } from "./_histories.ts";

const IGNORE = Deno.build.os === "windows";
const modeOf = (path: string): string => (Deno.lstatSync(path).mode! & 0o777).toString(8);

/** Mode before, and the most that is certain not to be more where the group's bits may be those of an access list. */
const MODES = [[0o600, 0o600], [0o644, 0o644], [0o640, 0o600], [0o660, 0o600], [0o664, 0o644], [0o666, 0o666]] as const;

for (const isSheltered of [false, true]) {
  const what = isSheltered
    ? "in a folder of the owner alone, a file keeps its mode"
    : "where others get to it, a file's group gets no more than all have, since its bits may be those of an access list";
  Deno.test({
    name: what,
    ignore: IGNORE,
    fn: () =>
      withDir(async (dir) => {
        Deno.chmodSync(dir, isSheltered ? 0o700 : 0o755);
        const root = `${dir}/store`;
        Deno.mkdirSync(root, { mode: 0o755 });
        const settings = settingsFor(root, dir);
        for (const [mode, most] of MODES) {
          const path = `${root}/${mode}.jsonl`;
          Deno.writeTextFileSync(path, `{"a":"${secret(1)}"}`);
          Deno.chmodSync(path, mode);
          rest(path);
          const expected = (isSheltered ? mode : most).toString(8);
          assertEquals((await redactFile(fileAt(path, "jsonl", root), settings)).kind, "redacted");
          assertEquals(modeOf(path), expected, "redacted");
          // Whoever gave it an access list meanwhile gave it the bits of that, too.
          Deno.chmodSync(path, mode);
          const backup = { ...fileAt(backupOf(path), "jsonl", root), backup: true };
          assertEquals(restoreBackup(backup, settings).kind, "restored");
          assertEquals(modeOf(path), expected, "put back");
        }
      }),
  });
}

Deno.test({
  name: "a folder that only the thread that asks may look at shelters a file as well",
  ignore: IGNORE,
  fn: () =>
    withDir(async (dir) => {
      const { copy, file, home } = plantCopy(dir);
      Deno.chmodSync(file, 0o640);
      assertEquals((await cli(home, "fix", "--source", "codex", "--root", copy, "--yes")).code, 0);
      assertEquals(modeOf(file), "640");
      const own = `${home}/.claude/projects/p/a.jsonl`;
      Deno.mkdirSync(`${home}/.claude/projects/p`, { recursive: true });
      Deno.renameSync(backupOf(file), own);
      Deno.chmodSync(own, 0o640);
      // Other files of that agent are not there.
      assertEquals((await cli(home, "fix", "--source", "claude-code", "--allow-production", "--yes")).code, 0);
      assertEquals(modeOf(own), "640");
    }),
});
