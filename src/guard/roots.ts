/**
 * The allowlist: the directories that a human named when the server started.
 *
 * @module
 */

import { SEPARATOR } from "@std/path";
import { type Identity, identityOf, sameIdentity } from "./identity.ts";
import { checkedPath, isFileSystemRoot, isWithin } from "./path.ts";
import { Refusal, refusalFrom } from "./refusal.ts";

/** One directory that the human allowed. */
export interface Root {
  /** The path as the human wrote it, in its one accepted spelling. */
  readonly path: string;
  /** The same directory with every link on the way resolved. */
  readonly real: string;
  /** Which directory it was at start. */
  readonly identity: Identity;
}

/** A path that is proven to lie inside a root. */
export interface Contained {
  /** The path, in its one accepted spelling. */
  readonly path: string;
  /** The path with every link resolved. */
  readonly real: string;
  /** The innermost root that it lies in. */
  readonly root: Root;
  /** All roots. */
  readonly roots: readonly Root[];
}

/**
 * Checks the directories that the human named and makes the allowlist of them. Duplicates count once; a root inside
 * another one stays, since neither is ever offered for deletion.
 *
 * Needs read permission for each path.
 *
 * @throws {Refusal} For the first path that is relative, missing, a link, no directory, unreadable or a whole disk; the
 * message names it.
 *
 * @example
 * ```ts
 * import { openRoots } from "@agentsweep/mcp";
 *
 * const folder = await Deno.realPath(await Deno.makeTempDir());
 * const [root] = openRoots([folder, folder]);
 * console.log(root?.path === folder);
 * ```
 */
export function openRoots(paths: readonly string[]): Root[] {
  const roots: Root[] = [];
  for (const path of paths) {
    const root = openRoot(path);
    if (!roots.some(({ path }) => path === root.path)) roots.push(root);
  }
  return roots;
}

function openRoot(written: string): Root {
  const path = named("root", () => checkedPath(written));
  if (isFileSystemRoot(path)) {
    throw new Refusal("root", `root ${path} is the whole disk; name the directories that hold your projects`);
  }
  const info = named("root", () => statOf(path));
  if (info.isSymlink) throw new Refusal("link", `root ${path} is a link; name the directory that it points to`);
  if (!info.isDirectory) throw new Refusal("not-a-directory", `root ${path} is not a directory`);
  return named("root", () => {
    try {
      // One look inside: a root that cannot be listed would make every scan of it look clean.
      Deno.readDirSync(path)[Symbol.iterator]().next();
      return { path, real: Deno.realPathSync(path), identity: identityOf(path, info) };
    } catch (error) {
      throw refusalFrom(path, error, "--allow-read");
    }
  });
}

function statOf(path: string): Deno.FileInfo {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    throw refusalFrom(path, error, "--allow-read");
  }
}

/** Runs `step`; a refusal of it says of what it speaks. */
function named<T>(what: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(error.code, `${what} ${error.message}`);
    throw error;
  }
}

/**
 * Proves that `path` lies inside one of `roots`, both as written and with all links resolved, that no link stands
 * between the two, and that the root is still the directory that it was at start. Where roots overlap, the innermost one
 * counts.
 *
 * Needs read permission for the path. Resolving never falls back to the unresolved path: what cannot be resolved is
 * refused.
 *
 * @throws {Refusal} `no-roots`, `bad-path`, `outside`, `missing`, `unreadable`, `link` or `changed`.
 *
 * @example
 * ```ts
 * import { contain, openRoots, Refusal } from "@agentsweep/mcp";
 *
 * const folder = await Deno.realPath(await Deno.makeTempDir());
 * try {
 *   contain(openRoots([folder]), `${folder}-evil`);
 * } catch (error) {
 *   if (error instanceof Refusal) console.log(error.code); // outside
 * }
 * ```
 */
export function contain(roots: readonly Root[], path: string): Contained {
  if (roots.length === 0) {
    throw new Refusal("no-roots", "no roots are allowed, so every path is outside; start the server with --root DIR");
  }
  const checked = asWritten(roots, checkedPath(path));
  const allowed = roots.filter((root) => isWithin(root.path, checked));
  // The comparison as written comes first, so that a path outside is never looked at, not even to see if it exists.
  if (allowed.length === 0) throw outside(roots, checked);
  requireNoLink(roots, allowed, checked);
  let real: string;
  try {
    real = Deno.realPathSync(checked);
  } catch (error) {
    throw refusalFrom(checked, error, "--allow-read");
  }
  const root = innermost(allowed.filter((root) => isWithin(root.real, real)));
  if (!root) throw outside(roots, checked);
  // Only links above the root are the human's. One below it would make the path lie about where it stands: which
  // repository surrounds it, which mount it is in.
  const place = root.path + real.slice(root.real.length);
  if (place !== checked) throw throughLink(checked, place);
  if (!sameIdentity(root.identity, identityOf(root.path, statOf(root.path)))) {
    throw new Refusal("changed", `root ${root.path} is not the directory that it was at start; start the server again`);
  }
  return { path: checked, real, root, roots };
}

/**
 * Like {@linkcode contain}, for a path that did not come from a listing of the disk: each name below the root must also
 * be spelled as the directory that holds it spells it.
 *
 * Where a file system takes `Keep` for `keep`, or `GIT~1` for `.git`, everything that goes by names could be evaded by
 * another spelling: globs, roots inside, what a repository tracks. Linux resolves such a path to the spelling asked for.
 *
 * Needs read permission for every directory from the root down to the path.
 *
 * @throws {Refusal} As {@linkcode contain} does; `unreadable` where a directory on the way cannot be listed.
 *
 * @example
 * ```ts
 * import { containExactly, openRoots } from "@agentsweep/mcp";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * await Deno.mkdir(`${root}/app`);
 * console.log(containExactly(openRoots([root]), `${root}/app`).path);
 * ```
 */
export function containExactly(roots: readonly Root[], path: string): Contained {
  const contained = contain(roots, path);
  const top = contained.root.path;
  for (let end = contained.path.length; end > top.length;) {
    const slash = contained.path.lastIndexOf(SEPARATOR, end - 1);
    const [holder, name] = [contained.path.slice(0, slash), contained.path.slice(slash + 1, end)];
    if (!holdsName(holder, name)) {
      throw new Refusal("link", `${holder} lists no ${name}: give ${contained.path} as it is spelled on disk`);
    }
    end = slash;
  }
  return contained;
}

function holdsName(holder: string, name: string): boolean {
  try {
    for (const entry of Deno.readDirSync(holder)) if (entry.name === name) return true;
    return false;
  } catch (error) {
    throw refusalFrom(holder, error, "--allow-read");
  }
}

/**
 * Refuses a path that leads through a link before anything behind the link is looked at: the answer is the same whether
 * or not something stands there.
 */
function requireNoLink(roots: readonly Root[], allowed: readonly Root[], checked: string): void {
  const [root] = [...allowed].sort((one, other) => other.path.length - one.path.length) as [Root];
  for (let end = root.path.length; end < checked.length;) {
    const next = checked.indexOf(SEPARATOR, end + 1);
    end = next < 0 ? checked.length : next;
    const link = checked.slice(0, end);
    if (!isLink(link)) continue;
    let leadsTo: string | null = null;
    try {
      leadsTo = Deno.realPathSync(link);
    } catch {
      // Nothing stands there, or it cannot be seen: it does not lead into the root.
    }
    if (leadsTo === null || !isWithin(root.real, leadsTo)) throw outside(roots, checked);
    throw throughLink(checked, root.path + leadsTo.slice(root.real.length) + checked.slice(end));
  }
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}

function throughLink(checked: string, place: string): Refusal {
  return new Refusal("link", `${checked} leads through a link or is spelled otherwise on disk; give ${place}`);
}

function innermost(roots: readonly Root[]): Root | undefined {
  return [...roots].sort((one, other) => other.real.length - one.real.length)[0];
}

/** A path below the real place of a root, spelled as the human spelled the root: what the sandbox allows is spelled so. */
function asWritten(roots: readonly Root[], path: string): string {
  const root = roots.find((root) => root.real !== root.path && isWithin(root.real, path));
  return root && !roots.some((root) => isWithin(root.path, path)) ? root.path + path.slice(root.real.length) : path;
}

function outside(roots: readonly Root[], path: string): Refusal {
  return new Refusal("outside", `${path} is outside the allowed roots (${roots.map(({ path }) => path).join(", ")})`);
}
