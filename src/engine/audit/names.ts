/**
 * Names as they may be shown: a path or a key may be or hold a secret.
 *
 * @module
 */

import type { Pool } from "./pool.ts";

/** What was made showable, kept from scan to scan. */
export interface Names {
  /**
   * How to show each of `texts`. A worker is asked where it is not known already; what it does not answer is not shown.
   *
   * @param isNewlyTold Whether secrets were met since the last time: then nothing is known.
   */
  show(texts: Iterable<string>, pool: Pool, isNewlyTold: boolean): Promise<(text: string) => string>;
}

const NOT_SHOWN = "(name not shown)";

/** No names yet. */
export function createNames(): Names {
  let known = new Map<string, string>([["", ""]]);
  return {
    async show(texts, pool, isNewlyTold) {
      const before = isNewlyTold ? new Map([["", ""]]) : known;
      const wanted = [...new Set(texts)];
      const unknown = wanted.filter((text) => !before.has(text));
      const shown = unknown.length === 0 ? [] : await pool.scrub(unknown);
      const now = new Map<string, string>([["", ""]]);
      for (const text of wanted) if (before.has(text)) now.set(text, before.get(text)!);
      shown?.forEach((name, index) => now.set(unknown[index]!, name));
      // A single source's names must not push out those of all the others.
      known = new Map([...before, ...now]);
      if (known.size > MOST_KNOWN) known = now;
      return (text) => now.get(text) ?? NOT_SHOWN;
    },
  };
}

/** Names that are kept at most beside those of the last scan. */
const MOST_KNOWN = 50_000;
