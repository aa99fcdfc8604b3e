/**
 * Timing that holds on a noisy machine: two things are run in turn and their ratio is taken pair by pair.
 *
 * @module
 */

/** One run of something, in milliseconds. */
export type Run = () => Promise<number>;

/** How two things compare. */
export interface Comparison {
  /** Median time of the first, in milliseconds. */
  readonly ours: number;
  /** Median time of the second. */
  readonly theirs: number;
  /** Median of the ratios, pair by pair. */
  readonly ratio: number;
}

/** Middle of `numbers`. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[sorted.length >> 1]!;
}

/** Runs both once to warm up, then `times` times in turn. */
export async function compare(ours: Run, theirs: Run, times: number): Promise<Comparison> {
  await ours();
  await theirs();
  const pairs: [number, number][] = [];
  for (let index = 0; index < times; index++) pairs.push([await ours(), await theirs()]);
  return {
    ours: median(pairs.map(([one]) => one)),
    theirs: median(pairs.map(([, other]) => other)),
    ratio: median(pairs.map(([one, other]) => one / other)),
  };
}

/** Time of a whole command, which must succeed; null where it is not installed. */
export async function timeCommand(command: string, args: readonly string[]): Promise<number> {
  const began = performance.now();
  const { success } = await new Deno.Command(command, { args: [...args], stdout: "null", stderr: "null" }).output();
  if (!success) throw new Error(`${command} ${args.join(" ")} failed`);
  return performance.now() - began;
}

/** Whether a command can be started. */
export async function isInstalled(command: string, ...args: string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args, stdout: "null", stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}

/** A line of a report: `label: 123 ms, 456 ms, ratio 0.27 (must be below 1.5)`. */
export function line(label: string, { ours, theirs, ratio }: Comparison, limit?: number): string {
  const verdict = limit === undefined ? "" : ` (must be below ${limit}: ${ratio < limit ? "reached" : "MISSED"})`;
  return `  ${label.padEnd(46)} ${ours.toFixed(0).padStart(6)} ms ${theirs.toFixed(0).padStart(6)} ms  ratio ${
    ratio.toFixed(2)
  }${verdict}`;
}
