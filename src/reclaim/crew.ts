/**
 * Workers that help with a scan.
 *
 * @module
 */

import { type OwnWorker, ownWorker } from "../concurrency/own_worker.ts";
import type { Answer, Job, Participant } from "./work.ts";

/** Workers on as many cores as there are, up to four. */
export interface Crew {
  /** Tells `work` of each worker; the first time it starts them. */
  join(work: (participant: Participant) => void): void;
  /** Whether there are workers that have not failed. */
  isAtWork(): boolean;
  /** Ends them. */
  end(): void;
}

const MAX_WORKERS = 4;

/** A crew whose workers start when they are first needed, and stay until it is ended. */
export function createCrew(): Crew {
  const participants = new Map<Worker, Participant>();
  let isStarted = false;

  const start = () => {
    isStarted = true;
    const module = workerModule();
    if (module === null) return;
    const count = Math.min(MAX_WORKERS, navigator.hardwareConcurrency);
    for (let index = 0; index < count; index++) {
      const worker = new Worker(module.url, { type: "module", name: module.name });
      participants.set(worker, participantOf(worker, () => participants.delete(worker)));
    }
  };
  return {
    join(work) {
      if (!isStarted) start();
      for (const participant of participants.values()) work(participant);
    },
    isAtWork: () => participants.size > 0,
    end() {
      for (const worker of participants.keys()) worker.terminate();
      participants.clear();
      isStarted = false;
    },
  };
}

/** Asks `worker` one thing after the other, whoever asks. */
function participantOf(worker: Worker, onFailure: () => void): Participant {
  let turn: Promise<unknown> = Promise.resolve();
  let hasFailed = false;
  const ask = (job: Job) =>
    new Promise<Answer | null>((resolve) => {
      if (hasFailed) return resolve(null);
      worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        hasFailed = true;
        onFailure();
        resolve(null);
      };
      worker.postMessage(job);
    });
  return (job) => {
    const answer = turn.then(() => ask(job));
    turn = answer;
    return answer;
  };
}

/** Where a worker is started from, or null where that is a local file that may not be read. */
function workerModule(): OwnWorker | null {
  const own = ownWorker("reclaim", new URL("./worker.ts", import.meta.url));
  if (own.url.protocol !== "file:") return own;
  try {
    return Deno.lstatSync(own.url).isFile ? own : null;
  } catch {
    return null;
  }
}
