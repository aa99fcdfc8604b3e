/**
 * What passes between this thread and the workers that it starts.
 *
 * @module
 */

import type { Reply, Request, ScanTask } from "../../src/engine/audit/types.ts";

/** A record of messages; ends when it is disposed of. */
export interface WorkerSpy extends Disposable {
  /** How many workers were started. */
  started(): number;
  /** What workers answered. */
  readonly replies: Reply[];
  /** What workers were asked to scan. */
  readonly tasks: ScanTask[];
  /** Forgets everything so far. */
  clear(): void;
  /** Bytes that workers scanned. */
  bytes(): number;
}

/** Watches all workers that are started from now on. */
export function spyOnWorkers(): WorkerSpy {
  const Real = globalThis.Worker;
  const replies: Reply[] = [];
  const tasks: ScanTask[] = [];
  let count = 0;
  globalThis.Worker = class extends Real {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      count++;
      this.addEventListener("message", ({ data }) => replies.push(data));
    }
    override postMessage(message: Request): void {
      if (message.kind === "scan") tasks.push(message.task);
      super.postMessage(message);
    }
  };
  return {
    started: () => count,
    replies,
    tasks,
    clear() {
      count = 0;
      replies.length = 0;
      tasks.length = 0;
    },
    bytes: () => replies.reduce((sum, reply) => sum + (reply.kind === "scanned" ? reply.scanned.outcome.bytes : 0), 0),
    [Symbol.dispose]() {
      globalThis.Worker = Real;
    },
  };
}
