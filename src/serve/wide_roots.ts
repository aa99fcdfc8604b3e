/**
 * Roots that hold more than projects.
 *
 * @module
 */

import { isWithin } from "../guard/mod.ts";
import type { Host } from "../history/source.ts";

/** What people's home directories are called, for a process that may not ask. */
const HOMES = /^(?:\/home|\/Users|[A-Za-z]:\\Users)(?:[\\/][^\\/]+)?$|^\/root$/;

/** One warning for each of `roots`, absolute, that is the human's home directory or holds it. Nothing is refused: it is theirs. */
export function wideRootWarnings(roots: readonly string[], host: Host | null): string[] {
  const homes = host ? [host.env.HOME, host.env.USERPROFILE].filter((home) => home !== undefined && home !== "") : null;
  const isWide = (root: string) => homes ? homes.some((home) => isWithin(root, home!)) : HOMES.test(root);
  return roots.filter(isWide).map((root) =>
    `WARNING: the root ${root} is a home folder or holds one: all of it may be read, and whatever can be rebuilt in it may ` +
    "be deleted, also what installed programs need; name the folders of your projects instead"
  );
}
