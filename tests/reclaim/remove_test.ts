import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { setImmediate } from "node:timers";
import { contain, type Contained, openRoots, Refusal } from "../../src/guard/mod.ts";
import type { Find } from "../../src/reclaim/find.ts";
import { createMatcher } from "../../src/reclaim/match.ts";
import { quarantineName } from "../../src/reclaim/quarantine.ts";
import { type RemovalStep, removeFind } from "../../src/reclaim/remove.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";
import { IS_UNIX, unixTest } from "../support/system.ts";
import { describe, onlyFind, plant, plantProject, reclaimIn, stands, withDir } from "../support/tree.ts";

/** A project, its find, and the proof that it is contained. */
async function withFind(use: (dir: string, find: Find, contained: Contained) => unknown): Promise<void> {
  await withDir(async (dir) => {
    const path = plantProject(join(dir, "root", "app"));
    plant(dir, { "precious/file": "precious" });
    const { find } = await onlyFind(reclaimIn(join(dir, "root")), join(dir, "root"));
    assertEquals(find.path, path);
    await use(dir, find, contain(openRoots([join(dir, "root")]), path));
  });
}

/** Does `act` once, after `when`. */
function at(when: RemovalStep, act: () => void): (step: RemovalStep) => void {
  return (step) => {
    if (step === when) act();
  };
}

/** The quarantine in the directory that holds the find. */
function quarantineOf(find: Find): string {
  const holder = join(find.path, "..");
  const { name } = Array.from(Deno.readDirSync(holder)).find(({ name }) => name.startsWith(".agentsweep-"))!;
  return join(holder, name);
}

async function refusalOf(run: () => Promise<void>): Promise<string> {
  const { code, message } = await assertRejects(run, Refusal);
  return `${code}: ${message}`;
}

unixTest(
  "an empty place of the quarantine's name, shown while the find is inspected, does not pass for the find",
  () =>
    withFind(async (dir, find, contained) => {
      plant(find.path, { ".git/HEAD": "precious" });
      const [app, real] = [join(dir, "root", "app"), join(dir, "root", "real")];
      const reason = await refusalOf(() =>
        removeFind(
          find,
          contained,
          at("verified", () => {
            const name = quarantineOf(find).slice(app.length + 1);
            Deno.renameSync(app, real);
            Deno.mkdirSync(join(app, name), { recursive: true });
            setImmediate(() => {
              Deno.removeSync(app, { recursive: true });
              Deno.renameSync(real, app);
            });
          }),
        )
      );
      assert(reason.startsWith("changed:"), reason);
      assertEquals(Deno.readTextFileSync(join(find.path, ".git", "HEAD")), "precious");
    }),
);

Deno.test("a removal goes through its steps in order and leaves nothing", () =>
  withFind(async (dir, find, contained) => {
    const steps: RemovalStep[] = [];
    await removeFind(find, contained, (step) => steps.push(step));
    assertEquals(steps, ["placed", "moved", "verified", "inspected", "removed"]);
    assertEquals([...describe(join(dir, "root")).keys()], ["app", "app/package.json", "app/src", "app/src/index.js"]);
  }));

unixTest(
  "a link, a file or nothing in place of the find is not moved, and the place made for it is taken away",
  () =>
    withFind(async (dir, find, contained) => {
      Deno.renameSync(find.path, join(dir, "aside"));
      const put = [
        () => Deno.symlinkSync(join(dir, "precious"), find.path),
        () => Deno.writeTextFileSync(find.path, "precious"),
      ];
      for (const act of put) {
        act();
        assert((await refusalOf(() => removeFind(find, contained))).startsWith("changed:"));
        Deno.removeSync(find.path);
      }
      assert((await refusalOf(() => removeFind(find, contained))).startsWith("missing:"));
      assertEquals([...describe(join(dir, "root")).keys()], ["app", "app/package.json", "app/src", "app/src/index.js"]);
      assertEquals(Deno.readTextFileSync(join(dir, "precious", "file")), "precious");
    }),
);

Deno.test("another directory that was moved aside goes back untouched", () =>
  withFind(async (dir, find, contained) => {
    const swap = at("placed", () => {
      Deno.renameSync(find.path, join(dir, "aside"));
      Deno.renameSync(join(dir, "precious"), find.path);
    });
    const reason = await refusalOf(() => removeFind(find, contained, swap));
    assert(reason.includes("swapped for another directory") && reason.endsWith("nothing was deleted"), reason);
    assertEquals(describe(find.path), new Map([["file", "file precious"]]));
    assertEquals([...describe(join(dir, "root", "app")).keys()].filter((name) => name.includes("agentsweep")), []);
  }));

Deno.test("what cannot go back, since something stands there by now, keeps its content under a name that is told", () =>
  withFind(async (dir, find, contained) => {
    let count = 0;
    const disturb = (step: RemovalStep) => {
      if (step === "placed") {
        Deno.renameSync(find.path, join(dir, "aside"));
        Deno.renameSync(join(dir, "precious"), find.path);
      }
      if (step === "moved") plant(find.path, { "newcomer": `${++count}` });
    };
    const reason = await refusalOf(() => removeFind(find, contained, disturb));
    const place = reason.slice(reason.indexOf("now at ") + "now at ".length);
    assertEquals(Deno.readTextFileSync(join(place, "file")), "precious");
    assertEquals(Deno.readTextFileSync(join(find.path, "newcomer")), "1");
    const name = place.slice(place.lastIndexOf("agentsweep-kept"));
    assertEquals(createMatcher(TARGETS).named(name, join(dir, "root", "app")), []);
  }));

for (const step of ["moved", "verified"] as const) {
  unixTest(
    `a quarantine swapped after "${step}" for a link is seen, and where the link leads is left alone`,
    () =>
      withFind(async (dir, find, contained) => {
        const swap = at(step, () => {
          const quarantine = quarantineOf(find);
          Deno.renameSync(quarantine, join(dir, "aside"));
          Deno.symlinkSync(join(dir, "precious"), quarantine);
        });
        assert((await refusalOf(() => removeFind(find, contained, swap))).startsWith("changed:"));
        assertEquals(Deno.readTextFileSync(join(dir, "precious", "file")), "precious");
        assert(stands(join(dir, "aside", "dep", "index.js")));
      }),
  );
}

unixTest(
  "a quarantine swapped for a link at the last instant: the link goes, not where it leads",
  () =>
    withFind(async (dir, find, contained) => {
      const swap = at("inspected", () => {
        const quarantine = quarantineOf(find);
        Deno.renameSync(quarantine, join(dir, "aside"));
        Deno.symlinkSync(join(dir, "precious"), quarantine);
      });
      await removeFind(find, contained, swap);
      assertEquals(Deno.readTextFileSync(join(dir, "precious", "file")), "precious");
      assert(stands(join(dir, "aside", "dep", "index.js")));
    }),
);

Deno.test("a quarantine that is moved away at the last instant is not reported as deleted", () =>
  withFind(async (dir, find, contained) => {
    const take = at("inspected", () => Deno.renameSync(quarantineOf(find), join(dir, "aside")));
    const reason = await refusalOf(() => removeFind(find, contained, take));
    assert(reason.includes("moved away"), reason);
    assert(stands(join(dir, "aside", "dep", "index.js")));
  }));

for (const [step, what] of [["moved", "a repository"], ["verified", "a repository"]] as const) {
  Deno.test(`${what} that appears in the find after "${step}" is seen, and the find goes back`, () =>
    withFind(async (_, find, contained) => {
      const put = at(step, () => plant(quarantineOf(find), { "dep/.git/HEAD": "precious" }));
      const reason = await refusalOf(() => removeFind(find, contained, put));
      assert(reason.startsWith("version-control:"), reason);
      assertEquals(Deno.readTextFileSync(join(find.path, "dep", ".git", "HEAD")), "precious");
    }));
}

Deno.test("what does not come back and appears after the move is seen, and the find goes back", () =>
  withDir(async (dir) => {
    plant(dir, { "venv/pyvenv.cfg": "", "venv/lib/x": "" });
    const { find } = await onlyFind(reclaimIn(dir), dir);
    const put = at("moved", () => plant(quarantineOf(find), { "app.py": "precious" }));
    const reason = await refusalOf(() => removeFind(find, contain(openRoots([dir]), find.path), put));
    assert(reason.startsWith("irreplaceable:"), reason);
    assertEquals(Deno.readTextFileSync(join(dir, "venv", "app.py")), "precious");
  }));

unixTest(
  "a root that a find was moved out of is noticed: nothing is deleted outside",
  () =>
    withFind(async (dir, find, contained) => {
      const swap = at("moved", () => {
        Deno.renameSync(join(dir, "root", "app"), join(dir, "app"));
        Deno.symlinkSync(join(dir, "app"), join(dir, "root", "app"));
      });
      assert((await refusalOf(() => removeFind(find, contained, swap))).startsWith("outside:"));
      assert(stands(join(dir, "app", "node_modules", "dep", "index.js")));
    }),
);

Deno.test("a parent swapped while the inside is looked at: what was out of sight is not taken for empty", {
  ignore: !IS_UNIX,
}, () =>
  withFind(async (dir, find, contained) => {
    plant(find.path, { "dep/.git/HEAD": "precious" });
    const app = join(dir, "root", "app");
    const swap = at("verified", () => {
      // Back by the time the second check is made; away while the first directories are listed.
      const readDir = Deno.readDirSync;
      Deno.readDirSync = (path) => {
        Deno.readDirSync = readDir;
        Deno.renameSync(app, join(dir, "aside"));
        try {
          return readDir(path);
        } finally {
          Deno.renameSync(join(dir, "aside"), app);
        }
      };
    });
    assert((await refusalOf(() => removeFind(find, contained, swap))).startsWith("changed:"));
    assertEquals(Deno.readTextFileSync(join(find.path, "dep", ".git", "HEAD")), "precious");
  }));

Deno.test("a leftover place is removed only while it is empty", () =>
  withDir(async (dir) => {
    const name = quarantineName("node-modules", { device: 1, inode: 2, born: 3 });
    plant(dir, { [`${name}/`]: "" });
    const { find } = await onlyFind(reclaimIn(dir), dir);
    const contained = contain(openRoots([dir]), find.path);
    plant(dir, { [`${name}/precious`]: "precious" });
    assert((await refusalOf(() => removeFind(find, contained))).includes("not empty any more"));
    Deno.removeSync(join(dir, name, "precious"));
    await removeFind(find, contained);
    assertEquals(describe(dir).size, 0);
  }));
