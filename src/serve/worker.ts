/**
 * The Worker that a whole server runs in when its process was started with more permissions than it needs.
 *
 * @module
 */

import { answerMessages } from "../concurrency/worker_scope.ts";
import { Refusal } from "../guard/mod.ts";
import type { AgentState } from "../redact/gates.ts";
import { run, type ServePlan } from "./run.ts";

/** What the Worker is started with. */
export interface Start {
  /** What it serves. */
  readonly plan: ServePlan;
  /** Takes the key of a source, and answers whether its agent is running. */
  readonly asking: MessagePort;
}

/** What the Worker tells the thread that started it when it is over: null, or why it could not serve. */
export interface Ended {
  /** One line for people, or null where the client's stream ended. */
  readonly problem: string | null;
}

/** Asks the thread that may look at processes. One question at a time. */
function askThrough(port: MessagePort): (source: string) => Promise<AgentState> {
  let turn: Promise<unknown> = Promise.resolve();
  const ask = (source: string) =>
    new Promise<AgentState>((resolve) => {
      port.onmessage = ({ data }: MessageEvent<AgentState>) => resolve(data);
      port.postMessage(source);
    });
  return (source) => {
    const answer = turn.then(() => ask(source));
    turn = answer;
    return answer;
  };
}

answerMessages<Start, Ended>(async ({ plan, asking }) => {
  try {
    await run(plan, "worker", askThrough(asking));
    return { problem: null };
  } catch (error) {
    return { problem: error instanceof Refusal ? error.message : String(error) };
  }
});
