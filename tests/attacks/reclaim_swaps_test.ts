import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import type { ReclaimService } from "../../src/engine/reclaim.ts";
import {
  command,
  describe,
  onlyFind,
  plant,
  plantProject,
  reasonOf,
  reclaimIn,
  stands,
  withDir,
} from "../support/tree.ts";

/** What happens between a scan and the redemption of its ticket, and why that is refused. Nothing may change then. */
function attackAfterScan(
  name: string,
  happens: (path: string, dir: string) => unknown,
  reason: string,
  prepare: (dir: string) => string = plantProject,
): void {
  Deno.test(`attack: ${name} between scan and reclaim`, () =>
    withDir(async (dir) => {
      const path = prepare(dir);
      const service: ReclaimService = reclaimIn(dir);
      const { id } = await onlyFind(service, dir);
      await happens(path, dir);
      const before = describe(dir);
      assert(reasonOf(await service.plan([id])).includes(reason), reasonOf(await service.plan([id])));
      assert(reasonOf(await service.redeem([id])).includes(reason), reasonOf(await service.redeem([id])));
      assertEquals(describe(dir), before);
    }));
}

attackAfterScan("directory swapped for a file", (path, dir) => {
  Deno.renameSync(path, join(dir, "aside"));
  Deno.writeTextFileSync(path, "precious");
}, "is not a directory any more");

attackAfterScan("directory swapped for another directory", (path, dir) => {
  Deno.renameSync(path, join(dir, "aside"));
  plant(path, { "dep/index.js": "dependency" });
}, "another directory");

attackAfterScan("directory removed", (path) => Deno.removeSync(path, { recursive: true }), "does not exist");

attackAfterScan("marker removed", (_, dir) => Deno.removeSync(join(dir, "package.json")), "nothing proves");

attackAfterScan("a git repository cloned into it", (path) => {
  command("git", ["init", "-q", join(path, "dep")]);
}, "version-control");

attackAfterScan("a bare git repository made in it", (path) => {
  command("git", ["init", "-q", "--bare", join(path, "dep", "x")]);
}, "version-control");

attackAfterScan("its files committed", (_, dir) => {
  command("git", ["init", "-q"], dir);
  command("git", ["add", "-f", "."], dir);
}, "tracks 2 files");

attackAfterScan("the index damaged of the repository around it", (_, dir) => {
  plant(dir, { ".git/HEAD": "ref: refs/heads/main\n", ".git/index": "DIRC" });
}, "is unknown");

attackAfterScan(
  "own work put into it",
  (path) => plant(path, { "app.py": "precious" }),
  "*.py",
  (dir) => join(plant(dir, { "venv/pyvenv.cfg": "" }), "venv"),
);

Deno.test("what changed for the better after a scan is deleted: only identity and proof count", () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    const service = reclaimIn(dir);
    const { id } = await onlyFind(service, dir);
    plant(path, { "more/index.js": "installed since" });
    assertEquals((await service.redeem([id])).refused, []);
    assert(!stands(path));
    assert(stands(join(dir, "src", "index.js")));
  }));
