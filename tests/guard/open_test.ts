import { assert, assertEquals, assertThrows } from "@std/assert";
import { closeSync, constants, readFileSync } from "node:fs";
import { join } from "@std/path";
import { openItself } from "../../src/guard/open.ts";
import { isOpen, openHistory } from "../../src/history/formats/open.ts";
import { lastRedactions, openAuditLog } from "../../src/redact/audit_log.ts";
import { readWhole } from "../../src/redact/snapshot.ts";
import { OFFLINE } from "../support/server.ts";
import { unixTest } from "../support/system.ts";
import { command } from "../support/tree.ts";

const BASE = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentsweep-test-" }));
const [INSIDE, OUTSIDE] = [join(BASE, "inside"), join(BASE, "outside")];
for (const folder of [INSIDE, OUTSIDE]) Deno.mkdirSync(folder);
const [DIARY, LINK, DANGLING, PIPE] = [
  join(OUTSIDE, "diary"),
  join(INSIDE, "link"),
  join(INSIDE, "dangling"),
  join(INSIDE, "pipe"),
];
Deno.writeTextFileSync(DIARY, "mine\n");
if (Deno.build.os !== "windows") {
  Deno.symlinkSync(DIARY, LINK);
  Deno.symlinkSync(join(OUTSIDE, "made"), DANGLING);
  command("mkfifo", [PIPE]);
}
globalThis.addEventListener("unload", () => Deno.removeSync(BASE, { recursive: true }));

/** Permissions for single paths: Deno then resolves a path before it opens it, and O_NOFOLLOW says nothing. */
const SCOPED: Deno.PermissionOptions = { read: [INSIDE], write: [INSIDE] };
const POSTURES: readonly [string, Deno.PermissionOptions][] = [["with -A", "inherit"], ["scoped", SCOPED]];

for (const [posture, permissions] of POSTURES) {
  unixTest(`attack: a link at the end of a path is not opened, ${posture}`, () => {
    for (const path of [LINK, DANGLING]) {
      for (const flags of [constants.O_RDONLY, constants.O_WRONLY | constants.O_APPEND]) {
        assertThrows(() => openItself(path, flags), Error);
        assertThrows(() => openItself(path, flags | constants.O_CREAT | constants.O_EXCL, 0o600), Error);
      }
      assert(!isOpen(openHistory(path)));
      assertThrows(() => readWhole(path), Error);
      assertThrows(() => openAuditLog(path), Error);
      assertEquals(lastRedactions(path).size, 0);
    }
  }, permissions);

  unixTest(`attack: a pipe is not waited for, ${posture}`, () => {
    assertThrows(() => openItself(PIPE, constants.O_WRONLY), Error);
    closeSync(openItself(PIPE, constants.O_RDONLY));
    assert(!isOpen(openHistory(PIPE)));
    assertThrows(() => openAuditLog(PIPE), Error);
    assertEquals(lastRedactions(PIPE).size, 0);
  }, permissions);

  unixTest(`a file is opened, and a new one made, ${posture}`, () => {
    const path = join(INSIDE, `file ${posture}`);
    closeSync(openItself(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
    Deno.writeTextFileSync(path, "content");
    const fd = openItself(path, constants.O_RDONLY);
    assertEquals(readFileSync(fd, "utf8"), "content");
    closeSync(fd);
  }, permissions);
}

unixTest("nothing of it changed or made anything outside", () => {
  assertEquals(Deno.readTextFileSync(DIARY), "mine\n");
  assertEquals(Array.from(Deno.readDirSync(OUTSIDE), ({ name }) => name), ["diary"]);
});

/** Swaps a file and a link to the diary at one path, in a loop. */
const SWAPPER = `
import os, sys
path, diary = sys.argv[1], sys.argv[2]
while True:
    open(path + ".f", "w").write("inside\\n"); os.rename(path + ".f", path)
    os.symlink(diary, path + ".l"); os.rename(path + ".l", path)
`;

unixTest("attack: a hostile process that swaps file and link in a loop never gets the outside read", async () => {
  const path = join(INSIDE, "swapped");
  Deno.writeTextFileSync(path, "inside\n");
  const child = new Deno.Command("python3", { args: ["-c", SWAPPER, path, DIARY], stderr: "null" }).spawn();
  const counts = { inside: 0, refused: 0 };
  try {
    const script = `
      import { isOpen, openHistory } from ${
      JSON.stringify(new URL("../../src/history/formats/open.ts", import.meta.url))
    };
      const counts = { inside: 0, refused: 0, outside: 0 };
      const bytes = new Uint8Array(64);
      for (const until = performance.now() + 3000; performance.now() < until;) {
        const opened = openHistory(${JSON.stringify(path)});
        if (!isOpen(opened)) { counts.refused++; continue; }
        const text = new TextDecoder().decode(bytes.subarray(0, opened.read(bytes, 0)));
        if (text.includes("mine")) counts.outside++;
        else counts.inside++;
        opened.close();
      }
      console.log(JSON.stringify(counts));`;
    const file = join(BASE, "reader.ts");
    Deno.writeTextFileSync(file, script);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", ...OFFLINE, `--allow-read=${INSIDE}`, file],
    }).output();
    const said = new TextDecoder().decode(stdout);
    assert(said !== "", new TextDecoder().decode(stderr));
    const { outside, ...rest } = JSON.parse(said);
    Object.assign(counts, rest);
    assertEquals(outside, 0);
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
  assert(counts.refused > 0 && counts.inside > 0, JSON.stringify(counts));
});
