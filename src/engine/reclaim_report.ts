/**
 * What Reclaim reports, under the names that tools and scripts rely on.
 *
 * @module
 */

import { isUnproven } from "../reclaim/find.ts";
import { markersOf } from "../reclaim/match.ts";
import { ageInDays } from "../reclaim/scan.ts";
import { formatBytes } from "../text/units.ts";
import type { Decision, Planned, ReclaimService, RefusedId, Scanned } from "./reclaim.ts";

/** One kind of directory, as `list_targets` shows it. */
export interface TargetReport {
  /** Key for `only`. */
  key: string;
  /** Ecosystem. */
  ecosystem: string;
  /** Names of the directory. */
  matches: string[];
  /** Files that prove it, beside it, or inside it where they begin with `./`; null for a pure cache. */
  requires_marker_file: string[] | null;
  /** What brings it back. */
  regenerate_with: string;
}

/** One find, as `scan` shows it. */
export interface FindReport {
  /** Ticket: the only thing that `reclaim` accepts. */
  id: string;
  /** Where it is. */
  path: string;
  /** Key of the target. */
  target: string;
  /** Apparent size for people. */
  size: string;
  /** Apparent size in bytes. */
  size_bytes: number;
  /** What deleting it frees, in bytes. */
  reclaimable_bytes: number;
  /** Entries that are not directories. */
  files: number;
  /** Days since the directory itself last changed. */
  age_days: number;
  /** What brings it back. */
  regenerate_with: string;
}

/** Result of `scan`. Counts and totals are of the whole scan, also where lists are cut. */
export interface ScanReport {
  /** What was scanned. */
  scanned: string;
  /** How many finds there are. */
  found: number;
  /** Their apparent size for people. */
  total_size: string;
  /** Their apparent size in bytes. */
  total_bytes: number;
  /** What deleting them all frees, in bytes. */
  reclaimable_bytes: number;
  /** How long it took. */
  duration_seconds: number;
  /** Directories listed. */
  directories_visited: number;
  /** Directories that could not be listed: what they hold is unknown. */
  unreadable: number;
  /** Directories that matched by name and were refused. */
  skipped: { path: string; reason: string }[];
  /** The finds, largest first. */
  finds: FindReport[];
}

/** One directory that a dry run would delete, or that was deleted. */
export interface ReclaimEntry {
  /** Ticket. */
  id: string;
  /** Where it is, or was. */
  path: string;
  /** Apparent size for people. */
  size: string;
  /** Apparent size in bytes. */
  size_bytes: number;
  /** What brings it back. */
  regenerate_with: string;
}

/** Result of `reclaim` without `confirm: "delete"`. */
export interface DryRunReport {
  /** Always true. */
  dry_run: true;
  /** What a confirmed call would delete. */
  would_delete: ReclaimEntry[];
  /** What it would free, for people. */
  would_reclaim: string;
  /** Tickets that do not hold. */
  refused: RefusedId[];
  /** What to do next. */
  note: string;
}

/** Result of a confirmed `reclaim`. */
export interface DeletionReport {
  /** Always false. */
  dry_run: false;
  /** What was deleted. */
  deleted: ReclaimEntry[];
  /** What that freed, for people. */
  reclaimed: string;
  /** Tickets that did not hold, and directories that could be deleted only in part. */
  refused: RefusedId[];
}

/** How many refused directories a scan names at most, unless a caller says otherwise. */
const MAX_SKIPPED = 200;

/**
 * The catalogue of a service.
 *
 * @example
 * ```ts
 * import { createReclaim, openRoots, TARGETS, targetReports } from "@agentsweep/mcp";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * const reclaim = createReclaim(openRoots([root]), TARGETS);
 * console.log(targetReports(reclaim).map(({ key }) => key).includes("node-modules")); // true
 * ```
 */
export function targetReports({ targets }: ReclaimService): TargetReport[] {
  return targets.map((target) => ({
    key: target.key,
    ecosystem: target.ecosystem,
    matches: [...target.matches],
    requires_marker_file: markersOf(target),
    regenerate_with: target.regenerateWith,
  }));
}

/**
 * Reports a scan and issues a ticket for each find that is listed.
 *
 * @param maxFinds How many finds are listed at most.
 * @param maxSkipped How many refused directories are listed at most.
 *
 * @example
 * ```ts
 * import { createReclaim, openRoots, scanReport, TARGETS } from "@agentsweep/mcp";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * const reclaim = createReclaim(openRoots([root]), TARGETS);
 * const { found, total_size } = scanReport(reclaim, await reclaim.scan({ path: root }), 20);
 * console.log(found, total_size); // 0 0 B
 * ```
 */
export function scanReport(
  service: ReclaimService,
  scanned: Scanned,
  maxFinds: number,
  maxSkipped: number = MAX_SKIPPED,
): ScanReport {
  const total = sum(scanned.finds.map(({ bytes }) => bytes));
  return {
    scanned: scanned.path,
    found: scanned.finds.length,
    total_size: formatBytes(total),
    total_bytes: total,
    reclaimable_bytes: sum(scanned.finds.map(({ reclaimable }) => reclaimable)),
    duration_seconds: round(scanned.seconds, 3),
    directories_visited: scanned.visited,
    unreadable: scanned.unreadable,
    skipped: shortened(scanned, maxSkipped),
    finds: scanned.finds.slice(0, maxFinds).map((find) => ({
      id: service.ticketFor(find),
      path: find.path,
      target: find.target.key,
      size: formatBytes(find.bytes),
      size_bytes: whole(find.bytes),
      reclaimable_bytes: whole(find.reclaimable),
      files: find.files,
      age_days: round(ageInDays(find), 1),
      regenerate_with: find.target.regenerateWith,
    })),
  };
}

/**
 * The refused directories; beyond a limit one entry says how many more there are. What merely has the name of a kind
 * makes way for what was refused for another reason.
 */
function shortened({ skipped, path }: Scanned, limit: number): { path: string; reason: string }[] {
  const isCut = skipped.length > limit;
  const [others, unproven] = isCut ? [skipped.filter((entry) => !isUnproven(entry)), skipped.filter(isUnproven)] : [];
  const listed = [...others ?? skipped, ...unproven ?? []].slice(0, limit)
    .map(({ path, reason }) => ({ path, reason }));
  const more = skipped.length - listed.length;
  if (more > 0) {
    listed.push({ path, reason: `${more} more directories were refused; scan a smaller folder to see them` });
  }
  return listed;
}

/**
 * Reports a dry run.
 *
 * @example
 * ```ts
 * import { createReclaim, dryRunReport, openRoots, TARGETS } from "@agentsweep/mcp";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * const reclaim = createReclaim(openRoots([root]), TARGETS);
 * console.log(dryRunReport(await reclaim.plan(["f-000000000000"])).refused);
 * ```
 */
export function dryRunReport({ accepted, refused }: Decision): DryRunReport {
  return {
    dry_run: true,
    would_delete: accepted.map(entryOf),
    would_reclaim: formatBytes(sum(accepted.map(({ find }) => find.reclaimable))),
    refused: [...refused],
    note: 'Nothing was deleted. Call again with confirm set to exactly "delete" to delete what is listed.',
  };
}

/**
 * Reports a deletion.
 *
 * @example
 * ```ts
 * import { createReclaim, deletionReport, openRoots, TARGETS } from "@agentsweep/mcp";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * const reclaim = createReclaim(openRoots([root]), TARGETS);
 * console.log(deletionReport(await reclaim.redeem(["f-000000000000"])).refused);
 * ```
 */
export function deletionReport({ accepted, refused }: Decision): DeletionReport {
  return {
    dry_run: false,
    deleted: accepted.map(entryOf),
    reclaimed: formatBytes(sum(accepted.map(({ find }) => find.reclaimable))),
    refused: [...refused],
  };
}

function entryOf({ id, find }: Planned): ReclaimEntry {
  return {
    id,
    path: find.path,
    size: formatBytes(find.bytes),
    size_bytes: whole(find.bytes),
    regenerate_with: find.target.regenerateWith,
  };
}

function sum(numbers: readonly number[]): number {
  return whole(numbers.reduce((total, number) => total + number, 0));
}

/** A count as a result may state it: files with holes can be larger than any integer that JSON carries exactly. */
function whole(bytes: number): number {
  return Math.min(bytes, Number.MAX_SAFE_INTEGER);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
