/**
 * The check at the moment of deletion.
 *
 * @module
 */

import { identityOf, sameIdentity } from "./identity.ts";
import { isWithin } from "./path.ts";
import { Refusal, refusalFrom } from "./refusal.ts";
import { contain, type Contained, type Root } from "./roots.ts";
import type { Claim } from "./tickets.ts";

/**
 * Proves against the disk as it is now that `claim` is still the directory that was found, in this order: not a link
 * (seen on its own path, before anything resolves it), really inside a root, there, a directory, the same one by device,
 * inode and time of creation, neither a root nor above one, with nothing inside that Deno was told to deny.
 *
 * Needs read permission for the path.
 *
 * @throws {Refusal} With the first rule that does not hold.
 *
 * @example
 * ```ts
 * import { identityOf, openRoots, revalidate } from "@agentsweep/mcp";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * const path = `${root}/node_modules`;
 * await Deno.mkdir(path);
 * const claim = { path, identity: identityOf(path, await Deno.lstat(path)) };
 * console.log(revalidate(openRoots([root]), claim).real); // throws once the directory is another one
 * ```
 */
export function revalidate(roots: readonly Root[], claim: Claim): Contained {
  const { path } = claim;
  const info = lstatOf(path);
  if (info?.isSymlink) throw new Refusal("link", `${path} is now a link; it was a directory when it was found`);
  const contained = contain(roots, path);
  if (!info) throw new Refusal("missing", `${path} does not exist any more`);
  if (!info.isDirectory) throw new Refusal("not-a-directory", `${path} is not a directory any more`);
  if (!sameIdentity(claim.identity, identityOf(path, info))) {
    throw new Refusal("changed", `${path} is another directory than the one that was found; scan again`);
  }
  if (claim.identity.born === null && claim.changed !== undefined && claim.changed !== changedAt(info)) {
    throw new Refusal(
      "changed",
      `${path} changed since it was found, and this file system does not tell whether it is still the same; scan again`,
    );
  }
  // A bind mount gives a root a second path, so it is told by its identity too.
  const isRoot = roots.some((root) => sameIdentity(root.identity, claim.identity));
  if (isRoot || roots.some((root) => isWithin(path, root.path) || isWithin(contained.real, root.real))) {
    throw new Refusal("root", `${path} is an allowed root or holds one; roots are never deleted`);
  }
  requireNothingDenied(path);
  return contained;
}

/** When an entry itself last changed, as {@linkcode Claim.changed} tells it. */
export function changedAt(info: Deno.FileInfo): number | null {
  return info.ctime?.getTime() ?? null;
}

/**
 * Refuses a directory of which a `--deny-read` or `--deny-write` of Deno protects a part: once the directory was moved
 * aside, that part has another path, and Deno would not know it any more.
 *
 * @throws {Refusal} `unreadable`.
 */
export function requireNothingDenied(path: string): void {
  for (const name of ["read", "write"] as const) {
    if (Deno.permissions.querySync({ name, path }).partial === true) {
      throw new Refusal("unreadable", `a part of ${path} is protected by --deny-${name}`);
    }
  }
}

function lstatOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw refusalFrom(path, error, "--allow-read");
  }
}
