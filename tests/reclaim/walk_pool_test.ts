import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { openRoots, type Root } from "../../src/guard/mod.ts";
import { createCrew } from "../../src/reclaim/crew.ts";
import { createMounts } from "../../src/reclaim/mounts.ts";
import { scan, type ScanOutcome, type ScanRequest } from "../../src/reclaim/scan.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";
import { beginWalk, newWalk, type WalkRules } from "../../src/reclaim/walk.ts";
import { shareWalk, walkTask } from "../../src/reclaim/walk_pool.ts";
import { createChange, type Participant, participate } from "../../src/reclaim/work.ts";
import { plant, withDir } from "../support/tree.ts";

function rulesFor(roots: readonly Root[], more: Partial<WalkRules> = {}): WalkRules {
  const root = roots[0]!;
  return { start: root.path, root, roots, targets: TARGETS, exclude: [], excludeInRoot: [], maxDepth: 64, ...more };
}

/** Many folders with everything that a walk can meet. */
function plantForest(dir: string): void {
  for (let n = 0; n < 30; n++) {
    const project = `team${n % 6}/app${n}`;
    plant(dir, {
      [`${project}/package.json`]: "",
      [`${project}/node_modules/x/f`]: "",
      [`${project}/src/a/b/__pycache__/f`]: "",
      [`${project}/src/venv/f`]: "",
      [`${project}/left/out/node_modules/f`]: "",
      [`${project}/deep/1/2/3/4/5/6/__pycache__/f`]: "",
      [`${project}/.agentsweep-quarantine.x/f`]: "",
    });
    if (n % 5 === 0) plant(dir, { [`${project}/.git/HEAD`]: "ref: refs/heads/main" });
    for (let folder = 0; folder < 16; folder++) plant(dir, { [`${project}/src/m${folder}/n/`]: "" });
  }
}

const sorted = (items: Iterable<string>) => [...items].sort();

Deno.test("a walk that others take from sees what a walk alone sees", () =>
  withDir(async (dir) => {
    plantForest(dir);
    const roots = openRoots([dir, join(dir, "team1", "app1", "node_modules", "x")]);
    const rules = rulesFor(roots, { exclude: ["team2/app2/src"], excludeInRoot: ["out"], maxDepth: 7 });
    const mounts = createMounts(dir, roots[0]!.identity.device);
    const alone = beginWalk(rules, mounts);
    alone.advance(Infinity);
    assert(alone.walk.visited > 1000 && alone.walk.skipped.length > 30 && alone.walk.repositories.size === 6);

    const shared = beginWalk(rules, mounts);
    const change = createChange(undefined);
    const work = shareWalk(shared, change);
    // The first one fails at its third job, and what it had in hand is walked by others.
    let jobs = 0;
    const failing: Participant = (job) =>
      Promise.resolve(++jobs > 2 ? null : { measures: [], walk: walkTask(structuredClone(job.walk!), mounts) });
    const honest: Participant = (job) =>
      Promise.resolve({ measures: [], walk: structuredClone(walkTask(structuredClone(job.walk!), mounts)) });
    const helpers = [failing, honest].map((participant) => participate(participant, work, change, undefined));
    while (!work.isDone()) {
      if (shared.walk.pending.length > 0) shared.advance(0);
      change.wake();
      await new Promise((resolve) => setTimeout(resolve));
    }
    change.wake();
    await Promise.all(helpers);
    assertEquals(jobs, 3);

    const [one, other] = [alone.walk, shared.walk];
    assertEquals([other.visited, other.unreadable], [one.visited, one.unreadable]);
    assertEquals(sorted(other.repositories), sorted(one.repositories));
    const bySkipped = ({ skipped }: typeof one) => sorted(skipped.map(({ path, reason }) => `${path}: ${reason}`));
    assertEquals(bySkipped(other), bySkipped(one));
    const byPath = ({ candidates }: typeof one) => candidates.toSorted((a, b) => a.path < b.path ? -1 : 1);
    assertEquals(byPath(other), byPath(one));
    assert(other.candidates.every(({ target, root }) => TARGETS.includes(target) && root === roots[0]));
  }));

Deno.test("a scan with workers finds and refuses what one without them does, time after time", () =>
  withDir(async (dir) => {
    plantForest(dir);
    const roots = openRoots([dir]);
    const request: ScanRequest = { ...rulesFor(roots), minBytes: 0, olderThanDays: null };
    const crew = createCrew();
    try {
      const outcomes: ScanOutcome[] = [];
      for (let round = 0; round < 4; round++) outcomes.push(await scan({ ...request, crew }));
      assertEquals(outcomes[0]!.finds.length, 90);
      for (const outcome of outcomes.slice(1)) assertEquals(outcome, outcomes[0]);
    } finally {
      crew.end();
    }
  }));

Deno.test("a walk in others' hands ends with the reason of the signal", () =>
  withDir(async (dir) => {
    plantForest(dir);
    const controller = new AbortController();
    const crew = createCrew();
    try {
      const began = performance.now();
      const ended = scan({
        ...rulesFor(openRoots([dir])),
        minBytes: 0,
        olderThanDays: null,
        crew,
        signal: controller.signal,
        onProgress: ({ visited }) => visited > 200 && controller.abort(new Error("enough")),
      });
      await assertRejects(() => ended, Error, "enough");
      assert(performance.now() - began < 2000);
    } finally {
      crew.end();
    }
  }));

Deno.test("attack: a part of a walk that comes back with very many directories is taken in whole", () =>
  withDir((dir) => {
    plant(dir, { "a/b/": "", "c/": "" });
    const roots = openRoots([dir]);
    const shared = beginWalk(rulesFor(roots), createMounts(dir, roots[0]!.identity.device));
    shared.advance(0);
    const work = shareWalk(shared, createChange(undefined));
    const { give } = work.take()!;
    const pending = Array.from({ length: 200_000 }, (_, n) => ({ path: join(dir, "a", `${n}`), depth: 2 }));
    give({ measures: [], walk: { ...newWalk(pending, 0), candidates: [] } });
    assertEquals(shared.walk.pending.length, 200_001);
  }));
