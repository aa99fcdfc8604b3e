/**
 * Offline stand-in for `jsr:@std/path`: the functions in use, under their std names and signatures.
 *
 * @module
 */
import path from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Path separator of this platform. */
export const SEPARATOR: "/" | "\\" = process.platform === "win32" ? "\\" : "/";

/** Last portion of `path`, without `suffix`. */
export function basename(path_: string, suffix = ""): string {
  return path.basename(path_, suffix);
}

/** Directory part of `path`. */
export function dirname(path_: string): string {
  return path.dirname(path_);
}

/** Extension of `path`, with its dot. */
export function extname(path_: string): string {
  return path.extname(path_);
}

/** Path of a file URL. */
export function fromFileUrl(url: string | URL): string {
  return fileURLToPath(url);
}

/** Whether `path` is absolute. */
export function isAbsolute(path_: string): boolean {
  return path.isAbsolute(path_);
}

/** Joins and normalizes. */
export function join(path_: string | URL, ...paths: string[]): string {
  return path.join(path_ instanceof URL ? fileURLToPath(path_) : path_, ...paths);
}

/** Resolves `..` and `.`. */
export function normalize(path_: string | URL): string {
  return path.normalize(path_ instanceof URL ? fileURLToPath(path_) : path_);
}

/** Path from `from` to `to`. */
export function relative(from: string, to: string): string {
  return path.relative(from, to);
}

/** Absolute path of the segments. */
export function resolve(...pathSegments: string[]): string {
  return path.resolve(...pathSegments);
}

/** File URL of an absolute path. */
export function toFileUrl(path_: string): URL {
  return pathToFileURL(path_);
}
