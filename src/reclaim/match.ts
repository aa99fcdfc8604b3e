/**
 * Which directories a target means, and what proves that they can be rebuilt.
 *
 * @module
 */

import { dirname, join, SEPARATOR } from "@std/path";
import { refusalFrom } from "../guard/refusal.ts";
import { matchesName } from "../text/glob.ts";
import { openPlain } from "./plain_file.ts";
import type { Target } from "./target.ts";

/** First bytes of a valid `CACHEDIR.TAG`, from the Cache Directory Tagging Specification (bford.info/cachedir). */
const CACHEDIR_SIGNATURE = new TextEncoder().encode("Signature: 8a477f597d28d172789f06886806bc55");
const CACHEDIR_TAG = "CACHEDIR.TAG";

/** Names of the entries of a directory, or null where it cannot be listed. */
export type Lister = (directory: string) => ReadonlySet<string> | null;

/** Finds the targets whose names fit a directory. */
export interface Matcher {
  /**
   * Targets whose name fits the directory `name` in `holder`, in the order of the catalogue. Says nothing of proof.
   *
   * @param name Name of the directory.
   * @param holder Path of the directory that holds it.
   */
  named(name: string, holder: string): readonly Target[];
  /** Targets that mean a directory of any name which declares itself by a file inside. */
  readonly selfDeclared: readonly Target[];
}

/** A matcher for the enabled `targets`. */
export function createMatcher(targets: readonly Target[]): Matcher {
  const exact = new Map<string, { target: Target; above: readonly string[]; order: number }[]>();
  const patterns: { target: Target; above: readonly string[]; last: string; order: number }[] = [];
  const selfDeclared: Target[] = [];
  const fittingOf = new Map<string, readonly { target: Target; above: readonly string[]; order: number }[]>();
  targets.forEach((target, order) => {
    for (const match of target.matches) {
      if (match === "*") {
        selfDeclared.push(target);
        continue;
      }
      const segments = match.split("/");
      const [last, above] = [segments.at(-1)!, segments.slice(0, -1)];
      if (last.includes("*")) patterns.push({ target, above, last, order });
      else exact.set(last, [...exact.get(last) ?? [], { target, above, order }]);
    }
  });
  return {
    selfDeclared,
    named(name, holder) {
      let fitting = fittingOf.get(name);
      if (!fitting) {
        const all = [...exact.get(name) ?? [], ...patterns.filter(({ last }) => matchesName(last, name))];
        fittingOf.set(name, fitting = all.sort((one, other) => one.order - other.order));
      }
      if (fitting.length === 0) return [];
      return [...new Set(fitting.filter(({ above }) => endsWithSegments(holder, above)).map(({ target }) => target))];
    },
  };
}

function endsWithSegments(path: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true;
  let end = path.length;
  for (const pattern of patterns.toReversed()) {
    if (end < 0) return false;
    const start = end === 0 ? 0 : path.lastIndexOf(SEPARATOR, end - 1) + 1;
    if (!matchesName(pattern, path.slice(start, end))) return false;
    end = start - 1;
  }
  return true;
}

/** Whether the name of `path` alone fits `target`, as {@linkcode Matcher.named} says. */
export function isNamed(target: Target, path: string): boolean {
  return target.matches.some((match) => besideOf(match, path) !== null);
}

/** The directory in which the markers of `match` stand beside `path`; null where its name does not fit. */
function besideOf(match: string, path: string): string | null {
  let holder = path;
  for (const segment of match.split("/").reverse()) {
    const name = holder.slice(dirname(holder).length).replace(/^[\\/]/, "");
    if (!matchesName(segment, name)) return null;
    holder = dirname(holder);
  }
  return holder;
}

/**
 * Whether something on disk proves that the directory `path`, whose name fits, can be rebuilt as `target`.
 *
 * @param list Lists a directory; never asked for one above `top`.
 * @param top The root that `path` lies in.
 */
export function isProven(target: Target, path: string, top: string, list: Lister): boolean {
  const { marker } = target;
  if (marker === null) return true;
  const beside = marker.beside ?? [];
  for (const match of beside.length > 0 ? target.matches : []) {
    const holder = besideOf(match, path);
    if (holder === null || holder.length < top.length) continue;
    const names = list(holder);
    if (names && beside.some((pattern) => hasName(names, pattern))) return true;
  }
  return (marker.inside ?? []).some((pattern) => existsInside(path, pattern.split("/"), list));
}

/** What is inside `path` that does not come back, as {@linkcode Target.unless} names it; null where nothing is. */
export function irreplaceable(target: Target, path: string, list: Lister): string | null {
  return target.unless?.find((pattern) => existsInside(path, pattern.split("/"), list)) ?? null;
}

function hasName(names: ReadonlySet<string>, pattern: string): boolean {
  if (!pattern.includes("*")) return names.has(pattern);
  for (const name of names) if (matchesName(pattern, name)) return true;
  return false;
}

function existsInside(directory: string, segments: readonly string[], list: Lister): boolean {
  const [first, ...rest] = segments as [string, ...string[]];
  const names = list(directory);
  if (!names) return false;
  if (first === CACHEDIR_TAG) return names.has(first) && hasCacheSignature(join(directory, first));
  if (rest.length === 0) return hasName(names, first);
  const fitting = first.includes("*") ? [...names].filter((name) => matchesName(first, name)) : [first];
  return fitting.some((name) => names.has(name) && existsInside(join(directory, name), rest, list));
}

function hasCacheSignature(path: string): boolean {
  try {
    const file = openPlain(path, false);
    if (!file) return false;
    try {
      const head = file.read(CACHEDIR_SIGNATURE.length);
      return head.length === CACHEDIR_SIGNATURE.length && CACHEDIR_SIGNATURE.every((byte, at) => head[at] === byte);
    } finally {
      file.close();
    }
  } catch {
    return false;
  }
}

/** What must be there for `target`, for people: `package.json beside it`, `pyvenv.cfg inside`. */
export function markersOf(target: Target): string[] | null {
  if (target.marker === null) return null;
  const { beside = [], inside = [] } = target.marker;
  return [...beside, ...inside.map((path) => `./${path}`)];
}

/** Names of the entries of `directory`; null where it is no directory (a link is none) or cannot be listed. */
export function listNames(directory: string): ReadonlySet<string> | null {
  try {
    if (!Deno.lstatSync(directory).isDirectory) return null;
    return new Set(Array.from(Deno.readDirSync(directory), ({ name }) => name));
  } catch {
    return null;
  }
}

/**
 * Names of the entries of `directory`; null where it is no directory or is not there. Unlike {@linkcode listNames} it does
 * not take what cannot be read for empty.
 *
 * @throws {Refusal} `unreadable`.
 */
export function namesIn(directory: string): ReadonlySet<string> | null {
  try {
    if (!Deno.lstatSync(directory).isDirectory) return null;
    return new Set(Array.from(Deno.readDirSync(directory), ({ name }) => name));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw refusalFrom(directory, error, "--allow-read");
  }
}
