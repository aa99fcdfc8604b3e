/**
 * Sharing the work of a scan among threads.
 *
 * @module
 */

import type { Measure } from "./size.ts";
import type { Task } from "./size_pool.ts";
import type { WalkPart, WalkTask } from "./walk_pool.ts";

/** How long a worker goes on with one job, in milliseconds: nobody waits for it, and an answer costs time too. */
export const JOB_MS = 20;

/** Directories that one job begins with at most: so few that no participant is left with the rest. */
export const JOB_DIRECTORIES = 64;

/** What a participant is asked to do. Plain data. */
export interface Job {
  /** Parts of trees to measure. */
  readonly measure: readonly Task[];
  /** A part of a walk, or null. */
  readonly walk: WalkTask | null;
}

/** What became of a job: as far as it was done; the rest is pending in it. Plain data. */
export interface Answer {
  /** The measures of its parts of trees, in their order. */
  readonly measures: readonly Measure[];
  /** What its part of a walk saw. */
  readonly walk: WalkPart | null;
}

/** Does jobs for a while each. Null where it failed. */
export type Participant = (job: Job) => Promise<Answer | null>;

/** A job in somebody's hands, who says exactly once what became of it. */
export interface Assignment {
  /** What is to be done. */
  readonly job: Job;
  /** Takes in what was done. */
  give(answer: Answer): void;
  /** Takes it back, undone. */
  giveBack(): void;
}

/** Work that is handed out in jobs. */
export interface Work {
  /** The next job, or null where there is none just now. */
  take(): Assignment | null;
  /** Whether all is done. */
  isDone(): boolean;
}

/** Wakes whoever waits for work to change. */
export interface Change {
  /** Says that there may be something to take, or that all is done. */
  wake(): void;
  /** Resolves at the next {@linkcode wake}. */
  next(): Promise<void>;
}

/** A change that an aborted `signal` is one, too. */
export function createChange(signal: AbortSignal | undefined): Change {
  let next = Promise.withResolvers<void>();
  const wake = () => {
    next.resolve();
    next = Promise.withResolvers<void>();
  };
  signal?.addEventListener("abort", wake, { once: true });
  return { wake, next: () => next.promise };
}

/** Lets `participant` work, while it is needed, until all is done, the signal aborts, or it fails. */
export async function participate(
  participant: Participant,
  work: Work,
  change: Change,
  signal: AbortSignal | undefined,
  isNeeded: () => boolean = () => true,
): Promise<void> {
  while (!work.isDone() && !signal?.aborted) {
    const assignment = isNeeded() ? work.take() : null;
    if (assignment === null) {
      await change.next();
      continue;
    }
    const answer = await participant(assignment.job);
    if (answer === null) return assignment.giveBack();
    assignment.give(answer);
  }
}
