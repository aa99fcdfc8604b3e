/**
 * The scanning workers of one scan, as many as there are cores.
 *
 * @module
 */

import { ownWorker } from "../../concurrency/own_worker.ts";
import type { FileOutcome, PlaceFinding, Reply, Request, ScanTask, Setup } from "./types.ts";

/** What workers may do, and how many there are. */
export interface PoolOptions {
  /** What each worker is told first. */
  readonly setup: Setup;
  /** Paths that workers may read and nothing else; null where the runtime knows no narrower workers. */
  readonly readOnly: readonly string[] | null;
  /** Takes findings as they are made. */
  readonly onFindings: (task: ScanTask, findings: readonly PlaceFinding[]) => void;
}

/** Workers that scan files. */
export interface Pool {
  /** Scans a file; null where the pool was ended first, or its worker failed. */
  scan(task: ScanTask): Promise<FileOutcome | null>;
  /** Masks secrets in texts that are to be shown; null where the pool was ended first. */
  scrub(texts: readonly string[]): Promise<readonly string[] | null>;
  /** Ends all workers at once, wherever they are. */
  end(): void;
}

const MAX_WORKERS = 8;

/** Work for a worker, and where its answer goes. */
interface Job {
  readonly request: Request;
  readonly task: ScanTask | null;
  readonly settle: (reply: Reply | null) => void;
}

/** A pool without any workers yet: each is started when there is work for it. */
export function createPool(options: PoolOptions): Pool {
  const limit = Math.min(MAX_WORKERS, navigator.hardwareConcurrency);
  const waiting: Job[] = [];
  const running = new Map<Worker, Job | null>();
  let isEnded = false;
  let scrubs = 0;

  const next = (worker: Worker) => {
    const job = waiting.shift() ?? null;
    running.set(worker, job);
    if (job) worker.postMessage(job.request);
  };
  const start = () => {
    const worker = startWorker(options.readOnly);
    worker.postMessage({ kind: "setup", setup: options.setup } satisfies Request);
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const job = running.get(worker);
      if (data.kind === "found") {
        if (job?.task) options.onFindings(job.task, data.findings);
        return;
      }
      job?.settle(data);
      next(worker);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const job = running.get(worker);
      running.delete(worker);
      worker.terminate();
      job?.settle(null);
      // A file that a worker cannot stand must not keep the others from being scanned.
      if (waiting.length > 0 && !isEnded) start();
    };
    next(worker);
  };
  const submit = (request: Request, task: ScanTask | null) =>
    new Promise<Reply | null>((settle) => {
      if (isEnded) return settle(null);
      waiting.push({ request, task, settle });
      for (const [worker, job] of running) if (job === null && waiting.length > 0) next(worker);
      if (waiting.length > 0 && running.size < limit) start();
    });
  return {
    async scan(task) {
      const reply = await submit({ kind: "scan", task }, task);
      return reply?.kind === "done" ? reply.outcome : null;
    },
    async scrub(texts) {
      const reply = await submit({ kind: "scrub", id: scrubs++, texts }, null);
      return reply?.kind === "scrubbed" ? reply.texts : null;
    },
    end() {
      isEnded = true;
      for (const [worker, job] of running) {
        worker.terminate();
        job?.settle(null);
      }
      running.clear();
      for (const job of waiting.splice(0)) job.settle(null);
    },
  };
}

function startWorker(readOnly: readonly string[] | null): Worker {
  const { url, name } = ownWorker("audit", new URL("./worker.ts", import.meta.url));
  if (readOnly === null) return new Worker(url, { type: "module", name });
  return new Worker(url, {
    type: "module",
    name,
    deno: {
      permissions: {
        read: [...readOnly],
        write: false,
        net: false,
        env: false,
        run: false,
        ffi: false,
        sys: false,
        import: false,
      },
    },
  });
}
