/**
 * The worker that helps with measuring. It has the permissions of the thread that started it, answers one job at a
 * time, and ends when it is terminated.
 *
 * @module
 */

/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />

import { createMounts, type Mounts } from "./mounts.ts";
import { advance, newMeasure } from "./size.ts";
import type { Job } from "./size_pool.ts";

const known = new Map<string, Mounts>();

function mountsOf(root: string, device: number): Mounts {
  let mounts = known.get(root);
  if (!mounts) known.set(root, mounts = createMounts(root, device));
  return mounts;
}

self.onmessage = ({ data }: MessageEvent<Job>) => {
  const measure = newMeasure(data.pending, data.probes);
  advance(measure, mountsOf(data.root, data.device), performance.now() + data.budgetMs);
  self.postMessage(measure);
};
