/**
 * Measuring trees on all cores.
 *
 * @module
 */

import { breathe, SLICE_MS } from "../concurrency/slices.ts";
import { type OwnWorker, ownWorker } from "../concurrency/own_worker.ts";
import type { Root } from "../guard/mod.ts";
import { createMounts, type Mounts } from "./mounts.ts";
import { advance, type Measure, merge, newMeasure } from "./size.ts";

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
}

/** Measures tasks for a while; what it left undone is pending in its answer. Null where it failed. */
type Participant = (tasks: readonly Task[]) => Promise<readonly Measure[] | null>;

/** For how many directories of a tree a scan asks whether they are bind mounts. Before a deletion all are asked. */
export const SCAN_PROBES = 1000;

/** How long this thread measures alone before workers are worth their start, in milliseconds. */
const ALONE_MS = 20;
const MAX_WORKERS = 4;
/** Directories that one job takes at most: small enough that no participant is left with the rest. */
const JOB_DIRECTORIES = 64;

/**
 * Measures each of `trees`: a small amount on this thread alone, a large one on workers.
 *
 * Where workers cannot be had (their module may not be read), this thread does it all.
 *
 * @param probes For how many directories of each tree it is asked whether they are bind mounts.
 * @param onProgress Called now and then with the number of trees that are done.
 * @throws The signal's reason when it aborts.
 */
export async function measureTrees(
  trees: readonly Tree[],
  probes: number,
  signal?: AbortSignal,
  onProgress: (done: number) => void = () => {},
): Promise<Measure[]> {
  signal?.throwIfAborted();
  const measures = trees.map(({ path }) => startOf(path, probes));
  const queue = createQueue(trees, measures, onProgress);
  const crew = createCrew();
  const timer = setTimeout(() => crew.start((participant) => participate(participant, queue, signal)), ALONE_MS);
  try {
    // While there are workers this thread rests: its event loop loads their modules and hands out their work.
    await participate(createLocal(), queue, signal, () => !crew.isAtWork());
    signal?.throwIfAborted();
    return measures;
  } finally {
    clearTimeout(timer);
    crew.end();
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

function createQueue(trees: readonly Tree[], measures: readonly Measure[], onProgress: (done: number) => void): Queue {
  const inHand = trees.map(() => 0);
  const open = trees.map((_, index) => trees.length - 1 - index);
  const isOpen = trees.map(() => true);
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
    take() {
      const tasks: Task[] = [];
      for (let room = JOB_DIRECTORIES; room > 0 && open.length > 0;) {
        const index = open.at(-1)!;
        const measure = measures[index]!;
        const { root } = trees[index]!;
        // The front of the list holds what was met first and stands for the most work still unseen.
        const pending = measure.pending.splice(0, room);
        const probes = Math.max(0, measure.probes);
        if (probes !== Infinity) measure.probes = 0;
        if (measure.pending.length === 0) isOpen[open.pop()!] = false;
        inHand[index]!++;
        room -= pending.length;
        tasks.push({ tree: index, pending, probes, root: root.path, device: root.identity.device });
      }
      return tasks;
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
        measures[tree]!.pending.push(...pending);
        measures[tree]!.probes += probes;
        settle(tree);
      }
      notify();
    },
    isDone: () => done === trees.length,
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

/** Measures tasks for one slice. */
export function measureTasks(tasks: readonly Task[], mountsOf: (task: Task) => Mounts): Measure[] {
  const deadline = performance.now() + SLICE_MS;
  return tasks.map((task) => {
    const measure = newMeasure(task.pending, task.probes);
    if (performance.now() < deadline) advance(measure, mountsOf(task), deadline);
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
    const parts = measureTasks(tasks, mountsOf);
    await breathe();
    return parts;
  };
}

/** The workers of one measuring. */
interface Crew {
  /** Starts them; `work` gives each something to do. */
  start(work: (participant: Participant) => void): void;
  /** Whether there are any that have not failed. */
  isAtWork(): boolean;
  /** Ends them. */
  end(): void;
}

function createCrew(): Crew {
  const workers = new Set<Worker>();
  const ask = (worker: Worker): Participant => (tasks) =>
    new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<Measure[]>) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        workers.delete(worker);
        resolve(null);
      };
      worker.postMessage(tasks);
    });
  return {
    start(work) {
      const module = workerModule();
      if (module === null) return;
      const count = Math.min(MAX_WORKERS, navigator.hardwareConcurrency);
      for (let index = 0; index < count; index++) {
        const worker = new Worker(module.url, { type: "module", name: module.name });
        workers.add(worker);
        work(ask(worker));
      }
    },
    isAtWork: () => workers.size > 0,
    end: () => workers.forEach((worker) => worker.terminate()),
  };
}

/** Where a worker is started from, or null where that is a local file that may not be read. */
function workerModule(): OwnWorker | null {
  const own = ownWorker("measure", new URL("./size_worker.ts", import.meta.url));
  if (own.url.protocol !== "file:") return own;
  try {
    return Deno.lstatSync(own.url).isFile ? own : null;
  } catch {
    return null;
  }
}
