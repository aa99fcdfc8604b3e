/**
 * The worker that helps with measuring. It has the permissions of the thread that started it, answers one job at a
 * time, and ends when it is terminated.
 *
 * @module
 */

/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />

import { createMountProbe, type MountProbe } from "./mounts.ts";
import { advance, newMeasure } from "./size.ts";
import type { Job } from "./size_pool.ts";

const probes = new Map<string, MountProbe>();

function probeFor(root: string, device: number): MountProbe {
  let probe = probes.get(root);
  if (!probe) probes.set(root, probe = createMountProbe(root, device));
  return probe;
}

self.onmessage = ({ data }: MessageEvent<Job>) => {
  const measure = newMeasure(data.pending);
  advance(measure, probeFor(data.root, data.device), performance.now() + data.budgetMs);
  self.postMessage(measure);
};
