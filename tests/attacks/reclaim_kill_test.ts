import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { quarantineName } from "../../src/reclaim/quarantine.ts";
import type { RemovalStep } from "../../src/reclaim/remove.ts";
import { startChild } from "../support/child.ts";
import {
  describe,
  onlyFind,
  plant,
  plantProject,
  reasonOf,
  reclaimIn,
  stands,
  ticketsIn,
  withDir,
} from "../support/tree.ts";

/** Without what may be deleted: the find, under its own name or that of its quarantine. */
function surroundings(dir: string): Map<string, string> {
  const isFind = (path: string) => /(^|\/)(node_modules|\.agentsweep-quarantine[^/]*)(\/|$)/.test(path);
  return new Map([...describe(dir)].filter(([path]) => !isFind(path)));
}

/** Names in `dir` that claim to be quarantines. */
function quarantinesIn(dir: string): string[] {
  return Array.from(Deno.readDirSync(dir), ({ name }) => name).filter((name) => name.startsWith(".agentsweep-"));
}

/** Redeems all that a new process finds, and checks that nothing of the find is left then, and all else is. */
async function assertRecovered(dir: string, expected: Map<string, string>): Promise<void> {
  assertEquals(surroundings(dir), expected);
  const service = reclaimIn(dir);
  const tickets = await ticketsIn(service, dir);
  if (tickets.size > 0) assertEquals((await service.redeem([...tickets.values()])).refused, []);
  assertEquals(describe(dir), expected);
}

const STEPS: readonly [RemovalStep, "whole" | "quarantine" | "gone"][] = [
  ["placed", "whole"],
  ["moved", "quarantine"],
  ["verified", "quarantine"],
  ["inspected", "quarantine"],
  ["removed", "gone"],
];

for (const [step, state] of STEPS) {
  Deno.test(`attack: kill -9 at the step "${step}" leaves the find ${state}`, () =>
    withDir(async (dir) => {
      const path = plantProject(dir);
      plantProject(join(dir, "neighbour.app"));
      Deno.renameSync(join(dir, "neighbour.app", "node_modules"), join(dir, "neighbour.app", "modules"));
      const expected = surroundings(dir);
      const whole = describe(path);
      const child = await startChild("die-at", dir, step);
      const { signal, success } = await child.output();
      assert(!success && (Deno.build.os === "windows" || signal === "SIGKILL"), `${signal}`);
      const [quarantine, ...more] = quarantinesIn(dir);
      assertEquals(more, []);
      if (state === "whole") {
        assertEquals(describe(path), whole);
        // The empty place that was made for it is there, and is reported and reclaimed like a quarantine.
        if (quarantine !== undefined) assertEquals(describe(join(dir, quarantine)).size, 0);
      } else {
        assert(!stands(path));
        if (state === "quarantine") assertEquals(describe(join(dir, quarantine!)), whole);
        else assertEquals(quarantine, undefined);
      }
      const { finds } = await reclaimIn(dir).scan({ path: dir });
      const reported = finds.map(({ path }) => path).sort();
      const names = [quarantine, state === "whole" ? "node_modules" : undefined].filter((name) => name !== undefined);
      assertEquals(reported, names.map((name) => join(dir, name)).sort());
      await assertRecovered(dir, expected);
    }));
}

Deno.test("attack: kill -9 at random instants of a large deletion", () =>
  withDir(async (dir) => {
    for (let round = 0; round < 8; round++) {
      const path = plantProject(dir);
      for (let n = 0; n < 900; n++) {
        if (n % 30 === 0) Deno.mkdirSync(join(path, `d${n}`));
        Deno.writeTextFileSync(join(path, `d${n - n % 30}`, `f${n}`), "dependency");
      }
      const expected = surroundings(dir);
      const child = await startChild("remove", dir);
      const reader = child.stdout.getReader();
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 25));
      try {
        child.kill("SIGKILL");
      } catch {
        // It was faster.
      }
      await reader.cancel();
      await child.status;
      assert(stands(path) === false || describe(path).size === 900 + 30 + 3, "a find under its own name is whole");
      await assertRecovered(dir, expected);
    }
  }));

Deno.test("attack: a foreign directory put under the name of a quarantine is never offered", () =>
  withDir(async (dir) => {
    plant(dir, { "precious/file": "precious" });
    const { dev, ino, birthtime } = Deno.lstatSync(join(dir, "precious"));
    const identity = { device: dev, inode: ino!, born: birthtime?.getTime() ?? null };
    const foreign = [{ ...identity, inode: 1 }, { ...identity, device: 1 }, { ...identity, born: 1 }];
    const names = [...foreign.map((other) => quarantineName("node-modules", other)), ".agentsweep-quarantine.mine"];
    let place = join(dir, "precious");
    for (const name of names) {
      Deno.renameSync(place, join(dir, name));
      place = join(dir, name);
      for (const start of [dir, place]) {
        const { finds, skipped } = await reclaimIn(dir).scan({ path: start });
        assertEquals(finds, [], name);
        assertEquals(skipped.map(({ path }) => path), [place]);
      }
    }
    assertEquals(Deno.readTextFileSync(join(place, "file")), "precious");
  }));

Deno.test("attack: an empty place that is filled between scan and reclaim is not deleted", () =>
  withDir(async (dir) => {
    const name = quarantineName("node-modules", { device: 1, inode: 2, born: 3 });
    plant(dir, { [`${name}/`]: "" });
    const service = reclaimIn(dir);
    const { id, find } = await onlyFind(service, dir);
    plant(dir, { [`${name}/precious`]: "precious" });
    assert(reasonOf(await service.redeem([id])).includes("another directory"));
    assert(stands(join(find.path, "precious")));
    Deno.removeSync(join(find.path, "precious"));
    assertEquals((await service.redeem([id])).accepted.length, 1);
    assert(!stands(find.path));
  }));

Deno.test("attack: a quarantine of a kind that is not enabled is left alone", () =>
  withDir(async (dir) => {
    plantProject(dir);
    const child = await startChild("die-at", dir, "moved");
    await child.output();
    assertEquals((await reclaimIn(dir).scan({ path: dir, only: ["pycache"] })).finds, []);
    assertEquals((await reclaimIn(dir).scan({ path: dir, only: ["node-modules"] })).finds.length, 1);
  }));
