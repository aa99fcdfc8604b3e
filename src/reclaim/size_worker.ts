/**
 * The worker that helps with measuring. It has the permissions of the thread that started it, answers one job at a
 * time, and ends when it is terminated.
 *
 * @module
 */

import { answerMessages } from "../concurrency/worker_scope.ts";
import type { Measure } from "./size.ts";
import { createMountsLookup, measureTasks, type Task } from "./size_pool.ts";

const mountsOf = createMountsLookup();

answerMessages<readonly Task[], Measure[]>((tasks) => measureTasks(tasks, mountsOf));
