/**
 * Measuring trees on all cores.
 *
 * @module
 */

import type { Root } from "../guard/mod.ts";
import { createMounts } from "./mounts.ts";
import { advance, type Measure, merge, newMeasure } from "./size.ts";
import { inSlices } from "../concurrency/slices.ts";

/** What a worker is asked to do: measure `pending` until done or out of time. */
export interface Job {
  /** Directories to measure. */
  readonly pending: readonly string[];
  /** Path of the root that they lie in. */
  readonly root: string;
  /** Device number of that root. */
  readonly device: number;
  /** For how many directories it is asked whether they are bind mounts. */
  readonly probes: number;
  /** How long the job may take, in milliseconds. */
  readonly budgetMs: number;
}

/** One tree to be measured. */
interface Tree {
  readonly root: Root;
  readonly measure: Measure;
}

/** How long measuring stays on this thread before workers are worth their start, in milliseconds. */
const ALONE_MS = 60;
const JOB_MS = 40;
const MAX_WORKERS = 4;
/** Directories that one job takes at most: small enough that no worker is left with the rest. */
const JOB_DIRECTORIES = 64;

/** For how many directories of a tree a scan asks whether they are bind mounts. Before a deletion all are asked. */
export const SCAN_PROBES = 1000;

/**
 * Measures each of `trees`; a small amount on this thread alone, a large one on workers too.
 *
 * Where workers cannot be had (their module may not be read), this thread does it all.
 *
 * @param probes For how many directories of each tree it is asked whether they are bind mounts.
 * @param onProgress Called now and then with the number of trees that are done.
 * @throws The signal's reason when it aborts.
 */
export async function measureTrees(
  trees: readonly { readonly path: string; readonly root: Root }[],
  probes: number,
  signal?: AbortSignal,
  onProgress: (done: number) => void = () => {},
): Promise<Measure[]> {
  const measures = trees.map(({ path }) => startOf(path, probes));
  const mounts = trees.map(({ root }) => createMounts(root.path, root.identity.device));
  const alone = performance.now() + ALONE_MS;
  let next = 0;
  const step = (deadline: number) => {
    while (next < trees.length && performance.now() < deadline) {
      advance(measures[next]!, mounts[next]!, deadline);
      if (measures[next]!.pending.length === 0) next++;
    }
  };
  await inSlices(step, () => next === trees.length || performance.now() > alone, signal, () => onProgress(next));
  if (next === trees.length) return measures;
  const rest = trees.slice(next).map(({ root }, index) => ({ root, measure: measures[next + index]! }));
  const finished = next;
  if (!await measureOnWorkers(rest, signal, (done) => onProgress(finished + done))) {
    await inSlices(step, () => next === trees.length, signal, () => onProgress(next));
  }
  return measures;
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

/** Whether workers finished the trees; false where none could be started. */
async function measureOnWorkers(
  trees: readonly Tree[],
  signal: AbortSignal | undefined,
  onProgress: (done: number) => void,
): Promise<boolean> {
  const module = workerModule();
  if (module === null) return false;
  const count = Math.min(MAX_WORKERS, navigator.hardwareConcurrency);
  const workers = Array.from({ length: count }, () => new Worker(module, { type: "module", name: "measure" }));
  try {
    const queue = createQueue(trees, onProgress);
    const results = await Promise.all(workers.map((worker) => serve(worker, queue, signal)));
    signal?.throwIfAborted();
    return results.some((worked) => worked) && queue.isDone();
  } finally {
    for (const worker of workers) worker.terminate();
  }
}

/** The module of a worker, or null where it is a local file that may not be read, or is not there (in a bundle). */
function workerModule(): string | null {
  const module = new URL("./size_worker.ts", import.meta.url);
  if (module.protocol !== "file:") return module.href;
  try {
    return Deno.lstatSync(module).isFile ? module.href : null;
  } catch {
    return null;
  }
}

/** Hands out directories of the trees and takes the results in. */
interface Queue {
  take(): { readonly tree: Tree; readonly pending: string[]; readonly probes: number } | null;
  give(tree: Tree, part: Measure): void;
  /** Puts back what a worker that failed had taken. */
  putBack(tree: Tree, pending: readonly string[], probes: number): void;
  isDone(): boolean;
  /** Resolves when there may be something to take, or all is done. */
  changed(): Promise<void>;
}

function createQueue(trees: readonly Tree[], onProgress: (done: number) => void): Queue {
  const out = new Map<Tree, number>();
  const count = (tree: Tree, change: number) => out.set(tree, (out.get(tree) ?? 0) + change);
  let wake: () => void = () => {};
  let change = new Promise<void>((resolve) => wake = resolve);
  const notify = () => {
    wake();
    change = new Promise<void>((resolve) => wake = resolve);
  };
  const isOut = (tree: Tree) => (out.get(tree) ?? 0) > 0;
  const isDone = () => !trees.some((tree) => isOut(tree) || tree.measure.pending.length > 0);
  return {
    take() {
      const tree = trees.find(({ measure }) => measure.pending.length > 0);
      if (!tree) return null;
      count(tree, 1);
      // The end of the list holds the deepest directories; the front ones stand for the most work still unseen.
      const probes = Math.max(0, tree.measure.probes);
      if (probes !== Infinity) tree.measure.probes = 0;
      return { tree, pending: tree.measure.pending.splice(0, JOB_DIRECTORIES), probes };
    },
    give(tree, part) {
      count(tree, -1);
      merge(tree.measure, part);
      onProgress(trees.filter((tree) => !isOut(tree) && tree.measure.pending.length === 0).length);
      notify();
    },
    putBack(tree, pending, probes) {
      count(tree, -1);
      tree.measure.probes += probes;
      tree.measure.pending.push(...pending);
      notify();
    },
    isDone,
    changed: () => change,
  };
}

/** Lets `worker` work until the queue is done; whether it did anything. */
async function serve(worker: Worker, queue: Queue, signal: AbortSignal | undefined): Promise<boolean> {
  let worked = false;
  while (!queue.isDone() && !signal?.aborted) {
    const job = queue.take();
    if (!job) {
      await queue.changed();
      continue;
    }
    const { tree, pending, probes } = job;
    const part = await ask(worker, tree.root, pending, probes);
    if (!part) {
      queue.putBack(tree, pending, probes);
      return worked;
    }
    queue.give(tree, part);
    worked = true;
  }
  return worked;
}

/** The worker's answer, or null where it failed. */
function ask(worker: Worker, root: Root, pending: readonly string[], probes: number): Promise<Measure | null> {
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<Measure>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      resolve(null);
    };
    const job: Job = { pending, root: root.path, device: root.identity.device, probes, budgetMs: JOB_MS };
    worker.postMessage(job);
  });
}
