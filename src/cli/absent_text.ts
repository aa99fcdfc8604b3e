/**
 * What is said of agents that have no history here: nothing was found there because nothing was scanned.
 *
 * @module
 */

import type { AuditOutcome } from "../engine/audit/service.ts";

/** What was asked for. */
export interface Asked {
  /** How many sources. */
  readonly count: number;
  /** Whether a human named them, and did not just mean all. */
  readonly isNamed: boolean;
  /** Where histories are looked for; undefined where that is not known. */
  readonly home: string | undefined;
}

/** One sentence for each source that was asked for by name, or one for all of them. */
export function absentText({ sources, absent }: AuditOutcome, { count, isNamed, home }: Asked): string[] {
  if (isNamed) {
    return absent.map(({ display, roots: [root, ...more] }) =>
      `No history of ${display} here (looked in ${root}${more.length > 0 ? ` and ${more.length} more` : ""}).`
    );
  }
  if (absent.length === count) {
    const place = home === undefined ? "" : ` (the home is ${home})`;
    return [`None of the ${count} agents has a history here${place}, so nothing was scanned.`];
  }
  const unknown = count - absent.length - sources.length;
  const rest = unknown > 0 ? `; of ${unknown} more it is not known` : "";
  return [`${sources.length} of ${count} agents ${sources.length === 1 ? "has" : "have"} a history here${rest}.`];
}
