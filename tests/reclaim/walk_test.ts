import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { openRoots } from "../../src/guard/mod.ts";
import { createMounts } from "../../src/reclaim/mounts.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";
import { beginWalk, type Walk, type Walker } from "../../src/reclaim/walk.ts";
import { plant, withDir } from "../support/tree.ts";

function walker(dir: string, start: string = dir, more: readonly string[] = []): Walker {
  const roots = openRoots([dir, ...more]);
  const root = roots[0]!;
  const mounts = createMounts(root.path, root.identity.device);
  return beginWalk({ start, root, roots, targets: TARGETS, exclude: [], excludeInRoot: [], maxDepth: 64 }, mounts);
}

function walked(...args: Parameters<typeof walker>): Walk {
  const { walk, advance } = walker(...args);
  advance(Infinity);
  return walk;
}

Deno.test("a walk pauses at its deadline and goes on where it paused", () =>
  withDir((dir) => {
    for (let n = 0; n < 20; n++) plant(dir, { [`d${n}/e/__pycache__/`]: "" });
    const { walk, advance } = walker(dir);
    let pauses = 0;
    while (walk.pending.length > 0) {
      advance(0);
      pauses++;
    }
    assertEquals([pauses, walk.visited, walk.candidates.length], [41, 41, 20]);
  }));

Deno.test("directories that vanish between being seen and being visited are no error", () =>
  withDir((dir) => {
    plant(dir, { "a/x/": "", "b/x/": "" });
    const { walk, advance } = walker(dir);
    advance(0);
    Deno.removeSync(join(dir, "a"), { recursive: true });
    advance(Infinity);
    assertEquals([walk.visited, walk.unreadable], [3, 0]);
  }));

Deno.test("a root is no candidate, whatever it is called and whatever proves it", () =>
  withDir((dir) => {
    plant(dir, { "package.json": "", "node_modules/x/f": "", "node_modules/CACHEDIR.TAG": "" });
    assertEquals(walked(join(dir, "node_modules")).candidates, []);
  }));

Deno.test("what holds another root is refused, and so is that root", () =>
  withDir((dir) => {
    plant(dir, { "package.json": "", "node_modules/x/package.json": "", "node_modules/x/node_modules/f": "" });
    const { candidates, skipped } = walked(dir, dir, [join(dir, "node_modules", "x")]);
    assertEquals(candidates, []);
    assertEquals(skipped.map(({ path }) => path), [join(dir, "node_modules")]);
    assert(skipped[0]!.reason.includes("root"), skipped[0]!.reason);
  }));

Deno.test("something with the name of a quarantine but not its shape is told and not entered", () =>
  withDir((dir) => {
    plant(dir, { ".agentsweep-quarantine.x/__pycache__/f": "" });
    const { candidates, skipped } = walked(dir);
    assertEquals([candidates.length, skipped.length], [0, 1]);
  }));

Deno.test("attack: a directory with very many directories holds the thread no longer than its time", () =>
  withDir((dir) => {
    for (let n = 0; n < 3000; n++) Deno.mkdirSync(join(dir, `d${n}`));
    plant(dir, { "z/__pycache__/": "" });
    const { walk, advance } = walker(dir);
    advance(0);
    assert(walk.pending.length < 100, `${walk.pending.length} directories were looked at in no time`);
    for (let turn = 0; turn < 50; turn++) advance(0);
    advance(Infinity);
    assertEquals([walk.visited, walk.candidates.length], [3002, 1]);
  }));
