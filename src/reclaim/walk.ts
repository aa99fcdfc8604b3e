/**
 * Finding directories that match a target. Links are never followed, other file systems never entered.
 *
 * @module
 */

import { basename, dirname, SEPARATOR } from "@std/path";
import { type Claim, identityOf, isWithin, Refusal, type Root, sameIdentity } from "../guard/mod.ts";
import { type Candidate, requireOwnMount, requireProof, requireReplaceable, unprovenReason } from "./find.ts";
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
}

/** What a walk obeys. */
export interface WalkRules {
  /** The root that the start lies in. */
  readonly root: Root;
  /** All roots: none is ever a candidate. */
  readonly roots: readonly Root[];
  /** Enabled targets. */
  readonly targets: readonly Target[];
  /** Whether a path, absolute and relative to the start, is left out; null where none is. */
  readonly isExcluded: ((path: string, relative: string) => boolean) | null;
  /** Tells where other mounts begin. */
  readonly mounts: Mounts;
  /** How many levels below the start are visited. */
  readonly maxDepth: number;
}

/** A walk and the rules it was begun under. */
export interface Walker {
  /** Its state. */
  readonly walk: Walk;
  /**
   * Goes on until nothing is pending or the time is up.
   *
   * @param deadline `performance.now()` at which to pause.
   */
  advance(deadline: number): void;
}

/** Where a repository's metadata stands, in a file system that tells capitals apart. */
const GIT = ".git";

/**
 * For how many directories a walk asks whether they are bind mounts, not to enter them. What lies in one is refused all
 * the same: that is asked of each candidate.
 */
const BIND_PROBES = 1000;

/** Begins a walk at `start`, which lies inside `rules.root`. */
export function createWalker(start: string, rules: WalkRules): Walker {
  const matcher = createMatcher(rules.targets);
  const walk: Walk = { pending: [], candidates: [], skipped: [], repositories: new Set(), visited: 0, unreadable: 0 };
  const context = { rules, matcher, walk, start };
  if (!isRoot(start, rules) && considerStart(context)) return { walk, advance: () => {} };
  walk.pending.push({ path: start, depth: 0 });
  return {
    walk,
    advance(deadline) {
      while (walk.pending.length > 0) {
        visit(context, walk.pending.pop()!, deadline);
        if (performance.now() >= deadline) return;
      }
    },
  };
}

interface Context {
  readonly rules: WalkRules;
  readonly matcher: Matcher;
  readonly walk: Walk;
  readonly start: string;
}

/** The start itself may be a target; whether it was taken. */
function considerStart(context: Context): boolean {
  return consider(context, dirname(context.start), basename(context.start), listNames);
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
  const { rules, walk } = context;
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
    if (rules.isExcluded?.(slashed(path), slashed(path.slice(context.start.length + 1)))) continue;
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
  { rules, walk }: Context,
  path: string,
  target: Target,
  check: (claim: Claim) => void = () => {},
): boolean {
  try {
    const info = Deno.lstatSync(path);
    if (!info.isDirectory || info.isSymlink) return false;
    requireNoRoot(rules.roots, path);
    requireOwnMount(rules.root, rules.mounts, path, info);
    const claim = { path, identity: identityOf(path, info) };
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
function isEntered({ rules, walk }: Context, holder: string, path: string): boolean {
  try {
    if (rules.mounts.isForeign(Deno.lstatSync(path).dev)) return false;
    return walk.visited > BIND_PROBES || !rules.mounts.areApart(holder, path);
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
