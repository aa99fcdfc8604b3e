/**
 * Deleting one directory, and only that one, while others may be changing the tree.
 *
 * @module
 */

import { basename, dirname, join } from "@std/path";
import { type Contained, errorCode, type Identity, identityOf, isWithin, Refusal, sameIdentity } from "../guard/mod.ts";
import type { Crew } from "./crew.ts";
import { type Candidate, type Find, requireDisposable, requireReplaceable } from "./find.ts";
import { parseQuarantineName, quarantineName } from "./quarantine.ts";
import { measureTrees } from "./size_pool.ts";

/** How long what was moved aside is waited for before it is given up to be put back, in milliseconds. */
const PATIENCE_MS = 20;

/** The steps of a removal, in order. */
export type RemovalStep = "placed" | "moved" | "verified" | "inspected" | "removed";

/** Told after each step; tests end the process there. */
export type OnStep = (step: RemovalStep) => void;

/**
 * Removes the directory that `find` names and that `contained` proves to lie inside a root.
 *
 * 1. An empty directory with a random name is made beside it, where the disk has room for one.
 * 2. The find is renamed onto it. The system does this only with a directory: a link or a file that was swapped in is
 *    refused by `rename` itself.
 * 3. What was moved is compared with what was found: kind, device, inode, time of creation, real place. Anything else
 *    goes back.
 * 4. Its inside is looked at: version control, mounts, unreadable parts, what does not come back. It goes back if it
 *    holds any.
 * 5. It is removed without following links.
 *
 * The runtime has no renames relative to an open directory, so one who swaps a directory above the find at the right
 * instants can have what he put there moved aside; it is put back, or keeps its content under another name.
 *
 * Needs read and write permission for the root.
 *
 * @param crew Workers that outlive the removal; without them it has its own.
 *
 * @throws {Refusal} When anything is not as it was found; nothing is deleted then. `incomplete` when a part could not be
 * removed, with what is left and where.
 */
export async function removeFind(
  find: Find,
  contained: Contained,
  onStep: OnStep = () => {},
  crew?: Crew,
): Promise<void> {
  if (isPlaceholder(find)) return removePlaceholder(find.path);
  const quarantine = join(dirname(find.path), quarantineName(find.target.key, find.identity));
  const placeholder = moveAside(find.path, quarantine, onStep);
  try {
    verify(find, contained, quarantine);
    onStep("verified");
    await inspect(find, contained, quarantine, crew);
    verify(find, contained, quarantine);
    onStep("inspected");
  } catch (error) {
    throw putBack(find.path, quarantine, placeholder, error);
  }
  await removeAll(find, quarantine);
  onStep("removed");
}

/** Whether `find` is the empty directory that a deletion made and did not come to use. */
function isPlaceholder({ path, identity }: Candidate): boolean {
  const quarantine = parseQuarantineName(basename(path));
  return quarantine !== null && !sameIdentity(quarantine.identity, identity);
}

/** Removes a directory only while it is empty, which the system itself sees to. */
function removePlaceholder(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    throw new Refusal("changed", `${path} is not empty any more (${errorCode(error)}); nothing was deleted`);
  }
}

/** Moves `path` aside; the identity of the empty directory that it replaced, null where there was none. */
function moveAside(path: string, quarantine: string, onStep: OnStep): Identity | null {
  let placeholder: Identity | null = null;
  try {
    placeholder = makePlace(quarantine);
    onStep("placed");
    Deno.renameSync(path, quarantine);
  } catch (error) {
    if (placeholder !== null) removeEmpty(quarantine);
    throw moveRefusal(path, error);
  }
  onStep("moved");
  return placeholder;
}

/**
 * Makes the empty directory that is renamed onto. There is none on Windows, which renames onto no directory, and where
 * the disk has no room for one, which is when space is wanted most: there the check after the move is the only one.
 */
function makePlace(quarantine: string): Identity | null {
  if (Deno.build.os === "windows") return null;
  try {
    Deno.mkdirSync(quarantine, { mode: 0o700 });
  } catch (error) {
    if (["ENOSPC", "EDQUOT", "EMLINK"].includes(errorCode(error))) return null;
    throw error;
  }
  try {
    return identityOf(quarantine, Deno.lstatSync(quarantine));
  } catch (error) {
    removeEmpty(quarantine);
    throw error;
  }
}

function removeEmpty(directory: string): void {
  try {
    Deno.removeSync(directory);
  } catch {
    // It was never made, or someone put something in: then it is theirs.
  }
}

function moveRefusal(path: string, error: unknown): Refusal {
  const code = errorCode(error);
  if (code === "EBUSY") return new Refusal("mount", `${path} is a mount point or in use; nothing was deleted`);
  if (code === "EXDEV") {
    const reason = `${path} is a mount point, or comes from a lower layer of an overlay and cannot be moved`;
    return new Refusal("mount", `${reason}; nothing was deleted`);
  }
  if (code === "ENOTDIR" || code === "EISDIR" || code === "EEXIST") {
    return new Refusal("changed", `${path} was swapped for something that is not a directory`);
  }
  if (code === "ENOENT") return new Refusal("missing", `${path} does not exist any more`);
  if (error instanceof Deno.errors.NotCapable) {
    return new Refusal(
      "unreadable",
      `Deno's sandbox does not allow to delete ${path}; start the server with --allow-write`,
    );
  }
  return new Refusal("unreadable", `${path} cannot be moved (${code}); nothing was deleted`);
}

/** Checks that what stands in the quarantine is the directory that was found, and stands inside the root. */
function verify(find: Candidate, contained: Contained, quarantine: string): void {
  const info = Deno.lstatSync(quarantine);
  if (!info.isDirectory || info.isSymlink || !sameIdentity(find.identity, identityOf(quarantine, info))) {
    throw new Refusal("changed", `${find.path} was swapped for another directory while it was being deleted`);
  }
  if (!isWithin(contained.root.real, Deno.realPathSync(quarantine))) {
    throw new Refusal("outside", `${find.path} was moved out of the root while it was being deleted`);
  }
}

async function inspect(
  find: Find,
  { roots }: Contained,
  quarantine: string,
  crew: Crew | undefined,
): Promise<void> {
  const [measure] = await measureTrees([{ path: quarantine, root: find.root }], Infinity, { roots, crew });
  requireDisposable(measure!);
  // Nobody deletes in a quarantine: what vanished was never looked at, since something above it was swapped.
  // And what held files when it was found is not empty now: an empty place of the same name was looked at.
  if (measure!.vanished > 0 || (measure!.files === 0 && find.files > 0)) {
    throw new Refusal("changed", `${find.path} changed while it was being deleted`);
  }
  requireReplaceable(find.target, quarantine);
}

/**
 * Moves what stands in the quarantine back, never over something that stands there by now. What has no place to go back
 * to keeps a name that no scan takes for a find or a quarantine.
 *
 * Where a directory above is being swapped, what was moved may for the moment be out of sight: it is waited for a little.
 */
function putBack(path: string, quarantine: string, placeholder: Identity | null, cause: unknown): Refusal {
  const reason = cause instanceof Refusal
    ? cause
    : new Refusal("unreadable", `${path} cannot be checked (${errorCode(cause)})`);
  const patience = performance.now() + PATIENCE_MS;
  do {
    if (holdsMoved(quarantine, placeholder) && moveTo(quarantine, path)) {
      return new Refusal(reason.code, `${reason.message}; nothing was deleted`);
    }
  } while (performance.now() < patience);
  if (!holdsMoved(quarantine, placeholder)) {
    if (placeholder !== null) removeEmpty(quarantine);
    return new Refusal(reason.code, `${reason.message}; nothing was deleted, but it is not where it was moved to`);
  }
  const kept = join(dirname(path), `agentsweep-kept-${crypto.getRandomValues(new Uint8Array(6)).toHex()}`);
  const place = moveTo(quarantine, kept) ? kept : quarantine;
  return new Refusal(reason.code, `${reason.message}; nothing was deleted, what stood there is now at ${place}`);
}

/** Whether something else than the empty directory that was made for it stands in the quarantine. */
function holdsMoved(quarantine: string, placeholder: Identity | null): boolean {
  try {
    const identity = identityOf(quarantine, Deno.lstatSync(quarantine));
    return placeholder === null || !sameIdentity(identity, placeholder);
  } catch {
    return false;
  }
}

/** Renames a directory to a name that is free; whether it could. */
function moveTo(from: string, to: string): boolean {
  try {
    Deno.lstatSync(to);
    return false;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return false;
  }
  try {
    // Should something appear there just now: a directory does not replace a file, a link or a directory with content.
    Deno.renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

async function removeAll(find: Candidate, quarantine: string): Promise<void> {
  try {
    // The runtime opens each directory without following links and unlinks relative to it.
    await Deno.remove(quarantine, { recursive: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new Refusal("changed", `${find.path} was moved away by someone else while it was being deleted`);
    }
    const left = await remaining(find, quarantine);
    throw new Refusal(
      "incomplete",
      `${find.path} was deleted in part (${errorCode(error)}): ${left} left in ${quarantine}`,
    );
  }
}

async function remaining(find: Candidate, quarantine: string): Promise<string> {
  const [measure] = await measureTrees([{ path: quarantine, root: find.root }], 0);
  return `${measure!.files} files with ${measure!.bytes} bytes are`;
}
