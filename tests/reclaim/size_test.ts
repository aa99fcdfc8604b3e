import { assertEquals, assertGreater } from "@std/assert";
import { join } from "@std/path";
import type { Mounts } from "../../src/reclaim/mounts.ts";
import { advance, type Borders, type Measure, merge, newMeasure, reclaimableBytes } from "../../src/reclaim/size.ts";
import { unixTest } from "../support/system.ts";
import { command, plant, withDir } from "../support/tree.ts";

/** Sees no mounts. */
const ONE_MOUNT: Mounts = { isForeign: () => false, areApart: () => false };

/** Borders of which only `mounts` are any. */
const within = (mounts: Partial<Mounts> = {}): Borders => ({ mounts: { ...ONE_MOUNT, ...mounts }, roots: [] });

function measureOf(path: string): Measure {
  const measure = newMeasure([path], 0);
  advance(measure, within(), Infinity);
  return measure;
}

Deno.test("files and their apparent size are counted at every depth", () =>
  withDir((dir) => {
    plant(dir, { "a": "1", "b/c": "22", "b/d/e": "333", "b/d/empty": "", "f/": "" });
    const { files, bytes, pending, unreadable } = measureOf(dir);
    assertEquals({ files, bytes, pending, unreadable }, { files: 4, bytes: 6, pending: [], unreadable: 0 });
  }));

unixTest("links count as files of no size and are not followed", () =>
  withDir((dir) => {
    plant(dir, { "tree/a": "1", "outside/large": "x".repeat(10_000) });
    Deno.symlinkSync("../outside", join(dir, "tree", "folder"));
    Deno.symlinkSync("../outside/large", join(dir, "tree", "file"));
    Deno.symlinkSync(".", join(dir, "tree", "loop"));
    Deno.symlinkSync("nowhere", join(dir, "tree", "dangling"));
    const { files, bytes, unreadable } = measureOf(join(dir, "tree"));
    assertEquals({ files, bytes, unreadable }, { files: 5, bytes: 1, unreadable: 0 });
  }));

unixTest("pipes, sockets and devices are counted without being opened", () =>
  withDir((dir) => {
    command("mkfifo", [join(dir, "pipe")]);
    using _listener = Deno.listen({ transport: "unix", path: join(dir, "socket") });
    const { files, bytes } = measureOf(dir);
    assertEquals({ files, bytes }, { files: 2, bytes: 0 });
  }));

unixTest("a sparse file has its apparent size and frees only what is allocated", () =>
  withDir((dir) => {
    plant(dir, { "sparse": "" });
    Deno.truncateSync(join(dir, "sparse"), 2 ** 30);
    const measure = measureOf(dir);
    assertEquals(measure.bytes, 2 ** 30);
    assertEquals(reclaimableBytes(measure) < 2 ** 20, true);
  }));

unixTest("a hard-linked file frees its space once, and only where all its links lie inside", () =>
  withDir((dir) => {
    plant(dir, { "tree/own": "x".repeat(100_000), "store/shared": "y".repeat(100_000), "tree/sub/": "" });
    const before = reclaimableBytes(measureOf(join(dir, "tree")));
    assertGreater(before, 100_000);
    Deno.linkSync(join(dir, "tree", "own"), join(dir, "tree", "sub", "again"));
    Deno.linkSync(join(dir, "store", "shared"), join(dir, "tree", "shared"));
    const measure = measureOf(join(dir, "tree"));
    assertEquals(reclaimableBytes(measure), before);
    assertEquals(measure.bytes, 300_000);
    Deno.removeSync(join(dir, "store", "shared"));
    assertGreater(reclaimableBytes(measureOf(join(dir, "tree"))), before + 99_999);
  }));

Deno.test("version-control metadata of every kind is seen, at any depth, as folder, file or link", () =>
  withDir((dir) => {
    for (
      const name of [
        ".git",
        ".hg",
        ".svn",
        ".jj",
        ".bzr",
        "CVS",
        ".pijul",
        "_darcs",
        ".sl",
        ".fslckout",
        "_FOSSIL_",
        ".GIT",
        ".Hg",
      ]
    ) {
      plant(dir, { [`${name}-tree/a/b/${name}/x`]: "", [`${name}-file/a/${name}`]: "" });
      assertEquals(measureOf(join(dir, `${name}-tree`)).versionControl, `${dir}/${name}-tree/a/b/${name}`);
      assertEquals(measureOf(join(dir, `${name}-file`)).versionControl, `${dir}/${name}-file/a/${name}`);
    }
    plant(dir, { "clean/.gitignore": "", "clean/.github/x": "", "clean/git": "" });
    assertEquals(measureOf(join(dir, "clean")).versionControl, null);
  }));

Deno.test("a bare repository is version-control metadata too", () =>
  withDir((dir) => {
    command("git", ["init", "-q", "--bare", join(dir, "tree", "deep", "mirror.git")]);
    assertEquals(measureOf(join(dir, "tree")).versionControl, `${dir}/tree/deep/mirror.git`);
    assertEquals(measureOf(join(dir, "tree", "deep", "mirror.git")).versionControl, `${dir}/tree/deep/mirror.git`);
    plant(dir, { "other/HEAD": "", "other/objects/": "" });
    assertEquals(measureOf(join(dir, "other")).versionControl, null);
  }));

unixTest("an entry whose name is not valid text is not passed over: what it holds is unknown", () =>
  withDir((dir) => {
    plant(dir, { "tree/a": "" });
    command("python3", ["-c", "import os,sys; os.mkdir(os.fsencode(sys.argv[1]) + b'/\\xff')", join(dir, "tree")]);
    assertEquals(measureOf(join(dir, "tree")).unreadable, 1);
  }));

Deno.test("what vanishes while it is measured is not counted and no error", () =>
  withDir((dir) => {
    plant(dir, { "a": "1" });
    const measure = newMeasure([dir, join(dir, "gone")], 0);
    advance(measure, within(), Infinity);
    assertEquals([measure.files, measure.unreadable], [1, 0]);
  }));

Deno.test("measuring pauses at its deadline and goes on where it paused", () =>
  withDir((dir) => {
    plant(dir, Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`d${n}/file`, "x"])));
    const measure = newMeasure([dir], 0);
    let pauses = 0;
    while (measure.pending.length > 0) {
      advance(measure, within(), 0);
      pauses++;
    }
    assertEquals([measure.files, measure.bytes, pauses], [50, 50, 51]);
  }));

Deno.test("a foreign device and a bind mount are told and not entered", () =>
  withDir((dir) => {
    plant(dir, { "a/b/file": "" });
    const foreign = newMeasure([dir], 0);
    advance(foreign, within({ isForeign: () => true }), Infinity);
    assertEquals([foreign.mount, foreign.files], [`${dir}/a`, 0]);
    const bound = newMeasure([dir], Infinity);
    advance(bound, within({ areApart: (_, path) => path.endsWith("/b") }), Infinity);
    assertEquals([bound.mount, bound.files], [`${dir}/a/b`, 0]);
  }));

Deno.test("parts measured apart add up as if they were one", () =>
  withDir((dir) => {
    plant(dir, { "a/x": "1", "b/y": "22", "b/.git/z": "" });
    Deno.linkSync(join(dir, "a", "x"), join(dir, "b", "x"));
    const whole = measureOf(dir);
    const parts = newMeasure([], 0);
    for (const part of ["a", "b"]) merge(parts, measureOf(join(dir, part)));
    assertEquals([parts.files, parts.bytes], [whole.files, whole.bytes]);
    assertEquals([...parts.linked.values()], [...whole.linked.values()]);
    assertEquals(parts.versionControl, whole.versionControl);
  }));

Deno.test("attack: a directory with more directories than a call has room for arguments ends the scan", () => {
  const whole = newMeasure([], 0);
  merge(whole, newMeasure(Array.from({ length: 300_000 }, (_, n) => `/${n}`), 0));
  assertEquals(whole.pending.length, 300_000);
});

Deno.test("where not every directory can be asked whether it is a mount, those nearest to the top are", () =>
  withDir((dir) => {
    plant(dir, { "a/1/x": "", "b/2/x": "", "c/3/x": "" });
    const asked: string[] = [];
    const areApart = (_: string, path: string) => asked.push(path.slice(dir.length)) === 0;
    const measure = newMeasure(["a", "b", "c"].map((name) => `${dir}/${name}`), 4);
    advance(measure, within({ areApart }), Infinity);
    assertEquals([asked.slice(0, 3), asked.length, measure.files], [["/a", "/b", "/c"], 4, 3]);
  }));

Deno.test("a mount among what is pending is left out, and what stands beside it is measured", () =>
  withDir((dir) => {
    plant(dir, { "a/x": "", "b/x": "", "c/x": "" });
    const measure = newMeasure(["a", "b", "c"].map((name) => `${dir}/${name}`), 2);
    advance(measure, within({ areApart: (_, path) => path === `${dir}/b` }), Infinity);
    assertEquals([measure.mount, measure.files], [`${dir}/b`, 2]);
  }));

Deno.test("measuring pauses where there is enough for others to share", () =>
  withDir((dir) => {
    plant(dir, Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`d${n}/file`, "x"])));
    const measure = newMeasure([dir], 0);
    advance(measure, within(), Infinity, 8);
    assertEquals([measure.files, measure.pending.length], [0, 9]);
    advance(measure, within(), Infinity, 9);
    assertEquals([measure.files, measure.pending.length], [9, 0]);
  }));
