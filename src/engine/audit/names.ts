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

/** Stands for a name of which it is not known how to show it. */
export const NOT_SHOWN = "(name not shown)";

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

const RUN = /[A-Za-z0-9]{8,}/g;
/** Ids and hashes, by which agents name their files. */
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
/** Words, perhaps written together, perhaps numbered; and dates. */
const PLAIN = /^(?:(?:[A-Z]?[a-z]{2,}){1,4}|[A-Z]+)\d{0,3}$|^\d{8}T?\d{0,6}Z?$/;

/**
 * A keypath of which it is not known whether it holds a secret that stands in a file not read yet: only what looks like a
 * word, an id or a hash is shown. Names of files, see `unread.ts`.
 */
export function guarded(text: string): string {
  return text.replace(RUN, (run) => HEX.test(run) || PLAIN.test(run) && run.length < 32 ? run : "********");
}

/** Words, perhaps written together, perhaps numbered. */
const KEY_WORD = /^(?:[A-Z]{2,5}|[A-Z]?[a-z]{2,}\d{0,3}){1,5}$|^[A-Z]+\d{0,3}$|^\d+$/;

/**
 * A keypath in which a star stands for every key that is not made of words: it may be a secret, cut into short pieces, of
 * a file that another worker reads.
 */
export function guardedKeys(keypath: string): string {
  return keypath.replace(/[^.[\]]{8,}/g, (key) => {
    return (key.match(/[A-Za-z0-9]{4,}/g) ?? []).every((run) => KEY_WORD.test(run)) ? key : "*";
  });
}

/** Names that are kept at most beside those of the last scan. */
const MOST_KNOWN = 50_000;
