/**
 * Other file systems inside a tree.
 *
 * @module
 */

import { join } from "@std/path";

/** Tells whether `directory` is where another mount begins. */
export type MountProbe = (holder: string, directory: string, device: number) => boolean;

/**
 * A probe for mounts below `root`.
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
export function createMountProbe(root: string, device: number): MountProbe {
  const byDevice: MountProbe = (_holder, _directory, found) => found !== device;
  if (Deno.build.os !== "linux" || Deno.permissions.querySync({ name: "write", path: root }).state !== "granted") {
    return byDevice;
  }
  const name = `.agentsweep-probe-${crypto.getRandomValues(new Uint8Array(16)).toHex()}`;
  return (holder, directory, found) => {
    if (found !== device) return true;
    const traceLimit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0; // the error is the answer; its trace would cost more than the call
    try {
      Deno.renameSync(join(holder, name), join(directory, name));
      return false;
    } catch (error) {
      return error instanceof Error && "code" in error && error.code === "EXDEV";
    } finally {
      Error.stackTraceLimit = traceLimit;
    }
  };
}
