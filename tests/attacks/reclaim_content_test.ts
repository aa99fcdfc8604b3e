import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { askUnprivileged } from "../support/child.ts";
import { IS_SUPERUSER, unixTest } from "../support/system.ts";
import {
  command,
  describe,
  onlyFind,
  plant,
  plantProject,
  reclaimIn,
  stands,
  ticketsIn,
  withDir,
} from "../support/tree.ts";

/** Why nothing is found in `dir`; checks that nothing is. */
async function refusalIn(dir: string): Promise<string> {
  const { finds, skipped } = await reclaimIn(dir).scan({ path: dir });
  assertEquals(finds.map(({ path }) => path), []);
  return skipped.map(({ reason }) => reason).join("\n");
}

Deno.test("attack: nested git repository inside a target", () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    command("git", ["init", "-q", join(path, "dep", "fork")]);
    assert((await refusalIn(dir)).includes("version-control metadata"));
  }));

Deno.test("attack: a worktree or submodule inside a target, whose .git is a file", () =>
  withDir(async (dir) => {
    plant(plantProject(dir), { "dep/.git": "gitdir: ../../elsewhere\n" });
    assert((await refusalIn(dir)).includes("version-control metadata"));
  }));

unixTest("attack: a git repository hidden in a directory whose name is not valid text", () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    const program =
      "import os,sys; os.makedirs(os.fsencode(sys.argv[1]) + b'/\\xff/.git'); os.mkdir(sys.argv[1] + '/\\ufffd')";
    command("python3", ["-c", program, path]);
    assert((await refusalIn(dir)).includes("cannot be read"));
  }));

Deno.test("attack: tracked files inside a target", () =>
  withDir(async (dir) => {
    plantProject(dir);
    command("git", ["init", "-q"], dir);
    command("git", ["add", "-f", "node_modules/dep/index.js"], dir);
    assert((await refusalIn(dir)).includes("tracks 1 file in it"));
  }));

Deno.test("a target that git ignores is offered", () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    plant(dir, { ".gitignore": "node_modules\n" });
    command("git", ["init", "-q"], dir);
    command("git", ["add", "."], dir);
    const service = reclaimIn(dir);
    const { id } = await onlyFind(service, dir);
    assertEquals((await service.redeem([id])).refused, []);
    assert(!stands(path));
    assertEquals(command("git", ["status", "--porcelain"], dir).includes(" D "), false);
  }));

unixTest(
  "attack: pipes, sockets and devices inside a target neither hang nor stop a deletion",
  () =>
    withDir(async (dir) => {
      const path = plantProject(dir);
      command("mkfifo", [join(path, "pipe")]);
      Deno.symlinkSync("/dev/zero", join(path, "zero"));
      using _listener = Deno.listen({ transport: "unix", path: join(path, "socket") });
      const service = reclaimIn(dir);
      const { id } = await onlyFind(service, dir);
      assertEquals((await service.redeem([id])).refused, []);
      assert(!stands(path));
    }),
);

unixTest("attack: a pipe as marker and as CACHEDIR.TAG hangs nobody", () =>
  withDir(async (dir) => {
    plant(dir, { "x/cache/file": "precious" });
    command("mkfifo", [join(dir, "x", "cache", "CACHEDIR.TAG")]);
    assertEquals((await reclaimIn(dir).scan({ path: dir })).finds, []);
  }));

unixTest(
  "a part that may not be deleted is reported with what is left, and the next scan finds that",
  () =>
    withDir(async (dir) => {
      const path = plantProject(dir);
      plant(path, { "fixed/a": "1", "fixed/b": "2" });
      Deno.chmodSync(join(path, "fixed"), 0o555);
      const { deleted, message } = await askUnprivileged("reclaim", dir);
      assertEquals(deleted, []);
      assertMatch(message, /was deleted in part \(EACCES\): [2-4] files with \d+ bytes are left in/);
      assert(!stands(path));
      assert(stands(join(dir, "src", "index.js")));
      // What is left is an interrupted deletion like any other.
      const service = reclaimIn(dir);
      const { find, id } = await onlyFind(service, dir);
      assertEquals(find.target.key, "node-modules");
      assert(stands(join(find.path, "fixed", "a")));
      Deno.chmodSync(join(find.path, "fixed"), 0o755);
      assertEquals((await service.redeem([id])).accepted.length, 1);
      assertEquals([...describe(dir).keys()], ["package.json", "src", "src/index.js"]);
    }),
);

Deno.test("attack: device nodes inside a target and as CACHEDIR.TAG are not opened", {
  ignore: Deno.build.os !== "linux" || !IS_SUPERUSER,
}, () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    plant(dir, { "x/cache/": "" });
    // The device that never ends, as a marker and among what is deleted.
    for (const place of [join(path, "zero"), join(dir, "x", "cache", "CACHEDIR.TAG")]) {
      command("mknod", [place, "c", "1", "5"]);
    }
    const service = reclaimIn(dir);
    const { find, id } = await onlyFind(service, dir);
    assertEquals([find.path, find.files, find.bytes], [path, 3, 12]);
    assertEquals((await service.redeem([id])).refused, []);
    assert(!stands(path));
  }));

unixTest("a part that cannot be read is refused: what it holds is unknown", () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    plant(path, { "closed/.git/x": "" });
    Deno.chmodSync(join(path, "closed"), 0o000);
    const { deleted, message } = await askUnprivileged("reclaim", dir);
    Deno.chmodSync(join(path, "closed"), 0o755);
    assertEquals(deleted, []);
    assert(message.includes("1 place inside cannot be read"), message);
  }));

unixTest("a parent that may not be written is refused, and nothing changes", () =>
  withDir(async (dir) => {
    plantProject(join(dir, "app"));
    Deno.chmodSync(join(dir, "app"), 0o555);
    const before = describe(dir);
    const { deleted, message } = await askUnprivileged("reclaim", dir);
    assertEquals(deleted, []);
    assert(message.includes("nothing was deleted"), message);
    assertEquals(describe(dir), before);
    Deno.chmodSync(join(dir, "app"), 0o755);
  }));

unixTest("a read-only file inside is deleted like any other", () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    Deno.chmodSync(join(path, "dep", "index.js"), 0o444);
    const { deleted } = await askUnprivileged("reclaim", dir);
    assertEquals(deleted, [path]);
  }));

unixTest(
  "hard links across finds: neither promises what the other one keeps, and nothing outside is lost",
  () =>
    withDir(async (dir) => {
      const [one, other] = ["a", "b"].map((name) => plantProject(join(dir, name))) as [string, string];
      plant(dir, { "store/large": "x".repeat(100_000) });
      for (const path of [one, other]) Deno.linkSync(join(dir, "store", "large"), join(path, "large"));
      plant(one, { "shared": "y".repeat(100_000) });
      Deno.linkSync(join(one, "shared"), join(other, "shared"));
      const service = reclaimIn(dir);
      const { finds } = await service.scan({ path: dir });
      for (const { bytes, reclaimable } of finds) {
        assert(bytes > 200_000);
        assert(reclaimable < 100_000, `${reclaimable}`);
      }
      await service.redeem(finds.map((find) => service.ticketFor(find)));
      assertEquals(Deno.readTextFileSync(join(dir, "store", "large")).length, 100_000);
    }),
);

Deno.test("a find frees what it said it would", { ignore: Deno.build.os !== "linux" }, () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    for (let n = 0; n < 50; n++) plant(path, { [`p${n}/file`]: "x".repeat(n * 997) });
    const used = () => Number(command("du", ["-s", "-B1", dir]).split("\t")[0]);
    const service = reclaimIn(dir);
    const { find, id } = await onlyFind(service, dir);
    const before = used();
    await service.redeem([id]);
    const holder = Deno.lstatSync(dir);
    assert(Math.abs(before - used() - find.reclaimable) <= (holder.blksize ?? 4096), `${before - used()}`);
  }));

unixTest(
  "property: after reclaiming all finds of a random tree everything else is as it was",
  () =>
    withDir(async (dir) => {
      let state = 7;
      const next = (below: number) => (state = (state * 48271) % 2147483647) % below;
      const names = [
        "node_modules",
        "target",
        "build",
        "dist",
        "src",
        "__pycache__",
        ".venv",
        "a",
        "b.egg-info",
        "bin",
      ];
      const files = [
        "package.json",
        "Cargo.toml",
        "pom.xml",
        "pyproject.toml",
        "x.csproj",
        "main.c",
        "build.gradle",
        "y",
      ];
      for (let round = 0; round < 15; round++) {
        const root = join(dir, `r${round}`);
        const places = [root];
        Deno.mkdirSync(root);
        for (let n = 0; n < 120; n++) {
          const holder = places[next(places.length)]!;
          if (next(2) === 0) {
            const place = join(holder, names[next(names.length)]!);
            if (!stands(place)) Deno.mkdirSync(place);
            if (Deno.lstatSync(place).isDirectory) places.push(place);
          } else if (next(6) === 0 && !stands(join(holder, "link"))) {
            Deno.symlinkSync(places[next(places.length)]!, join(holder, "link"));
          } else {
            Deno.writeTextFileSync(join(holder, files[next(files.length)]!), `content ${n}`);
          }
        }
        const service = reclaimIn(root);
        const tickets = await ticketsIn(service, root);
        const finds = [...tickets.keys()].map((path) => path.slice(root.length + 1));
        const isInFind = (path: string) => finds.some((find) => path === find || path.startsWith(`${find}/`));
        const expected = [...describe(root)].filter(([path]) => !isInFind(path));
        for (const path of tickets.keys()) {
          const find = (await service.scan({ path })).finds.find((find) => find.path === path)!;
          assertEquals(find.reclaimable, Number(command("du", ["-s", "-B1", path]).split("\t")[0]), path);
        }
        if (tickets.size > 0) assertEquals((await service.redeem([...tickets.values()])).refused, []);
        assertEquals([...describe(root)], expected);
      }
    }),
);
