import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import type { HistoryFile } from "../../src/history/mod.ts";
import { restoreBackup } from "../../src/redact/backups.ts";
import { type FileResult, redactFile } from "../../src/redact/file.ts";
import { backupOf, TEMPORARY } from "../../src/redact/names.ts";
import type { WriteStep } from "../../src/redact/write.ts";
import { denoCommand } from "../support/child.ts";
import { IS_SUPERUSER } from "../support/system.ts";
import { stands, withDir } from "../support/tree.ts";
import { fileAt, rest, secret, settingsFor } from "./_histories.ts";

const WRITER = new URL("./_writer.ts", import.meta.url).pathname;
const OLD = `{"a":"${secret(1)}","n":1.0}\n{"a":"${secret(2)}"}\n`;
const NEW = `{"a":"[REDACTED:gitlab-pat]","n":1.0}\n{"a":"[REDACTED:gitlab-pat]"}\n`;

interface Store {
  readonly root: string;
  readonly home: string;
  readonly path: string;
}

function plantStore(dir: string, content = OLD): Store {
  const [root, home] = [join(dir, "store"), join(dir, "home")];
  const path = join(root, "history.jsonl");
  Deno.mkdirSync(root, { recursive: true });
  Deno.mkdirSync(home);
  Deno.writeTextFileSync(path, content);
  rest(path);
  return { root, home, path };
}

const redact = ({ root, home, path }: Store, file?: HistoryFile): Promise<FileResult> =>
  redactFile(file ?? fileAt(path, "jsonl", root), settingsFor(root, home));

async function inChild({ root, home, path }: Store, step: string): Promise<{ child: Deno.ChildProcess }> {
  const [program, args] = await denoCommand(WRITER, [path, "jsonl", root, home, step]);
  return { child: new Deno.Command(program, { args, stdout: "piped", stderr: "inherit" }).spawn() };
}

function reasonOf(result: FileResult): string {
  assertEquals(result.kind, "skipped");
  return result.kind === "skipped" ? result.reason : "";
}

/** The complete old content, or the complete new one with the old one in its backup. */
function assertWhole({ path }: Store): void {
  const content = Deno.readTextFileSync(path);
  assert(content === OLD || content === NEW, content);
  if (content === NEW) assertEquals(Deno.readTextFileSync(backupOf(path)), OLD);
}

function actionsIn({ home }: Store): string[] {
  const log = Deno.readTextFileSync(join(home, ".agentsweep", "audit.jsonl"));
  return log.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line).action);
}

const STEPS: readonly WriteStep[] = ["created", "prepared", "backed-up", "checked", "logged", "renamed", "synced"];

for (const step of STEPS) {
  Deno.test(`killed after the step "${step}": the old or the new content is complete, and the next run ends it`, () =>
    withDir(async (dir) => {
      const store = plantStore(dir);
      const { child } = await inChild(store, step);
      const { signal } = await child.output();
      assertEquals(signal, "SIGKILL", "the child got to the step");
      assertWhole(store);
      assertEquals(Deno.readTextFileSync(store.path), step === "renamed" || step === "synced" ? NEW : OLD);
      const next = await redact(store);
      const isCutShort = step === "logged";
      assertEquals(actionsIn(store), ["redact", ...isCutShort ? ["interrupted", "redact"] : []]);
      assertEquals(next.kind, step === "renamed" || step === "synced" ? "clean" : "redacted", JSON.stringify(next));
      assertEquals(Deno.readTextFileSync(store.path), NEW);
      assertEquals(Deno.readTextFileSync(backupOf(store.path)), OLD);
      assertEquals([...Deno.readDirSync(store.root)].map(({ name }) => name).sort(), [
        "history.jsonl",
        "history.jsonl.bak",
      ]);
    }));
}

Deno.test("killed at random instants, the content is always complete", () =>
  withDir(async (dir) => {
    const store = plantStore(dir);
    for (let round = 0; round < 12; round++) {
      Deno.writeTextFileSync(store.path, OLD);
      rest(store.path);
      for (const left of [backupOf(store.path), store.path + TEMPORARY]) if (stands(left)) Deno.removeSync(left);
      const { child } = await inChild(store, "never");
      const timer = setTimeout(() => {
        try {
          child.kill("SIGKILL");
        } catch {
          // It was done before.
        }
      }, 150 + round * 25);
      await child.output();
      clearTimeout(timer);
      assertWhole(store);
    }
  }));

Deno.test("two redactions at once: one writes, the other is refused or finds nothing, and the content is complete", () =>
  withDir(async (dir) => {
    const store = plantStore(dir);
    const children = await Promise.all([1, 2, 3].map(() => inChild(store, "never")));
    const results = await Promise.all(children.map(async ({ child }) => {
      const { stdout } = await child.output();
      return JSON.parse(new TextDecoder().decode(stdout)) as FileResult;
    }));
    assertEquals(results.filter(({ kind }) => kind === "redacted").length, 1, JSON.stringify(results));
    assertEquals(Deno.readTextFileSync(store.path), NEW);
    assertEquals(Deno.readTextFileSync(backupOf(store.path)), OLD);
    assert(!stands(store.path + TEMPORARY));
  }));

const ATTACKS: readonly [name: string, when: WriteStep, act: (store: Store) => void, reason: string][] = [
  ["is appended to", "prepared", ({ path }) => Deno.writeTextFileSync(path, "{}\n", { append: true }), "changed"],
  [
    "is appended to after its backup was made",
    "backed-up",
    ({ path }) => Deno.writeTextFileSync(path, "{}\n", { append: true }),
    "changed",
  ],
  ["vanishes", "backed-up", ({ path }) => Deno.removeSync(path), "no longer exists"],
  ["is swapped for a link", "backed-up", ({ path, home }) => {
    Deno.renameSync(path, join(home, "victim"));
    Deno.symlinkSync(join(home, "victim"), path);
  }, "link"],
  ["is swapped for another file of the same content and time", "backed-up", ({ path }) => {
    Deno.copyFileSync(path, `${path}.x`);
    rest(`${path}.x`);
    Deno.renameSync(`${path}.x`, path);
  }, "changed"],
  ["gets another hard link", "backed-up", ({ path, home }) => Deno.linkSync(path, join(home, "second")), "hard link"],
];

for (const [name, when, act, reason] of ATTACKS) {
  Deno.test(`a file that ${name} between scan and rename is refused, and nothing is left behind`, () =>
    withDir(async (dir) => {
      const store = plantStore(dir);
      const settings = settingsFor(store.root, store.home, { onStep: (step) => step === when && act(store) });
      const result = await redactFile(fileAt(store.path, "jsonl", store.root), settings);
      assertStringIncludes(reasonOf(result), reason);
      assert(!stands(backupOf(store.path)) && !stands(store.path + TEMPORARY));
      if (stands(store.path)) assert(Deno.readTextFileSync(store.path).startsWith(OLD));
      if (stands(join(store.home, "victim"))) assertEquals(Deno.readTextFileSync(join(store.home, "victim")), OLD);
    }));
}

const GATES: readonly [name: string, arrange: (store: Store) => void, reason: string][] = [
  ["a link", ({ path }) => {
    Deno.renameSync(path, `${path}.real`);
    Deno.symlinkSync(`${path}.real`, path);
  }, "link"],
  ["a file with another hard link", ({ path }) => Deno.linkSync(path, `${path}.second`), "hard link"],
  ["a file that was just modified", ({ path }) => Deno.utimeSync(path, new Date(), new Date()), "60 seconds"],
  [
    "a file modified in the future",
    ({ path }) => Deno.utimeSync(path, new Date(Date.now() + 9e6), new Date(Date.now() + 9e6)),
    "60 seconds",
  ],
  [
    "a file with a backup, even one of the same content",
    ({ path }) => Deno.copyFileSync(path, backupOf(path)),
    "backup",
  ],
  [
    "a file with a link for a backup",
    ({ path, home }) => Deno.symlinkSync(join(home, "nowhere"), backupOf(path)),
    "backup",
  ],
  [
    "a file when the audit log cannot be written",
    ({ home }) => Deno.writeTextFileSync(join(home, ".agentsweep"), ""),
    "audit log",
  ],
  ["a file when the audit log is a link", ({ home }) => {
    Deno.mkdirSync(join(home, ".agentsweep"));
    Deno.symlinkSync(join(home, "elsewhere"), join(home, ".agentsweep", "audit.jsonl"));
  }, "audit log"],
];

for (const [name, arrange, reason] of GATES) {
  Deno.test(`${name} is not written`, () =>
    withDir(async (dir) => {
      const store = plantStore(dir);
      const file = fileAt(store.path, "jsonl", store.root);
      arrange(store);
      assertStringIncludes(reasonOf(await redact(store, file)), reason);
      assertEquals(Deno.readTextFileSync(store.path), OLD);
      assert(!stands(store.path + TEMPORARY));
      assert(!stands(join(store.home, "nowhere")) && !stands(join(store.home, "elsewhere")));
    }));
}

Deno.test("a file in a folder that a link leads out of the root is not written", () =>
  withDir(async (dir) => {
    const store = plantStore(dir);
    const outside = join(dir, "outside");
    Deno.mkdirSync(outside);
    Deno.renameSync(store.path, join(outside, "history.jsonl"));
    Deno.symlinkSync(outside, join(store.root, "inner"));
    const file = fileAt(join(store.root, "inner", "history.jsonl"), "jsonl", store.root);
    assertStringIncludes(reasonOf(await redact(store, file)), "outside");
    assertEquals(Deno.readTextFileSync(join(outside, "history.jsonl")), OLD);
  }));

Deno.test("a redacted file keeps mode and owner, as does one put back; its backup is readable by that owner alone", () =>
  withDir(async (dir) => {
    const store = plantStore(dir);
    Deno.chmodSync(store.path, 0o664);
    if (IS_SUPERUSER) Deno.chownSync(store.path, 1234, 1235);
    const before = Deno.lstatSync(store.path);
    assertEquals((await redact(store)).kind, "redacted");
    const after = Deno.lstatSync(store.path);
    assertEquals([after.mode, after.uid, after.gid], [before.mode, before.uid, before.gid]);
    const backup = Deno.lstatSync(backupOf(store.path));
    assertEquals([backup.mode! & 0o777, backup.mtime], [0o600, before.mtime]);
    assertEquals([backup.uid, backup.gid], [before.uid, before.gid]);
    const settings = settingsFor(store.root, store.home);
    const file = { ...fileAt(backupOf(store.path), "jsonl", store.root), backup: true };
    assertEquals(restoreBackup(file, settings).kind, "restored");
    const restored = Deno.lstatSync(store.path);
    assertEquals([restored.mode, restored.uid, restored.gid, restored.mtime], [
      before.mode,
      before.uid,
      before.gid,
      before.mtime,
    ]);
  }));

Deno.test("a redaction that was killed, undone: what it left is gone, and the log tells what became of it", () =>
  withDir(async (dir) => {
    for (const step of ["created", "prepared", "backed-up", "checked", "logged"] as const) {
      const store = plantStore(join(dir, step));
      const { child } = await inChild(store, step);
      assertEquals((await child.output()).signal, "SIGKILL");
      const settings = settingsFor(store.root, store.home);
      assertEquals(restoreBackup(fileAt(store.path, "jsonl", store.root), settings).kind, "cleared", step);
      assertEquals(restoreBackup(fileAt(store.path, "jsonl", store.root), settings).kind, "clean", step);
      assertEquals([...Deno.readDirSync(store.root)].map(({ name }) => name), ["history.jsonl"], step);
      assertEquals(Deno.readTextFileSync(store.path), OLD);
      assertEquals(actionsIn(store), step === "logged" ? ["redact", "interrupted"] : []);
    }
  }));

Deno.test("the log says of a redaction that failed behind its line that it was interrupted", () =>
  withDir(async (dir) => {
    const store = plantStore(dir);
    const settings = settingsFor(store.root, store.home, {
      onStep: (step) => step === "logged" && Deno.removeSync(store.path + TEMPORARY),
    });
    assertStringIncludes(reasonOf(await redactFile(fileAt(store.path, "jsonl", store.root), settings)), "no longer");
    assertEquals(actionsIn(store), ["redact", "interrupted"]);
    assertEquals((await redact(store)).kind, "redacted");
    assertEquals(actionsIn(store), ["redact", "interrupted", "redact"]);
  }));

Deno.test({
  name: "a full disk: the file is as it was, and nothing is left behind",
  ignore: Deno.build.os !== "linux" || !IS_SUPERUSER,
  fn: () =>
    withDir(async (dir) => {
      const disk = join(dir, "disk");
      Deno.mkdirSync(disk);
      const mounted = new Deno.Command("mount", { args: ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk] })
        .outputSync();
      assert(mounted.success, `tmpfs cannot be mounted here: ${new TextDecoder().decode(mounted.stderr)}`);
      try {
        const store = plantStore(disk, OLD + `{"x":"${"y".repeat(100_000)}"}\n`);
        const before = Deno.readTextFileSync(store.path);
        // Room for the new content, not for the backup; then for neither.
        for (const size of [40_000, 60_000]) {
          Deno.writeTextFileSync(join(disk, `ballast-${size}`), "z".repeat(size));
          assertStringIncludes(reasonOf(await redact(store)), "full");
          assertEquals(Deno.readTextFileSync(store.path), before);
          assertEquals([...Deno.readDirSync(store.root)].map(({ name }) => name), ["history.jsonl"]);
        }
      } finally {
        new Deno.Command("umount", { args: [disk] }).outputSync();
      }
    }),
});

Deno.test({
  name: "a folder that may not be written: the file is as it was",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withDir(async (dir) => {
      const store = plantStore(dir);
      Deno.chmodSync(store.root, 0o555);
      Deno.chmodSync(dir, 0o777);
      const [program, args] = await denoCommand(WRITER, [store.path, "jsonl", store.root, store.home, "never"]);
      const drop = ["--inh-caps=-all", "--bounding-set=-all", program, ...args];
      const { stdout } = await new Deno.Command(IS_SUPERUSER ? "setpriv" : program, {
        args: IS_SUPERUSER ? drop : args,
      })
        .output();
      Deno.chmodSync(store.root, 0o755);
      assertStringIncludes(reasonOf(JSON.parse(new TextDecoder().decode(stdout))), "EACCES");
      assertEquals(Deno.readTextFileSync(store.path), OLD);
    }),
});
