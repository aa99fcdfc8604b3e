/**
 * The scans of one process: one after the other, each with workers of its own and the memory of those before.
 *
 * @module
 */

import { createCache } from "./cache.ts";
import { createNames } from "./names.ts";
import { createBits } from "./pieces.ts";
import { createPool } from "./pool.ts";
import { type Memory, runScan, type SourcePlan } from "./run.ts";
import type { AuditOutcome, AuditRequest } from "./service.ts";

/** Scans, and remembers what it scanned. */
export interface Scanner {
  /**
   * Scans what is planned.
   *
   * @param readOnly Paths that the workers may read; null where they cannot be narrowed.
   */
  scan(
    plans: readonly SourcePlan[],
    request: AuditRequest,
    readOnly: readonly string[] | null,
  ): Promise<AuditOutcome>;
}

/** A scanner that remembers nothing yet. */
export function createScanner(): Scanner {
  const setup = { key: crypto.getRandomValues(new Uint8Array(32)), pieces: createBits() };
  const memory: Memory = { cache: createCache(), names: createNames() };
  let turn: Promise<unknown> = Promise.resolve();
  return {
    async scan(plans, request, readOnly) {
      const { signal } = request;
      const before = turn;
      const pool = createPool({ setup, readOnly });
      const run = async () => {
        signal?.addEventListener("abort", pool.stop);
        try {
          // Two scans at once would only take from each other; the second finds what the first remembers.
          await (signal ? Promise.race([before, aborted(signal)]) : before);
          return await runScan(plans, request, pool, memory);
        } finally {
          signal?.removeEventListener("abort", pool.stop);
          pool.end();
        }
      };
      const result = run();
      turn = Promise.allSettled([before, result]);
      return await result;
    },
  };
}

/** Resolves when `signal` is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
