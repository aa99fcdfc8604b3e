/**
 * The server itself, in the process or Worker that is held to its permissions.
 *
 * @module
 */

import { createReclaim } from "../engine/reclaim.ts";
import { openRoots } from "../guard/mod.ts";
import { serve } from "../mcp/serve.ts";
import { TARGETS } from "../reclaim/targets/mod.ts";
import type { Posture } from "../sandbox/posture.ts";
import { visible } from "../text/visible.ts";
import type { ServeOptions } from "./options.ts";

/** Writes one line of diagnostics to standard error, whatever `text` holds. */
export function report(text: string): void {
  console.error(`agentsweep: ${visible(text)}`);
}

/**
 * Serves under `options` until the client's stream ends.
 *
 * @throws {Refusal} When a root cannot be used.
 */
export async function run(options: ServeOptions, posture: Posture): Promise<void> {
  const roots = openRoots(options.roots);
  const reclaim = createReclaim(roots, TARGETS, { exclude: options.exclude, maxDepth: options.maxDepth });
  report(`serving ${roots.map(({ path }) => path).join(", ")} (sandbox: ${posture})`);
  await serve({ reclaim, posture, requireHuman: options.requireHuman }, report);
}
