/**
 * Finds the files of sources, and says what kept it from finding more.
 *
 * @module
 */
import { breathe } from "../concurrency/slices.ts";
import { accessTo } from "./access.ts";
import { PROBLEMS } from "./formats/problem.ts";
import { originalOf } from "./names.ts";
import { deniedRoots } from "./reasons.ts";
import type { ResolvedSource } from "./resolve.ts";
import type { HistoryFile, Unscanned } from "./source.ts";
import { askablePaths, walk, type WalkEvent, type WalkTarget } from "./walk.ts";

/** How many directories below a root are entered, unless a caller says otherwise. */
export const MAX_DEPTH = 12;

/** How long a walk runs before it lets other work have its turn, in milliseconds. */
const TURN_MS = 15;

/** Options of {@linkcode discover}. */
export interface DiscoverOptions {
  /** Stops the walk; the iteration then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * How many directories below a root are entered. What lies deeper is reported.
   *
   * @default 12
   */
  readonly maxDepth?: number;
}

interface Group {
  readonly root: string;
  readonly targets: WalkTarget[];
}

/** One walk for all trees that share a root and are walked alike: a home directory is not walked once a source. */
function groups(sources: readonly ResolvedSource[]): Group[] {
  const byRoot = new Map<string, Group>();
  for (const { key, trees } of sources) {
    for (const tree of trees) {
      const id = [tree.walk ?? "store", tree.narrow === true, tree.root].join("\0");
      const group = byRoot.get(id) ?? { root: tree.root, targets: [] };
      group.targets.push({ source: key, tree });
      byRoot.set(id, group);
    }
  }
  return [...byRoot.values()];
}

/** The events of one walk, with time for other work in between. */
async function* paced(events: Iterable<WalkEvent>, signal?: AbortSignal): AsyncGenerator<HistoryFile | Unscanned> {
  let turn = performance.now();
  for (const event of events) {
    if (performance.now() - turn > TURN_MS) {
      await breathe();
      turn = performance.now();
    }
    signal?.throwIfAborted();
    if (event !== undefined) yield event;
  }
}

/** Whether the sandbox leaves anything of a group's root open. */
function isOpen({ root, targets }: Group): boolean {
  return accessTo(root) === "granted" ||
    (askablePaths(root, targets) ?? []).some((path) => accessTo(path) === "granted");
}

/** The groups that the sandbox leaves open, and for each source the paths that it keeps closed. */
function allowed(sources: readonly ResolvedSource[]): { open: Group[]; denied: Map<string, string[]> } {
  const open: Group[] = [];
  const denied = new Map<string, string[]>();
  for (const group of groups(sources)) {
    if (isOpen(group)) {
      open.push(group);
      continue;
    }
    for (const { source, tree } of group.targets) {
      const narrow = tree.narrow === true
        ? askablePaths(group.root, [{ source, tree: { ...tree, opaque: [] } }])
        : undefined;
      const paths = narrow?.filter((path) => originalOf(path) === undefined) ?? [group.root];
      denied.set(source, [...denied.get(source) ?? [], ...paths]);
    }
  }
  return { open, denied };
}

/**
 * Whether discovery found a file or a reason why it did not.
 *
 * @example
 * ```ts
 * import { discover, hostOf, isUnscanned, resolveSource, sourceByKey } from "@agentsweep/mcp/history";
 *
 * const host = hostOf("linux", { HOME: "/home/ada" });
 * for await (const event of discover([resolveSource(sourceByKey("codex")!, host)])) {
 *   if (isUnscanned(event)) console.log(event.file, event.reason);
 * }
 * ```
 */
export function isUnscanned(event: HistoryFile | Unscanned): event is Unscanned {
  return "reason" in event;
}

/**
 * Finds every file of the sources.
 *
 * Yields each file once a source, and an {@linkcode Unscanned} for everything that may hold history and was not looked
 * at: a directory or file that the sandbox or the system denies, a link, a directory too deep, a store in a form that
 * cannot be read. A root that does not exist is no finding. Trees with a common root are walked together, so files of
 * several sources may alternate; the order is the same at every run.
 *
 * Needs read permission for the roots; where it is missing, that is reported, not thrown.
 *
 * @example
 * ```ts
 * import { discover, hostOf, isUnscanned, resolveSource, sourceByKey } from "./mod.ts";
 *
 * const codex = resolveSource(sourceByKey("codex")!, hostOf(Deno.build.os, Deno.env.toObject()));
 * for await (const event of discover([codex])) {
 *   console.log(isUnscanned(event) ? `not read: ${event.file} (${event.reason})` : event.relpath);
 * }
 * ```
 *
 * @throws the signal's reason once it is aborted.
 */
export async function* discover(
  sources: readonly ResolvedSource[],
  options: DiscoverOptions = {},
): AsyncGenerator<HistoryFile | Unscanned> {
  const { signal, maxDepth = MAX_DEPTH } = options;
  signal?.throwIfAborted();
  const seen = new Set<string>();
  const { open, denied } = allowed(sources);
  for (const { root, targets } of open) {
    for await (const event of paced(walk(root, targets, maxDepth), signal)) {
      // Roots of one source may lie inside one another.
      const id = `${event.source}\0${isUnscanned(event) ? `${event.reason}\0${event.file}` : event.path}`;
      if (seen.has(id)) continue;
      seen.add(id);
      yield event;
    }
  }
  for (const [source, [file = "", ...others]] of denied) {
    yield { source, file, reason: deniedRoots(file, others.length) };
  }
}

/**
 * Which of the sources have history here: at least one file, be it readable or a leftover backup alone. An empty
 * directory, or one that may not be looked into, is none.
 *
 * Needs read permission for the roots.
 *
 * @returns The keys of the sources that were found.
 * @throws the signal's reason once it is aborted.
 *
 * @example
 * ```ts
 * import { detect, hostOf, resolveSource, sourceByKey } from "@agentsweep/mcp/history";
 *
 * const host = hostOf("linux", { HOME: "/home/ada" });
 * console.log((await detect([resolveSource(sourceByKey("codex")!, host)])).has("codex"));
 * ```
 */
export async function detect(
  sources: readonly ResolvedSource[],
  options: DiscoverOptions = {},
): Promise<ReadonlySet<string>> {
  const { signal, maxDepth = MAX_DEPTH } = options;
  const found = new Set<string>();
  for (const { root, targets } of allowed(sources).open) {
    const sought = targets.filter(({ source }) => !found.has(source));
    const left = new Set(sought.map(({ source }) => source));
    if (left.size === 0) continue;
    // A store that cannot be read, or a packed log, is told from other things that were not by its reason.
    const opaque = new Set(sought.flatMap(({ tree }) => tree.opaque?.map(({ reason }) => reason) ?? []));
    opaque.add(PROBLEMS.packed);
    for await (const event of paced(walk(root, sought, maxDepth), signal)) {
      if (isUnscanned(event) && !opaque.has(event.reason)) continue;
      found.add(event.source);
      left.delete(event.source);
      if (left.size === 0) break;
    }
  }
  return found;
}
