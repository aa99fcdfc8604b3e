import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { dirname, join } from "@std/path";
import { openRoots, Refusal } from "../../src/guard/mod.ts";
import { unixTest } from "../support/system.ts";
import {
  command,
  describe,
  onlyFind,
  plant,
  plantProject,
  reasonOf,
  reclaimIn,
  ticketsIn,
  withDir,
} from "../support/tree.ts";

Deno.test("peers: a cleaner run from the home directory offered the home directory itself and its parents", () =>
  withDir(async (dir) => {
    const home = join(dir, "home", "me");
    plant(dir, { "home/package.json": "", "home/me/package.json": "", "home/me/.env": "precious" });
    plant(home, { "CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55", "documents/thesis.txt": "precious" });
    const path = plantProject(join(home, "work", "app"));
    const service = reclaimIn(home);
    const tickets = await ticketsIn(service, home);
    assertEquals([...tickets.keys()], [path]);
    await service.redeem([...tickets.values()]);
    assertEquals(Deno.readTextFileSync(join(home, "documents", "thesis.txt")), "precious");
    for (const above of [dirname(home), dir]) {
      await assertRejects(() => service.scan({ path: above }), Refusal, "outside");
    }
  }));

for (const manager of ["npm", "yarn", "pnpm"] as const) {
  unixTest(
    `peers: workspace links in node_modules were followed and sources deleted (${manager})`,
    () =>
      withDir(async (dir) => {
        plant(dir, { "package.json": '{"workspaces":["packages/*"]}', "packages/ui/src/ui.js": "precious" });
        plant(dir, {
          "packages/ui/package.json": "{}",
          "packages/app/package.json": "{}",
          "packages/app/app.js": "precious",
        });
        const root = join(dir, "node_modules");
        plant(root, { "left-pad/index.js": "dependency" });
        const absolute = manager === "yarn";
        const link = (path: string, to: string) => {
          Deno.mkdirSync(dirname(path), { recursive: true });
          Deno.symlinkSync(absolute ? join(dirname(path), to) : to, path);
        };
        link(join(root, "ui"), "../packages/ui");
        link(join(root, "@scope", "app"), "../../packages/app");
        if (manager === "pnpm") {
          plant(root, { ".pnpm/left-pad@1/node_modules/left-pad/index.js": "dependency" });
          link(join(dir, "packages", "app", "node_modules", "ui"), "../../ui");
          link(join(dir, "packages", "app", "node_modules", "left-pad"), "../../../node_modules/.pnpm/left-pad@1");
        }
        const before = describe(join(dir, "packages"));
        const service = reclaimIn(dir);
        const tickets = await ticketsIn(service, dir);
        assertEquals(tickets.size, manager === "pnpm" ? 2 : 1);
        assertEquals((await service.redeem([...tickets.values()])).refused, []);
        const after = describe(join(dir, "packages"));
        for (const [path, content] of before) {
          if (!path.includes("node_modules")) assertEquals(after.get(path), content);
        }
        assertEquals([...describe(dir).keys()].filter((path) => path.includes("node_modules")), []);
      }),
  );
}

Deno.test("peers: a flag that deletes all deleted what merely looked like a match", () =>
  withDir(async (dir) => {
    plant(dir, {
      "novel/target/chapter1.txt": "precious",
      "photos/build/holiday.jpg": "precious",
      "music/dist/song.mp3": "precious",
      "taxes/bin/2024.pdf": "precious",
      "letters/vendor/contract.txt": "precious",
      "notes/node_modules_backup/x": "precious",
      "app/package.json": "{}",
      "app/build/x": "precious",
    });
    const before = describe(dir);
    const service = reclaimIn(dir);
    const { finds } = await service.scan({ path: dir });
    assertEquals(finds.map(({ path }) => path), []);
    assertEquals(describe(dir), before);
  }));

Deno.test("peers: build and dist that were committed to git were deleted", () =>
  withDir(async (dir) => {
    plant(dir, { "pyproject.toml": "", "build/site.html": "precious", "dist/app.js": "precious", "htmlcov/x": "" });
    command("git", ["init", "-q"], dir);
    command("git", ["add", "pyproject.toml", "build", "dist"], dir);
    const { finds, skipped } = await reclaimIn(dir).scan({ path: dir });
    assertEquals(finds.map(({ path }) => path), [join(dir, "htmlcov")]);
    assertEquals(skipped.map(({ path }) => path), [join(dir, "build"), join(dir, "dist")]);
    assert(skipped.every(({ reason }) => reason.includes("tracks 1 file")));
  }));

unixTest(
  "peers: sizes that count hard links promised space that deletion did not free (a pnpm store)",
  () =>
    withDir(async (dir) => {
      plant(dir, { "store/aa": "x".repeat(500_000), "store/bb": "y".repeat(500_000) });
      const path = plantProject(join(dir, "root", "app"));
      Deno.linkSync(join(dir, "store", "aa"), join(path, "dep", "aa"));
      Deno.linkSync(join(dir, "store", "bb"), join(path, "dep", "bb"));
      plant(path, { "own": "z".repeat(100_000) });
      const { find } = await onlyFind(reclaimIn(join(dir, "root")), join(dir, "root"));
      assert(find.bytes > 1_100_000, `${find.bytes}`);
      assert(find.reclaimable > 100_000 && find.reclaimable < 200_000, `${find.reclaimable}`);
    }),
);

unixTest("peers: a link check made after resolving the path let a swapped link through", () =>
  withDir(async (dir) => {
    const path = plantProject(join(dir, "root", "a"));
    const other = plantProject(join(dir, "root", "b"));
    const service = reclaimIn(join(dir, "root"));
    const id = (await ticketsIn(service, join(dir, "root"))).get(path)!;
    Deno.renameSync(path, join(dir, "aside"));
    // After resolving, this is a directory, inside the root, and even a valid find.
    Deno.symlinkSync(other, path);
    assert(reasonOf(await service.redeem([id])).includes("is now a link"));
    assertEquals(Deno.readTextFileSync(join(other, "dep", "index.js")), "dependency");
  }));

unixTest(
  "peers: a realpath that failed on a missing path fell back to the unresolved one",
  () =>
    withDir(async (dir) => {
      plant(dir, { "root/": "", "root-evil/": "" });
      const service = reclaimIn(join(dir, "root"));
      Deno.symlinkSync(join(dir, "later"), join(dir, "root", "dangling"));
      const refusal = await assertRejects(() => service.scan({ path: join(dir, "root", "dangling") }), Refusal);
      assertEquals(refusal.code, "outside", "what a link leads to is not told, not even that nothing stands there");
      const missing = await assertRejects(() => service.scan({ path: join(dir, "root", "missing") }), Refusal);
      assertEquals(missing.code, "missing");
      plantProject(join(dir, "later"));
      await assertRejects(() => service.scan({ path: join(dir, "root", "dangling") }), Refusal, "outside");
      assertThrows(() => openRoots([join(dir, "root", "missing")]), Refusal, "does not exist");
    }),
);
