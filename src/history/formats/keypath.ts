/**
 * Keypaths such as `message.content[0].text`.
 *
 * A key comes from the disk and may itself be a secret, while a keypath is shown to the model. So only keys that look
 * like names are spelled out; every other one is a star.
 *
 * @module
 */

/** How many levels a keypath names; what lies deeper is an ellipsis. */
export const KEYPATH_LEVELS = 64;

/** Longest key in bytes that a keypath may spell out. */
export const KEYPATH_KEY_BYTES = 64;

const NAME = /^[A-Za-z_$@][A-Za-z0-9_$@./-]*$/;
/** A key is judged by its runs of letters and digits. */
const RUN = /[A-Za-z0-9]+/g;
const LONG_WORD = 24;
const LONG_MIXED = 8;

function isPlainWord(word: string): boolean {
  if (word.length >= LONG_WORD) return false;
  return word.length < LONG_MIXED || /^[A-Za-z]+[0-9]{0,3}$/.test(word);
}

function judge(key: string): string {
  if (key.length > KEYPATH_KEY_BYTES || !NAME.test(key)) return "*";
  return (key.match(RUN) ?? []).every(isPlainWord) ? key : "*";
}

const MOST_KNOWN = 4096;
/** The same few keys come up in every record. */
const known = new Map<string, string>();

/** What a keypath shows for a key: the key where it is a plain name, else a star. */
export function shownKey(key: string): string {
  let shown = known.get(key);
  if (shown === undefined) {
    shown = judge(key);
    if (known.size === MOST_KNOWN) known.clear();
    known.set(key, shown);
  }
  return shown;
}

/** Appends a step to a keypath: an index in brackets, or a key that was made showable. */
export function step(path: string, part: string | number): string {
  if (typeof part === "number") return `${path}[${part}]`;
  return path === "" ? part : `${path}.${part}`;
}
