/**
 * Finding directories that match a target. Links are never followed, other file systems never entered.
 *
 * @module
 */

import { basename, dirname, SEPARATOR } from "@std/path";
import { type Claim, identityOf, isWithin, Refusal, type Root, sameIdentity } from "../guard/mod.ts";
import { changedAt } from "../guard/revalidate.ts";
import { type Candidate, requireOwnMount, requireProof, requireReplaceable, unprovenReason } from "./find.ts";
import { globMatcher } from "../text/glob.ts";
import { createMatcher, isProven, type Lister, listNames, type Matcher } from "./match.ts";
import type { Mounts } from "./mounts.ts";
import { isQuarantineName, parseQuarantineName } from "./quarantine.ts";
import { isBareRepository, isDistorted, isVersionControl } from "./size.ts";
import type { Target } from "./target.ts";

/** A directory that matched by name and was refused. */
export interface Skipped {
  /** Its path. */
  readonly path: string;
  /** Why, in one sentence. */
  readonly reason: string;
}

/** A directory to be visited, or to be visited further. */
export interface Pending {
  /** Its path. */
  readonly path: string;
  /** Its depth below the start. */
  readonly depth: number;
  /** What it holds, once it was listed: one with very many entries is gone through in parts. */
  readonly listing?: Listing | undefined;
}

/** The entries of a directory, and how far they were gone through. */
interface Listing {
  readonly entries: readonly Deno.DirEntry[];
  readonly list: Lister;
  next: number;
}

/** How far a walk has come. */
export interface Walk {
  /** Directories still to be visited. */
  readonly pending: Pending[];
  /** Directories that match and are proven. */
  readonly candidates: Candidate[];
  /** Directories that match by name and were refused. */
  readonly skipped: Skipped[];
  /** Directories listed that hold a `.git`, however it is spelled. */
  readonly repositories: Set<string>;
  /** Directories listed. */
  visited: number;
  /** Directories that could not be listed. */
  unreadable: number;
  /**
   * For how many more directories it is asked whether they are bind mounts, not to enter them. What lies in one is
   * refused all the same: that is asked of each candidate.
   */
  probes: number;
}

/** What a walk obeys. Plain data. */
export interface WalkRules {
  /** Where it begins; lies inside `root`. */
  readonly start: string;
  /** The root that the start lies in. */
  readonly root: Root;
  /** All roots: none is ever a candidate. */
  readonly roots: readonly Root[];
  /** Enabled targets. */
  readonly targets: readonly Target[];
  /** Globs of what is left out; those with a `/` are relative to the start. */
  readonly exclude: readonly string[];
  /** The same, relative to the root. */
  readonly excludeInRoot: readonly string[];
  /** How many levels below the start are visited. */
  readonly maxDepth: number;
}

/** A walk and the rules it was begun under. */
export interface Walker {
  /** Its state. */
  readonly walk: Walk;
  /** What it obeys. */
  readonly rules: WalkRules;
  /**
   * Goes on until nothing is pending or the time is up.
   *
   * @param deadline `performance.now()` at which to pause.
   */
  advance(deadline: number): void;
  /**
   * Like {@linkcode advance}, but pauses only between two directories.
   *
   * @param enough How many pending directories are reason to pause, too.
   */
  advanceWhole(deadline: number, enough: number): void;
}

/** Where a repository's metadata stands, in a file system that tells capitals apart. */
const GIT = ".git";

/** For how many directories a walk asks whether they are bind mounts. */
const BIND_PROBES = 1000;

/** A walk that has not begun. */
export function newWalk(pending: readonly Pending[], probes: number): Walk {
  return {
    pending: [...pending],
    candidates: [],
    skipped: [],
    repositories: new Set(),
    visited: 0,
    unreadable: 0,
    probes,
  };
}

/** Begins a walk at `rules.start`, which may be a target itself. */
export function beginWalk(rules: WalkRules, mounts: Mounts): Walker {
  const { start } = rules;
  const walk = newWalk([], BIND_PROBES);
  const context = contextOf(walk, rules, mounts);
  const isTaken = !isRoot(start, rules) && consider(context, dirname(start), basename(start), listNames);
  if (!isTaken) walk.pending.push({ path: start, depth: 0 });
  return walkerOf(context);
}

/** Goes on with a walk that was begun elsewhere. */
export function createWalker(walk: Walk, rules: WalkRules, mounts: Mounts): Walker {
  return walkerOf(contextOf(walk, rules, mounts));
}

interface Context {
  readonly rules: WalkRules;
  readonly mounts: Mounts;
  readonly matcher: Matcher;
  readonly walk: Walk;
  /** Whether a path is left out; null where none is. */
  readonly isExcluded: ((path: string) => boolean) | null;
}

function contextOf(walk: Walk, rules: WalkRules, mounts: Mounts): Context {
  return { rules, mounts, matcher: createMatcher(rules.targets), walk, isExcluded: exclusion(rules) };
}

function exclusion({ start, root, exclude, excludeInRoot }: WalkRules): Context["isExcluded"] {
  if (exclude.length + excludeInRoot.length === 0) return null;
  const [isExcluded, isHidden] = [globMatcher(exclude), globMatcher(excludeInRoot)];
  return (path) => {
    const below = (folder: string) => slashed(path.slice(folder.length + 1));
    return isExcluded(slashed(path), below(start)) || isHidden(slashed(path), below(root.path));
  };
}

function walkerOf(context: Context): Walker {
  const { walk, rules } = context;
  return {
    walk,
    rules,
    advance(deadline) {
      while (walk.pending.length > 0) {
        visit(context, walk.pending.pop()!, deadline);
        if (performance.now() >= deadline) return;
      }
    },
    advanceWhole(deadline, enough) {
      while (walk.pending.length > 0) {
        visit(context, walk.pending.pop()!, Infinity);
        if (walk.pending.length > enough || performance.now() >= deadline) return;
      }
    },
  };
}

function visit(context: Context, { path, depth, listing }: Pending, deadline: number): void {
  const begun = listing ?? begin(context, path, depth);
  if (begun && !goThrough(context, path, depth, begun, deadline)) {
    context.walk.pending.push({ path, depth, listing: begun });
  }
}

/** Lists a directory; null where there is nothing to go through. */
function begin(context: Context, directory: string, depth: number): Listing | null {
  const { rules, matcher, walk } = context;
  let entries: Deno.DirEntry[];
  try {
    entries = Array.from(Deno.readDirSync(directory));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) walk.unreadable++;
    return null;
  }
  walk.visited++;
  const names = new Set<string>();
  for (const { name } of entries) {
    names.add(name);
    if (name.length === GIT.length && name.toLowerCase() === GIT) walk.repositories.add(directory);
  }
  // Its folders are branches and objects, whatever they are called.
  if (isBareRepository(names)) return null;
  const list = listerOf(directory, names);
  if (depth > 0 && !isRoot(directory, rules) && names.has("CACHEDIR.TAG")) {
    const declared = matcher.selfDeclared.find((target) => isProven(target, directory, rules.root.path, list));
    if (declared && add(context, directory, declared)) return null;
  }
  return { entries, list, next: 0 };
}

/** How many entries are gone through between two looks at the clock. */
const ENTRIES_AT_ONCE = 32;

/** Goes through the entries of a directory until the time is up; whether it came to the end. */
function goThrough(
  context: Context,
  directory: string,
  depth: number,
  listing: Listing,
  deadline: number,
): boolean {
  const { rules, walk, isExcluded } = context;
  const { entries, list } = listing;
  let pause = listing.next + ENTRIES_AT_ONCE;
  while (listing.next < entries.length) {
    if (listing.next >= pause) {
      if (performance.now() >= deadline) return false;
      pause += ENTRIES_AT_ONCE;
    }
    const { name, isDirectory, isSymlink } = entries[listing.next++]!;
    if (!isDirectory || isSymlink || isVersionControl(name)) continue;
    if (isDistorted(name)) {
      walk.unreadable++;
      continue;
    }
    const path = directory + SEPARATOR + name;
    if (isExcluded?.(path)) continue;
    if (!isRoot(path, rules) && consider(context, directory, name, list)) continue;
    if (depth < rules.maxDepth && isEntered(context, directory, path)) walk.pending.push({ path, depth: depth + 1 });
  }
  return true;
}

/** Judges a directory by its name; whether it is dealt with and need not be entered. */
function consider(context: Context, holder: string, name: string, list: Lister): boolean {
  const { rules, matcher, walk } = context;
  const path = holder + SEPARATOR + name;
  if (isQuarantineName(name)) {
    const key = parseQuarantineName(name)?.target;
    const target = rules.targets.find((target) => target.key === key);
    if (target) add(context, path, target, (claim) => requireProof(target, claim, rules.root, list));
    else if (key === undefined) {
      walk.skipped.push({ path, reason: "it has the name of a quarantine but not its shape" });
    }
    return true;
  }
  const named = matcher.named(name, holder);
  if (named.length === 0) return false;
  const proven = named.find((target) => isProven(target, path, rules.root.path, list));
  if (proven) return add(context, path, proven);
  walk.skipped.push({ path, reason: unprovenReason(named, path) });
  return false;
}

/** Takes `path` as a candidate, or says why not; false only where it is gone. */
function add(
  { rules, mounts, walk }: Context,
  path: string,
  target: Target,
  check: (claim: Claim) => void = () => {},
): boolean {
  try {
    const info = Deno.lstatSync(path);
    if (!info.isDirectory || info.isSymlink) return false;
    requireNoRoot(rules.roots, path);
    requireOwnMount(rules.root, mounts, path, info);
    const claim = { path, identity: identityOf(path, info), changed: changedAt(info) };
    // A bind mount gives a root a second path.
    const alias = rules.roots.find((root) => sameIdentity(root.identity, claim.identity));
    if (alias) throw new Refusal("root", `it is the allowed root ${alias.path}`);
    check(claim);
    requireReplaceable(target, path);
    walk.candidates.push({ ...claim, target, root: rules.root, modified: info.mtime?.getTime() ?? null });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    const reason = error instanceof Refusal ? error.message : "it cannot be read";
    walk.skipped.push({ path, reason });
  }
  return true;
}

function requireNoRoot(roots: readonly Root[], path: string): void {
  const held = roots.find((root) => isWithin(path, root.path) || isWithin(path, root.real));
  if (held) throw new Refusal("root", `it holds the allowed root ${held.path}`);
}

/** Whether a directory that is no candidate is to be visited: not where another file system begins. */
function isEntered({ mounts, walk }: Context, holder: string, path: string): boolean {
  try {
    if (mounts.isForeign(Deno.lstatSync(path).dev)) return false;
    return walk.probes <= 0 || (walk.probes--, !mounts.areApart(holder, path));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) walk.unreadable++;
    return false;
  }
}

function isRoot(path: string, { roots }: WalkRules): boolean {
  return roots.some((root) => root.path === path || root.real === path);
}

function slashed(path: string): string {
  return SEPARATOR === "/" ? path : path.replaceAll(SEPARATOR, "/");
}

/** A lister that knows the names in the directory at hand. */
function listerOf(directory: string, names: ReadonlySet<string>): Lister {
  return (asked) => asked === directory ? names : listNames(asked);
}
