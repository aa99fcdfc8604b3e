/**
 * Measuring a find: its size, what deleting it would free, and what forbids deleting it.
 *
 * The work is cut in slices and can be handed on between threads: a {@linkcode Measure} is plain data.
 *
 * @module
 */

import { breathe, SLICE_MS } from "../concurrency/slices.ts";
import type { Identity } from "../guard/identity.ts";
import type { Mounts } from "./mounts.ts";

/** Names that version-control systems give their metadata. */
const VERSION_CONTROL: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  ".jj",
  ".bzr",
  ".pijul",
  ".sl",
  "_darcs",
  // Fossil keeps one file in a checkout, under the one name or the other.
  ".fslckout",
  "_fossil_",
]);

const LONGEST = 9;

/**
 * Whether `name` is that of version-control metadata. In whatever capitals: where the file system does not tell them
 * apart, `.GIT` is what git finds. `cvs` is a name that anything may have.
 */
export function isVersionControl(name: string): boolean {
  if (name.length > LONGEST) return false;
  const first = name[0];
  if (first !== "." && first !== "_") return name === "CVS";
  return VERSION_CONTROL.has(name.toLowerCase());
}

/** What a bare git repository holds, whatever it is called: its history stands there without a `.git`. */
const BARE_REPOSITORY: ReadonlySet<string> = new Set(["HEAD", "objects", "refs"]);

/** Whether a directory with these entries is a bare git repository. */
export function isBareRepository(names: ReadonlySet<string>): boolean {
  return BARE_REPOSITORY.isSubsetOf(names);
}

/**
 * Whether the runtime may have put a stand-in for bytes that are no valid text into `name`. Such an entry cannot be
 * looked at, and a path made of its name may mean another one.
 */
export function isDistorted(name: string): boolean {
  return name.includes("\ufffd");
}

/** A hard-linked file whose other links may lie outside. */
export interface Linked {
  /** How many links there are in all. */
  readonly links: number;
  /** How many of them were seen in the tree. */
  seen: number;
  /** Allocated bytes. */
  readonly allocated: number;
}

/** How far the measuring of one tree has come. */
export interface Measure {
  /** Directories still to be read. */
  readonly pending: string[];
  /** Entries that are not directories. */
  files: number;
  /** Apparent size of the regular files, in bytes. */
  bytes: number;
  /** Allocated bytes of directories and of files that have one link. */
  allocated: number;
  /** Hard-linked files by device and inode. */
  readonly linked: Map<string, Linked>;
  /** Directories or entries that could not be read. */
  unreadable: number;
  /** Directories or entries that were gone when they were looked at. */
  vanished: number;
  /** First version-control metadata met, or null. */
  versionControl: string | null;
  /** First mount point met, or null. */
  mount: string | null;
  /** First allowed root met, or null. */
  root: string | null;
  /** For how many more directories it is asked whether they are bind mounts, which costs a system call each. */
  probes: number;
}

/** What does not belong to a tree, though it stands in it. */
export interface Borders {
  /** Tells where other mounts begin. */
  readonly mounts: Mounts;
  /** The allowed roots, which a bind mount or another spelling may give a second path. */
  readonly roots: readonly Identity[];
}

const BLOCK = 512;

/** A measure that has not begun. */
export function newMeasure(pending: readonly string[], probes: number): Measure {
  return {
    pending: [...pending],
    files: 0,
    bytes: 0,
    allocated: 0,
    linked: new Map(),
    unreadable: 0,
    vanished: 0,
    versionControl: null,
    mount: null,
    root: null,
    probes,
  };
}

/**
 * Goes on measuring until nothing is pending or the time is up. Links are never followed, mounts never entered.
 *
 * @param deadline `performance.now()` at which to pause.
 * @param enough How many pending directories are reason to pause, so that others can take some of them.
 */
export function advance(measure: Measure, borders: Borders, deadline: number, enough = Infinity): void {
  const { pending } = measure;
  const next = createEntrance(measure, borders.mounts);
  while (pending.length > 0) {
    const directory = next();
    if (directory === null) continue;
    const steps = measureDirectory(measure, directory, borders);
    while (!steps.next().done);
    if (pending.length > enough || performance.now() >= deadline) return;
  }
}

/** Like {@linkcode advance}, but lets everything else that waits run also within a directory with very many entries. */
export async function advanceGently(measure: Measure, borders: Borders, deadline: number): Promise<void> {
  const { pending } = measure;
  const next = createEntrance(measure, borders.mounts);
  let pause = deadline;
  while (pending.length > 0) {
    const directory = next();
    if (directory === null) continue;
    for (const _ of measureDirectory(measure, directory, borders)) {
      if (performance.now() < pause) continue;
      await breathe();
      pause = performance.now() + SLICE_MS;
    }
    if (performance.now() >= deadline) return;
  }
}

/**
 * Takes the next of the pending directories, or says null where that is a bind mount or may be one: it is not entered.
 *
 * Where not all can be asked, what is pending already comes first: it lies nearest to the top.
 */
function createEntrance(measure: Measure, mounts: Mounts): () => string | null {
  const { pending } = measure;
  const isMount = (path: string) => {
    if (measure.probes <= 0) return false;
    measure.probes--;
    try {
      if (!mounts.areApart(path.slice(0, path.lastIndexOf("/")), path)) return false;
      measure.mount ??= path;
    } catch (error) {
      countFailure(measure, error);
    }
    return true;
  };
  const unasked = pending.splice(measure.probes);
  let asked = 0;
  for (const path of pending) if (!isMount(path)) pending[asked++] = path;
  pending.length = asked;
  for (const path of unasked) pending.push(path);
  return () => {
    const path = pending.pop()!;
    if (pending.length >= asked) return isMount(path) ? null : path;
    asked = pending.length;
    return path;
  };
}

/** How many entries are measured in one step. */
const ENTRIES_AT_ONCE = 500;

/** Measures one directory in steps. */
function* measureDirectory(measure: Measure, directory: string, { mounts, roots }: Borders): Generator<void> {
  try {
    let bareParts = 0;
    let entries = 0;
    for (const { name, isDirectory } of Deno.readDirSync(directory)) {
      if (++entries % ENTRIES_AT_ONCE === 0) yield;
      if (isDistorted(name)) {
        if (isDirectory) measure.unreadable++;
        else measure.files++;
        continue;
      }
      if (BARE_REPOSITORY.has(name) && ++bareParts === BARE_REPOSITORY.size) measure.versionControl ??= directory;
      const path = `${directory}/${name}`;
      let info: Deno.FileInfo;
      try {
        info = Deno.lstatSync(path);
      } catch (error) {
        countFailure(measure, error);
        continue;
      }
      if (isVersionControl(name)) measure.versionControl ??= path;
      if (!info.isDirectory || info.isSymlink) {
        addFile(measure, info);
      } else if (mounts.isForeign(info.dev)) {
        measure.mount ??= path;
      } else {
        if (roots.some(({ device, inode }) => inode === info.ino && device === info.dev)) measure.root ??= path;
        measure.allocated += allocatedOf(info);
        measure.pending.push(path);
      }
    }
  } catch (error) {
    countFailure(measure, error);
  }
}

function countFailure(measure: Measure, error: unknown): void {
  if (error instanceof Deno.errors.NotFound) measure.vanished++;
  else measure.unreadable++;
}

function addFile(measure: Measure, info: Deno.FileInfo): void {
  measure.files++;
  if (info.isFile) measure.bytes += info.size;
  const allocated = allocatedOf(info);
  if (info.nlink === null || info.nlink <= 1) {
    measure.allocated += allocated;
    return;
  }
  const key = `${info.dev}:${info.ino}`;
  const known = measure.linked.get(key);
  if (known) known.seen++;
  else measure.linked.set(key, { links: info.nlink, seen: 1, allocated });
}

function allocatedOf(info: Deno.FileInfo): number {
  return info.blocks === null ? info.size : info.blocks * BLOCK;
}

/** Adds what another thread measured of the same tree; what it left pending is pending here. */
export function merge(into: Measure, part: Measure): void {
  // One by one: a call has no room for hundreds of thousands of arguments.
  for (const path of part.pending) into.pending.push(path);
  into.files += part.files;
  into.bytes += part.bytes;
  into.allocated += part.allocated;
  into.unreadable += part.unreadable;
  into.vanished += part.vanished;
  into.versionControl ??= part.versionControl;
  into.mount ??= part.mount;
  into.root ??= part.root;
  into.probes += Math.max(0, part.probes);
  for (const [key, linked] of part.linked) {
    const known = into.linked.get(key);
    if (known) known.seen += linked.seen;
    else into.linked.set(key, linked);
  }
}

/** Bytes that deletion really frees: a hard-linked file counts once, and only if all its links lie inside. */
export function reclaimableBytes(measure: Measure): number {
  let bytes = measure.allocated;
  for (const { links, seen, allocated } of measure.linked.values()) if (seen >= links) bytes += allocated;
  return bytes;
}
