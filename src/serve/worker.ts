/**
 * The Worker that a whole server runs in when its process was started with more permissions than it needs.
 *
 * @module
 */

/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />

import { Refusal } from "../guard/mod.ts";
import type { ServeOptions } from "./options.ts";
import { run } from "./run.ts";

/** What the Worker tells the thread that started it when it is over: null, or why it could not serve. */
export interface Ended {
  /** One line for people, or null where the client's stream ended. */
  readonly problem: string | null;
}

self.onmessage = async ({ data }: MessageEvent<ServeOptions>) => {
  let problem: string | null = null;
  try {
    await run(data, "worker");
  } catch (error) {
    problem = error instanceof Refusal ? error.message : String(error);
  }
  self.postMessage({ problem } satisfies Ended);
};
