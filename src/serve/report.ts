/**
 * What a server says to the human who started it.
 *
 * @module
 */

import { visible } from "../text/visible.ts";

/** Writes one line of diagnostics to standard error, whatever `text` holds. */
export function report(text: string): void {
  console.error(`agentsweep: ${visible(text)}`);
}
