/**
 * A source on a given machine.
 *
 * @module
 */
import { placesOf } from "./places.ts";
import type { Host, HostOs, OpaquePattern, SourceSpec, Tree } from "./source.ts";

/** A source whose paths are known. */
export interface ResolvedSource {
  /** Stable key. */
  readonly key: string;
  /** Human name. */
  readonly display: string;
  /** Whether its storage is not confirmed on a real install. */
  readonly experimental: boolean;
  /** The default root, or the one that a human named instead. */
  readonly root: string;
  /** Every path that reading it needs, `root` first; one may lie inside another. */
  readonly roots: readonly string[];
  /** Whether `root` is the default one. */
  readonly isDefault: boolean;
  /** Where its files lie. */
  readonly trees: readonly Tree[];
  /** Names by which the running agent is recognised. */
  readonly processes: readonly string[];
}

/** Options of {@linkcode resolveSource}. */
export interface ResolveOptions {
  /** A directory to look in instead of every default one: a copy, or another profile. */
  readonly root?: string;
}

/**
 * The host of a system name as Deno has it (`Deno.build.os`) and of environment variables.
 *
 * @example
 * ```ts
 * import { hostOf, resolveSource, sourceByKey } from "@agentsweep/mcp/history";
 *
 * const host = hostOf("linux", { HOME: "/home/ada" });
 * console.log(resolveSource(sourceByKey("codex")!, host).root); // /home/ada/.codex
 * ```
 */
export function hostOf(os: string, env: Readonly<Record<string, string | undefined>>): Host {
  const known: Readonly<Record<string, HostOs>> = { windows: "windows", darwin: "darwin" };
  return { os: known[os] ?? "linux", env };
}

/** Joins trees that name the same root twice, as two equal profiles do. */
function unique(trees: readonly Tree[]): Tree[] {
  if (trees.length < 2) return [...trees];
  const kept = new Map<string, Tree>();
  for (const tree of trees) {
    const id = JSON.stringify([tree.root, tree.files, tree.walk, tree.narrow]);
    if (!kept.has(id)) kept.set(id, tree);
  }
  return [...kept.values()];
}

/** All that any tree looks for, in one directory: it may be a copy of any of them. */
function overridden(root: string, trees: readonly Tree[]): Tree {
  const files = new Map(trees.flatMap((tree) => tree.files).map((file) => [JSON.stringify(file), file]));
  const opaque = new Map<string, OpaquePattern>(
    trees.flatMap((tree) => tree.opaque ?? []).map((pattern) => [pattern.glob, pattern]),
  );
  const walk = trees.some((tree) => tree.walk === "home") ? "projects" : "store";
  return { root, files: [...files.values()], opaque: [...opaque.values()], walk };
}

/** The paths that a tree needs: its root, or the few files of one that needs no more. */
export function pathsOf(tree: Tree, join: (base: string, ...parts: string[]) => string): string[] {
  if (tree.narrow !== true) return [tree.root];
  return tree.files.map((file) => join(tree.root, typeof file === "string" ? file : file.glob));
}

/**
 * The fewest paths that cover everything the sources need: what belongs behind `--allow-read=`.
 *
 * @returns Paths of which none lies inside another.
 *
 * @example
 * ```ts
 * import { hostOf, readPaths, resolveSource, SOURCES } from "@agentsweep/mcp/history";
 *
 * const host = hostOf("linux", { HOME: "/home/ada" });
 * console.log(readPaths(SOURCES.map((spec) => resolveSource(spec, host))));
 * ```
 */
export function readPaths(sources: readonly ResolvedSource[]): string[] {
  const paths = new Set(sources.flatMap(({ roots }) => roots));
  return [...paths].filter((path) => !foldersAbove(path).some((folder) => paths.has(folder)));
}

/** The folders above a path, each also with the separator at its end, as the top of a disk is written. */
function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = 0; at < path.length - 1; at++) {
    if (path[at] === "/" || path[at] === "\\") folders.push(path.slice(0, at), path.slice(0, at + 1));
  }
  return folders;
}

/**
 * Computes the paths of a source; touches no file.
 *
 * @throws {TypeError} if the host names no home directory.
 *
 * @example
 * ```ts
 * import { hostOf, resolveSource, sourceByKey } from "@agentsweep/mcp/history";
 *
 * const host = hostOf("linux", { HOME: "/home/ada" });
 * console.log(resolveSource(sourceByKey("claude-code")!, host).roots);
 * ```
 */
export function resolveSource(spec: SourceSpec, host: Host, options: ResolveOptions = {}): ResolvedSource {
  const places = placesOf(host);
  const declared = unique(spec.trees(places));
  const first = declared[0];
  if (first === undefined) throw new TypeError(`The source ${spec.key} declares no tree`);
  const root = options.root ?? first.root;
  const trees = root === first.root ? declared : [overridden(root, declared)];
  return {
    key: spec.key,
    display: spec.display,
    experimental: spec.experimental ?? false,
    root,
    roots: [...new Set([root, ...trees.flatMap((tree) => pathsOf(tree, places.join))])],
    isDefault: root === first.root,
    trees,
    processes: spec.processes,
  };
}
