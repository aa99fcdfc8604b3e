/**
 * Measuring trees on all cores.
 *
 * @module
 */

import { breathe, SLICE_MS } from "../concurrency/slices.ts";
import type { Root } from "../guard/mod.ts";
import { createCrew, type Crew, type Participant } from "./crew.ts";
import { createMounts, type Mounts } from "./mounts.ts";
import { advance, advanceGently, type Measure, merge, newMeasure } from "./size.ts";

/** A tree to be measured. */
export interface Tree {
  /** Path of its top. */
  readonly path: string;
  /** The root that it lies in. */
  readonly root: Root;
}

/** A part of one tree that somebody is asked to measure. */
export interface Task {
  /** Which tree, by its place in the list. */
  readonly tree: number;
  /** Directories to measure. */
  readonly pending: readonly string[];
  /** For how many directories it is asked whether they are bind mounts. */
  readonly probes: number;
  /** Path of the root that they lie in. */
  readonly root: string;
  /** Device number of that root. */
  readonly device: number;
  /** Whether others have nothing to do: then what is found beyond one job's worth is handed back at once. */
  readonly isScarce: boolean;
}

/** For how many directories of a tree a scan asks whether they are bind mounts. Before a deletion all are asked. */
export const SCAN_PROBES = 1000;

/** How long this thread measures alone before workers are worth their start, in milliseconds. */
const ALONE_MS = 20;
/** How long a worker goes on with one job, in milliseconds: nobody waits for it, and an answer costs time too. */
const JOB_MS = 20;
/** Directories that one job takes at most: small enough that no participant is left with the rest. */
const JOB_DIRECTORIES = 64;

/** How measuring is followed, ended and helped. */
export interface MeasureOptions {
  /** Ends it with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told now and then how many trees are done. */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Workers that outlive it. @default its own, ended with it */
  readonly crew?: Crew | undefined;
}

/** Measuring in progress. */
export interface Measuring {
  /** Takes one more tree. Workers may begin with it at once. */
  add(tree: Tree): void;
  /**
   * Says that there are no more trees, and resolves with the measures in the order in which they were added.
   *
   * @throws The signal's reason when it aborts.
   */
  finish(): Promise<Measure[]>;
  /** Ends it, finished or not. */
  end(): void;
}

/**
 * Begins to measure trees that are still being found: a small amount is left to this thread, when it has finished
 * finding; a large one goes to workers.
 *
 * Where workers cannot be had (their module may not be read), this thread does it all.
 *
 * @param probes For how many directories of each tree it is asked whether they are bind mounts.
 */
export function startMeasuring(
  probes: number,
  { signal, onProgress = () => {}, crew }: MeasureOptions = {},
): Measuring {
  const queue = createQueue(probes, onProgress);
  const helpers = crew ?? createCrew();
  let hasHelp = false;
  const callHelp = () => {
    hasHelp = true;
    helpers.join((participant) => participate(participant, queue, signal));
  };
  // Workers that run already cost nothing, and begin with the first tree.
  if (helpers.isAtWork()) callHelp();
  const timer = hasHelp ? undefined : setTimeout(callHelp, ALONE_MS);
  return {
    add: queue.add,
    async finish() {
      const measures = queue.close();
      // While there are workers this thread rests: its event loop loads their modules and hands out their work.
      await participate(createLocal(), queue, signal, () => !(hasHelp && helpers.isAtWork()));
      signal?.throwIfAborted();
      return measures;
    },
    end() {
      clearTimeout(timer);
      queue.close();
      if (!crew) helpers.end();
    },
  };
}

/**
 * Measures each of `trees`, as {@linkcode startMeasuring} does.
 *
 * @throws The signal's reason when it aborts.
 */
export async function measureTrees(
  trees: readonly Tree[],
  probes: number,
  options: MeasureOptions = {},
): Promise<Measure[]> {
  options.signal?.throwIfAborted();
  const measuring = startMeasuring(probes, options);
  try {
    for (const tree of trees) measuring.add(tree);
    return await measuring.finish();
  } finally {
    measuring.end();
  }
}

/** The measure of a directory begins with the space of the directory itself. */
function startOf(path: string, probes: number): Measure {
  const measure = newMeasure([path], probes);
  try {
    const { blocks, size } = Deno.lstatSync(path);
    measure.allocated = blocks === null ? size : blocks * 512;
  } catch {
    measure.unreadable++;
  }
  return measure;
}

/** Hands out parts of trees and takes the results in. */
interface Queue {
  /** Takes one more tree. */
  add(tree: Tree): void;
  /** Says that there are no more trees; the measures, which are whole once all is done. */
  close(): Measure[];
  /** The next tasks, empty where all that is left is in others' hands. */
  take(): readonly Task[];
  /** Takes in what became of tasks. */
  give(tasks: readonly Task[], parts: readonly Measure[]): void;
  /** Takes back tasks of a participant that failed. */
  giveBack(tasks: readonly Task[]): void;
  /** Whether every tree is measured. */
  isDone(): boolean;
  /** Resolves when there may be something to take, or all is done. */
  changed(): Promise<void>;
}

function createQueue(initialProbes: number, onProgress: (done: number) => void): Queue {
  const trees: Tree[] = [];
  const measures: Measure[] = [];
  const inHand: number[] = [];
  const open: number[] = [];
  const isOpen: boolean[] = [];
  let isClosed = false;
  let done = 0;
  let change = Promise.withResolvers<void>();

  const settle = (index: number) => {
    inHand[index]!--;
    if (measures[index]!.pending.length > 0) {
      if (!isOpen[index]) open.push(index);
      isOpen[index] = true;
    } else if (inHand[index] === 0) {
      done++;
    }
  };
  const notify = () => {
    onProgress(done);
    change.resolve();
    change = Promise.withResolvers<void>();
  };
  return {
    add(tree) {
      open.push(trees.push(tree) - 1);
      measures.push(startOf(tree.path, initialProbes));
      inHand.push(0);
      isOpen.push(true);
      notify();
    },
    close() {
      isClosed = true;
      notify();
      return measures;
    },
    take() {
      const tasks: Omit<Task, "isScarce">[] = [];
      let room = JOB_DIRECTORIES;
      while (room > 0 && open.length > 0) {
        const index = open.at(-1)!;
        const measure = measures[index]!;
        const { root } = trees[index]!;
        // The front of the list holds what was met first and stands for the most work still unseen.
        const waiting = measure.pending.length;
        const pending = measure.pending.splice(0, room);
        const probes = Math.ceil(Math.max(0, measure.probes) * (pending.length / waiting));
        if (probes !== Infinity) measure.probes -= probes;
        if (measure.pending.length === 0) isOpen[open.pop()!] = false;
        inHand[index]!++;
        room -= pending.length;
        tasks.push({ tree: index, pending, probes, root: root.path, device: root.identity.device });
      }
      return tasks.map((task) => ({ ...task, isScarce: room > 0 }));
    },
    give(tasks, parts) {
      tasks.forEach(({ tree }, index) => {
        merge(measures[tree]!, parts[index]!);
        settle(tree);
      });
      notify();
    },
    giveBack(tasks) {
      for (const { tree, pending, probes } of tasks) {
        merge(measures[tree]!, newMeasure(pending, probes));
        settle(tree);
      }
      notify();
    },
    isDone: () => isClosed && done === trees.length,
    changed: () => change.promise,
  };
}

/** Lets `participant` work, while it is needed, until the queue is done, the signal aborts, or it fails. */
async function participate(
  participant: Participant,
  queue: Queue,
  signal: AbortSignal | undefined,
  isNeeded: () => boolean = () => true,
): Promise<void> {
  while (!queue.isDone() && !signal?.aborted) {
    const tasks = isNeeded() ? queue.take() : [];
    if (tasks.length === 0) {
      await queue.changed();
      continue;
    }
    const parts = await participant(tasks);
    if (parts === null) return queue.giveBack(tasks);
    queue.give(tasks, parts);
  }
}

/** Measures tasks for as long as one job may take. */
export function measureTasks(tasks: readonly Task[], mountsOf: (task: Task) => Mounts): Measure[] {
  const deadline = performance.now() + JOB_MS;
  return tasks.map((task) => {
    const measure = newMeasure(task.pending, task.probes);
    const enough = task.isScarce ? JOB_DIRECTORIES : Infinity;
    if (performance.now() < deadline) advance(measure, mountsOf(task), deadline, enough);
    return measure;
  });
}

/** What is known of mounts, once for each root. */
export function createMountsLookup(): (task: Task) => Mounts {
  const known = new Map<string, Mounts>();
  return ({ root, device }) => {
    let mounts = known.get(root);
    if (!mounts) known.set(root, mounts = createMounts(root, device));
    return mounts;
  };
}

/** This thread, which lets everything else that waits run between two slices. */
function createLocal(): Participant {
  const mountsOf = createMountsLookup();
  return async (tasks) => {
    const deadline = performance.now() + SLICE_MS;
    const parts: Measure[] = [];
    for (const task of tasks) {
      const measure = newMeasure(task.pending, task.probes);
      if (performance.now() < deadline) await advanceGently(measure, mountsOf(task), deadline);
      parts.push(measure);
    }
    await breathe();
    return parts;
  };
}
