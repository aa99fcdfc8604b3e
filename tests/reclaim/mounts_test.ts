import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { createMounts, type Mounts } from "../../src/reclaim/mounts.ts";
import { mountTest, withMount } from "../support/system.ts";
import { describe, plant, withDir } from "../support/tree.ts";

function mountsOf(dir: string): Mounts {
  return createMounts(dir, Deno.lstatSync(dir).dev);
}

Deno.test("directories of one mount are not apart, and asking changes nothing", () =>
  withDir((dir) => {
    plant(dir, { "a/b/file": "x", "c/": "" });
    const before = describe(dir);
    const mounts = mountsOf(dir);
    assert(!mounts.isForeign(Deno.lstatSync(join(dir, "a")).dev));
    for (const [one, other] of [["a", "a/b"], ["a", "c"], ["a/b", "c"]] as const) {
      assert(!mounts.areApart(join(dir, one), join(dir, other)));
    }
    assert(!mounts.areApart(dir, join(dir, "gone")));
    assertEquals(describe(dir), before);
  }));

mountTest("another file system shows in the device number", () =>
  withDir((dir) => {
    plant(dir, { "mnt/": "" });
    return withMount(join(dir, "mnt"), null, () => {
      assert(mountsOf(dir).isForeign(Deno.lstatSync(join(dir, "mnt")).dev));
      assert(mountsOf(dir).areApart(dir, join(dir, "mnt")));
    });
  }));

mountTest(
  "a bind mount of the same file system does not show in the device number, and is told all the same",
  () =>
    withDir((dir) => {
      plant(dir, { "mnt/": "", "source/inside/": "" });
      return withMount(join(dir, "mnt"), join(dir, "source"), () => {
        const mounts = mountsOf(dir);
        assert(!mounts.isForeign(Deno.lstatSync(join(dir, "mnt")).dev));
        assert(mounts.areApart(dir, join(dir, "mnt")));
        assert(mounts.areApart(dir, join(dir, "mnt", "inside")));
        assert(!mounts.areApart(join(dir, "mnt"), join(dir, "mnt", "inside")));
      });
    }),
);
