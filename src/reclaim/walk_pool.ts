/**
 * Walking on all cores.
 *
 * @module
 */

import type { Candidate } from "./find.ts";
import type { Mounts } from "./mounts.ts";
import { createWalker, newWalk, type Pending, type Walk, type Walker, type WalkRules } from "./walk.ts";
import { type Assignment, type Change, JOB_DIRECTORIES, JOB_MS, type Work } from "./work.ts";

/** A part of a walk that somebody is asked to walk. Plain data. */
export interface WalkTask {
  /** What the walk obeys. */
  readonly rules: WalkRules;
  /** Directories to begin with. */
  readonly pending: readonly Pending[];
  /** For how many directories it is asked whether they are bind mounts. */
  readonly probes: number;
}

/** What a part of a walk saw. Plain data: a candidate's target is told by its key, and its root is that of the walk. */
export interface WalkPart extends Omit<Walk, "candidates"> {
  /** Directories that match and are proven. */
  readonly candidates: readonly (Omit<Candidate, "target" | "root"> & { readonly target: string })[];
}

/** How many directories a job leaves pending at most, apart from those of the last directory: each is sent back. */
const MAX_LEFT = 4096;

/** Walks a task for as long as one job may take. */
export function walkTask({ rules, pending, probes }: WalkTask, mounts: Mounts): WalkPart {
  const walk = newWalk(pending, probes);
  createWalker(walk, rules, mounts).advanceWhole(performance.now() + JOB_MS, MAX_LEFT);
  const candidates = walk.candidates.map(({ path, identity, changed, modified, target }) => ({
    path,
    identity,
    changed,
    modified,
    target: target.key,
  }));
  return { ...walk, candidates };
}

/** What is left of `walker`'s walk, for others to take from. This thread goes on with the walk itself. */
export function shareWalk({ walk, rules }: Walker, change: Change): Work {
  const targets = new Map(rules.targets.map((target) => [target.key, target]));
  let inHand = 0;
  const settle = () => {
    inHand--;
    change.wake();
  };
  return {
    take(): Assignment | null {
      const { pending, probes } = takeSome(walk);
      if (pending.length === 0) return null;
      inHand++;
      return {
        job: { measure: [], walk: { rules, pending, probes } },
        give({ walk: part }) {
          if (part) {
            for (const { target, ...seen } of part.candidates) {
              walk.candidates.push({ ...seen, target: targets.get(target)!, root: rules.root });
            }
            merge(walk, part);
          }
          settle();
        },
        giveBack() {
          merge(walk, newWalk(pending, probes));
          settle();
        },
      };
    },
    isDone: () => walk.pending.length === 0 && inHand === 0,
  };
}

/**
 * Takes up to half of what is pending: what was met first, which stands for the most work still unseen. A directory that
 * is being gone through stays where it is.
 */
function takeSome(walk: Walk): { pending: Pending[]; probes: number } {
  const waiting = walk.pending.length;
  const pending: Pending[] = [];
  const kept: Pending[] = [];
  for (const one of walk.pending.splice(0, Math.min(JOB_DIRECTORIES, waiting >> 1))) {
    (one.listing ? kept : pending).push(one);
  }
  walk.pending.push(...kept);
  const probes = pending.length === 0 ? 0 : Math.ceil(Math.max(0, walk.probes) * (pending.length / waiting));
  walk.probes -= probes;
  return { pending, probes };
}

/** Adds what another thread saw, apart from its candidates; what it left pending is pending here. */
function merge(into: Walk, part: Omit<Walk, "candidates">): void {
  // One by one: a call has no room for hundreds of thousands of arguments.
  for (const one of part.pending) into.pending.push(one);
  for (const one of part.skipped) into.skipped.push(one);
  for (const folder of part.repositories) into.repositories.add(folder);
  into.visited += part.visited;
  into.unreadable += part.unreadable;
  into.probes += Math.max(0, part.probes);
}
