/**
 * Which directory a path names, whatever it is called.
 *
 * @module
 */

import { Refusal } from "./refusal.ts";

/** What tells one directory from another that stands at the same path. */
export interface Identity {
  /** Device number. */
  readonly device: number;
  /** Inode number on it (file index on Windows). */
  readonly inode: number;
  /** Time of creation in milliseconds, null where the file system keeps none. Tells a reused inode number apart. */
  readonly born: number | null;
}

/**
 * The identity that `info`, from `lstat`, shows.
 *
 * @throws {Refusal} Where the system gives no inode number: what cannot be told apart is not deleted.
 *
 * @example
 * ```ts
 * import { identityOf } from "@agentsweep/mcp";
 *
 * const path = await Deno.makeTempDir();
 * console.log(identityOf(path, await Deno.lstat(path)));
 * ```
 */
export function identityOf(path: string, info: Deno.FileInfo): Identity {
  if (info.ino === null) throw new Refusal("unreadable", `the file system gives ${path} no inode number`);
  return { device: info.dev, inode: info.ino, born: info.birthtime?.getTime() ?? null };
}

/**
 * Whether two identities are of the same directory.
 *
 * @example
 * ```ts
 * import { identityOf, sameIdentity } from "@agentsweep/mcp";
 *
 * const [one, other] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
 * console.log(sameIdentity(identityOf(one, await Deno.lstat(one)), identityOf(other, await Deno.lstat(other)))); // false
 * ```
 */
export function sameIdentity(one: Identity, other: Identity): boolean {
  return one.device === other.device && one.inode === other.inode && one.born === other.born;
}
