/**
 * Real trees for a server to work on.
 *
 * @module
 */

import { dirname, join } from "@std/path";

/** A throwaway folder with a root for the server and a place outside it. */
export interface Workspace extends AsyncDisposable {
  /** The folder that holds everything, with every link resolved. */
  readonly base: string;
  /** What the server is given as its root. */
  readonly root: string;
  /** What the server must never touch. */
  readonly outside: string;
}

/** Makes a workspace; it is removed when it is disposed of. */
export async function createWorkspace(rootName = "root"): Promise<Workspace> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "agentsweep-test-" }));
  const [root, outside] = [join(base, rootName), join(base, "outside")];
  await Deno.mkdir(root);
  await Deno.mkdir(outside);
  return {
    base,
    root,
    outside,
    [Symbol.asyncDispose]: () => Deno.remove(base, { recursive: true }),
  };
}

/** Writes files, making the folders that they need. Keys are paths below `folder`. */
export async function writeTree(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
}

/** A JavaScript project with an installed package in `folder`; the path of its `node_modules`. */
export async function writeProject(folder: string): Promise<string> {
  await writeTree(folder, {
    "package.json": '{ "name": "app" }',
    "index.js": "export {};",
    "node_modules/left-pad/package.json": '{ "name": "left-pad" }',
    "node_modules/left-pad/index.js": "module.exports = String;".repeat(100),
  });
  return join(folder, "node_modules");
}

/** Whether something stands at `path`, a link counting as itself. */
export async function stands(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
