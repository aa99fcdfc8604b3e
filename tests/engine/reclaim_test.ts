import { assert, assertEquals, assertGreaterOrEqual } from "@std/assert";
import { join } from "@std/path";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";
import { describe, onlyFind, plant, plantProject, reclaimIn, stands, ticketsIn, withDir } from "../support/tree.ts";

Deno.test("scan, plan and redeem of one find, from the path to the gone directory", () =>
  withDir(async (dir) => {
    const path = plantProject(join(dir, "app"));
    const service = reclaimIn(dir);
    const { find, id } = await onlyFind(service, dir);
    assertEquals([find.path, find.target.key, find.files, find.bytes], [path, "node-modules", 2, 12]);
    const before = describe(dir);
    const planned = await service.plan([id]);
    assertEquals([planned.accepted.map(({ id }) => id), planned.refused], [[id], []]);
    assertEquals(describe(dir), before);
    const done = await service.redeem([id]);
    assertEquals([done.accepted.map(({ find }) => find.path), done.refused], [[path], []]);
    assert(!stands(path));
    assertEquals([...describe(dir).keys()], ["app", "app/package.json", "app/src", "app/src/index.js"]);
  }));

Deno.test("a plan may be made any number of times, and a refused ticket holds again once the reason is gone", () =>
  withDir(async (dir) => {
    plantProject(dir);
    const service = reclaimIn(dir);
    const { id } = await onlyFind(service, dir);
    for (let n = 0; n < 3; n++) assertEquals((await service.plan([id, id])).accepted.length, 1);
    Deno.renameSync(join(dir, "package.json"), join(dir, "aside"));
    assertEquals((await service.redeem([id])).accepted.length, 0);
    Deno.renameSync(join(dir, "aside"), join(dir, "package.json"));
    assertEquals((await service.redeem([id])).accepted.length, 1);
  }));

Deno.test("a scan says its path in the one accepted spelling, and how long it took", () =>
  withDir(async (dir) => {
    const { path, seconds, visited } = await reclaimIn(dir).scan({ path: `${dir}//./` });
    assertEquals([path, visited], [dir, 1]);
    assert(seconds > 0 && seconds < 60);
  }));

Deno.test("a ticket survives further scans, also narrower ones", () =>
  withDir(async (dir) => {
    plantProject(dir);
    const service = reclaimIn(dir);
    const { id } = await onlyFind(service, dir);
    assertEquals([...(await ticketsIn(service, dir, { only: ["node-modules"] })).values()], [id]);
    assertEquals((await ticketsIn(service, dir, { only: ["pycache"] })).size, 0);
    assertEquals((await service.redeem([id])).accepted.length, 1);
  }));

Deno.test("each kind of the catalogue with a marker beside it is found by that and reclaimed, its marker stays", () =>
  withDir(async (dir) => {
    for (const { key, matches, marker } of TARGETS) {
      if (!marker?.beside) continue;
      const [name, proof] = [matches[0]!, marker.beside[0]!].map((pattern) => pattern.replaceAll("*", "x"));
      plant(dir, { [`${key}/${proof}`]: "precious", [`${key}/${name}/file`]: "built" });
    }
    const service = reclaimIn(dir);
    const tickets = await ticketsIn(service, dir);
    const withMarker = TARGETS.filter(({ marker }) => marker?.beside);
    assertGreaterOrEqual(tickets.size, withMarker.length);
    assertEquals((await service.redeem([...tickets.values()])).refused, []);
    const left = describe(dir);
    for (const { key, marker } of withMarker) {
      assertEquals(left.get(`${key}/${marker!.beside![0]!.replaceAll("*", "x")}`), "file precious", key);
      assertEquals([...left.keys()].filter((path) => path.startsWith(`${key}/`) && path.endsWith("/file")), [], key);
    }
  }));
