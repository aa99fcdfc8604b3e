/**
 * Real trees for tests: made, described, thrown away.
 *
 * @module
 */

import { dirname, join } from "@std/path";
import { createReclaim, type Decision, type ReclaimService, type ScanInput } from "../../src/engine/reclaim.ts";
import { openRoots } from "../../src/guard/mod.ts";
import type { Find } from "../../src/reclaim/find.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";

/** Runs `use` with an empty directory, named by its real path, and removes it whatever happens. */
export async function withDir(use: (dir: string) => unknown): Promise<void> {
  const dir = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentsweep-test-" }));
  try {
    await use(dir);
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
}

/** Makes files with the given content below `base`; a path that ends with `/` is made a directory. Returns `base`. */
export function plant(base: string, files: Readonly<Record<string, string>>): string {
  for (const [path, content] of Object.entries(files)) {
    const whole = join(base, path);
    Deno.mkdirSync(path.endsWith("/") ? whole : dirname(whole), { recursive: true });
    if (!path.endsWith("/")) Deno.writeTextFileSync(whole, content);
  }
  return base;
}

/** Makes a project with a `node_modules` of one package at `base` and returns the path of that `node_modules`. */
export function plantProject(base: string): string {
  plant(base, {
    "package.json": "{}",
    "src/index.js": "precious source",
    "node_modules/dep/package.json": "{}",
    "node_modules/dep/index.js": "dependency",
  });
  return join(base, "node_modules");
}

/** Everything below `dir`: each relative path with what it is and holds. Links are described, not followed. */
export function describe(dir: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string, relative: string) => {
    for (const { name } of Deno.readDirSync(path)) {
      const [whole, below] = [join(path, name), relative === "" ? name : `${relative}/${name}`];
      const info = Deno.lstatSync(whole);
      if (info.isSymlink) found.set(below, `link to ${Deno.readLinkSync(whole)}`);
      else if (info.isFile) found.set(below, `file ${Deno.readTextFileSync(whole)}`);
      else found.set(below, info.isDirectory ? "directory" : "special");
      if (info.isDirectory && !info.isSymlink) visit(whole, below);
    }
  };
  visit(dir, "");
  return new Map([...found].sort(([one], [other]) => one < other ? -1 : 1));
}

/** Whether something stands at `path`, be it a link that leads nowhere. */
export function stands(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Reclaim for `roots` with the whole catalogue. */
export function reclaimIn(...roots: string[]): ReclaimService {
  return createReclaim(openRoots(roots), TARGETS);
}

/** What a scan finds, by path, and the ticket of each. */
export async function ticketsIn(
  service: ReclaimService,
  path: string,
  input: Partial<ScanInput> = {},
): Promise<Map<string, string>> {
  const { finds } = await service.scan({ ...input, path });
  return new Map(finds.map((find) => [find.path, service.ticketFor(find)]));
}

/** The only find below `path`, and its ticket. */
export async function onlyFind(service: ReclaimService, path: string): Promise<{ find: Find; id: string }> {
  const { finds, skipped } = await service.scan({ path });
  const [find, ...more] = finds;
  if (!find || more.length > 0) {
    throw new Error(`not one find but ${finds.length}; skipped: ${skipped.map(({ reason }) => reason).join("; ")}`);
  }
  return { find, id: service.ticketFor(find) };
}

/** Why the ids were refused, as one text; fails the test if one was accepted. */
export function reasonOf({ accepted, refused }: Decision): string {
  if (accepted.length > 0) throw new Error(`accepted: ${accepted.map(({ find }) => find.path).join(", ")}`);
  return refused.map(({ reason }) => reason).join("\n");
}

/** Runs a program and returns what it says; throws where it fails. */
export function command(program: string, args: readonly string[], cwd?: string): string {
  const { success, stdout, stderr } = new Deno.Command(program, {
    args: [...args],
    ...(cwd === undefined ? {} : { cwd }),
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", LC_ALL: "C" },
  }).outputSync();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`${program} ${args.join(" ")}: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}
