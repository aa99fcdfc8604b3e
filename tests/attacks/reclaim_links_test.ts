import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";
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

unixTest("attack: a link as root", () =>
  withDir((dir) => {
    plantProject(join(dir, "real", "app"));
    for (const to of ["real", join(dir, "real"), "/", "link", "nowhere"]) {
      Deno.symlinkSync(to, join(dir, "link"));
      assertEquals(assertThrows(() => openRoots([join(dir, "link")]), Refusal).code, "link", to);
      Deno.removeSync(join(dir, "link"));
    }
  }));

unixTest("attack: a link as parent, to a directory outside and to one inside the root", () =>
  withDir(async (dir) => {
    plantProject(join(dir, "outside", "app"));
    plantProject(join(dir, "root", "inside", "app"));
    Deno.symlinkSync(join(dir, "outside"), join(dir, "root", "out"));
    Deno.symlinkSync("inside", join(dir, "root", "in"));
    const service = reclaimIn(join(dir, "root"));
    const { find } = await onlyFind(service, join(dir, "root"));
    assertEquals(find.path, join(dir, "root", "inside", "app", "node_modules"));
    for (const below of ["out", "out/app", "out/app/node_modules", "in", "in/app", "in/app/node_modules"]) {
      await assertRejects(() => service.scan({ path: join(dir, "root", below) }), Refusal, "", below);
    }
  }));

unixTest("attack: a link that leads around the repository which tracks a directory", () =>
  withDir(async (dir) => {
    plant(dir, { "lib/package.json": "", "lib/pyproject.toml": "", "lib/dist/precious.js": "committed" });
    command("git", ["init", "-q"], dir);
    command("git", ["add", "."], dir);
    Deno.symlinkSync("lib", join(dir, "alias"));
    const service = reclaimIn(dir);
    assertEquals((await service.scan({ path: dir })).finds, []);
    await assertRejects(() => service.scan({ path: join(dir, "alias") }), Refusal);
  }));

unixTest("attack: a link as target, and a link to another valid target inside the root", () =>
  withDir(async (dir) => {
    plantProject(join(dir, "root", "a"));
    plantProject(join(dir, "outside"));
    plant(dir, { "root/b/package.json": "", "root/c/package.json": "" });
    Deno.symlinkSync(join(dir, "root", "a", "node_modules"), join(dir, "root", "b", "node_modules"));
    Deno.symlinkSync(join(dir, "outside", "node_modules"), join(dir, "root", "c", "node_modules"));
    const service = reclaimIn(join(dir, "root"));
    const before = describe(join(dir, "outside"));
    const { find, id } = await onlyFind(service, join(dir, "root"));
    assertEquals(find.path, join(dir, "root", "a", "node_modules"));
    await service.redeem([id]);
    assertEquals(describe(join(dir, "outside")), before);
    assert(Deno.lstatSync(join(dir, "root", "b", "node_modules")).isSymlink);
  }));

unixTest("attack: links inside a target are not followed on delete", () =>
  withDir(async (dir) => {
    const path = plantProject(join(dir, "root", "app"));
    plant(dir, { "outside/precious": "p", "outside/deep/precious": "q", "root/mine/precious": "r", "file": "f" });
    const victims = ["outside", "root/mine", "file"];
    for (const [n, victim] of victims.entries()) {
      Deno.symlinkSync(join(dir, victim), join(path, `absolute${n}`));
      Deno.symlinkSync(join("..", "..", "..", "..", victim), join(path, "dep", `relative${n}`));
    }
    Deno.symlinkSync("/", join(path, "everything"));
    Deno.symlinkSync("..", join(path, "up"));
    Deno.symlinkSync("nowhere", join(path, "dangling"));
    Deno.symlinkSync("loop", join(path, "loop"));
    const service = reclaimIn(join(dir, "root"));
    const { find, id } = await onlyFind(service, join(dir, "root"));
    assertEquals(find.files, 2 + 6 + 4);
    const outside = describe(join(dir, "outside"));
    assertEquals((await service.redeem([id])).refused, []);
    assertEquals(describe(join(dir, "outside")), outside);
    assertEquals([...describe(join(dir, "root")).keys()], [
      "app",
      "app/package.json",
      "app/src",
      "app/src/index.js",
      "mine",
      "mine/precious",
    ]);
    assertEquals(Deno.readTextFileSync(join(dir, "file")), "f");
  }));

unixTest("attack: directory swapped for a link between scan and reclaim", () =>
  withDir(async (dir) => {
    const path = plantProject(join(dir, "root", "app"));
    plantProject(join(dir, "root", "other"));
    plantProject(join(dir, "outside"));
    const service = reclaimIn(join(dir, "root"));
    const id = (await ticketsIn(service, join(dir, "root"))).get(path)!;
    Deno.renameSync(path, join(dir, "aside"));
    for (const victim of ["outside/node_modules", "root/other/node_modules", "aside"]) {
      Deno.symlinkSync(join(dir, victim), path);
      const before = describe(dir);
      assert(reasonOf(await service.plan([id])).includes("is now a link"), victim);
      assert(reasonOf(await service.redeem([id])).includes("is now a link"), victim);
      assertEquals(describe(dir), before);
      Deno.removeSync(path);
    }
  }));

unixTest("attack: parent component swapped for a link, or for another directory", () =>
  withDir(async (dir) => {
    const path = plantProject(join(dir, "root", "group", "app"));
    plantProject(join(dir, "root", "twin", "app"));
    plantProject(join(dir, "outside", "app"));
    const service = reclaimIn(join(dir, "root"));
    const id = (await ticketsIn(service, join(dir, "root"))).get(path)!;
    const group = join(dir, "root", "group");
    Deno.renameSync(group, join(dir, "root", "moved"));
    for (const to of [join(dir, "outside"), "twin", "moved"]) {
      Deno.symlinkSync(to, group);
      const before = describe(dir);
      reasonOf(await service.redeem([id]));
      assertEquals(describe(dir), before);
      Deno.removeSync(group);
    }
    Deno.renameSync(join(dir, "root", "twin"), group);
    const before = describe(dir);
    assert(reasonOf(await service.redeem([id])).includes("another directory"));
    assertEquals(describe(dir), before);
  }));

unixTest(
  "attack: a folder swapped for a link while a scan runs shows nothing of where the link leads",
  () =>
    withDir(async (dir) => {
      plantProject(join(dir, "root", "app"));
      plant(plantProject(join(dir, "outside")), { "secret": "x".repeat(12_345) });
      const service = reclaimIn(join(dir, "root"));
      let isSwapped = false;
      const { finds, skipped } = await service.scan({ path: join(dir, "root") }, {
        onProgress({ matched }) {
          if (isSwapped || matched === 0) return;
          isSwapped = true;
          Deno.renameSync(join(dir, "root", "app"), join(dir, "aside"));
          Deno.symlinkSync(join(dir, "outside"), join(dir, "root", "app"));
        },
      });
      assertEquals([isSwapped, finds.map(({ bytes }) => bytes)], [true, []]);
      assert(skipped[0]!.reason.includes("outside the allowed roots"), skipped[0]!.reason);
    }),
);

unixTest(
  "attack: a root inside a target, that another root leads to by a link above it, keeps the target",
  () =>
    withDir(async (dir) => {
      const path = plantProject(join(dir, "data", "code", "app"));
      plant(path, { "keep/precious": "precious" });
      Deno.symlinkSync(join(dir, "data"), join(dir, "link"));
      const service = reclaimIn(join(dir, "link", "code"), join(path, "keep"));
      const { finds, skipped } = await service.scan({ path: join(dir, "link", "code") });
      assertEquals(finds, []);
      assert(skipped.some(({ reason }) => reason.includes("holds an allowed root")), JSON.stringify(skipped));
    }),
);
