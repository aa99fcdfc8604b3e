/**
 * Paths as they may be shown while it is not known what stands in the files: each name may be a secret of any of them.
 *
 * @module
 */

import type { ResolvedSource } from "../../history/resolve.ts";

/** What a guard lets through, as plain data. */
export interface Familiar {
  /** Paths that come from a human, not from the disk. */
  readonly own: readonly string[];
  /** Words by which agents name their files, in small letters. */
  readonly words: readonly string[];
}

/** Shows a path; `scrubbed` is the same path with what is known to be a secret masked. */
export type Guard = (path: string, scrubbed: string) => string;

const MASK = "********";
/** Words by which agents name files and folders that no pattern spells out, and the ending of a backup. */
const USUAL =
  "agent agents api archived backup bak cache chat chats checkpoint checkpoints config context conversation " +
  "conversations data db history json jsonl log logs main memory message messages metadata msg old output part projects " +
  "results rollout rollouts ses session sessions settings state storage store subagent subagents task tasks thread " +
  "threads tool transcript transcripts ui user workspace";
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const DATE = "(?:19|20)\\d\\d[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\\d|3[01])";
const TIME = "(?:[01]\\d|2[0-3])[-_.:]?[0-5]\\d(?:[-_.:]?[0-5]\\d(?:[-_.]?\\d{3})?)?Z?";
/** Seconds or milliseconds since 1970. */
const STAMP = "1[5-9]\\d{8}(?:\\d{3})?";
const SHAPE = `${UUID}|${DATE}(?:[T_-]?${TIME})?|${STAMP}`;
const SHAPED = new RegExp(`^(?:${SHAPE})$`, "i");
const PIECE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${SHAPE}|[\\p{L}\\p{N}]+)(?![\\p{L}\\p{N}])`, "giu");
/** A folder for a year, a month or a day. */
const DATE_FOLDER = /^(?:(?:19|20)\d\d|\d{1,2})$/;

/** What is familiar in the names of `sources`: their own places, and what their patterns spell out. */
export function familiarIn(sources: readonly ResolvedSource[]): Familiar {
  const own = sources.flatMap(({ root, roots, trees }) => [root, ...roots, ...trees.map(({ root }) => root)]);
  const globs = sources.flatMap(({ trees }) => trees).flatMap(({ files, opaque = [] }) =>
    [...files, ...opaque].map((file) => typeof file === "string" ? file : file.glob)
  );
  const words = [USUAL, ...own, ...globs].flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return { own: [...new Set(own)], words: [...new Set(words)] };
}

/** A guard that shows whole what a human named, and below it dates, UUIDs, counts and familiar words alone. */
export function createGuard({ own, words }: Familiar): Guard {
  const roots = [...own].sort((one, other) => other.length - one.length);
  const familiar = new Set(words);
  const isFamiliar = (text: string) => familiar.has(text.toLowerCase()) || SHAPED.test(text);

  function part(text: string): string {
    if (DATE_FOLDER.test(text)) return text;
    let result = "";
    let shown = 0;
    for (const { 0: found, index } of text.matchAll(PIECE)) {
      if (!isFamiliar(found)) continue;
      result += between(text.slice(shown, index), shown > 0) + found;
      shown = index + found.length;
    }
    return result + between(text.slice(shown), shown > 0, true);
  }

  return (path, scrubbed) => {
    const root = roots.find((root) => path.startsWith(root) && scrubbed.startsWith(root)) ?? "";
    return root + scrubbed.slice(root.length).split(/([/\\])/).map((text) => /^[/\\]?$/.test(text) ? text : part(text))
      .join("");
  };
}

/** What stands between what is familiar: as it is where nothing is in it, else hidden but for the signs at its ends. */
function between(text: string, isBehind: boolean, isLast = false): string {
  if (/^[-_. ]{0,2}$/.test(text)) return text;
  const before = isBehind ? /^[-_. ]?/.exec(text)![0] : "";
  const after = isLast ? "" : /[-_. ]?$/.exec(text)![0];
  return before + MASK + after;
}
