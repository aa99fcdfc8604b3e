/**
 * A worker of the benchmark: scans a part of a file, reading included.
 *
 * @module
 */

import { chooseRules } from "../src/secrets/catalogue.ts";
import { scanSpans } from "../src/secrets/spans.ts";

const CHUNK = 1 << 18;

/** A part of a file for a worker to scan. */
export interface Task {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** What a worker measured. */
export interface Measured {
  readonly milliseconds: number;
  readonly findings: number;
  /** Most memory of the process while it ran, in bytes. */
  readonly memory: number;
}

async function scanFile({ path, from, to }: Task): Promise<Measured> {
  const started = performance.now();
  using file = await Deno.open(path);
  await file.seek(from, Deno.SeekMode.Start);
  let findings = 0;
  let memory = 0;
  const scanner = scanSpans({ ...chooseRules({}), onSpan: () => findings++ });
  const chunk = new Uint8Array(CHUNK);
  for (let left = to - from, count = 0; left > 0; count++) {
    const read = await file.read(chunk.subarray(0, Math.min(left, CHUNK)));
    if (read === null) break;
    scanner.push(chunk.subarray(0, read));
    left -= read;
    if (count % 64 === 0) memory = Math.max(memory, Deno.memoryUsage().rss);
  }
  scanner.finish();
  return { milliseconds: performance.now() - started, findings, memory };
}

/** The global scope as a worker has it. */
interface WorkerScope {
  onmessage?: (event: MessageEvent<Task>) => void;
  postMessage?: (measured: Measured) => void;
}

const scope = globalThis as unknown as WorkerScope;
scope.onmessage = async ({ data }) => scope.postMessage?.(await scanFile(data));
