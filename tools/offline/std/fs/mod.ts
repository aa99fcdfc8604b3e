/**
 * Offline stand-in for `jsr:@std/fs`: the functions in use, under their std names and signatures.
 *
 * @module
 */
import { promises } from "node:fs";

/** Makes sure that the directory exists. */
export async function ensureDir(dir: string | URL): Promise<void> {
  await promises.mkdir(dir, { recursive: true });
}

/** Whether something exists at `path`. */
export async function exists(path: string | URL): Promise<boolean> {
  try {
    await promises.stat(path);
    return true;
  } catch {
    return false;
  }
}
