/**
 * How Deno's sandbox holds the server.
 *
 * @module
 */

/**
 * - `process-flags`: the process was started with what it needs, or less.
 * - `worker`: it was started with more, and the server runs in a Worker that has only what it needs.
 * - `child-process`: it was started with more, and started itself again with the exact flags.
 * - `none`: it was started with more, and a human said `--allow-unsandboxed`.
 */
export const POSTURES = ["process-flags", "worker", "child-process", "none"] as const;

/** How Deno's sandbox holds the server. */
export type Posture = typeof POSTURES[number];
