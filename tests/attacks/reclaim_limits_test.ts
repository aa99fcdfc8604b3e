import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { join } from "@std/path";
import { unixTest } from "../support/system.ts";
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

/** Makes `levels` directories inside each other below `dir`, deeper than any path can name. */
function plantDeep(dir: string, levels: number, bottom: string): void {
  const program = `import os,sys
os.chdir(sys.argv[1])
for _ in range(${levels}):
    os.mkdir("d"); os.chdir("d")
open(${JSON.stringify(bottom)}, "w").write("bottom")`;
  command("python3", ["-c", program, dir]);
}

unixTest("attack: a target of 1,000 levels is measured and deleted to the bottom", () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    plantDeep(path, 1000, "file");
    const service = reclaimIn(dir);
    const { find, id } = await onlyFind(service, dir);
    assertEquals(find.files, 3);
    assertEquals((await service.redeem([id])).refused, []);
    assert(!stands(path));
  }));

const DEEPER_THAN_PATHS =
  "attack: 10,000 levels, deeper than a path can say: a target is refused whole, and a scan ends and says so";
unixTest(DEEPER_THAN_PATHS, () =>
  withDir(async (dir) => {
    const path = plantProject(join(dir, "app"));
    plantDeep(path, 10_000, "precious");
    try {
      const { finds, skipped } = await reclaimIn(dir).scan({ path: dir });
      assertEquals(finds, []);
      assert(skipped[0]!.reason.includes("cannot be read"), skipped[0]!.reason);
      assert(stands(join(path, "dep", "index.js")));
      // The same tree under a name that means nothing.
      Deno.renameSync(path, join(dir, "app", "deep"));
      const usual = await reclaimIn(dir).scan({ path: dir });
      assertEquals([usual.finds.length, usual.unreadable], [0, 0]);
      assertLess(usual.visited, 70);
      const deepest = await reclaimIn(dir).scan({ path: dir, maxDepth: 100_000 });
      assertEquals(deepest.finds, []);
      assertGreater(deepest.unreadable, 0);
    } finally {
      command("rm", ["-rf", join(dir, "app")]);
    }
  }));

unixTest(
  "attack: a find whose path fits and whose quarantine's does not is refused untouched",
  () =>
    withDir(async (dir) => {
      plantProject(join(dir, "x"));
      const path = join(dir, "x", "node_modules");
      // The deepest file is reachable now, and out of reach under the longer name of a quarantine.
      const levels = Math.floor((4090 - path.length) / 2);
      plantDeep(path, levels, "f");
      const service = reclaimIn(dir);
      const { id, find } = await onlyFind(service, dir);
      assertEquals(find.files, 3);
      const { accepted, refused } = await service.redeem([id]);
      if (accepted.length === 0) {
        assert(refused[0]!.reason.endsWith("nothing was deleted"), refused[0]!.reason);
        assert(stands(join(path, "dep", "index.js")));
      }
      command("rm", ["-rf", path]);
    }),
);

Deno.test("attack: 100,000 entries in one directory are measured and deleted", () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    // One file and its links: as many entries, a fraction of the time to make them.
    Deno.mkdirSync(join(path, "many"));
    Deno.writeTextFileSync(join(path, "many", "f0"), "x");
    const links = Deno.build.os === "linux" ? 60_000 : 900;
    let source = join(path, "many", "f0");
    for (let n = 1; n < 100_000; n++) {
      const entry = join(path, "many", `f${n}`);
      if (n % links === 0) Deno.writeTextFileSync(source = entry, "x");
      else Deno.linkSync(source, entry);
    }
    const service = reclaimIn(dir);
    const { find, id } = await onlyFind(service, dir);
    assertEquals(find.files, 100_002);
    assertLess(find.reclaimable, 8_000_000);
    assertEquals((await service.redeem([id])).refused, []);
    assert(!stands(path));
  }));

Deno.test("attack: files vanish and appear all the time while scans run", () =>
  withDir(async (dir) => {
    for (let n = 0; n < 30; n++) plantProject(join(dir, `app${n}`));
    let running = true;
    const churn = async () => {
      for (let n = 0; running; n = (n + 1) % 30) {
        Deno.removeSync(join(dir, `app${n}`, "node_modules"), { recursive: true });
        await new Promise((resolve) => setTimeout(resolve));
        plantProject(join(dir, `app${n}`));
      }
    };
    const churning = churn();
    const service = reclaimIn(dir);
    try {
      for (let round = 0; round < 20; round++) {
        const outcomes = await Promise.all([service.scan({ path: dir }), service.scan({ path: dir })]);
        for (const { finds, unreadable } of outcomes) {
          assertEquals(unreadable, 0);
          for (const { path, files } of finds) assert(path.endsWith("node_modules") && files <= 2, path);
        }
      }
    } finally {
      running = false;
      await churning;
    }
    assertEquals([...describe(dir).values()].filter((content) => content.includes("precious")).length, 30);
  }));

Deno.test("attack: denial of service by exclude globs", () =>
  withDir(async (dir) => {
    plantProject(join(dir, "a".repeat(200), "a".repeat(200)));
    const exclude = [
      "*a".repeat(2000) + "b",
      "**/".repeat(2000) + "b",
      `${"**/*a*".repeat(500)}/b`,
      "?".repeat(10_000),
    ];
    const began = performance.now();
    assertEquals((await ticketsIn(reclaimIn(dir), dir, { exclude })).size, 1);
    assertLess(performance.now() - began, 2000);
  }));

unixTest("attack: names of the longest length, and a quarantine beside them", () =>
  withDir(async (dir) => {
    const name = "n".repeat(255);
    const path = plantProject(join(dir, name));
    plant(path, { [`${name}/${name}`]: "x" });
    const service = reclaimIn(dir);
    const { id } = await onlyFind(service, dir);
    assertEquals((await service.redeem([id])).refused, []);
    assertEquals([...describe(join(dir, name)).keys()], ["package.json", "src", "src/index.js"]);
  }));
