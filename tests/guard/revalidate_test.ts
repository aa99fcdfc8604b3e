import { assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import {
  type Claim,
  identityOf,
  openRoots,
  Refusal,
  type RefusalCode,
  revalidate,
  type Root,
} from "../../src/guard/mod.ts";
import { changedAt } from "../../src/guard/revalidate.ts";
import { mountTest, unixTest } from "../support/system.ts";
import { command, plant, withDir } from "../support/tree.ts";

function claimOf(path: string): Claim {
  return { path, identity: identityOf(path, Deno.lstatSync(path)) };
}

function assertRefused(roots: readonly Root[], claim: Claim, code: RefusalCode): void {
  const refusal = assertThrows(() => revalidate(roots, claim), Refusal);
  assertEquals(refusal.code, code, refusal.message);
}

/** A root with a directory `find` in it, and the claim to that. */
function withClaim(use: (dir: string, roots: Root[], claim: Claim) => void): Promise<void> {
  return withDir((dir) => {
    plant(dir, { "root/find/file": "", "root/other/file": "", "outside/file": "" });
    use(dir, openRoots([join(dir, "root")]), claimOf(join(dir, "root", "find")));
  });
}

Deno.test("an unchanged directory holds", () =>
  withClaim((_, roots, claim) => assertEquals(revalidate(roots, claim).path, claim.path)));

Deno.test("a directory that is gone does not hold", () =>
  withClaim((_, roots, claim) => {
    Deno.removeSync(claim.path, { recursive: true });
    assertRefused(roots, claim, "missing");
  }));

unixTest(
  "a link is seen on the claim's own path before anything resolves it, even one to the very directory",
  () =>
    withClaim((dir, roots, claim) => {
      Deno.renameSync(claim.path, join(dir, "root", "moved"));
      Deno.symlinkSync("moved", claim.path);
      assertRefused(roots, claim, "link");
      Deno.removeSync(claim.path);
      Deno.symlinkSync(join(dir, "outside"), claim.path);
      assertRefused(roots, claim, "link");
      Deno.removeSync(claim.path);
      Deno.symlinkSync("nowhere", claim.path);
      assertRefused(roots, claim, "link");
    }),
);

unixTest(
  "a parent that became a link does not hold, even where it leads to the very directory",
  () =>
    withClaim((dir, _, __) => {
      plant(dir, { "root/p/find/": "" });
      const roots = openRoots([join(dir, "root")]);
      const claim = claimOf(join(dir, "root", "p", "find"));
      Deno.renameSync(join(dir, "root", "p"), join(dir, "root", "q"));
      Deno.symlinkSync("q", join(dir, "root", "p"));
      assertRefused(roots, claim, "link");
      Deno.renameSync(join(dir, "root", "q"), join(dir, "outside", "q"));
      Deno.removeSync(join(dir, "root", "p"));
      Deno.symlinkSync(join(dir, "outside", "q"), join(dir, "root", "p"));
      assertRefused(roots, claim, "outside");
    }),
);

Deno.test("a file and another directory at the same path do not hold", () =>
  withClaim((dir, roots, claim) => {
    Deno.renameSync(claim.path, join(dir, "away"));
    Deno.writeTextFileSync(claim.path, "");
    assertRefused(roots, claim, "not-a-directory");
    Deno.removeSync(claim.path);
    Deno.renameSync(join(dir, "root", "other"), claim.path);
    assertRefused(roots, claim, "changed");
  }));

Deno.test("a directory made anew at the same path does not hold, even with the inode number of the old one", () =>
  withClaim((_, roots, claim) => {
    // File systems keep the time of creation in ticks of some milliseconds: within one, nothing tells the two apart.
    for (const until = performance.now() + 30; performance.now() < until;);
    Deno.removeSync(claim.path, { recursive: true });
    for (let attempt = 0; attempt < 20; attempt++) {
      Deno.mkdirSync(claim.path);
      assertRefused(roots, claim, "changed");
      if (Deno.lstatSync(claim.path).ino === claim.identity.inode) return;
      Deno.removeSync(claim.path);
    }
  }));

Deno.test("neither a root nor what holds one ever holds", () =>
  withClaim((dir, roots) => {
    assertRefused(roots, claimOf(join(dir, "root")), "root");
    plant(dir, { "root/node_modules/inner/": "" });
    const nested = openRoots([join(dir, "root"), join(dir, "root", "node_modules", "inner")]);
    assertRefused(nested, claimOf(join(dir, "root", "node_modules")), "root");
  }));

Deno.test("what lies outside the roots does not hold, whatever its identity", () =>
  withClaim((dir, roots) => {
    assertRefused(roots, claimOf(join(dir, "outside")), "outside");
    assertRefused([], claimOf(join(dir, "outside")), "no-roots");
  }));

mountTest(
  "attack: where a file system keeps no time of creation, another directory may have the same number",
  () =>
    withDir((dir) => {
      plant(dir, { "root/": "" });
      const root = join(dir, "root");
      command("mount", ["-t", "ramfs", "none", root]);
      try {
        plant(root, { "find/file": "" });
        const find = join(root, "find");
        const info = Deno.lstatSync(find);
        const claim = { ...claimOf(find), changed: changedAt(info) };
        assertEquals(claim.identity.born, null, "ramfs keeps none");
        const roots = openRoots([root]);
        assertEquals(revalidate(roots, claim).path, find);
        // A number that was given again comes with a later time of change; here the directory itself is changed instead.
        while (changedAt(Deno.lstatSync(find)) === claim.changed) Deno.utimeSync(find, 1, 1);
        assertRefused(roots, claim, "changed");
        assertEquals(revalidate(roots, { path: find, identity: claim.identity }).path, find);
      } finally {
        command("umount", [root]);
      }
    }),
);
