/**
 * What a scan finds.
 *
 * @module
 */

import { type Claim, Refusal, type Root } from "../guard/mod.ts";
import type { TrackingLookup } from "./git.ts";
import { irreplaceable, isNamed, isProven, type Lister, markersOf, namesIn } from "./match.ts";
import { isQuarantineName, parseQuarantineName } from "./quarantine.ts";
import { sameIdentity } from "../guard/identity.ts";
import type { Mounts } from "./mounts.ts";
import type { Measure } from "./size.ts";
import type { Target } from "./target.ts";
import { basename, dirname } from "@std/path";
import { plural } from "../text/units.ts";

/** How many markers a refusal names. */
const MAX_NAMED_MARKERS = 5;

/** A directory that matched a target and was proven. */
export interface Candidate extends Claim {
  /** What it was found as. */
  readonly target: Target;
  /** The root that it lies in. */
  readonly root: Root;
  /** Time of the directory's own last change in milliseconds, null where unknown. */
  readonly modified: number | null;
}

/** A directory that may be offered for deletion, measured. */
export interface Find extends Candidate {
  /** Entries that are not directories. */
  readonly files: number;
  /** Apparent size in bytes. */
  readonly bytes: number;
  /** What deleting it frees, in bytes. */
  readonly reclaimable: number;
}

/**
 * Checks that `path` is called as `target` is and that something proves that it can be rebuilt. A quarantine of this
 * program is proven by the directory that its name speaks of.
 *
 * @throws {Refusal} `unproven`, with what is missing.
 */
export function requireProof(target: Target, claim: Claim, root: Root, list: Lister): void {
  const name = basename(claim.path);
  if (isQuarantineName(name)) {
    const quarantine = parseQuarantineName(name);
    const own = quarantine !== null && quarantine.target === target.key &&
      (sameIdentity(quarantine.identity, claim.identity) || list(claim.path)?.size === 0);
    if (own) return;
    throw new Refusal(
      "unproven",
      "an interrupted deletion left this name, but what stands there now is another directory; move it back by hand",
    );
  }
  if (!isNamed(target, claim.path) || !isProven(target, claim.path, root.path, list)) {
    throw new Refusal("unproven", unprovenReason([target], claim.path));
  }
  requireReplaceable(target, claim.path);
}

/**
 * Checks that the directory holds nothing that its target says does not come back.
 *
 * @throws {Refusal} `irreplaceable`; `unreadable` where that cannot be told.
 */
export function requireReplaceable(target: Target, path: string): void {
  const found = irreplaceable(target, path, namesIn);
  if (found !== null) {
    throw new Refusal("irreplaceable", `it holds ${found}, which ${target.regenerateWith} does not bring back`);
  }
}

const UNPROVEN = "nothing proves that it can be rebuilt";

/** Whether a directory was refused for its name alone: it merely is called like a kind, as any `lib` is. */
export function isUnproven({ reason }: { readonly reason: string }): boolean {
  return reason.startsWith(UNPROVEN);
}

/** Why a directory whose name fits `targets` is not offered. */
export function unprovenReason(targets: readonly Target[], path: string): string {
  const markers = [...new Set(targets.flatMap((target) => markersOf(target) ?? []))];
  const more = markers.length - MAX_NAMED_MARKERS;
  if (more > 0) {
    const named = markers.slice(0, MAX_NAMED_MARKERS).join(" or ");
    return `${UNPROVEN}: no ${named} or one of ${more} other markers beside or inside it (the list of targets names them)`;
  }
  const beside = markers.filter((marker) => !marker.startsWith("./"));
  const inside = markers.filter((marker) => marker.startsWith("./"));
  const wanted = [
    ...(beside.length > 0 ? [`${beside.join(" or ")} beside it in ${dirname(path)}`] : []),
    ...(inside.length > 0 ? [`${inside.join(" or ")} inside`] : []),
  ];
  return `${UNPROVEN}: no ${wanted.join(", nor ")}`;
}

/**
 * Checks that a directory lies in the same mount as its root: a bind mount's content has its place elsewhere.
 *
 * @throws {Refusal} `mount`; what the system says where that cannot be told.
 */
export function requireOwnMount(root: Root, mounts: Mounts, path: string, info: Deno.FileInfo): void {
  if (mounts.isForeign(info.dev) || mounts.areApart(root.path, path)) {
    throw new Refusal("mount", "it is a mount point, or lies in one");
  }
}

/**
 * Checks what was seen inside a find.
 *
 * @throws {Refusal} `version-control`, `mount`, `root` or `unreadable`.
 */
export function requireDisposable(measure: Measure): void {
  if (measure.versionControl !== null) {
    throw new Refusal("version-control", `it holds version-control metadata (${measure.versionControl})`);
  }
  if (measure.mount !== null) {
    throw new Refusal("mount", `it holds a mount point (${measure.mount}), which is not its own content`);
  }
  if (measure.root !== null) throw new Refusal("root", `it holds an allowed root (${measure.root})`);
  if (measure.unreadable > 0) {
    const places = plural(measure.unreadable, "place");
    throw new Refusal("unreadable", `${places} inside cannot be read, so what it holds is unknown`);
  }
}

/**
 * Checks that the surrounding git repository, if there is one, tracks nothing in `path`.
 *
 * @throws {Refusal} `tracked`, also where it cannot be told.
 */
export function requireUntracked(path: string, tracking: TrackingLookup): void {
  const answer = tracking(path);
  if (answer.kind === "tracked") {
    const files = plural(answer.files, "file");
    throw new Refusal("tracked", `the git repository ${answer.repository} tracks ${files} in it`);
  }
  if (answer.kind === "unknown") {
    throw new Refusal("tracked", `whether the git repository ${answer.repository} tracks it is unknown: ${answer.why}`);
  }
}
