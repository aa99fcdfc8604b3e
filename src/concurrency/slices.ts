/**
 * Long work in short slices, so that a server answers in between and a cancellation is seen.
 *
 * @module
 */

/** How long a slice may hold a thread that others wait for, in milliseconds. */
export const SLICE_MS = 5;

/**
 * Lets everything else that waits run: timers, signals, and messages, those of Workers too.
 *
 * It waits for a message of its own. `setImmediate` is faster, but Deno 2.9.6 then hands on what a Worker posted at every
 * fifth turn or so only, and `setTimeout` takes two milliseconds.
 */
export async function breathe(): Promise<void> {
  await turn();
  // Who heard something in the first turn answers before the second.
  await turn();
}

function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
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
