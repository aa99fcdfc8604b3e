/**
 * Letting in a few at a time.
 *
 * @module
 */

/** Who comes beyond the limit waits for who came before. */
export interface Turns {
  /**
   * Runs `work` when it is its turn.
   *
   * @param signal Ends the waiting, not the work.
   * @throws What `work` throws, or the signal's reason.
   */
  take<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
}

/** Turns of which at most `limit` are taken at once. */
export function createTurns(limit: number): Turns {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async take(work, signal) {
      if (taken < limit) taken++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        // A turn goes straight to the next, so that nobody slips in between.
        const next = waiting.shift();
        if (next) next();
        else taken--;
      }
    },
  };
}
