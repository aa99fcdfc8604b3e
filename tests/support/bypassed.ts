/**
 * A copy of the program whose guard says yes to everything: what is still refused then, Deno refuses alone.
 *
 * @module
 */

import { join } from "@std/path";
import { type Copy, copyCheckout, override } from "./checkout.ts";

/** Every check of the program that stands between a call and the disk, by module and function. */
const CHECKS: readonly [module: string, name: string, body: string][] = [
  ["src/guard/path.ts", "checkedPath", "return args[0];"],
  ["src/guard/path.ts", "isFileSystemRoot", "return false;"],
  ["src/guard/identity.ts", "sameIdentity", "return true;"],
  [
    "src/guard/roots.ts",
    "openRoots",
    "return args[0].map((path: string) => ({ path, real: path, identity: { device: 0, inode: 0, born: null } }));",
  ],
  ["src/guard/roots.ts", "contain", "return { path: args[1], real: args[1], root: args[0][0] };"],
  ["src/guard/revalidate.ts", "revalidate", "return { path: args[1].path, real: args[1].path, root: args[0][0] };"],
  [
    "src/guard/tickets.ts",
    "createTickets",
    `const honest = original();
    const forged = (path: string) => {
      const identity = { device: 0, inode: 0, born: null };
      const target = { key: "node-modules", ecosystem: "", matches: ["*"], marker: null, regenerateWith: "", documentation: "" };
      const root = { path, real: path, identity };
      return { path, identity, target, root, files: 0, bytes: 0, reclaimable: 0, modified: null };
    };
    return { ...honest, look: (id: string) => id.startsWith("/") ? forged(id) : honest.look(id) };`,
  ],
  ["src/engine/reclaim.ts", "requireDirectory", ""],
  ["src/reclaim/scan.ts", "requireWorkingTree", ""],
  ["src/reclaim/scan.ts", "foldersTo", "return [args[1]];"],
  ["src/reclaim/find.ts", "requireProof", ""],
  ["src/reclaim/find.ts", "requireReplaceable", ""],
  ["src/reclaim/find.ts", "requireOwnMount", ""],
  ["src/reclaim/find.ts", "requireDisposable", ""],
  ["src/reclaim/find.ts", "requireUntracked", ""],
  ["src/reclaim/remove.ts", "removeFind", "return Deno.remove(args[0].path, { recursive: true });"],
];

/** The program without its guard. In place of an id it takes a path, and deletes it. */
export async function copyWithoutGuard(): Promise<Copy> {
  const copy = await copyCheckout();
  for (const [module, name, body] of CHECKS) await override(copy.folder, module, name, body);
  return copy;
}

/** Every check that stands between a call and a history, by module and function. */
const HISTORY_CHECKS: readonly [module: string, name: string, body: string][] = [
  [
    "src/engine/audit/service.ts",
    "overridden",
    "const spec = SOURCES.find(({ key }) => key === args[2])!; return resolveSource(spec, args[0].host, { root: args[3] });",
  ],
  ["src/history/formats/open.ts", "isInPlace", "return true;"],
  ["src/guard/open.ts", "openItself", "return openSync(args[0], args[1], args[2]);"],
  [
    "src/history/walk.ts",
    "list",
    `return [...Deno.readDirSync(args[0])].map(({ name }) => {
      return { name, kind: Deno.statSync(childPath(args[0], name)).isDirectory ? "directory" : "file" };
    });`,
  ],
  ...["productionGate", "agentGate", "restGate", "fileGate", "placeGate", "backupGate"].map(
    (gate): [string, string, string] => ["src/redact/gates.ts", gate, "return null;"],
  ),
];

/** The program without what guards histories: links are followed, and no gate is shut. */
export async function copyWithoutGates(): Promise<Copy> {
  const copy = await copyCheckout();
  for (const folder of ["src/history", "src/redact"]) await followLinks(join(copy.folder, folder));
  for (const [module, name, body] of HISTORY_CHECKS) await override(copy.folder, module, name, body);
  return copy;
}

async function followLinks(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) {
      await followLinks(path);
      continue;
    }
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replaceAll(/\blstatSync\b/g, "statSync"));
  }
}
