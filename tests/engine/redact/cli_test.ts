import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { backupOf } from "../../../src/redact/names.ts";
import { plaintextsIn, rest, secret } from "../../redact/_histories.ts";
import { join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { stands, withDir } from "../../support/tree.ts";
import { cli, CONTENT, plantCopy, REDACTED } from "./_store.ts";

Deno.test("fix, fix again, undo, fix, purge: each does its part and says so", () =>
  withDir(async (dir) => {
    const { copy, file, home } = plantCopy(dir);
    const at = ["--source", "codex", "--root", copy, "--yes", "--json"];
    const before = Deno.lstatSync(file);
    const fixed = await cli(home, "fix", ...at);
    assertEquals(fixed.code, 0, fixed.stderr);
    assertEquals(JSON.parse(fixed.stdout).redacted_files.length, 1);
    assertEquals(Deno.readTextFileSync(file), REDACTED);
    assertEquals(
      (await cli(home, "scan", "--source", "codex", "--root", copy, "--json")).code,
      1,
      "the backup still has it",
    );

    const again = await cli(home, "fix", ...at);
    assertEquals(again.code, 0);
    assertStringIncludes(JSON.parse(again.stdout).rotation_reminder, "nothing to redact");

    const undone = await cli(home, "undo", ...at);
    assertEquals([undone.code, JSON.parse(undone.stdout)], [0, {
      restored: [backupOf(file)],
      cleared: [],
      skipped: [],
    }]);
    assertEquals(Deno.readTextFileSync(file), CONTENT);
    assertEquals(Deno.lstatSync(file).mtime, before.mtime);
    assertEquals(Deno.lstatSync(file).mode, before.mode);
    assert(!stands(backupOf(file)));

    assertEquals((await cli(home, "fix", ...at)).code, 0);
    const purged = await cli(home, "purge", ...at);
    assertEquals(JSON.parse(purged.stdout), { deleted: [backupOf(file)], cleared: [], skipped: [] });
    assert(!stands(backupOf(file)));
    assertEquals((await cli(home, "scan", "--source", "codex", "--root", copy)).code, 0);
    const nothing = await cli(home, "undo", ...at);
    assertEquals(JSON.parse(nothing.stdout), { restored: [], cleared: [], skipped: [] });
    assertEquals(Deno.readTextFileSync(file), REDACTED);
    const said = [fixed, again, undone, purged].map(({ stdout, stderr }) => stdout + stderr).join("");
    for (const number of [1, 2]) assert(!said.includes(secret(number).slice(6, 14)));
    const log = Deno.readTextFileSync(`${home}/.agentsweep/audit.jsonl`);
    assertEquals(log.trim().split("\n").map((line) => JSON.parse(line).action), ["redact", "undo", "redact", "purge"]);
    assertEquals(Deno.lstatSync(`${home}/.agentsweep/audit.jsonl`).mode! & 0o777, 0o600);
  }));

Deno.test("databases and compressed files are redacted by the narrowed worker, too; purge clears what a kill left", () =>
  withDir(async (dir) => {
    const { copy, home } = plantCopy(dir);
    const [stored, packed] = [`${copy}/state.sqlite`, `${copy}/sessions/old.jsonl.zst`];
    const database = new DatabaseSync(stored);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (body TEXT)");
    database.prepare("INSERT INTO t VALUES (?)").run(`x ${secret(3)}`);
    database.close();
    Deno.writeFileSync(packed, zstdCompressSync(`{"a":"${secret(4)}"}\n`));
    const before = [stored, packed].map((path) => {
      rest(path);
      return Deno.readFileSync(path);
    });
    const at = ["--source", "codex", "--root", copy, "--yes", "--json"];
    const { code, stdout, stderr } = await cli(home, "fix", ...at);
    assertEquals([code, JSON.parse(stdout).skipped], [0, []], stderr);
    assertEquals(JSON.parse(stdout).redacted_files.length, 3);
    assertEquals(zstdDecompressSync(Deno.readFileSync(packed)).toString(), `{"a":"[REDACTED:gitlab-pat]"}\n`);
    assertEquals(plaintextsIn(Deno.readFileSync(stored), [secret(3)]), []);
    assertEquals((await cli(home, "undo", ...at)).code, 0);
    assertEquals([stored, packed].map((path) => Deno.readFileSync(path)), before);

    Deno.mkdirSync(`${stored}.agentsweep-work`);
    Deno.writeTextFileSync(`${stored}.agentsweep-work/settled.db`, secret(3));
    const purged = await cli(home, "purge", ...at);
    assertEquals([purged.code, JSON.parse(purged.stdout)], [0, { deleted: [], cleared: [stored], skipped: [] }]);
    assert(!stands(`${stored}.agentsweep-work`));
    assertEquals([stored, packed].map((path) => Deno.readFileSync(path)), before);
  }));

Deno.test("what a killed redaction left is named by doctor, with the command that removes it", () =>
  withDir(async (dir) => {
    const { home } = plantCopy(dir);
    const stored = `${home}/.codex/state.sqlite`;
    Deno.mkdirSync(`${stored}.agentsweep-work`, { recursive: true });
    const database = new DatabaseSync(stored);
    database.exec("CREATE TABLE t (body TEXT)");
    database.close();
    Deno.writeTextFileSync(`${stored}.agentsweep-work/settled.db`, secret(3));
    const { stdout } = await cli(home, "doctor", "--json");
    const troubles: { problem: string; mend: string }[] = JSON.parse(stdout).problems;
    const trouble = troubles.find(({ problem }) => problem.includes(stored));
    assertStringIncludes(trouble?.problem ?? "", "killed");
    assertStringIncludes(trouble?.mend ?? "", "undo --source codex");
    const undone = await cli(home, "undo", "--source", "codex", "--yes");
    assertEquals(undone.code, 0, undone.stderr);
    assertStringIncludes(undone.stdout, `beside ${stored}`);
    assert(!stands(`${stored}.agentsweep-work`) && stands(stored));
    const after = JSON.parse((await cli(home, "doctor", "--json")).stdout).problems;
    assert(!JSON.stringify(after).includes(stored));
  }));

Deno.test("fix asks, and changes nothing where nobody can be asked", () =>
  withDir(async (dir) => {
    const { copy, file, home } = plantCopy(dir);
    for (const command of ["fix"]) {
      const { code, stderr } = await cli(home, command, "--source", "codex", "--root", copy);
      assertEquals(code, 2);
      assertStringIncludes(stderr, "--yes");
    }
    assertEquals((await cli(home, "fix", "--yes", "--root", copy)).code, 2, "no source");
    assertEquals(Deno.readTextFileSync(file), CONTENT);
  }));

Deno.test("fix refuses the agent's own folder unless a human says --allow-production", () =>
  withDir(async (dir) => {
    const { home } = plantCopy(dir);
    const own = `${home}/.codex/sessions/a.jsonl`;
    Deno.mkdirSync(`${home}/.codex/sessions`, { recursive: true });
    Deno.writeTextFileSync(own, CONTENT);
    Deno.utimeSync(own, 1, 1);
    const refused = await cli(home, "fix", "--source", "codex", "--yes");
    assertEquals(refused.code, 2);
    assertStringIncludes(refused.stderr, "--allow-production");
    assertEquals(Deno.readTextFileSync(own), CONTENT);
    assertEquals((await cli(home, "fix", "--source", "codex", "--yes", "--allow-production")).code, 0);
    assertEquals(Deno.readTextFileSync(own), REDACTED);
  }));

Deno.test("fix leaves a file that was just modified unless forced, and keeps no backup when told", () =>
  withDir(async (dir) => {
    const { copy, file, home } = plantCopy(dir);
    Deno.utimeSync(file, new Date(), new Date());
    const at = ["--source", "codex", "--root", copy, "--yes"];
    const refused = await cli(home, "fix", ...at);
    assertEquals(refused.code, 2);
    assertStringIncludes(refused.stdout, "60 seconds");
    assertEquals(Deno.readTextFileSync(file), CONTENT);
    assertEquals((await cli(home, "fix", ...at, "--force", "--no-backup")).code, 0);
    assertEquals(Deno.readTextFileSync(file), REDACTED);
    assert(!stands(backupOf(file)));
  }));

Deno.test("what an ignore file names is not redacted", () =>
  withDir(async (dir) => {
    const { copy, file, home } = plantCopy(dir);
    Deno.writeTextFileSync(`${copy}/.agentsweepignore`, `${secret(2)}\n`);
    assertEquals((await cli(home, "fix", "--source", "codex", "--root", copy, "--yes")).code, 0);
    const after = Deno.readTextFileSync(file);
    assert(after.includes(secret(2)) && !after.includes(secret(1)));
  }));

Deno.test("undo refuses a file that changed since, and a backup that was not made here", () =>
  withDir(async (dir) => {
    const { copy, file, home } = plantCopy(dir);
    const at = ["--source", "codex", "--root", copy, "--yes", "--json"];
    assertEquals((await cli(home, "fix", ...at)).code, 0);
    Deno.writeTextFileSync(file, "{}\n", { append: true });
    const changed = await cli(home, "undo", ...at);
    assertEquals(changed.code, 2);
    assertStringIncludes(JSON.parse(changed.stdout).skipped[0].reason, "changed since it was redacted");
    assert(stands(backupOf(file)));
    Deno.removeSync(`${home}/.agentsweep`, { recursive: true });
    const foreign = await cli(home, "undo", ...at);
    assertStringIncludes(JSON.parse(foreign.stdout).skipped[0].reason, "not made here");
  }));

Deno.test({
  name: "a home that lies behind a link of the human is redacted, put back and purged as any other",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withDir(async (dir) => {
      const { home } = plantCopy(join(dir, "real"));
      Deno.symlinkSync(join(dir, "real"), join(dir, "linked"));
      const [linkedHome, copy] = [home, join(dir, "real", "copy")].map((path) => path.replace("/real/", "/linked/"));
      const file = join(dir, "real", "copy", "sessions", "rollout.jsonl");
      const run = (command: string) => cli(linkedHome!, command, "--source", "codex", "--root", copy!, "--yes");
      assertEquals((await run("fix")).code, 0);
      assertEquals(Deno.readTextFileSync(file), REDACTED);
      assertEquals((await run("undo")).code, 0);
      assertEquals(Deno.readTextFileSync(file), CONTENT);
      assertEquals((await run("fix")).code, 0);
      assertEquals((await run("purge")).code, 0);
      assertEquals(Array.from(Deno.readDirSync(join(dir, "real", "copy", "sessions")), ({ name }) => name), [
        "rollout.jsonl",
      ]);
    }),
});
