import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { createReclaim, type ScanInput } from "../../src/engine/reclaim.ts";
import { openRoots, Refusal } from "../../src/guard/mod.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";
import { unixTest } from "../support/system.ts";
import { command, describe, plant, plantProject, reclaimIn, ticketsIn, withDir } from "../support/tree.ts";

/** Paths below `dir` that a scan finds, in its order. */
async function foundIn(dir: string, input: Partial<ScanInput> = {}): Promise<string[]> {
  const { finds } = await reclaimIn(dir).scan({ path: dir, ...input });
  return finds.map(({ path }) => path.slice(dir.length + 1).replaceAll("\\", "/"));
}

/** Why directories below `dir` were refused, by relative path. */
async function skippedIn(dir: string): Promise<Record<string, string>> {
  const { finds, skipped } = await reclaimIn(dir).scan({ path: dir });
  assertEquals(finds.map(({ path }) => path), []);
  return Object.fromEntries(skipped.map(({ path, reason }) => [path.slice(dir.length + 1), reason]));
}

Deno.test("finds come largest first, ties by path, and are not searched for more", () =>
  withDir(async (dir) => {
    plant(dir, {
      "a/package.json": "",
      "a/node_modules/x/dist/f": "1",
      "a/node_modules/x/package.json": "",
      "a/node_modules/x/node_modules/y/f": "1",
      "b/__pycache__/f": "1",
      "c/__pycache__/f": "1",
      "d/.pytest_cache/f": "123",
    });
    assertEquals(await foundIn(dir), ["d/.pytest_cache", "a/node_modules", "b/__pycache__", "c/__pycache__"]);
  }));

Deno.test("scanning changes nothing on disk", () =>
  withDir(async (dir) => {
    plantProject(join(dir, "app"));
    const before = describe(dir);
    await foundIn(dir);
    assertEquals(describe(dir), before);
  }));

Deno.test("a directory without its marker is told as refused, with what is missing", () =>
  withDir(async (dir) => {
    plant(dir, { "node_modules/x": "", "target/x": "" });
    const reasons = await skippedIn(dir);
    assertStringIncludes(reasons["node_modules"]!, "no package.json or");
    assertStringIncludes(reasons["target"]!, "Cargo.toml");
  }));

Deno.test("an unproven directory is searched for finds inside", () =>
  withDir(async (dir) => {
    plant(dir, { "build/app/package.json": "", "build/app/node_modules/f": "" });
    assertEquals(await foundIn(dir), ["build/app/node_modules"]);
  }));

Deno.test("what holds more than comes back is refused by name", () =>
  withDir(async (dir) => {
    plant(dir, { "Cargo.toml": "", "target/deploy/id-keypair.json": "secret" });
    assertStringIncludes((await skippedIn(dir))["target"]!, "deploy/*-keypair.json");
  }));

Deno.test("only, sizes, ages and depths narrow what is found", () =>
  withDir(async (dir) => {
    plant(dir, {
      "small/__pycache__/f": "1",
      "large/.pytest_cache/f": "x".repeat(2 ** 20),
      "x/y/z/htmlcov/f": "1",
    });
    assertEquals(await foundIn(dir, { only: ["pycache"] }), ["small/__pycache__"]);
    assertEquals(await foundIn(dir, { minSizeMb: 1 }), ["large/.pytest_cache"]);
    assertEquals(await foundIn(dir, { minSizeMb: 1.001 }), []);
    assertEquals(await foundIn(dir, { maxDepth: 1 }), ["large/.pytest_cache", "small/__pycache__"]);
    assertEquals((await foundIn(dir, { maxDepth: 3 })).length, 3);
    assertEquals((await foundIn(dir, { maxDepth: 2 })).length, 2);
    assertEquals(await foundIn(dir, { olderThanDays: 1 }), []);
    const old = new Date(Date.now() - 3 * 86_400_000);
    Deno.utimeSync(join(dir, "x", "y", "z", "htmlcov"), old, old);
    assertEquals(await foundIn(dir, { olderThanDays: 2.9 }), ["x/y/z/htmlcov"]);
    assertEquals(await foundIn(dir, { olderThanDays: 3.1 }), []);
    assertEquals((await foundIn(dir, { olderThanDays: 0 })).length, 3);
  }));

Deno.test("excluded directories are neither offered nor entered", () =>
  withDir(async (dir) => {
    for (const app of ["a", "b", "c/d"]) plantProject(join(dir, app));
    assertEquals(await foundIn(dir, { exclude: ["b"] }), ["a/node_modules", "c/d/node_modules"]);
    assertEquals(await foundIn(dir, { exclude: ["c/*"] }), ["a/node_modules", "b/node_modules"]);
    assertEquals(await foundIn(dir, { exclude: ["node_modules"] }), []);
    assertEquals(await foundIn(dir, { exclude: [`${dir.replaceAll("\\", "/")}/a`, "**/d"] }), ["b/node_modules"]);
  }));

Deno.test("what the human excluded stays out, wherever below it a scan begins", () =>
  withDir(async (dir) => {
    for (const app of ["keep/a", "other/b"]) plantProject(join(dir, app));
    for (const glob of ["keep", "keep/**", "**/keep", `${dir.replaceAll("\\", "/")}/keep`]) {
      const service = createReclaim(openRoots([dir]), TARGETS, { exclude: [glob] });
      assertEquals([...(await ticketsIn(service, dir)).keys()], [join(dir, "other", "b", "node_modules")], glob);
      for (const start of ["keep/a", "keep/a/node_modules"]) {
        const refusal = await assertRejects(() => service.scan({ path: join(dir, start) }), Refusal);
        assertStringIncludes(refusal.message, "left out", glob);
      }
    }
  }));

Deno.test("arguments that are not valid are refused by name", () =>
  withDir(async (dir) => {
    const service = reclaimIn(dir);
    const inputs: [Partial<ScanInput>, string][] = [
      [{ only: ["node-modules", "nodemodules", "__proto__"] }, "nodemodules, __proto__"],
      [{ only: [] }, "only is empty"],
      [{ minSizeMb: -1 }, "min_size_mb is -1"],
      [{ olderThanDays: NaN }, "older_than_days is NaN"],
      [{ maxDepth: Infinity }, "max_depth is Infinity"],
    ];
    for (const [input, message] of inputs) {
      const refusal = await assertRejects(() => service.scan({ path: dir, ...input }), Refusal, message);
      assertEquals(refusal.code, "argument");
    }
  }));

Deno.test("a file and a missing directory cannot be scanned", () =>
  withDir(async (dir) => {
    plant(dir, { file: "" });
    const service = reclaimIn(dir);
    await assertRejects(() => service.scan({ path: join(dir, "file") }), Refusal, "is not a directory");
    await assertRejects(() => service.scan({ path: join(dir, "gone") }), Refusal, "does not exist");
  }));

Deno.test("a scan may begin at the very directory that it finds", () =>
  withDir(async (dir) => {
    const path = plantProject(join(dir, "app"));
    const { finds } = await reclaimIn(dir).scan({ path });
    assertEquals(finds.map(({ path }) => path), [path]);
  }));

Deno.test("version-control folders are not entered, from above or from inside", () =>
  withDir(async (dir) => {
    plant(dir, { ".git/refs/heads/htmlcov/topic": "a", "repo.git/HEAD": "", "repo.git/objects/": "" });
    plant(dir, { "repo.git/refs/heads/htmlcov/topic": "a", ".svn/__pycache__/x": "" });
    assertEquals(await foundIn(dir), []);
    const service = reclaimIn(dir);
    for (const start of [".git", ".git/refs", ".git/refs/heads/htmlcov", ".svn", ".svn/__pycache__"]) {
      await assertRejects(() => service.scan({ path: join(dir, start) }), Refusal, "version-control", start);
    }
    for (const start of ["repo.git/refs", "repo.git/refs/heads", "repo.git/refs/heads/htmlcov"]) {
      await assertRejects(() => service.scan({ path: join(dir, start) }), Refusal, "version-control", start);
    }
  }));

unixTest("a link is never entered nor offered", () =>
  withDir(async (dir) => {
    plantProject(join(dir, "outside", "app"));
    plant(dir, { "root/package.json": "" });
    Deno.symlinkSync(join(dir, "outside"), join(dir, "root", "link"));
    Deno.symlinkSync(join(dir, "outside", "app", "node_modules"), join(dir, "root", "node_modules"));
    assertEquals(await foundIn(join(dir, "root")), []);
    await assertRejects(
      () => reclaimIn(join(dir, "root")).scan({ path: join(dir, "root", "link") }),
      Refusal,
      "outside",
    );
  }));

Deno.test(
  "a link to a directory inside the root cannot be scanned",
  { ignore: Deno.build.os === "windows" },
  () =>
    withDir(async (dir) => {
      plantProject(join(dir, "app"));
      Deno.symlinkSync("app", join(dir, "link"));
      const refusal = await assertRejects(() => reclaimIn(dir).scan({ path: join(dir, "link") }), Refusal);
      assertStringIncludes(refusal.message, join(dir, "app"));
    }),
);

unixTest("a directory whose name is not valid text counts as unreadable", () =>
  withDir(async (dir) => {
    command("python3", ["-c", "import os,sys; os.mkdir(os.fsencode(sys.argv[1]) + b'/\\xff')", dir]);
    assertEquals((await reclaimIn(dir).scan({ path: dir })).unreadable, 1);
  }));

Deno.test("a declared cache of any name is found by its tag, the root and its start are not", () =>
  withDir(async (dir) => {
    const tag = "Signature: 8a477f597d28d172789f06886806bc55\n";
    plant(dir, { "CACHEDIR.TAG": tag, "x/any/CACHEDIR.TAG": tag, "x/any/data": "1", "y/any/CACHEDIR.TAG": "no" });
    assertEquals(await foundIn(dir), ["x/any"]);
    assertEquals((await reclaimIn(dir).scan({ path: join(dir, "x", "any") })).finds, []);
  }));

Deno.test("a scan is told by its progress and ends within a slice of its cancellation", () =>
  withDir(async (dir) => {
    for (let n = 0; n < 300; n++) plant(dir, { [`d${n}/__pycache__/f`]: "" });
    const progress: number[] = [];
    await reclaimIn(dir).scan({ path: dir }, {
      onProgress: ({ visited, measured }) => progress.push(visited + measured),
    });
    assert(progress.length > 0 && progress.every((value, at) => at === 0 || value >= progress[at - 1]!));
    const signal = AbortSignal.abort(new Error("enough"));
    await assertRejects(() => reclaimIn(dir).scan({ path: dir }, { signal }), Error, "enough");
  }));

Deno.test("what a repository tracks is refused, whether it stands above the start, at it, or far below", () =>
  withDir(async (dir) => {
    for (const [index, at] of [".", "start", "start/group/team"].entries()) {
      const top = join(dir, `case-${index}`);
      plant(top, { "start/group/team/app/package.json": "", "start/group/team/app/node_modules/a/f": "x" });
      const repository = join(top, at);
      command("git", ["init", "-q"], repository);
      command("git", ["add", "-f", "."], repository);
      const { finds, skipped } = await reclaimIn(top).scan({ path: join(top, "start") });
      assertEquals(finds, [], at);
      assertStringIncludes(skipped[0]!.reason, `${repository} tracks 1 file in it`);
    }
  }));
