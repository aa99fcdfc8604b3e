/**
 * Walks one root for the files of any number of sources, guided by their globs: what cannot lead to a match is not
 * entered, and what could and was not read is named.
 *
 * @module
 */
import { compileGlob, type Glob, literals, start, step } from "./glob.ts";
import { PROBLEMS } from "./formats/problem.ts";
import { compressionOf, formatOf, originalOf, packedIn } from "./names.ts";
import { isPruned } from "./prune.ts";
import { DIRECTORY, LINK, LINK_ROOT, NOT_A_DIRECTORY, refusal, SPECIAL, tooDeep } from "./reasons.ts";
import type { Format, HistoryFile, Tree, Unscanned, WalkKind } from "./source.ts";

/** The trees of one root. */
export interface WalkTarget {
  /** Key of the source. */
  readonly source: string;
  /** Its tree. */
  readonly tree: Tree;
}

/** A compiled pattern of one source. */
interface Pattern {
  readonly source: string;
  readonly glob: Glob;
  readonly format?: Format;
  /** Present when what matches cannot be read. */
  readonly opaque?: string;
}

/** A pattern and how much of it a directory's path has matched. */
interface Cursor {
  readonly pattern: Pattern;
  readonly positions: readonly number[];
}

interface Directory {
  readonly path: string;
  /** Names below the root. */
  readonly names: readonly string[];
  readonly cursors: readonly Cursor[];
}

type Kind = "file" | "directory" | "link" | "special";
interface Entry {
  readonly name: string;
  readonly kind: Kind;
}

/** Entries of one directory that are looked at before a caller may rest or stop. */
const ENTRIES_AT_ONCE = 256;

/** What a walk comes across; `undefined` now and then, where a caller may rest or stop. */
export type WalkEvent = HistoryFile | Unscanned | undefined;

const SEPARATOR = Deno.build.os === "windows" ? "\\" : "/";

function childPath(directory: string, name: string): string {
  return directory.endsWith(SEPARATOR) ? directory + name : directory + SEPARATOR + name;
}

function kindOf(info: { isFile: boolean; isDirectory: boolean; isSymlink: boolean }): Kind {
  if (info.isSymlink) return "link";
  if (info.isDirectory) return "directory";
  return info.isFile ? "file" : "special";
}

function compile(targets: readonly WalkTarget[]): Pattern[] {
  return targets.flatMap(({ source, tree }) => [
    ...(tree.opaque ?? []).map(({ glob, reason }) => ({ source, glob: compileGlob(glob), opaque: reason })),
    ...tree.files.map((file) => {
      const { glob, format } = typeof file === "string" ? { glob: file, format: undefined } : file;
      return { source, glob: compileGlob(glob), ...(format && { format }) };
    }),
  ]);
}

function advance(cursors: readonly Cursor[], name: string): Cursor[] {
  return cursors.flatMap(({ pattern, positions }) => {
    const { inside } = step(pattern.glob, positions, name);
    return inside.length > 0 ? [{ pattern, positions: inside }] : [];
  });
}

/** The first pattern of each source that a file of that name matches. */
function matching(cursors: readonly Cursor[], name: string): Pattern[] {
  const found = new Map<string, Pattern>();
  for (const { pattern, positions } of cursors) {
    if (!found.has(pattern.source) && step(pattern.glob, positions, name).matches) found.set(pattern.source, pattern);
  }
  return [...found.values()];
}

/** Names that can be asked for one by one, with their backups, or `undefined` where any name may matter. */
function askable(cursors: readonly Cursor[]): string[] | undefined {
  const names = new Set<string>();
  for (const { pattern, positions } of cursors) {
    const next = literals(pattern.glob, positions);
    if (next === undefined) return undefined;
    for (const name of next) {
      names.add(name);
      if (step(pattern.glob, positions, name).matches) names.add(`${name}.bak`);
    }
  }
  return [...names].sort();
}

/** What one walk knows throughout. */
interface Context {
  readonly root: string;
  readonly walk: WalkKind;
  readonly maxDepth: number;
  readonly sources: readonly string[];
  readonly initial: readonly Cursor[];
  /** Per source: the first directory that lay too deep, and how many did. */
  readonly tooDeep: Map<string, { file: string; count: number }>;
}

const sourcesOf = (cursors: readonly Cursor[]): string[] => [...new Set(cursors.map(({ pattern }) => pattern.source))];

function* report(sources: readonly string[], file: string, reason: string): Generator<Unscanned> {
  for (const source of sources) yield { source, file, reason };
}

/** Entries of a listed directory, in the order of their names. */
function list(path: string): Entry[] {
  const entries = [...Deno.readDirSync(path)].map((entry): Entry => ({ name: entry.name, kind: kindOf(entry) }));
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/**
 * Those entries of a directory that matter, without listing it. A backup that may not be looked for is an issue only
 * where there is something that it would be the backup of.
 */
function* ask(directory: Directory, names: readonly string[]): Generator<Unscanned, Entry[]> {
  const entries: Entry[] = [];
  const refused: { name: string; error: unknown }[] = [];
  for (const name of names) {
    try {
      entries.push({ name, kind: kindOf(Deno.lstatSync(childPath(directory.path, name))) });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) continue;
      refused.push({ name, error });
    }
  }
  if (refused.length === names.length && names.length > 0) {
    yield* report(sourcesOf(directory.cursors), directory.path, refusal(refused[0]?.error, directory.path));
    return [];
  }
  for (const { name, error } of refused) {
    const original = originalOf(name);
    if (original !== undefined && !entries.some((entry) => entry.name === original)) continue;
    const path = childPath(directory.path, name);
    const concerned = directory.cursors.filter(({ pattern, positions }) => {
      const { inside, matches } = step(pattern.glob, positions, original ?? name);
      return matches || inside.length > 0;
    });
    yield* report(sourcesOf(concerned), path, refusal(error, path));
  }
  return entries;
}

/** The entries of a directory; where it may not be listed, those that can be asked for by name. */
function* read(directory: Directory): Generator<Unscanned, Entry[]> {
  try {
    return list(directory.path);
  } catch (error) {
    const refused = error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied;
    const names = refused ? askable(directory.cursors) : undefined;
    if (names !== undefined) return yield* ask(directory, names);
    yield* report(sourcesOf(directory.cursors), directory.path, refusal(error, directory.path));
    return [];
  }
}

/** The file at `path` for each source that has a pattern for it. */
function* file(context: Context, directory: Directory, name: string): Generator<HistoryFile | Unscanned> {
  const exact = matching(directory.cursors, name);
  const original = originalOf(name);
  const content = original ?? name;
  const named = exact.length > 0 || original === undefined ? exact : matching(directory.cursors, original);
  const inside = named.length > 0 ? undefined : packedIn(content);
  const patterns = inside === undefined ? named : matching(directory.cursors, inside);
  if (patterns.length === 0) return;
  const path = childPath(directory.path, name);
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch (error) {
    yield* report(patterns.map(({ source }) => source), path, refusal(error, path));
    return;
  }
  const compression = compressionOf(content);
  const isUnread = inside !== undefined && compression === undefined;
  for (const { source, format, opaque } of patterns) {
    if (opaque !== undefined) yield { source, file: path, reason: opaque };
    else if (!info.isFile) yield { source, file: path, reason: info.isSymlink ? LINK : SPECIAL };
    else if (isUnread) yield { source, file: path, reason: PROBLEMS.packed };
    else {
      yield {
        source,
        path,
        root: context.root,
        relpath: [...directory.names, name].join("/"),
        format: format ?? formatOf(content),
        ...(compression && { compression }),
        backup: original !== undefined,
        size: info.size,
        mtime: info.mtime?.getTime() ?? 0,
        ctime: info.ctime?.getTime() ?? 0,
        dev: info.dev,
        ino: info.ino ?? 0,
      };
    }
  }
}

/** Whether a path below the root is reached by the walk under its own name, as a file or as a directory. */
function isReached(context: Context, names: readonly string[], kind: Kind): boolean {
  let cursors = context.initial;
  for (const [depth, name] of names.entries()) {
    const last = depth === names.length - 1;
    if (last && kind === "file") return matching(cursors, name).some(({ opaque }) => opaque === undefined);
    if (depth >= context.maxDepth || isPruned(names.slice(0, depth + 1), context.walk)) return false;
    cursors = advance(cursors, name);
  }
  return cursors.length > 0;
}

/** A link that could lead to history is named, unless what it points to is walked under its own name. */
function* link(context: Context, directory: Directory, name: string): Generator<Unscanned> {
  const names = [name, packedIn(name) ?? name];
  const cursors = [
    ...advance(directory.cursors, name),
    ...directory.cursors.filter(({ pattern: { glob }, positions }) =>
      names.some((one) => step(glob, positions, one).matches)
    ),
  ];
  if (cursors.length === 0) return;
  const path = childPath(directory.path, name);
  try {
    const info = Deno.statSync(path);
    if (info.isFile && names.every((one) => matching(directory.cursors, one).length === 0)) return;
    const [target, root] = [Deno.realPathSync(path), Deno.realPathSync(context.root)];
    if (target.startsWith(childPath(root, ""))) {
      const names = target.slice(childPath(root, "").length).split(SEPARATOR);
      if (isReached(context, names, kindOf(info))) return;
    }
  } catch (error) {
    // A link to nothing leads to no history; one that may not be resolved might.
    if (error instanceof Deno.errors.NotFound) return;
  }
  yield* report(sourcesOf(cursors), path, LINK);
}

/** Whether a directory has any entry at all; one that cannot be listed may have. */
function isEmpty(path: string): boolean {
  try {
    for (const _ of Deno.readDirSync(path)) return false;
    return true;
  } catch {
    return false;
  }
}

/** What a directory's name leads to: nothing, a report, or the directory to enter. */
function* enter(context: Context, directory: Directory, name: string): Generator<Unscanned, Directory | undefined> {
  const path = childPath(directory.path, name);
  const depth = directory.names.length;
  const opaque = matching(directory.cursors, name).filter((pattern) => pattern.opaque !== undefined);
  if (opaque.length > 0 && !isEmpty(path)) {
    for (const { source, opaque: reason } of opaque) yield { source, file: path, reason: reason ?? "" };
  }
  const closed = new Set(opaque.map(({ source }) => source));
  const open = directory.cursors.filter(({ pattern }) => !closed.has(pattern.source));
  const cursors = advance(open, name);
  const misplaced = matching(open, name).filter(({ source }) =>
    !cursors.some(({ pattern }) => pattern.source === source)
  );
  yield* report(misplaced.map(({ source }) => source), path, DIRECTORY);
  const names = [...directory.names, name];
  if (cursors.length === 0 || isPruned(names, context.walk)) return undefined;
  if (depth >= context.maxDepth) {
    for (const source of sourcesOf(cursors)) {
      const known = context.tooDeep.get(source);
      context.tooDeep.set(source, { file: known?.file ?? path, count: (known?.count ?? 0) + 1 });
    }
    return undefined;
  }
  return { path, names, cursors };
}

/** The only paths directly below the root that the trees look for, or `undefined` where any may matter. */
export function askablePaths(root: string, targets: readonly WalkTarget[]): string[] | undefined {
  return askable(cursorsOf(targets))?.map((name) => childPath(root, name));
}

function cursorsOf(targets: readonly WalkTarget[]): Cursor[] {
  return compile(targets).map((pattern) => ({ pattern, positions: start(pattern.glob) }));
}

/** Looks at the root itself; whether it can be walked. */
function* admit(context: Context, narrow: boolean): Generator<Unscanned, boolean> {
  try {
    const info = Deno.lstatSync(context.root);
    if (info.isDirectory || (info.isSymlink && narrow)) return true;
    yield* report(context.sources, context.root, info.isSymlink ? LINK_ROOT : NOT_A_DIRECTORY);
    return false;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    // Files below a root may be allowed where the root as a whole is not.
    if (error instanceof Deno.errors.NotCapable && askable(context.initial) !== undefined) return true;
    yield* report(context.sources, context.root, refusal(error, context.root));
    return false;
  }
}

/**
 * Walks one root. Links are never followed; entries come in the order of their names, files before directories.
 *
 * @param root The common root of all `targets`, which must agree on their `walk`.
 * @param targets The trees.
 * @param maxDepth How many directories below the root are entered at most; what lies deeper is reported once a source.
 */
export function* walk(root: string, targets: readonly WalkTarget[], maxDepth: number): Generator<WalkEvent> {
  const initial = cursorsOf(targets);
  const context: Context = {
    root,
    walk: targets[0]?.tree.walk ?? "store",
    maxDepth,
    sources: sourcesOf(initial),
    initial,
    tooDeep: new Map(),
  };
  if (!(yield* admit(context, targets.every(({ tree }) => tree.narrow === true)))) return;
  const pending: Directory[] = [{ path: root, names: [], cursors: initial }];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    yield undefined;
    const deeper: Directory[] = [];
    let taken = 0;
    for (const { name, kind } of yield* read(directory)) {
      if (++taken % ENTRIES_AT_ONCE === 0) yield undefined;
      if (kind === "link") yield* link(context, directory, name);
      else if (kind !== "directory") yield* file(context, directory, name);
      else {
        const next = yield* enter(context, directory, name);
        if (next !== undefined) deeper.push(next);
      }
    }
    // Not spread: a call takes fewer arguments than a folder may have folders.
    for (const next of deeper.reverse()) pending.push(next);
  }
  for (const [source, { file, count }] of context.tooDeep) {
    yield { source, file, reason: tooDeep(maxDepth, count) };
  }
}
