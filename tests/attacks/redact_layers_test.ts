import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { Refusal } from "../../src/guard/mod.ts";
import { redactFile } from "../../src/redact/file.ts";
import { readWhole } from "../../src/redact/snapshot.ts";
import { writeHistory } from "../../src/redact/write.ts";
import { fileAt, rest, secret, settingsFor } from "../redact/_histories.ts";
import { describe, withDir } from "../support/tree.ts";

const PLACES = Deno.makeTempDirSync({ prefix: "agentsweep-test-" });
const [STORE, OUTSIDE] = [join(PLACES, "store"), join(PLACES, "outside")];
for (const folder of [STORE, OUTSIDE]) Deno.mkdirSync(folder);
globalThis.addEventListener("unload", () => Deno.removeSync(PLACES, { recursive: true }));

Deno.test({
  name: "without any gate, the runtime alone keeps a write inside of what was allowed",
  permissions: { read: true, write: [STORE] },
  fn: () => {
    const path = join(OUTSIDE, "history.jsonl");
    assertThrows(() => Deno.writeTextFileSync(path, "x"), Deno.errors.NotCapable);
    const before = readWhole(new URL(import.meta.url).pathname);
    const change = {
      roots: ["/"],
      content: new Uint8Array(1),
      keepsBackup: true,
      logPath: join(STORE, "log"),
      shown: String,
    };
    assertThrows(() => writeHistory({ before, ...change }), Refusal, "--allow-write");
  },
});

Deno.test("with every permission, the gates alone keep a write inside of the source's folders", () =>
  withDir(async (dir) => {
    const [root, outside] = [join(dir, "store"), join(dir, "outside")];
    for (const folder of [root, outside]) Deno.mkdirSync(folder);
    Deno.writeTextFileSync(join(outside, "a.jsonl"), `{"a":"${secret(1)}"}`);
    rest(join(outside, "a.jsonl"));
    Deno.symlinkSync(outside, join(root, "inner"));
    Deno.symlinkSync(join(outside, "a.jsonl"), join(root, "b.jsonl"));
    const before = describe(outside);
    for (const path of [join(root, "inner", "a.jsonl"), join(root, "b.jsonl"), join(outside, "a.jsonl")]) {
      const result = await redactFile(fileAt(path, "jsonl", root), settingsFor(root, dir, { isForced: true }));
      assertEquals(result.kind, "skipped", path);
    }
    assertEquals(describe(outside), before);
  }));

Deno.test("a hostile process that swaps file and folder in a loop never gets anything outside written", () =>
  withDir(async (dir) => {
    const [root, outside] = [join(dir, "store"), join(dir, "outside")];
    for (const folder of [root, outside, join(root, "inner")]) Deno.mkdirSync(folder);
    const content = `{"a":"${secret(1)}"}\n`;
    for (const path of [join(outside, "a.jsonl"), join(root, "inner", "a.jsonl")]) {
      Deno.writeTextFileSync(path, content);
      rest(path);
    }
    const before = describe(outside);
    const script = `
      const [root, outside] = Deno.args;
      for (let at = 0;; at++) {
        try {
          if (at % 2 === 0) {
            Deno.renameSync(root + "/inner", root + "/kept");
            Deno.symlinkSync(outside, root + "/inner");
          } else {
            Deno.removeSync(root + "/inner");
            Deno.renameSync(root + "/kept", root + "/inner");
          }
        } catch { /* the other side was quicker */ }
      }`;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-config", "--no-lock", "--quiet", "--ext=js", "-", root, outside],
      stdin: "piped",
      stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(script));
    await writer.close();
    const path = join(root, "inner", "a.jsonl");
    let refused = 0;
    const until = performance.now() + 3000;
    while (performance.now() < until) {
      let file;
      try {
        file = fileAt(path, "jsonl", root);
      } catch {
        continue; // nothing stands there at this instant
      }
      const result = await redactFile(file, settingsFor(root, dir, { keepsBackup: false }));
      if (result.kind === "skipped") refused++;
    }
    child.kill("SIGKILL");
    await child.status;
    assert(refused > 0, "the swapping was met");
    for (const [name, what] of before) assertEquals(describe(outside).get(name), what);
    // What was made there at the instant of a swap never got any content.
    for (const [name, what] of describe(outside)) assert(before.has(name) || what === "file ", `${name}: ${what}`);
  }));
