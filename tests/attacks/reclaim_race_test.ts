import { assert, assertGreater } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { identityOf } from "../../src/guard/mod.ts";
import type { Find } from "../../src/reclaim/find.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";
import { denoCommand } from "../support/child.ts";
import { FIND, type Manoeuvre } from "../support/hostile.ts";
import { describe, plant, reclaimIn, stands, withDir } from "../support/tree.ts";

const HOSTILE = fromFileUrl(new URL("../support/hostile.ts", import.meta.url));
const TARGET = TARGETS.find(({ key }) => key === "node-modules")!;
/** `AGENTSWEEP_RACE=50 deno task test ...` races fifty times as long. */
const SCALE = Number(Deno.env.get("AGENTSWEEP_RACE") ?? "1");
/** Finds raced for in each variant, and attempts at each at most. */
const ARENAS = 60 * SCALE;
const ATTEMPTS = 60;

interface Variant {
  readonly name: string;
  readonly manoeuvre: Manoeuvre;
  /** Makes `evil` in an arena inside the root; `victims` is a folder outside of it. Whatever is precious says so. */
  readonly makeEvil: (evil: string, victims: string) => void;
}

/** Text that must be found again after the race, wherever it is. */
let serial = 0;
const precious = () => `precious ${serial++}`;

const VARIANTS: readonly Variant[] = [
  {
    name: "directory swapped for a link to a victim outside",
    manoeuvre: "find",
    makeEvil(evil, victims) {
      plant(victims, { "file": precious(), "deep/file": precious() });
      Deno.symlinkSync(victims, evil);
    },
  },
  {
    name: "directory swapped for a link to a victim inside",
    manoeuvre: "find",
    makeEvil(evil) {
      plant(`${evil}-victim`, { "file": precious(), "deep/file": precious() });
      Deno.symlinkSync(`${evil}-victim`, evil);
    },
  },
  {
    name: "directory swapped for another directory full of precious files",
    manoeuvre: "find",
    makeEvil: (evil) => void plant(evil, { "file": precious(), "deep/file": precious() }),
  },
  {
    name: "directory swapped for a file",
    manoeuvre: "find",
    makeEvil: (evil) => Deno.writeTextFileSync(evil, precious()),
  },
  {
    name: "parent component swapped for a link to a victim outside",
    manoeuvre: "parent",
    makeEvil(evil, victims) {
      plant(victims, { "package.json": precious(), [`${FIND}/file`]: precious() });
      Deno.symlinkSync(victims, evil);
    },
  },
  {
    name: "parent component swapped for another directory with a precious one of the same name",
    manoeuvre: "parent",
    makeEvil: (evil) => void plant(evil, { "package.json": precious(), [`${FIND}/file`]: precious() }),
  },
  {
    name: "quarantine swapped for a link to a victim",
    manoeuvre: "quarantine",
    makeEvil(evil, victims) {
      plant(victims, { "file": precious(), "deep/file": precious() });
      Deno.symlinkSync(victims, evil);
    },
  },
];

/** Every other find holds a repository: it is refused at the last check, so that the way back is raced for as well. */
function makeArena(arena: string, victims: string, { makeEvil }: Variant, isRepository: boolean): void {
  plant(arena, { "p/package.json": "{}", [`p/${FIND}/a/file`]: "dependency", [`p/${FIND}/b/c/file`]: "dependency" });
  if (isRepository) plant(arena, { [`p/${FIND}/b/.git/HEAD`]: precious() });
  makeEvil(join(arena, "evil"), victims);
}

/** Races for every arena; how many attempts there were, and how many of them deleted. */
async function race(root: string, arenas: string, variant: Variant): Promise<{ rounds: number; deleted: number }> {
  const service = reclaimIn(root);
  const [openRoot] = service.roots;
  const finds = Array.from({ length: ARENAS }, (_, n): Find => {
    const path = join(arenas, `${n}`, "p", FIND);
    const identity = identityOf(path, Deno.lstatSync(path));
    return { path, identity, target: TARGET, root: openRoot!, modified: null, files: 2, bytes: 20, reclaimable: 0 };
  });
  const [program, args] = await denoCommand(HOSTILE, [arenas, variant.manoeuvre, `${ARENAS}`]);
  const hostile = new Deno.Command(program, { args, stdin: "null", stdout: "piped", stderr: "inherit" }).spawn();
  const reader = hostile.stdout.getReader();
  await reader.read();
  let [rounds, deleted] = [0, 0];
  try {
    for (const [n, find] of finds.entries()) {
      const id = service.ticketFor(find);
      while (!stands(join(arenas, `${n}`, "begun"))) await new Promise((resolve) => setTimeout(resolve));
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        rounds++;
        const { accepted } = await service.redeem([id]);
        if (accepted.length > 0) {
          deleted++;
          break;
        }
      }
      Deno.writeTextFileSync(join(arenas, `${n}`, "done"), "");
    }
    await hostile.status;
  } finally {
    try {
      hostile.kill("SIGKILL");
    } catch {
      // It ended by itself.
    }
    await reader.cancel();
    await hostile.status;
  }
  return { rounds, deleted };
}

function assertAllThere(tree: ReadonlyMap<string, string>, first: number): void {
  const contents = new Set(tree.values());
  for (let n = first; n < serial; n++) assert(contents.has(`file precious ${n}`), `precious ${n} is lost`);
}

for (const variant of VARIANTS) {
  Deno.test(`attack: race: ${variant.name}, in a loop while reclaim runs`, () =>
    withDir(async (dir) => {
      const [root, outside] = [join(dir, "root"), join(dir, "outside")];
      const first = serial;
      for (let n = 0; n < ARENAS; n++) {
        makeArena(join(root, "arenas", `${n}`), join(outside, `${n}`), variant, n % 2 === 0);
      }
      const { rounds, deleted } = await race(root, join(root, "arenas"), variant);
      const after = describe(dir);
      assertAllThere(after, first);
      const aside = [...after.keys()].filter((path) => /\/(\.agentsweep-quarantine|agentsweep-kept)[^/]*$/.test(path));
      const isPrecious = (place: string) =>
        [...after].some(([path, content]) => path.startsWith(place) && content.startsWith("file precious"));
      const held = aside.filter(isPrecious).length;
      console.log(
        `${rounds} rounds, ${deleted} deletions, ${serial - first} precious files all there; ` +
          `moved aside: ${held} directories with precious files, ${aside.length - held} without`,
      );
      assertGreater(rounds, ARENAS * ATTEMPTS / 4);
      // What was moved aside is never offered by a later scan, unless it is what was to be deleted.
      const service = reclaimIn(root);
      const { finds } = await service.scan({ path: root });
      const leftovers = finds.filter(({ path }) => path.includes(".agentsweep-quarantine"));
      if (leftovers.length > 0) await service.redeem(leftovers.map((find) => service.ticketFor(find)));
      assertAllThere(describe(dir), first);
    }));
}
