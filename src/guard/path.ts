/**
 * Paths as text: what is accepted, and what lies inside what.
 *
 * @module
 */

import { isAbsolute, normalize, SEPARATOR } from "@std/path";
import { Refusal } from "./refusal.ts";

/** Longest path accepted, in UTF-16 units: Linux's `PATH_MAX`. */
export const MAX_PATH_LENGTH = 4096;

/**
 * `path` in its one accepted spelling: absolute, without `.` segments, doubled or trailing separators.
 *
 * A path with a `..` segment is refused rather than resolved: what it means depends on links on the way.
 *
 * @throws {Refusal} `bad-path`, with what to write instead.
 *
 * @example
 * ```ts
 * import { checkedPath } from "@agentsweep/mcp";
 *
 * console.log(checkedPath("/home/me/code/./app")); // /home/me/code/app
 * ```
 */
export function checkedPath(path: string): string {
  if (path === "") throw new Refusal("bad-path", "the path is empty; give an absolute path");
  if (path.length > MAX_PATH_LENGTH) {
    throw new Refusal("bad-path", `the path is longer than ${MAX_PATH_LENGTH} characters`);
  }
  if (path.includes("\0")) throw new Refusal("bad-path", "the path contains a NUL character");
  if (!isAbsolute(path)) throw new Refusal("bad-path", `${path} is a relative path; give an absolute one`);
  if (segmentsOf(path).includes("..")) {
    throw new Refusal("bad-path", `${path} contains "..", which is never followed; give the path without it`);
  }
  const normal = normalize(path);
  return normal.length > 1 && normal.endsWith(SEPARATOR) && !/^[A-Za-z]:\\$/.test(normal)
    ? normal.slice(0, -1)
    : normal;
}

/**
 * Whether `path` is a whole file system: `/`, a drive, a share.
 *
 * @example
 * ```ts
 * import { isFileSystemRoot } from "@agentsweep/mcp";
 *
 * console.log(isFileSystemRoot("/"), isFileSystemRoot("/home")); // true false
 * ```
 */
export function isFileSystemRoot(path: string): boolean {
  return segmentsOf(path).length === (SEPARATOR === "/" ? 0 : 1);
}

/**
 * Whether `path` is `ancestor` or lies below it, by whole segments: `/code-evil` is not inside `/code`.
 *
 * Exact in every character. An alias by case or by Unicode normal form is outside, whatever the file system thinks.
 *
 * @example
 * ```ts
 * import { isWithin } from "@agentsweep/mcp";
 *
 * console.log(isWithin("/code", "/code/app"), isWithin("/code", "/code-evil")); // true false
 * ```
 */
export function isWithin(ancestor: string, path: string): boolean {
  if (path === ancestor) return true;
  return path.startsWith(ancestor.endsWith(SEPARATOR) ? ancestor : ancestor + SEPARATOR);
}

function segmentsOf(path: string): string[] {
  return path.split(SEPARATOR === "/" ? "/" : /[\\/]/).filter((segment) => segment !== "");
}
