/**
 * Why something was not read, in words: error texts of the system are not passed on, since nobody knows what they quote.
 *
 * @module
 */

/** A file or directory is a link. */
export const LINK = "a link: not followed";
/** A root is a link. */
export const LINK_ROOT = "the root is a link: name the directory that it points to with --history";
/** A file's place is taken by a directory. */
export const DIRECTORY = "a directory where a file was expected";
/** A root is not a directory. */
export const NOT_A_DIRECTORY = "not a directory";
/** A pipe, socket or device. */
export const SPECIAL = "not a regular file (a pipe, socket or device)";

/** Compressed data cannot be unpacked. */
export const DAMAGED = "its compressed data is damaged: the rest was not read";
/** Compressed data ends early. */
export const TRUNCATED = "its compressed data ends too early: the rest is missing";

/** A name that the runtime cannot hand back to the system. */
const NOT_UNICODE = "its name is not valid Unicode: it cannot be opened";

/** Says that directories were not entered because they lie too deep. */
export function tooDeep(depth: number, count: number): string {
  const others = count > 1 ? ` (${count - 1} more like it)` : "";
  return `more than ${depth} directories below the root: not entered${others}`;
}

/** Says that the sandbox keeps roots of a source closed. */
export function deniedRoots(root: string, others: number): string {
  const rest = others > 0 ? `, nor ${others} further ${others === 1 ? "root" : "roots"} of this source` : "";
  return `the sandbox does not allow reading it${rest}: start with --allow-read=${root}`;
}

/** Says in fixed words why the system refused. */
export function refusal(error: unknown, path: string): string {
  if (error instanceof Deno.errors.NotCapable) {
    return `the sandbox does not allow reading it: start with --allow-read=${path}`;
  }
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied by the operating system";
  if (error instanceof Deno.errors.NotFound) return path.includes("\uFFFD") ? NOT_UNICODE : "vanished during the scan";
  if (error instanceof Deno.errors.NotADirectory) return NOT_A_DIRECTORY;
  if (error instanceof Deno.errors.FilesystemLoop) return "a loop of links";
  if (error instanceof Deno.errors.Busy) return "busy: another program holds it";
  return `cannot be read (${error instanceof Error ? error.name : "unknown error"})`;
}
