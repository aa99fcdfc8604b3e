/**
 * Whether a root is, holds or lies in a place where an agent of this machine keeps its history, under whatever name.
 *
 * @module
 */

import { lstatSync, realpathSync } from "node:fs";
import { dirname, resolve } from "@std/path";
import { isWithin } from "../guard/mod.ts";
import { accessTo } from "../history/access.ts";

/** A default place of a source. */
export interface DefaultPlace {
  /** Absolute path. */
  readonly path: string;
  /**
   * Whether it is only searched for histories, as a home directory is for projects: what lies in it need not be one, but
   * what holds it holds them.
   */
  readonly isSearched: boolean;
}

/** Whether `roots` and `places` overlap, in either direction. What the sandbox hides is compared as it is written. */
export function isProduction(roots: readonly string[], places: readonly DefaultPlace[]): boolean {
  // Most places lie in the same few folders.
  const looks: Looks = { realOf: remembered((path) => realOf(path, looks)), idOf: remembered(idOf) };
  const known = places.map(({ path, isSearched }) => ({ isSearched, ...whereIs(path, looks) }));
  return roots.map((root) => whereIs(root, looks)).some((root) =>
    known.some((place) => isInside(place, root) || (!place.isSearched && isInside(root, place)))
  );
}

/** What was looked at, each once. */
interface Looks {
  readonly realOf: (path: string) => string;
  readonly idOf: (path: string) => string | null;
}

function remembered<T>(look: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    const found = known.has(path) ? known.get(path) as T : look(path);
    known.set(path, found);
    return found;
  };
}

/** Where a path leads. */
interface Where {
  /** The path as it is written and, where that can be told, its real path. */
  readonly paths: readonly string[];
  /** Device and inode of what it leads to, and of every folder above that; only of what is there and may be looked at. */
  readonly own: string | null;
  readonly above: ReadonlySet<string>;
}

function isInside(one: Where, other: Where): boolean {
  if (one.paths.some((path) => other.paths.some((ancestor) => isWithin(ancestor, path)))) return true;
  return other.own !== null && one.above.has(other.own);
}

function whereIs(written: string, { realOf, idOf }: Looks): Where {
  const path = resolve(written);
  const real = realOf(path);
  const above = new Set<string>();
  for (let at = real;; at = dirname(at)) {
    const id = idOf(at);
    if (id !== null) above.add(id);
    if (dirname(at) === at) break;
  }
  return { paths: [...new Set([path, real])], own: idOf(real), above };
}

/** The real path, also of what is not there yet below what is. */
function realOf(path: string, looks: Looks): string {
  if (accessTo(path) !== "granted") return path;
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync(path);
  } catch {
    // It leads nowhere, or cannot be looked at: the folder that it would be in may lead elsewhere.
  }
  const folder = dirname(path);
  return folder === path ? path : resolve(looks.realOf(folder), path.slice(folder.length).replace(/^[/\\]+/, ""));
}

function idOf(path: string): string | null {
  try {
    if (accessTo(path) !== "granted") return null;
    const { dev, ino } = lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? { dev: 0n, ino: 0n };
    return ino === 0n ? null : `${dev}:${ino}`;
  } catch {
    return null;
  }
}
