/**
 * The worker that helps with measuring. It has the permissions of the thread that started it, answers one job at a
 * time, and ends when it is terminated.
 *
 * @module
 */

import { answerMessages } from "../concurrency/worker_scope.ts";
import { createMounts, type Mounts } from "./mounts.ts";
import { advance, type Measure, newMeasure } from "./size.ts";
import type { Job } from "./size_pool.ts";

const known = new Map<string, Mounts>();

function mountsOf(root: string, device: number): Mounts {
  let mounts = known.get(root);
  if (!mounts) known.set(root, mounts = createMounts(root, device));
  return mounts;
}

answerMessages<Job, Measure>((job) => {
  const measure = newMeasure(job.pending, job.probes);
  advance(measure, mountsOf(job.root, job.device), performance.now() + job.budgetMs);
  return measure;
});
