/**
 * Long work in short slices, so that a server answers in between and a cancellation is seen.
 *
 * @module
 */

import { setImmediate } from "node:timers";

/** How long a slice may hold the thread, in milliseconds. */
export const SLICE_MS = 20;

/** Lets everything else that waits run. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Runs `step` in slices until `isDone`.
 *
 * @param step Works until the given time of `performance.now()`.
 * @throws The signal's reason, within a slice of its abort.
 */
export async function inSlices(
  step: (deadline: number) => void,
  isDone: () => boolean,
  signal: AbortSignal | undefined,
  onSlice: () => void = () => {},
): Promise<void> {
  signal?.throwIfAborted();
  while (!isDone()) {
    step(performance.now() + SLICE_MS);
    onSlice();
    if (isDone()) return;
    await breathe();
    signal?.throwIfAborted();
  }
}
