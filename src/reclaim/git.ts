/**
 * Which files a git repository tracks, read from its index.
 *
 * The format is that of git's own `Documentation/gitformat-index.adoc`, versions 2 to 4.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { dirname, isAbsolute, join, relative, resolve, SEPARATOR } from "@std/path";
import { isWithin } from "../guard/path.ts";
import { errorCode } from "../guard/refusal.ts";
import { configValue, readFile, readText } from "./git_files.ts";

/** What git says of a directory. */
export type Tracking =
  | { readonly kind: "untracked" }
  | { readonly kind: "tracked"; readonly repository: string; readonly files: number }
  | { readonly kind: "unknown"; readonly repository: string; readonly why: string };

/** Answers which tracked files lie in a directory. Each index is read once. */
export type TrackingLookup = (directory: string) => Tracking;

/** What an index names, counted for every folder above a tracked file; `sparse` folders stand for all below them. */
interface TrackedFolders {
  readonly counts: ReadonlyMap<string, number>;
  readonly sparse: readonly string[];
}

/** What is known of a repository. */
interface Repository {
  /** What it tracks. */
  readonly tracked: TrackedFolders;
  /** The folder that its paths begin at. */
  readonly top: string;
  /** Whether it takes names that differ in capitals or in how accents are written for the same. */
  readonly foldsNames: boolean;
}

/** The indexes that were read, by path: one is not read again while the file is the same. */
export type IndexCache = Map<
  string,
  { readonly stamp: string; readonly folded: boolean; readonly tracked: TrackedFolders }
>;

/** Indexes kept at most. */
const MAX_CACHED = 32;

const UNTRACKED: Tracking = { kind: "untracked" };
/** A byte order mark is a part of a path like any other character. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const EXTENDED_FLAG = 0x4000;
const HEADER_BYTES = 12;
const STAT_BYTES = 40;
/** Far above the index of any repository; what is larger is no index. */
const MAX_INDEX_BYTES = 2 ** 30;
/** Longest path that an index may name, in bytes: the system takes none that is longer. */
const MAX_PATH_BYTES = 4096;
/** All paths of an index in bytes. Version 4 tells only how each differs from the last, so a small file can name many. */
const MAX_PATHS_BYTES = 2 ** 29;
/** All folders of an index in characters, since they are kept: several times those of the largest repositories. */
const MAX_FOLDER_CHARACTERS = 2 ** 27;

/**
 * A lookup for directories below `top`. Every repository from a directory's parent upwards is asked; above `top` only
 * where reading is allowed.
 *
 * @param mayHold Whether a directory may hold a `.git`; one that was seen not to is not asked again. @default each may
 * @param cache Indexes that outlive the lookup. @default none
 */
export function createTrackingLookup(
  top: string,
  mayHold: (holder: string) => boolean = () => true,
  cache: IndexCache = new Map(),
): TrackingLookup {
  const known = new Map<string, Repository | { why: string } | null>();
  const repositoryAt = (holder: string) => {
    if (!mayHold(holder)) return null;
    let repository = known.get(holder);
    if (repository === undefined) known.set(holder, repository = readRepository(holder, top, cache));
    return repository;
  };
  return (directory) => {
    // All the way up: a repository inside another one, or what only looks like one, does not hide what the outer tracks.
    for (let holder = dirname(directory);; holder = dirname(holder)) {
      const repository = repositoryAt(holder);
      const answer = repository === null ? UNTRACKED : trackingIn(repository, holder, directory);
      if (answer.kind !== "untracked" || holder === dirname(holder)) return answer;
    }
  };
}

/** What the repository at `holder` says of `directory`. */
function trackingIn(repository: Repository | { why: string }, holder: string, directory: string): Tracking {
  if ("why" in repository) return { kind: "unknown", repository: holder, why: repository.why };
  if (repository.top === directory || !isWithin(repository.top, directory)) {
    return { kind: "unknown", repository: holder, why: `its working tree is elsewhere (${repository.top})` };
  }
  // Where git takes its configuration for none, the paths begin at the holder all the same.
  const files = Math.max(...[repository.top, holder].map((top) => countBelow(repository, relative(top, directory))));
  return files > 0 ? { kind: "tracked", repository: holder, files } : UNTRACKED;
}

/** A path as the index and the disk agree on it, where names are folded: without capitals, accents composed. */
function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function countBelow({ tracked: { counts, sparse }, foldsNames }: Repository, directory: string): number {
  const below = directory.replaceAll(SEPARATOR, "/");
  const name = foldsNames ? folded(below) : below;
  const inside = sparse.filter((folder) => `${name}/`.startsWith(folder)).length;
  return inside + (counts.get(name) ?? 0);
}

/**
 * Counts tracked files for the folders above them. Paths come sorted, so a folder is counted once it was left: the work
 * is that of reading the paths, however deep they are.
 */
function foldersOf(tracked: Iterable<string>, foldsNames: boolean): TrackedFolders {
  const counts = new Map<string, number>();
  const sparse: string[] = [];
  const open: { readonly folder: string; files: number }[] = [];
  let room = MAX_FOLDER_CHARACTERS;
  const leave = (shared: number) => {
    while (open.length > 0 && open.at(-1)!.folder.length >= shared) {
      const { folder, files } = open.pop()!;
      counts.set(folder, (counts.get(folder) ?? 0) + files);
      if (open.length > 0) open.at(-1)!.files += files;
    }
  };
  let previous = "";
  for (const path of tracked) {
    const name = foldsNames ? folded(path) : path;
    if (name.endsWith("/")) sparse.push(name);
    leave(sharedLength(previous, name));
    const from = (open.at(-1)?.folder.length ?? -1) + 1;
    for (let slash = name.indexOf("/", from); slash >= 0; slash = name.indexOf("/", slash + 1)) {
      room -= slash;
      if (room < 0) throw new RangeError("its index names too many folders");
      open.push({ folder: name.slice(0, slash), files: 0 });
    }
    if (open.length > 0) open.at(-1)!.files++;
    previous = name;
  }
  leave(0);
  return { counts, sparse };
}

/** How many characters two texts have in common at their beginning. */
function sharedLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}

/** What the repository at `holder` tracks; null where there is none. */
function readRepository(holder: string, top: string, cache: IndexCache): Repository | { why: string } | null {
  const marker = join(holder, ".git");
  let isFile: boolean;
  try {
    isFile = Deno.lstatSync(marker).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    if (isWithin(top, holder)) return { why: `${marker} cannot be read (${errorCode(error)})` };
    // Above the root only the files of repositoryFilesAbove may be readable; where not even they are, nothing is known.
    if (!isReadable(join(marker, "HEAD"))) return null;
    isFile = false;
  }
  try {
    const folder = isFile ? linkedFolder(marker) : marker;
    // Every repository has a HEAD; a folder without one is something else of that name.
    if (!exists(join(folder, "HEAD"))) return isFile ? { why: `${marker} names no repository` } : null;
    const { hashBytes, foldsNames, worktree } = settingsOf(folder);
    if (!exists(join(folder, "index")) && hasCommits(folder)) return { why: "it has commits but no index" };
    return {
      tracked: readIndex(join(folder, "index"), hashBytes, foldsNames, cache),
      top: worktree === null || isSame(worktree, holder) ? holder : worktree,
      foldsNames,
    };
  } catch (error) {
    return { why: error instanceof RangeError ? error.message : `its index cannot be read (${errorCode(error)})` };
  }
}

/**
 * The files that tell what the git repository above `root` tracks, if there is one: what has to be readable beside the
 * root for committed files in it to be known. Nothing else of the repository is.
 *
 * Looks as far up as reading is allowed.
 */
export function repositoryFilesAbove(root: string): string[] {
  for (let holder = dirname(root);; holder = dirname(holder)) {
    const marker = join(holder, ".git");
    try {
      const { isFile } = Deno.lstatSync(marker);
      const folder = isFile ? linkedFolder(marker) : marker;
      const common = resolve(folder, (readText(join(folder, "commondir")) ?? ".").trim());
      const own = exists(join(folder, "config.worktree")) ? ["config.worktree"] : [];
      const files = ["HEAD", "index", "commondir", "config", ...own].map((name) => join(folder, name));
      return [...new Set([...(isFile ? [marker] : []), ...files, join(common, "config")])];
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) return [];
    }
    if (holder === dirname(holder)) return [];
  }
}

function isReadable(path: string): boolean {
  return Deno.permissions.querySync({ name: "read", path }).state === "granted";
}

/** The folder that a `.git` file (of a worktree or a submodule) names. */
function linkedFolder(marker: string): string {
  const target = /^gitdir: (.+?)\r?\n?$/.exec(readText(marker) ?? "")?.[1];
  if (target === undefined) throw new RangeError(`${marker} is not a git file`);
  return isAbsolute(target) ? target : resolve(dirname(marker), target);
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Whether a repository's HEAD leads to a commit, as far as it can be seen. */
function hasCommits(folder: string): boolean {
  const head = (readText(join(folder, "HEAD")) ?? "").trim();
  const branch = /^ref: *(.+)$/.exec(head)?.[1];
  if (branch === undefined) return head !== "";
  const common = resolve(folder, (readText(join(folder, "commondir")) ?? ".").trim());
  try {
    if (exists(join(common, branch)) || exists(join(common, "reftable"))) return true;
    return (readText(join(common, "packed-refs")) ?? "").includes(` ${branch}\n`);
  } catch (error) {
    // Above a root only a few files may be read.
    if (error instanceof Deno.errors.NotCapable) return true;
    throw error;
  }
}

/** What the configuration of the repository in `folder` says about its paths. */
function settingsOf(folder: string): { hashBytes: number; foldsNames: boolean; worktree: string | null } {
  const common = readText(join(folder, "commondir"));
  const shared = readText(join(common === null ? folder : resolve(folder, common.trim()), "config")) ?? "";
  const hasOwn = isTrue(configValue(shared, "extensions", "worktreeconfig"));
  const own = hasOwn ? readText(join(folder, "config.worktree")) ?? "" : "";
  // The shared file speaks of the main working tree alone, and of all of them in everything else.
  const worktree = configValue(own, "core", "worktree") ??
    (common === null ? configValue(shared, "core", "worktree") : null);
  const ignoresCase = configValue(own, "core", "ignorecase") ?? configValue(shared, "core", "ignorecase");
  return {
    hashBytes: configValue(shared, "extensions", "objectformat")?.toLowerCase() === "sha256" ? 32 : 20,
    foldsNames: Deno.build.os !== "linux" || isTrue(ignoresCase),
    worktree: worktree === null ? null : resolve(folder, worktree),
  };
}

/** Whether a value of git's configuration means yes. */
function isTrue(value: string | null): boolean {
  return value !== null && !["", "false", "no", "off", "0"].includes(value.toLowerCase());
}

/** Whether two paths name one directory, also where one of them leads through a link. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return Deno.realPathSync(one) === Deno.realPathSync(other);
  } catch {
    return false;
  }
}

function readIndex(path: string, hashBytes: number, foldsNames: boolean, cache: IndexCache): TrackedFolders {
  const kept = cache.get(path);
  const file = readFile(path, MAX_INDEX_BYTES, kept?.folded === foldsNames ? kept.stamp : null);
  if (file === "known") return kept!.tracked;
  cache.delete(path);
  if (file === null) return { counts: new Map(), sparse: [] };
  const tracked = foldersOf(parseIndex(file.bytes, hashBytes), foldsNames);
  if (file.stamp !== null) {
    cache.set(path, { stamp: file.stamp, folded: foldsNames, tracked });
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
  }
  return tracked;
}

/**
 * The paths that an index names, one after the other.
 *
 * @param hashBytes Length of an object name: 20, or 32 in a SHA-256 repository.
 * @throws {RangeError} Where the index is damaged, of an unknown version, or kept in two files; the message says which.
 */
export function* parseIndex(bytes: Uint8Array, hashBytes: number): Generator<string, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || DECODER.decode(bytes.subarray(0, 4)) !== "DIRC") {
    throw new RangeError("its index is damaged");
  }
  requireIntact(bytes, hashBytes);
  const version = view.getUint32(4);
  if (version < 2 || version > 4) throw new RangeError(`its index has the unknown version ${version}`);
  const count = view.getUint32(8);
  let room = MAX_PATHS_BYTES;
  let at = HEADER_BYTES;
  let previous: Uint8Array = new Uint8Array();
  for (let entry = 0; entry < count; entry++) {
    const start = at;
    const flagsAt = at + STAT_BYTES + hashBytes;
    if (flagsAt + 2 > bytes.length) throw new RangeError("its index is damaged");
    const extended = version >= 3 && (view.getUint16(flagsAt) & EXTENDED_FLAG) !== 0;
    at = flagsAt + (extended ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      const [strip, next] = readOffset(bytes, at);
      kept = previous.length - strip;
      at = next;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0 || kept < 0) throw new RangeError("its index is damaged");
    const length = kept + end - at;
    room -= length;
    if (length > MAX_PATH_BYTES || room < 0) throw new RangeError("its index names paths that are too long");
    const path = new Uint8Array(length);
    path.set(previous.subarray(0, kept));
    path.set(bytes.subarray(at, end), kept);
    previous = path;
    yield DECODER.decode(path);
    // Before version 4 an entry is padded with one to eight NULs to a multiple of eight.
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
  }
  if (hasExtension(bytes, view, at, hashBytes, "link")) throw new RangeError("its index is split over two files");
}

/** Checks the hash at the end, which git leaves zero where `index.skipHash` says so. */
function requireIntact(bytes: Uint8Array, hashBytes: number): void {
  const content = bytes.subarray(0, -hashBytes);
  const expected = bytes.subarray(content.length);
  if (expected.every((byte) => byte === 0)) return;
  const actual = createHash(hashBytes === 20 ? "sha1" : "sha256").update(content).digest();
  if (!expected.every((byte, index) => byte === actual[index])) throw new RangeError("its index is damaged");
}

/** A number in git's offset encoding, and where it ends. */
function readOffset(bytes: Uint8Array, start: number): [value: number, next: number] {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    if (at >= bytes.length) throw new RangeError("its index is damaged");
    byte = bytes[at++]!;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return [value, at];
}

function hasExtension(bytes: Uint8Array, view: DataView, start: number, hashBytes: number, name: string): boolean {
  for (let at = start; at + 8 <= bytes.length - hashBytes;) {
    if (DECODER.decode(bytes.subarray(at, at + 4)) === name) return true;
    at += 8 + view.getUint32(at + 4);
  }
  return false;
}
