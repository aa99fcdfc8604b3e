/**
 * The scanning workers of one scan, as many as there are cores.
 *
 * @module
 */

import { ownWorker } from "../../concurrency/own_worker.ts";
import type { Reply, Request, Scanned, ScanTask, Setup } from "./types.ts";

/** What workers may do. */
export interface PoolOptions {
  /** What each worker is told first. */
  readonly setup: Omit<Setup, "stop">;
  /** Paths that workers may read and nothing else; null where the runtime knows no narrower workers. */
  readonly readOnly: readonly string[] | null;
  /** How many workers there are at most. @default one a core, and no more than four */
  readonly workers?: number;
}

/** Workers that scan files. */
export interface Pool {
  /** Scans a file; null where the pool was stopped before it began, or its worker failed. */
  scan(task: ScanTask): Promise<Scanned | null>;
  /** Masks secrets in texts that are to be shown; null where its worker failed. */
  scrub(texts: readonly string[]): Promise<readonly string[] | null>;
  /** Ends all scans: what has not begun is not, and what has is cut short. No worker is started from then on. */
  stop(): void;
  /** Ends all workers at once, wherever they are. */
  end(): void;
}

/** Each holds the compiled rules and its buffers, some 60 MB. */
const MAX_WORKERS = 4;
/** How long a worker may take to cut its scan short, in milliseconds; then it is ended. */
const GRACE_MS = 400;
/** How long after the stop names may still be masked, in milliseconds. A worker that starts anew would take longer. */
const LAST_MS = 650;

/** Work for a worker, and where its answer goes. */
interface Job {
  readonly request: Exclude<Request, { kind: "setup" }>;
  readonly settle: (reply: Reply | null) => void;
}

/** A pool without any workers yet: each is started when there is work for it. */
export function createPool(options: PoolOptions): Pool {
  const { setup, readOnly, workers = Math.min(MAX_WORKERS, navigator.hardwareConcurrency) } = options;
  const stop = new Int32Array(new SharedArrayBuffer(4));
  let waiting: Job[] = [];
  const running = new Map<Worker, Job | null>();
  let grace: ReturnType<typeof setTimeout> | undefined;
  let last: ReturnType<typeof setTimeout> | undefined;

  const isStopped = () => Atomics.load(stop, 0) !== 0;
  /** Starts workers for what waits; once the pool was stopped, what waits has only those that there are. */
  const provide = () => {
    if (waiting.length === 0 || running.size >= workers) return;
    if (!isStopped()) start();
    else if (running.size === 0) { for (const job of waiting.splice(0)) job.settle(null); }
  };

  const next = (worker: Worker) => {
    const job = waiting.shift() ?? null;
    running.set(worker, job);
    if (job) worker.postMessage(job.request);
  };
  /** Ends a worker; its work is answered with null, and what waits goes to another one. */
  const drop = (worker: Worker) => {
    const job = running.get(worker);
    running.delete(worker);
    worker.terminate();
    job?.settle(null);
    provide();
  };
  const start = () => {
    const worker = startWorker(readOnly);
    worker.postMessage({ kind: "setup", setup: { ...setup, stop } } satisfies Request);
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      // What a worker that failed may say yet would be taken for the answer to its next work.
      if (data.kind === "failed") return drop(worker);
      running.get(worker)?.settle(data);
      next(worker);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      drop(worker);
    };
    next(worker);
  };
  const submit = (request: Job["request"]) =>
    new Promise<Reply | null>((settle) => {
      waiting.push({ request, settle });
      for (const [worker, job] of running) if (job === null && waiting.length > 0) next(worker);
      provide();
    });
  const end = () => {
    clearTimeout(grace);
    clearTimeout(last);
    const [jobs, all] = [[...waiting, ...running.values()], [...running.keys()]];
    waiting = [];
    running.clear();
    for (const worker of all) worker.terminate();
    for (const job of jobs) job?.settle(null);
  };
  return {
    async scan(task) {
      if (isStopped()) return null;
      const reply = await submit({ kind: "scan", task });
      return reply?.kind === "scanned" ? reply.scanned : null;
    },
    async scrub(texts) {
      const reply = await submit({ kind: "scrub", texts });
      return reply?.kind === "scrubbed" ? reply.texts : null;
    },
    stop() {
      Atomics.store(stop, 0, 1);
      const [scans, others] = [waiting.filter(isScan), waiting.filter((job) => !isScan(job))];
      waiting = others;
      for (const job of scans) job.settle(null);
      last ??= setTimeout(end, LAST_MS);
      grace ??= setTimeout(() => {
        for (const [worker, job] of [...running]) if (job && isScan(job)) drop(worker);
      }, GRACE_MS);
    },
    end,
  };
}

function isScan({ request }: Job): boolean {
  return request.kind === "scan";
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
