import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { deletionReport, dryRunReport, scanReport, targetReports } from "../../src/engine/reclaim_report.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";
import { plant, plantProject, reclaimIn, withDir } from "../support/tree.ts";

Deno.test("the catalogue is reported whole, markers inside with ./ and none as null", () =>
  withDir((dir) => {
    const reports = targetReports(reclaimIn(dir));
    assertEquals(reports.map(({ key }) => key), TARGETS.map(({ key }) => key));
    assertEquals(reports[0], {
      key: "node-modules",
      ecosystem: "javascript",
      matches: ["node_modules"],
      requires_marker_file: ["package.json"],
      regenerate_with: "npm install",
    });
    assertEquals(reports.find(({ key }) => key === "pycache")!.requires_marker_file, null);
    assert(reports.find(({ key }) => key === "venv")!.requires_marker_file!.includes("./pyvenv.cfg"));
  }));

Deno.test("counts and totals are of the whole scan where the list is cut", () =>
  withDir(async (dir) => {
    for (let n = 0; n < 5; n++) plant(dir, { [`d${n}/__pycache__/f`]: "x".repeat(n * 1000) });
    const service = reclaimIn(dir);
    const report = scanReport(service, await service.scan({ path: dir }), 2);
    assertEquals([report.found, report.total_bytes, report.total_size], [5, 10_000, "9.8 KiB"]);
    assertEquals(report.finds.map(({ path, size_bytes }) => [path, size_bytes]), [
      [join(dir, "d4", "__pycache__"), 4000],
      [join(dir, "d3", "__pycache__"), 3000],
    ]);
    assert(report.reclaimable_bytes >= 10_000);
    for (const { id } of report.finds) assertEquals((await service.plan([id])).accepted.length, 1);
    assertEquals(scanReport(service, await service.scan({ path: dir }), 0).finds, []);
  }));

Deno.test("too many refused directories are cut, and the last entry says how many more", () =>
  withDir(async (dir) => {
    for (let n = 0; n < 205; n++) Deno.mkdirSync(join(dir, `d${n}`, "node_modules"), { recursive: true });
    const service = reclaimIn(dir);
    const { skipped } = scanReport(service, await service.scan({ path: dir }), 200);
    assertEquals(skipped.length, 201);
    assert(skipped.at(-1)!.reason.startsWith("5 more directories were refused"));
  }));

Deno.test("a dry run says what would go, a deletion what went, and both what was refused", () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    const service = reclaimIn(dir);
    const { finds } = scanReport(service, await service.scan({ path: dir }), 9);
    const id = finds[0]!.id;
    const dry = dryRunReport(await service.plan([id, "f-wrong"]));
    const entry = { id, path, size: "12 B", size_bytes: 12, regenerate_with: "npm install" };
    assertEquals([dry.dry_run, dry.would_delete], [true, [entry]]);
    assertEquals(dry.refused.map(({ id }) => id), ["f-wrong"]);
    assert(dry.note.includes("Nothing was deleted"));
    const done = deletionReport(await service.redeem([id]));
    assertEquals([done.dry_run, done.deleted, done.refused, done.reclaimed], [false, [entry], [], dry.would_reclaim]);
  }));
