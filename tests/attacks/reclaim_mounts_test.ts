import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { mountTest, withMount } from "../support/system.ts";
import { describe, onlyFind, plant, plantProject, reasonOf, reclaimIn, stands, withDir } from "../support/tree.ts";

/** Mounts a tmpfs with something precious, or binds a directory with it, at `place` while `use` runs. */
async function withPrecious(kind: "tmpfs" | "bind", dir: string, place: string, use: () => unknown): Promise<void> {
  plant(dir, { "source/volume/precious": "precious" });
  const source = join(dir, "source", "volume");
  await withMount(place, kind === "bind" ? source : null, () => {
    plant(place, { precious: "precious" });
    return use();
  });
  assertEquals(Deno.readTextFileSync(join(source, "precious")), "precious");
}

for (const kind of ["tmpfs", "bind"] as const) {
  mountTest(`attack: mount inside a target (${kind})`, () =>
    withDir(async (dir) => {
      const path = plantProject(join(dir, "root"));
      plant(path, { "dep/deep/mnt/": "" });
      const service = reclaimIn(join(dir, "root"));
      const { id } = await onlyFind(service, join(dir, "root"));
      const place = join(path, "dep", "deep", "mnt");
      await withPrecious(kind, dir, place, async () => {
        const before = describe(join(dir, "root"));
        const { finds, skipped } = await service.scan({ path: join(dir, "root") });
        assertEquals(finds, []);
        assert(skipped[0]!.reason.includes("mount point"), skipped[0]!.reason);
        assert(reasonOf(await service.plan([id])).includes("mount"));
        assert(reasonOf(await service.redeem([id])).includes("nothing was deleted"));
        assertEquals(describe(join(dir, "root")), before);
      });
      assertEquals((await service.redeem([id])).accepted.length, 1);
    }));

  mountTest(
    `attack: the target is a mount point, as a container's volume at node_modules (${kind})`,
    () =>
      withDir(async (dir) => {
        const path = plantProject(join(dir, "root"));
        const service = reclaimIn(join(dir, "root"));
        const { id } = await onlyFind(service, join(dir, "root"));
        await withPrecious(kind, dir, path, async () => {
          const before = describe(join(dir, "root"));
          const { finds, skipped } = await service.scan({ path: join(dir, "root") });
          assertEquals(finds, []);
          assert(
            skipped.some(({ reason }) => reason.includes("mount point")),
            skipped.map(({ reason }) => reason).join(),
          );
          reasonOf(await service.redeem([id]));
          assertEquals(describe(join(dir, "root")), before);
        });
      }),
  );

  mountTest(`attack: a target inside a mount inside the root (${kind})`, () =>
    withDir(async (dir) => {
      plant(dir, { "root/mnt/": "" });
      const service = reclaimIn(join(dir, "root"));
      await withPrecious(kind, dir, join(dir, "root", "mnt"), async () => {
        const path = plantProject(join(dir, "root", "mnt", "app"));
        for (const start of [join(dir, "root"), join(dir, "root", "mnt"), join(dir, "root", "mnt", "app"), path]) {
          assertEquals((await service.scan({ path: start })).finds, [], start);
        }
        assert(stands(join(path, "dep")));
      });
    }));

  mountTest(
    `a root that is a mount itself, or lies in one, is scanned and reclaimed like any other (${kind})`,
    () =>
      withDir(async (dir) => {
        plant(dir, { "mnt/": "" });
        await withPrecious(kind, dir, join(dir, "mnt"), async () => {
          for (const root of [join(dir, "mnt"), join(dir, "mnt", "code")]) {
            const path = plantProject(join(root, "app"));
            const service = reclaimIn(root);
            const { id } = await onlyFind(service, root);
            assertEquals((await service.redeem([id])).refused, []);
            assert(!stands(path));
            assert(stands(join(root, "app", "src", "index.js")));
          }
          // Where the outer root knows nothing of the mount, the inner root decides.
          plantProject(join(dir, "mnt", "app"));
          const service = reclaimIn(dir, join(dir, "mnt"));
          const { id } = await onlyFind(service, join(dir, "mnt"));
          assertEquals((await service.redeem([id])).refused, []);
        });
      }),
  );
}

mountTest(
  "attack: a mount that appears over the target between scan and reclaim, and over its parent",
  () =>
    withDir(async (dir) => {
      const path = plantProject(join(dir, "root", "app"));
      const service = reclaimIn(join(dir, "root"));
      const { id } = await onlyFind(service, join(dir, "root"));
      for (const place of [path, join(dir, "root", "app")]) {
        await withMount(place, null, async () => {
          plantProject(place);
          reasonOf(await service.redeem([id]));
          assert(stands(join(place, "src", "index.js")));
        });
      }
      await withMount(join(dir, "root", "app"), join(dir, "root", "app"), async () => {
        assert(reasonOf(await service.redeem([id])).includes("mount"));
      });
      assert(stands(join(path, "dep", "index.js")));
    }),
);

mountTest("attack: a single file that is a bind mount inside a target keeps its content", () =>
  withDir(async (dir) => {
    const path = plantProject(join(dir, "root"));
    plant(dir, { "precious": "precious" });
    const place = join(path, "dep", "index.js");
    const service = reclaimIn(join(dir, "root"));
    await withMount(place, join(dir, "precious"), async () => {
      const { id } = await onlyFind(service, join(dir, "root"));
      const reason = reasonOf(await service.redeem([id]));
      assert(reason.includes("deleted in part") && reason.includes("left in"), reason);
    });
    assertEquals(Deno.readTextFileSync(join(dir, "precious")), "precious");
  }));

mountTest("more directories than a scan asks about: the deletion asks about all", () =>
  withDir(async (dir) => {
    const path = plantProject(join(dir, "root"));
    for (let n = 0; n < 1500; n++) Deno.mkdirSync(join(path, `d${n}`));
    // Read last or first, whatever the order of the disk: many candidates, one of them mounted.
    const place = join(path, [...Deno.readDirSync(path)].at(-1)!.name);
    const service = reclaimIn(join(dir, "root"));
    await withPrecious("bind", dir, place, async () => {
      const { finds } = await service.scan({ path: join(dir, "root") });
      for (const find of finds) {
        assert(reasonOf(await service.redeem([service.ticketFor(find)])).includes("mount"));
      }
      assert(stands(join(place, "precious")));
    });
  }));
