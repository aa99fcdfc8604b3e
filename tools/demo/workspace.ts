/**
 * The throwaway workspace of the demo: projects as they lie about on a real disk.
 *
 * @module
 */

import { dirname, join } from "@std/path";

/** Where the demo works. */
export interface Workspace {
  /** Holds everything; removed at the end. */
  readonly home: string;
  /** The directory that the server is allowed. */
  readonly root: string;
  /** A directory beside it that must survive. */
  readonly precious: string;
  /** Whether `node_modules` came from a registry. */
  readonly isRealInstall: boolean;
}

const INSTALL_PATIENCE_MS = 30_000;

/** Makes the workspace in a new temporary directory. */
export async function createWorkspace(): Promise<Workspace> {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "agentsweep-demo-" }));
  const root = join(home, "code");
  const precious = join(home, "photos");
  await write(join(precious, "wedding.raw"), 4_000_000);
  const isRealInstall = await webShop(join(root, "web-shop"));
  await dataScience(join(root, "notebooks"));
  await rustTool(join(root, "rust-tool"));
  await committedBuild(join(root, "library"));
  await Deno.mkdir(join(root, "notes", "build"), { recursive: true });
  await write(join(root, "notes", "build", "shed-plans.txt"), 2_000);
  return { home, root, precious, isRealInstall };
}

async function write(path: string, content: string | number): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  if (typeof content === "string") await Deno.writeTextFile(path, content);
  else await Deno.writeFile(path, new Uint8Array(content));
}

/** A web project whose dependencies are really installed where a registry answers; whether they were. */
async function webShop(folder: string): Promise<boolean> {
  await write(join(folder, "package.json"), '{ "name": "web-shop", "dependencies": { "express": "^5.0.0" } }');
  await write(join(folder, "index.js"), 'import express from "express";\n');
  await write(join(folder, ".next", "cache", "pages.bin"), 3_000_000);
  const install = new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet", "--node-modules-dir=auto"],
    cwd: folder,
    stdout: "null",
    stderr: "null",
    signal: AbortSignal.timeout(INSTALL_PATIENCE_MS),
  });
  const { success } = await install.output();
  const modules = join(folder, "node_modules");
  if (success && await Deno.stat(modules).then(() => true, () => false)) return true;
  for (let index = 0; index < 400; index++) {
    await write(join(modules, `package-${index}`, "index.js"), 2_000 + index);
  }
  return false;
}

async function dataScience(folder: string): Promise<void> {
  await write(join(folder, "requirements.txt"), "pandas\n");
  await write(join(folder, "study.py"), "import pandas\n");
  await write(join(folder, ".venv", "pyvenv.cfg"), "version = 3.13\n");
  await write(join(folder, ".venv", "lib", "libblas.so"), 6_000_000);
  await write(join(folder, "__pycache__", "study.cpython-313.pyc"), 40_000);
}

async function rustTool(folder: string): Promise<void> {
  await write(join(folder, "Cargo.toml"), '[package]\nname = "rust-tool"\n');
  await write(join(folder, "src", "main.rs"), "fn main() {}\n");
  await write(join(folder, "target", "debug", "rust-tool"), 9_000_000);
}

/** A project whose `dist` looks regenerable, but was committed: git's index is written where git is installed. */
async function committedBuild(folder: string): Promise<void> {
  await write(join(folder, "pyproject.toml"), '[project]\nname = "library"\n');
  await write(join(folder, "dist", "library-1.0.js"), "// built by hand years ago, the only copy\n");
  for (const args of [["init", "--quiet"], ["add", "--all"]]) {
    await new Deno.Command("git", { args, cwd: folder, stdout: "null", stderr: "null" }).output().catch(() => {});
  }
}
