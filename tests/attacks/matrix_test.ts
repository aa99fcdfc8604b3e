import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { MATRIX } from "../../tools/docs/enforcement.ts";
import { copyWithoutGuard } from "../support/bypassed.ts";
import {
  commandOf,
  exactPermissions,
  initialize,
  type RawServer,
  runToEnd,
  type Start,
  startRaw,
} from "../support/server.ts";
import { createWorkspace, stands, type Workspace, writeProject, writeTree } from "../support/workspace.ts";

/** One layer, alone. */
interface Layer {
  readonly name: "guard" | "deno";
  readonly workspace: Workspace;
  readonly server: RawServer;
  /** How a server of this layer is started on other roots. */
  start(roots: readonly string[]): Start;
}

/** Places of one attack. */
interface Place {
  /** Inside the root. */
  readonly inside: string;
  /** Outside. */
  readonly outside: string;
}

/** Does its worst; whether all was held: nothing outside read, nothing lost that was not offered. */
type Attack = (layer: Layer, place: Place) => Promise<boolean>;

/** Whether a scan of `path` saw anything. */
async function isRead({ server }: Layer, path: string): Promise<boolean> {
  const { result } = await server.request("tools/call", { name: "scan", arguments: { path } });
  return (result?.structuredContent?.directories_visited ?? 0) > 0 || (result?.structuredContent?.found ?? 0) > 0;
}

/** What stands for the directory in a call of reclaim: its id, or without a guard its path. */
async function keyOf({ name, server }: Layer, path: string): Promise<string> {
  if (name === "deno") return path;
  const { finds } = await server.call("scan", { path: dirname(path) });
  return finds.find((find: { path: string }) => find.path === path)?.id ?? path;
}

async function reclaim({ server }: Layer, key: string): Promise<void> {
  await server.request("tools/call", { name: "reclaim", arguments: { ids: [key], confirm: "delete" } });
}

async function git(folder: string, ...args: string[]): Promise<void> {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  const { success, stderr } = await new Deno.Command("git", { args: ["-C", folder, ...identity, ...args] }).output();
  assert(success, new TextDecoder().decode(stderr));
}

/** Scans a find, lets `change` do its work, and reclaims; whether what `victim` names still stands. */
function afterScan(change: (modules: string, place: Place) => Promise<string>): Attack {
  return async (layer, place) => {
    const modules = await writeProject(place.inside);
    const key = await keyOf(layer, modules);
    const victim = await change(modules, place);
    await reclaim(layer, key);
    return await stands(victim);
  };
}

/** The attacks by their name in the matrix. */
const ATTACKS: Readonly<Record<string, Attack>> = {
  async "no root is given"(layer, { outside }) {
    await writeProject(outside);
    if (layer.name === "guard") {
      const { code } = await runToEnd(commandOf({ ...layer.start([]), permissions: ["-A"] }));
      return code === 2;
    }
    await using server = startRaw({ ...layer.start([outside]), permissions: ["--no-prompt"] });
    await initialize(server);
    return !await isRead({ ...layer, server }, outside);
  },
  async "`..` in a path"(layer, { inside, outside }) {
    await writeProject(outside);
    const { base } = layer.workspace;
    const up = inside.slice(base.length).split("/").slice(1).map(() => "..").join("/");
    for (
      const path of [
        `${inside}/${up}${outside.slice(base.length)}`,
        `${inside}/./${up}//outside`,
        `${inside}/..x/../${up}`,
      ]
    ) {
      if (await isRead(layer, path)) return false;
    }
    return true;
  },
  async "a sibling with the root's name as prefix"(layer) {
    const sibling = `${layer.workspace.root}-evil`;
    await writeProject(sibling);
    await reclaim(layer, join(sibling, "node_modules"));
    return !await isRead(layer, sibling) && await stands(join(sibling, "node_modules"));
  },
  async "the root's name in another case"(layer) {
    const alias = join(layer.workspace.base, layer.workspace.root.slice(layer.workspace.base.length + 1).toUpperCase());
    await writeProject(alias);
    return !await isRead(layer, alias);
  },
  async "the root's name in another Unicode normal form"(layer) {
    const alias = layer.workspace.root.normalize("NFD");
    assert(alias !== layer.workspace.root);
    await writeProject(alias);
    return !await isRead(layer, alias);
  },
  async "NUL and newline in a path"(layer, { inside, outside }) {
    await writeProject(outside);
    for (const path of [`${outside}\0${inside}`, `${inside}\0${outside}`, `${inside}\n${outside}`, `${outside}\n`]) {
      if (await isRead(layer, path)) return false;
    }
    return true;
  },
  async "a guessed id, or a path in place of an id, outside"(layer, { outside }) {
    const modules = await writeProject(outside);
    for (const key of ["f-000000000000", modules, outside]) await reclaim(layer, key);
    return await stands(modules);
  },
  async "a path in place of an id, inside: sources of a project"(layer, { inside }) {
    await writeTree(inside, { "src/main.ts": "" });
    await reclaim(layer, join(inside, "src"));
    return await stands(join(inside, "src", "main.ts"));
  },
  async "an id that was redeemed, for a directory made anew"(layer, { inside }) {
    const modules = await writeProject(inside);
    const key = await keyOf(layer, modules);
    await reclaim(layer, key);
    assert(!await stands(modules));
    await writeProject(inside);
    await reclaim(layer, key);
    return await stands(modules);
  },
  async "a link as root"(layer, { inside, outside }) {
    await writeProject(outside);
    await Deno.symlink(outside, inside);
    const start = layer.start([inside]);
    if (layer.name === "guard") return (await runToEnd(commandOf(start))).code === 2;
    await using server = startRaw(start);
    await initialize(server);
    return !await isRead({ ...layer, server }, inside);
  },
  async "a link as parent of the scanned path"(layer, { inside, outside }) {
    await writeProject(join(outside, "shop"));
    await Deno.symlink(outside, inside);
    return !await isRead(layer, join(inside, "shop"));
  },
  "a find swapped for a link": afterScan(async (modules, { outside }) => {
    const victim = await writeProject(outside);
    await Deno.rename(modules, `${modules}-old`);
    await Deno.symlink(victim, modules);
    return join(victim, "left-pad", "index.js");
  }),
  "a find swapped for a link to another find": afterScan(async (modules, { inside }) => {
    const other = await writeProject(join(inside, "other"));
    await Deno.rename(modules, `${modules}-old`);
    await Deno.symlink(other, modules);
    return join(other, "left-pad", "index.js");
  }),
  async "a link inside a find"(layer, { inside, outside }) {
    await writeTree(outside, { "photos/wedding.raw": "" });
    const modules = await writeProject(inside);
    await Deno.symlink(join(outside, "photos"), join(modules, "photos"));
    await reclaim(layer, await keyOf(layer, modules));
    assert(!await stands(modules), "the find itself goes");
    return await stands(join(outside, "photos", "wedding.raw"));
  },
  "a parent of a find swapped for a link": afterScan(async (_, { inside, outside }) => {
    const victim = await writeProject(outside);
    await Deno.rename(inside, `${inside}-old`);
    await Deno.symlink(outside, inside);
    return join(victim, "left-pad", "index.js");
  }),
  "a find swapped for another directory": afterScan(async (modules) => {
    await Deno.rename(modules, `${modules}-old`);
    await writeTree(modules, { "thesis.tex": "" });
    return join(modules, "thesis.tex");
  }),
  "a find swapped for a file": afterScan(async (modules) => {
    await Deno.rename(modules, `${modules}-old`);
    await Deno.writeTextFile(modules, "thesis");
    return modules;
  }),
  "the marker removed after the scan": afterScan(async (modules) => {
    await Deno.remove(join(dirname(modules), "package.json"));
    return join(modules, "left-pad", "index.js");
  }),
  async "a mount inside a find"(layer, { inside, outside }) {
    await writeTree(outside, { "wedding.raw": "" });
    const modules = await writeProject(inside);
    const mounted = join(modules, "mounted");
    await Deno.mkdir(mounted);
    const mount = await new Deno.Command("mount", { args: ["--bind", outside, mounted] }).output();
    assert(mount.success, new TextDecoder().decode(mount.stderr));
    try {
      await reclaim(layer, await keyOf(layer, modules));
      return await stands(join(outside, "wedding.raw"));
    } finally {
      // A refused deletion may have moved the directory and moved it back; the mount moves along.
      await new Deno.Command("umount", { args: [mounted] }).output();
    }
  },
  async "a git repository inside a find"(layer, { inside }) {
    const modules = await writeProject(inside);
    const clone = join(modules, "fork");
    await Deno.mkdir(clone);
    await git(clone, "init", "--quiet");
    await reclaim(layer, await keyOf(layer, modules));
    return await stands(join(clone, ".git", "HEAD"));
  },
  async "files that git tracks inside a find"(layer, { inside }) {
    const modules = await writeProject(inside);
    await git(inside, "init", "--quiet");
    await git(inside, "add", "--force", "node_modules/left-pad/index.js");
    await reclaim(layer, await keyOf(layer, modules));
    return await stands(join(modules, "left-pad", "index.js"));
  },
};

/** Whether this process may mount; in continuous integration on Linux it must. */
async function canMount(): Promise<boolean> {
  return Deno.env.get("CI") !== undefined ||
    await new Deno.Command("unshare", { args: ["--mount", "true"] }).output().then(
      ({ success }) => success,
      () => false,
    );
}

async function measure(layer: Layer, attack: string): Promise<boolean> {
  const number = String(MATRIX.findIndex((row) => row.attack === attack));
  const { root, outside } = layer.workspace;
  const place = { inside: join(root, number), outside: join(outside, number) };
  await Deno.mkdir(place.outside);
  return await ATTACKS[attack]!(layer, place);
}

Deno.test({
  name: "each layer alone stops what the enforcement matrix says, and nothing less or more",
  ignore: Deno.build.os !== "linux", // elsewhere names have aliases, and mounts are not made like this
  async fn(t) {
    assertEquals(Object.keys(ATTACKS), MATRIX.map(({ attack }) => attack));
    await using copy = await copyWithoutGuard();
    await using one = await createWorkspace("root-ö");
    await using other = await createWorkspace("root-ö");
    await using guarded = startRaw({ roots: [one.root], permissions: ["-A"], args: ["--allow-unsandboxed"] });
    const bypassed = (roots: readonly string[]): Start => {
      return { roots, main: copy.main, config: copy.config, permissions: exactPermissions(roots, copy.folder) };
    };
    await using sandboxed = startRaw(bypassed([other.root]));
    const layers: Layer[] = [
      {
        name: "guard",
        workspace: one,
        server: guarded,
        start: (roots) => ({ roots, permissions: ["-A"], args: ["--allow-unsandboxed"] }),
      },
      { name: "deno", workspace: other, server: sandboxed, start: bypassed },
    ];
    for (const { server } of layers) await initialize(server);
    const mounts = await canMount();
    for (const row of MATRIX) {
      if (row.attack === "a mount inside a find" && !mounts) continue;
      for (const layer of layers) {
        await t.step(`${layer.name}: ${row.attack}`, async () => {
          assertEquals(await measure(layer, row.attack), row[layer.name]);
        });
      }
    }
  },
});
