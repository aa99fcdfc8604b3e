import { assert, assertEquals, assertGreater, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { openRoots } from "../../src/guard/mod.ts";
import { reclaimableBytes } from "../../src/reclaim/size.ts";
import { measureTrees } from "../../src/reclaim/size_pool.ts";
import { IS_UNIX } from "../support/system.ts";
import { command, plant, withDir } from "../support/tree.ts";

/** Makes `count` files of differing sizes in folders of folders below `dir`. */
function plantMany(dir: string, count: number): void {
  for (let n = 0; n < count; n++) {
    if (n % 20 === 0) Deno.mkdirSync(join(dir, `a${n % 7}`, `b${n - n % 20}`), { recursive: true });
    const holder = join(dir, `a${(n - n % 20) % 7}`, `b${n - n % 20}`);
    Deno.writeTextFileSync(join(holder, `f${n}`), "x".repeat(n * 37 % 9000));
  }
}

function numberOf(text: string): number {
  return Number(text.split(/\s/)[0]);
}

Deno.test("a tree large enough for workers", (t) =>
  withDir(async (dir) => {
    const [root] = openRoots([dir]);
    const large = join(dir, "t7");
    plantMany(large, 9000);
    Deno.linkSync(join(large, "a0", "b0", "f1"), join(large, "again"));

    if (IS_UNIX) {
      await t.step("has the sizes that du and find tell", async () => {
        Deno.symlinkSync("a0", join(large, "link"));
        const [measure] = await measureTrees([{ path: large, root: root! }], 0);
        Deno.removeSync(join(large, "link"));
        assertEquals(reclaimableBytes(measure!), numberOf(command("du", ["-s", "-B1", large])));
        const sizes = command("find", [large, "-type", "f", "-printf", "%s\n"]).trimEnd().split("\n");
        assertEquals(measure!.bytes, sizes.reduce((total, size) => total + Number(size), 0));
        assertEquals(measure!.files, sizes.length + 1);
      });
    }

    await t.step("is measured apart from others, and progress never goes back", async () => {
      for (let n = 0; n < 40; n++) plant(dir, { [`t${n}/c/file`]: "x".repeat(n), [`t${n}/d/file`]: "y".repeat(n) });
      const trees = Array.from({ length: 40 }, (_, n) => ({ path: join(dir, `t${n}`), root: root! }));
      const done: number[] = [];
      const measures = await measureTrees(trees, 0, { onProgress: (count) => done.push(count) });
      measures.forEach(({ bytes, files, pending }, n) => {
        if (n !== 7) assertEquals({ bytes, files, pending }, { bytes: 2 * n, files: 2, pending: [] });
      });
      assertEquals(measures[7]!.files, 9003);
      assert(done.every((count, at) => at === 0 || count >= done[at - 1]!), done.join());
    });

    await t.step("stops with the reason of the signal, before and while it is measured", async () => {
      const reason = new Error("enough");
      const trees = [{ path: dir, root: root! }];
      await assertRejects(() => measureTrees(trees, 0, { signal: AbortSignal.abort(reason) }), Error, "enough");
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 3);
      const began = performance.now();
      await assertRejects(() => measureTrees(trees, 0, { signal: controller.signal }), Error, "enough");
      assertGreater(1000, performance.now() - began);
    });
  }));

Deno.test("no trees are measured at once", async () => {
  assertEquals(await measureTrees([], 0), []);
});

Deno.test("a tree that is gone is not taken for an empty one", () =>
  withDir(async (dir) => {
    const [root] = openRoots([dir]);
    const [measure] = await measureTrees([{ path: join(dir, "gone"), root: root! }], 0);
    assertEquals(measure!.unreadable, 1);
  }));

Deno.test("attack: a find of very many files in one directory holds the thread until all are measured", () =>
  withDir(async (dir) => {
    const find = join(plant(dir, { "package.json": "", "node_modules/": "" }), "node_modules");
    for (let n = 0; n < 40_000; n++) Deno.openSync(`${find}/${n}`, { write: true, create: true }).close();
    const [root] = openRoots([dir]);
    let [isDone, turns] = [false, 0];
    const turn = () => {
      turns++;
      if (!isDone) setTimeout(turn);
    };
    setTimeout(turn);
    const [measure] = await measureTrees([{ path: find, root: root! }], 0);
    isDone = true;
    await new Promise((resolve) => setTimeout(resolve, 10));
    assertEquals(measure!.files, 40_000);
    assert(turns >= 4, `${turns} turns of the event loop`);
  }));
