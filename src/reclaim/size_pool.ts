/**
 * Measuring trees on all cores.
 *
 * @module
 */

import { breathe, SLICE_MS } from "../concurrency/slices.ts";
import type { Identity, Root } from "../guard/mod.ts";
import { createCrew, type Crew } from "./crew.ts";
import { createMountsLookup } from "./mounts.ts";
import { advance, advanceGently, type Borders, type Measure, merge, newMeasure } from "./size.ts";
import {
  type Assignment,
  type Change,
  createChange,
  JOB_DIRECTORIES,
  JOB_MS,
  type Participant,
  participate,
  type Work,
} from "./work.ts";

/** A tree to be measured. */
export interface Tree {
  /** Path of its top. */
  readonly path: string;
  /** The root that it lies in. */
  readonly root: Root;
}

/** A part of one tree that somebody is asked to measure. Plain data. */
export interface Task {
  /** Which tree, by its place in the list. */
  readonly tree: number;
  /** Directories to measure. */
  readonly pending: readonly string[];
  /** For how many directories it is asked whether they are bind mounts. */
  readonly probes: number;
  /** The root that they lie in. */
  readonly root: Root;
  /** All roots: none is ever a part of what is deleted. */
  readonly roots: readonly Identity[];
  /** Whether others have nothing to do: then what is found beyond one job's worth is handed back at once. */
  readonly isScarce: boolean;
}

/** For how many directories of a tree a scan asks whether they are bind mounts. Before a deletion all are asked. */
export const SCAN_PROBES = 1000;

/** How long this thread measures alone before workers are worth their start, in milliseconds. */
const ALONE_MS = 20;

/** How measuring is followed, ended and helped. */
export interface MeasureOptions {
  /** All roots: none is ever a part of what is deleted. @default only the one that a tree lies in */
  readonly roots?: readonly Root[] | undefined;
  /** Ends it with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told now and then how many trees are done. */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Workers that outlive it. @default its own, ended with it */
  readonly crew?: Crew | undefined;
  /** What workers do while no tree waits for them, and the change that it wakes them with. @default nothing */
  readonly beside?: { readonly work: Work; readonly change: Change } | undefined;
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
  { roots, signal, onProgress = () => {}, crew, beside }: MeasureOptions = {},
): Measuring {
  const change = beside?.change ?? createChange(signal);
  const queue = createQueue(probes, roots, onProgress, change);
  let hasEnded = false;
  const all: Work = {
    take: () => queue.take() ?? beside?.work.take() ?? null,
    isDone: () => hasEnded || queue.isDone() && (beside?.work.isDone() ?? true),
  };
  const helpers = crew ?? createCrew();
  let hasHelp = false;
  const callHelp = () => {
    hasHelp = true;
    helpers.join((participant) => participate(participant, all, change, signal));
  };
  // Workers that run already cost nothing, and begin with the first tree.
  if (helpers.isAtWork()) callHelp();
  const timer = hasHelp ? undefined : setTimeout(callHelp, ALONE_MS);
  return {
    add: queue.add,
    async finish() {
      const measures = queue.close();
      // While there are workers this thread rests: its event loop loads their modules and hands out their work.
      await participate(createLocal(), queue, change, signal, () => !(hasHelp && helpers.isAtWork()));
      signal?.throwIfAborted();
      return measures;
    },
    end() {
      clearTimeout(timer);
      hasEnded = true;
      change.wake();
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

/** The measuring of trees, handed out in parts. */
interface Queue extends Work {
  /** Takes one more tree. */
  add(tree: Tree): void;
  /** Says that there are no more trees; the measures, which are whole once all is done. */
  close(): Measure[];
}

function createQueue(
  initialProbes: number,
  roots: readonly Root[] | undefined,
  onProgress: (done: number) => void,
  change: Change,
): Queue {
  const trees: Tree[] = [];
  const measures: Measure[] = [];
  const inHand: number[] = [];
  const open: number[] = [];
  const isOpen: boolean[] = [];
  const identities = roots?.map(({ identity }) => identity);
  let isClosed = false;
  let done = 0;

  const notify = () => {
    onProgress(done);
    change.wake();
  };
  const settle = (tasks: readonly Task[], parts: readonly Measure[]) => {
    tasks.forEach(({ tree }, at) => {
      const measure = measures[tree]!;
      merge(measure, parts[at]!);
      inHand[tree]!--;
      if (measure.pending.length > 0) {
        if (!isOpen[tree]) open.push(tree);
        isOpen[tree] = true;
      } else if (inHand[tree] === 0) {
        done++;
      }
    });
    notify();
  };
  const takeTasks = () => {
    const tasks: Omit<Task, "isScarce">[] = [];
    let room = JOB_DIRECTORIES;
    while (room > 0 && open.length > 0) {
      const tree = open.at(-1)!;
      const measure = measures[tree]!;
      // The front of the list holds what was met first and stands for the most work still unseen.
      const waiting = measure.pending.length;
      const pending = measure.pending.splice(0, room);
      const probes = Math.ceil(Math.max(0, measure.probes) * (pending.length / waiting));
      if (probes !== Infinity) measure.probes -= probes;
      if (measure.pending.length === 0) isOpen[open.pop()!] = false;
      inHand[tree]!++;
      room -= pending.length;
      const { root } = trees[tree]!;
      tasks.push({ tree, pending, probes, root, roots: identities ?? [root.identity] });
    }
    return tasks.map((task) => ({ ...task, isScarce: room > 0 }));
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
    take(): Assignment | null {
      const tasks = takeTasks();
      if (tasks.length === 0) return null;
      return {
        job: { measure: tasks, walk: null },
        give: ({ measures: parts }) => settle(tasks, parts),
        giveBack: () => settle(tasks, tasks.map(({ pending, probes }) => newMeasure(pending, probes))),
      };
    },
    isDone: () => isClosed && done === trees.length,
  };
}

/** Measures tasks for as long as one job may take. */
export function measureTasks(tasks: readonly Task[], bordersOf: (task: Task) => Borders): Measure[] {
  const deadline = performance.now() + JOB_MS;
  return tasks.map((task) => {
    const measure = newMeasure(task.pending, task.probes);
    const enough = task.isScarce ? JOB_DIRECTORIES : Infinity;
    if (performance.now() < deadline) advance(measure, bordersOf(task), deadline, enough);
    return measure;
  });
}

/** What does not belong to the trees of tasks. */
export function createBordersLookup(): (task: Task) => Borders {
  const mountsOf = createMountsLookup();
  return ({ root, roots }) => ({ mounts: mountsOf(root), roots });
}

/** This thread, which lets everything else that waits run between two slices. */
function createLocal(): Participant {
  const bordersOf = createBordersLookup();
  return async (job) => {
    const deadline = performance.now() + SLICE_MS;
    const measures: Measure[] = [];
    for (const task of job.measure) {
      const measure = newMeasure(task.pending, task.probes);
      if (performance.now() < deadline) await advanceGently(measure, bordersOf(task), deadline);
      measures.push(measure);
    }
    await breathe();
    return { measures, walk: null };
  };
}
