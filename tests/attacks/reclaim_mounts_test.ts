import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { quarantineName } from "../../src/reclaim/quarantine.ts";
import { initialize, startRaw } from "../support/server.ts";
import { mountTest, withMount } from "../support/system.ts";
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

mountTest("attack: a root that a bind mount gives a second path inside another root", () =>
  withDir(async (dir) => {
    const path = plantProject(join(dir, "one"));
    plant(dir, { "other/": "" });
    await withMount(join(dir, "other"), path, async () => {
      const alone = reclaimIn(join(dir, "one"));
      const { find } = await onlyFind(alone, join(dir, "one"));
      const both = reclaimIn(join(dir, "one"), join(dir, "other"));
      const { finds, skipped } = await both.scan({ path: join(dir, "one") });
      assertEquals([finds.length, skipped[0]?.reason], [0, `it is the allowed root ${join(dir, "other")}`]);
      assert(reasonOf(await both.redeem([both.ticketFor(find)])).includes("roots are never deleted"));
    });
    assert(stands(join(path, "dep", "index.js")));
  }));

mountTest("a disk without room for one more directory can be cleared", () =>
  withDir(async (dir) => {
    plant(dir, { "mnt/": "" });
    await withMount(join(dir, "mnt"), null, async () => {
      const root = join(dir, "mnt", "root");
      const path = plantProject(root);
      const service = reclaimIn(root);
      const { id } = await onlyFind(service, root);
      command("mount", ["-o", "remount,nr_inodes=40", join(dir, "mnt")]);
      assertThrows(() => {
        for (let n = 0; n < 100; n++) Deno.mkdirSync(join(root, `full-${n}`));
      }, Error);
      assertEquals((await service.redeem([id])).refused, []);
      assert(!stands(path) && stands(join(root, "src", "index.js")));
      assertEquals([...Deno.readDirSync(root)].filter(({ name }) => name.startsWith(".agentsweep")), []);
    });
  }));

mountTest(
  "a find from a lower layer of an overlay is said to be one that cannot be moved",
  () =>
    withDir(async (dir) => {
      plant(dir, { "upper/": "", "work/": "", "merged/": "" });
      plantProject(join(dir, "lower", "root"));
      const layers = ["lower", "upper", "work"].map((name) => `${name}dir=${join(dir, name)}`);
      command("mount", ["-t", "overlay", "none", "-o", layers.join(","), join(dir, "merged")]);
      try {
        const service = reclaimIn(join(dir, "merged", "root"));
        const { id, find } = await onlyFind(service, join(dir, "merged", "root"));
        const reason = reasonOf(await service.redeem([id]));
        assert(reason.includes("lower layer") && reason.includes("nothing was deleted"), reason);
        assert(stands(join(find.path, "dep", "index.js")));
      } finally {
        command("umount", [join(dir, "merged")]);
      }
    }),
);

mountTest(
  "attack: files with holes, larger in all than any exact number, stop a scan from answering",
  () =>
    withDir(async (dir) => {
      plant(dir, { "mnt/": "" });
      await withMount(join(dir, "mnt"), null, async () => {
        const path = plantProject(join(dir, "mnt", "root"));
        for (const name of ["one", "two"]) {
          Deno.writeTextFileSync(join(path, name), "");
          Deno.truncateSync(join(path, name), Number.MAX_SAFE_INTEGER);
        }
        await using server = startRaw({ roots: [join(dir, "mnt", "root")], args: ["--no-audit"] });
        await initialize(server);
        const { total_bytes, finds } = await server.call("scan", { path: join(dir, "mnt", "root") });
        assertEquals([total_bytes, finds[0].size_bytes], [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
        const { deleted, refused } = await server.call("reclaim", { ids: [finds[0].id], confirm: "delete" });
        assertEquals([deleted.length, refused], [1, []]);
      });
    }),
);

mountTest(
  "attack: a bind mount so deep in a target that asking about it makes too long a path",
  () =>
    withDir(async (dir) => {
      const path = plantProject(join(dir, "root"));
      plant(dir, { "source/precious": "precious" });
      const service = reclaimIn(join(dir, "root"));
      // In the quarantine, whose name is longer, the path is just below what a system call takes.
      const { dev, ino, birthtime } = Deno.lstatSync(path);
      const longer = quarantineName("node-modules", { device: dev, inode: ino!, born: birthtime?.getTime() ?? null });
      for (const length of [4010, 4060, 4090]) {
        let place = path;
        for (let left; (left = length - longer.length + "node_modules".length - place.length) > 1;) {
          place += `/${"a".repeat(left > 202 ? 200 : left - 1)}`;
        }
        Deno.mkdirSync(place, { recursive: true });
        const { id } = await onlyFind(service, join(dir, "root"));
        await withMount(place, join(dir, "source"), async () => {
          const reason = reasonOf(await service.redeem([id]));
          assert(reason.includes("nothing was deleted"), reason);
          assert(reasonOf(await service.plan([id])) !== "");
        });
        assertEquals(Deno.readTextFileSync(join(dir, "source", "precious")), "precious");
      }
    }),
);
