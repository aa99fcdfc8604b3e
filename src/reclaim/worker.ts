/**
 * The worker that helps with a scan. It has the permissions of the thread that started it, answers one job at a time,
 * and ends when it is terminated.
 *
 * @module
 */

import { answerMessages } from "../concurrency/worker_scope.ts";
import { createMountsLookup } from "./mounts.ts";
import { createBordersLookup, measureTasks } from "./size_pool.ts";
import { walkTask } from "./walk_pool.ts";
import type { Answer, Job } from "./work.ts";

const bordersOf = createBordersLookup();
const mountsOf = createMountsLookup();

answerMessages<Job, Answer>(({ measure, walk }) => ({
  measures: measureTasks(measure, bordersOf),
  walk: walk && walkTask(walk, mountsOf(walk.rules.root)),
}));
