/**
 * Other file systems inside a tree.
 *
 * @module
 */

import type { Identity } from "../guard/identity.ts";

/** Tells where another mount begins. */
export interface Mounts {
  /** Whether a device number, from `lstat`, is another one than the root's. Costs nothing. */
  isForeign(device: number): boolean;
  /**
   * Whether two directories lie in different mounts; false where this system never tells. Costs a system call.
   *
   * @throws What the system says where it cannot tell of these two.
   */
  areApart(one: string, other: string): boolean;
}

/** What is known of mounts, once for each root. */
export function createMountsLookup(): (root: { readonly path: string; readonly identity: Identity }) => Mounts {
  const known = new Map<string, Mounts>();
  return ({ path, identity }) => {
    let mounts = known.get(path);
    if (!mounts) known.set(path, mounts = createMounts(path, identity.device));
    return mounts;
  };
}

/**
 * The mounts as seen from `root`.
 *
 * A mount of another file system shows in the device number. A bind mount of the same one does not, and `/proc` is out
 * of reach inside Deno's sandbox. On Linux the kernel gives it away all the same: `rename` compares the mounts of the
 * two directories before it looks whether there is anything to rename, so renaming a random name that does not exist
 * from one into the other says `EXDEV` across a mount and `ENOENT` otherwise, and changes nothing either way.
 *
 * Needs write permission for `root` to see bind mounts; without it, and elsewhere, the device number alone decides.
 *
 * @param device Device number of the root.
 */
export function createMounts(root: string, device: number): Mounts {
  const isForeign = (found: number) => found !== device;
  if (Deno.build.os !== "linux" || Deno.permissions.querySync({ name: "write", path: root }).state !== "granted") {
    return { isForeign, areApart: () => false };
  }
  const name = `.agentsweep-probe-${crypto.getRandomValues(new Uint8Array(16)).toHex()}`;
  return {
    isForeign,
    areApart(one, other) {
      const traceLimit = Error.stackTraceLimit;
      Error.stackTraceLimit = 0; // the error is the answer; its trace would cost more than the call
      try {
        Deno.renameSync(`${one}/${name}`, `${other}/${name}`);
        return false;
      } catch (error) {
        const code = error instanceof Error && "code" in error ? error.code : null;
        if (code === "EXDEV") return true;
        // Both are asked about once the mounts are known to be one: for the name, and for a disk that can be written.
        if (code === "ENOENT" || code === "EROFS") return false;
        throw error;
      } finally {
        Error.stackTraceLimit = traceLimit;
      }
    },
  };
}
