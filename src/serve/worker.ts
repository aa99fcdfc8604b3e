/**
 * The Worker that a whole server runs in when its process was started with more permissions than it needs.
 *
 * @module
 */

import { answerMessages } from "../concurrency/worker_scope.ts";
import { Refusal } from "../guard/mod.ts";
import { run, type ServePlan } from "./run.ts";

/** What the Worker tells the thread that started it when it is over: null, or why it could not serve. */
export interface Ended {
  /** One line for people, or null where the client's stream ended. */
  readonly problem: string | null;
}

answerMessages<ServePlan, Ended>(async (plan) => {
  try {
    await run(plan, "worker");
    return { problem: null };
  } catch (error) {
    return { problem: error instanceof Refusal ? error.message : String(error) };
  }
});
