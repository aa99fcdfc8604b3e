/**
 * Opening a file at a path, and not what a link there leads to.
 *
 * @module
 */

import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";

// Windows knows neither. The first keeps the call from waiting for the other end of a pipe.
const NO_WAIT = constants.O_NONBLOCK ?? 0;
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * Opens what stands at `path` itself; neither waits for a pipe nor follows a link at its end.
 *
 * `O_NOFOLLOW` alone does not do it: with permissions for single paths Deno 2.9.6 resolves a path before it opens it, so
 * that the kernel never sees the link. What was opened is therefore held against what stands at the path.
 *
 * @param flags Of `node:fs`'s constants. Without `O_TRUNC`, which would empty a file before it is looked at.
 * @param mode Permission bits of a file that is made.
 * @returns The descriptor, which the caller closes.
 * @throws What the system says; an error with the code `ELOOP` where a link stands there, or another file by now.
 */
export function openItself(path: string, flags: number, mode?: number): number {
  const fd = openSync(path, flags | NO_WAIT | NO_FOLLOW, mode);
  try {
    const [opened, there] = [fstatSync(fd, { bigint: true }), lstatSync(path, { bigint: true })];
    if (there.isSymbolicLink() || opened.dev !== there.dev || opened.ino !== there.ino) {
      throw Object.assign(new Error("a link, or no longer the file that was opened"), { code: "ELOOP" });
    }
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
