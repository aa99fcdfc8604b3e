import { assert, assertEquals, assertThrows } from "@std/assert";
import { closeSync, constants, readFileSync } from "node:fs";
import { join } from "@std/path";
import { openItself } from "../../src/guard/open.ts";
import { isOpen, openHistory } from "../../src/history/formats/open.ts";
import { lastEntries, openAuditLog } from "../../src/redact/audit_log.ts";
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
      assertEquals(lastEntries(path, ["redact"]).size, 0);
    }
  }, permissions);

  unixTest(`attack: a pipe is not waited for, ${posture}`, () => {
    assertThrows(() => openItself(PIPE, constants.O_WRONLY), Error);
    closeSync(openItself(PIPE, constants.O_RDONLY));
    assert(!isOpen(openHistory(PIPE)));
    assertThrows(() => openAuditLog(PIPE), Error);
    assertEquals(lastEntries(PIPE, ["redact"]).size, 0);
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

/** Swaps, in a loop, what stands at a path: itself, and a link to what is outside. */
const SWAPPER = `
import os, sys
path, outside = sys.argv[1], sys.argv[2]
while True:
    try:
        os.rename(path, path + ".own"); os.symlink(outside, path)
        os.unlink(path); os.rename(path + ".own", path)
    except FileNotFoundError:
        pass
`;

/** Opens a file again and again, with permission for its folder alone, and counts whose content it gets. */
const READER = `
import { isOpen, openHistory } from ${JSON.stringify(new URL("../../src/history/formats/open.ts", import.meta.url))};
const [path, root] = Deno.args;
const counts = { inside: 0, refused: 0, outside: 0 };
const bytes = new Uint8Array(64);
for (const until = performance.now() + 3000; performance.now() < until;) {
  const opened = openHistory(path, { root });
  if (!isOpen(opened)) { counts.refused++; continue; }
  const text = new TextDecoder().decode(bytes.subarray(0, opened.read(bytes, 0)));
  counts[text.includes("mine") ? "outside" : "inside"]++;
  opened.close();
}
console.log(JSON.stringify(counts));
`;

for (const [what, swapped, outside] of [["file", "folder/diary", "diary"], ["folder", "folder", ""]] as const) {
  unixTest(
    `attack: a hostile process that swaps a ${what} and a link in a loop gets nothing of outside read`,
    async () => {
      const root = join(INSIDE, `swapped ${what}`);
      Deno.mkdirSync(join(root, "folder"), { recursive: true });
      Deno.writeTextFileSync(join(root, "folder/diary"), "inside\n");
      const reader = join(BASE, "reader.ts");
      Deno.writeTextFileSync(reader, READER);
      const hostile = new Deno.Command("python3", {
        args: ["-c", SWAPPER, join(root, swapped), join(OUTSIDE, outside)],
        stderr: "null",
      }).spawn();
      try {
        const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
          args: ["run", "--quiet", ...OFFLINE, `--allow-read=${root}`, reader, join(root, "folder/diary"), root],
        }).output();
        const said = new TextDecoder().decode(stdout);
        assert(said !== "", new TextDecoder().decode(stderr));
        const counts = JSON.parse(said);
        assertEquals(counts.outside, 0, said);
        assert(counts.refused > 0 && counts.inside > 0, said);
      } finally {
        hostile.kill("SIGKILL");
        await hostile.status;
      }
    },
  );
}
