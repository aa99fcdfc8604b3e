/**
 * A scan: walk, measure, refuse.
 *
 * @module
 */

import { basename, dirname } from "@std/path";
import { contain, isWithin, Refusal, type Root } from "../guard/mod.ts";
import { requireNothingDenied } from "../guard/revalidate.ts";
import { type Candidate, type Find, requireDisposable, requireUntracked } from "./find.ts";
import { createTrackingLookup, type IndexCache } from "./git.ts";
import type { Crew } from "./crew.ts";
import { createMounts } from "./mounts.ts";
import { listNames } from "./match.ts";
import { isBareRepository, isVersionControl, type Measure, reclaimableBytes } from "./size.ts";
import { SCAN_PROBES, startMeasuring } from "./size_pool.ts";
import { breathe, inSlices, SLICE_MS } from "../concurrency/slices.ts";
import type { Target } from "./target.ts";
import { beginWalk, type Skipped, type Walk, type Walker } from "./walk.ts";
import { shareWalk } from "./walk_pool.ts";
import { type Change, createChange, type Work } from "./work.ts";

/**
 * Checks that no version-control metadata lies from `root` down to `start`: its folders are branches and objects,
 * whatever they are called.
 *
 * @throws {Refusal} `version-control`.
 */
export function requireWorkingTree(root: Root, start: string): void {
  for (const folder of foldersTo(root, start)) {
    const isNamed = folder !== root.path && isVersionControl(basename(folder));
    if (isNamed || isBareRepository(listNames(folder) ?? new Set())) {
      throw new Refusal("version-control", `${start} lies in version-control metadata (${folder})`);
    }
  }
}

/** The folders from `start` up to `root`, both included; to the top of the disk where `start` does not lie below it. */
export function foldersTo(root: Root, start: string): string[] {
  const folders = [start];
  for (let folder = start; folder !== root.path && folder !== dirname(folder);) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

/** What to scan and what to keep of it. */
export interface ScanRequest {
  /** Where to begin; lies inside `root`. */
  readonly start: string;
  /** The root that the start lies in. */
  readonly root: Root;
  /** All roots. */
  readonly roots: readonly Root[];
  /** Enabled targets. */
  readonly targets: readonly Target[];
  /** Least apparent size of a find, in bytes. */
  readonly minBytes: number;
  /** Least age of a find, in days, or null for any. */
  readonly olderThanDays: number | null;
  /** Levels below the start. */
  readonly maxDepth: number;
  /** Globs of what is left out; those with a `/` are relative to the start. */
  readonly exclude: readonly string[];
  /** The same, relative to the root. */
  readonly excludeInRoot: readonly string[];
  /** Ends the scan with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Workers that outlive the scan. @default its own */
  readonly crew?: Crew | undefined;
  /** Git's indexes that were read before. @default none */
  readonly indexes?: IndexCache | undefined;
  /** Told now and then how far the scan is. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
}

/** How far a scan is. */
export interface ScanProgress {
  /** Directories listed so far. */
  readonly visited: number;
  /** Directories that matched so far. */
  readonly matched: number;
  /** How many of them are measured. */
  readonly measured: number;
}

/** What a scan saw. */
export interface ScanOutcome {
  /** What may be offered, largest first, ties by path. */
  readonly finds: readonly Find[];
  /** What matched by name and was refused, by path. */
  readonly skipped: readonly Skipped[];
  /** Directories listed. */
  readonly visited: number;
  /** Directories that could not be listed. */
  readonly unreadable: number;
}

const DAY_MS = 86_400_000;
/** Time between two reports of progress, in milliseconds. */
const PROGRESS_MS = 20;

/**
 * Scans below `request.start`. Changes nothing on disk.
 *
 * Needs read permission for the root; write permission lets it see bind mounts too.
 */
export async function scan(request: ScanRequest): Promise<ScanOutcome> {
  const { start, root, roots, targets, exclude, excludeInRoot, maxDepth, signal } = request;
  const mounts = createMounts(root.path, root.identity.device);
  const walker = beginWalk({ start, root, roots, targets, exclude, excludeInRoot, maxDepth }, mounts);
  const { walk } = walker;
  const change = createChange(signal);
  const walking = shareWalk(walker, change);
  let [measured, told] = [0, -Infinity];
  const tell = () => {
    told = performance.now();
    request.onProgress?.({ visited: walk.visited, matched: walk.candidates.length, measured });
  };
  const tellAtTimes = () => {
    if (performance.now() - told >= PROGRESS_MS) tell();
  };
  const measuring = startMeasuring(SCAN_PROBES, {
    roots,
    signal,
    onProgress(done) {
      measured = done;
      tellAtTimes();
    },
    crew: request.crew,
    beside: { work: walking, change },
  });
  const isWanted = (candidate: Candidate) => isOldEnough(candidate, request.olderThanDays);
  try {
    let seen = 0;
    // What was found is measured by workers while this thread walks on.
    const takeStock = () => {
      for (; seen < walk.candidates.length; seen++) {
        if (isWanted(walk.candidates[seen]!)) measuring.add(walk.candidates[seen]!);
      }
      tellAtTimes();
    };
    await goOnWalking(walker, walking, change, signal, takeStock);
    tell();
    return await judge(request, walk, walk.candidates.filter(isWanted), await measuring.finish());
  } finally {
    measuring.end();
  }
}

/** Walks in slices, and with the help of those who take from `walking`, until all is walked. */
async function goOnWalking(
  walker: Walker,
  walking: Work,
  change: Change,
  signal: AbortSignal | undefined,
  takeStock: () => void,
): Promise<void> {
  takeStock();
  while (!walking.isDone()) {
    signal?.throwIfAborted();
    // Where nothing is pending here, all that is left is in others' hands.
    if (walker.walk.pending.length === 0) await change.next();
    else walker.advance(performance.now() + SLICE_MS);
    takeStock();
    change.wake();
    await breathe();
  }
  takeStock();
  signal?.throwIfAborted();
}

/** Which of the measured candidates may be offered. */
async function judge(
  request: ScanRequest,
  walk: Walk,
  wanted: readonly Candidate[],
  measures: readonly Measure[],
): Promise<ScanOutcome> {
  // Every folder from the start down to a candidate was listed. A deletion asks them all again.
  const mayHold = (holder: string) => !isWithin(request.start, holder) || walk.repositories.has(holder);
  const tracking = createTrackingLookup(request.root.path, mayHold, request.indexes);
  const finds: Find[] = [];
  const skipped = [...walk.skipped];
  let next = 0;
  const step = (deadline: number) => {
    while (next < wanted.length && performance.now() < deadline) {
      const [candidate, measure] = [wanted[next]!, measures[next]!];
      next++;
      try {
        // A folder on the way may have become a link since: then it is not the candidate that was measured.
        contain(request.roots, candidate.path);
        requireNothingDenied(candidate.path);
        requireDisposable(measure);
        requireUntracked(candidate.path, tracking);
        finds.push(findOf(candidate, measure));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        skipped.push({ path: candidate.path, reason: error.message });
      }
    }
  };
  await inSlices(step, () => next === wanted.length, request.signal);
  return {
    finds: finds.filter(({ bytes }) => bytes >= request.minBytes).sort(bySize),
    skipped: skipped.sort((one, other) => compare(one.path, other.path)),
    visited: walk.visited,
    unreadable: walk.unreadable,
  };
}

/** The find that a measured candidate is. */
function findOf(candidate: Candidate, measure: Measure): Find {
  return { ...candidate, files: measure.files, bytes: measure.bytes, reclaimable: reclaimableBytes(measure) };
}

/** Days since the directory itself last changed, 0 where unknown. */
export function ageInDays({ modified }: Candidate): number {
  return modified === null ? 0 : Math.max(0, (Date.now() - modified) / DAY_MS);
}

function isOldEnough(candidate: Candidate, days: number | null): boolean {
  return days === null || ageInDays(candidate) >= days;
}

function bySize(one: Find, other: Find): number {
  return other.bytes - one.bytes || compare(one.path, other.path);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
