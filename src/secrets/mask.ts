/**
 * The most of a secret that is ever shown.
 *
 * @module
 */

const HIDDEN = "********";
const MOST_HEAD = 6;
const MOST_TAIL = 4;
/** Most of a secret's characters that are shown, in per cent. */
const MOST_SHOWN = 40;

const KEY_BLOCK = /-----BEGIN ([A-Z0-9 ]{1,60}?)-----/;
/** What a terminal or a reader could misread: controls, spaces, direction marks, invisible characters. */
const UNPRINTABLE = /[\p{C}\p{Z}]/gu;

/**
 * Masks a secret: its first six characters, eight asterisks, its last four; fewer of them where that would be more than
 * 40 % of the secret. Of a key block only its kind is left.
 *
 * @example
 * ```ts
 * import { mask } from "@agentsweep/mcp/secrets";
 *
 * mask("correct-horse-battery-staple"); // "correc********aple"
 * ```
 */
export function mask(secret: string): string {
  const kind = KEY_BLOCK.exec(secret)?.[1];
  if (kind !== undefined) return kind;
  const characters = [...secret];
  const budget = Math.floor(characters.length * MOST_SHOWN / 100);
  const head = Math.min(MOST_HEAD, Math.ceil(budget * 0.6));
  const tail = Math.min(MOST_TAIL, budget - head);
  const shown = characters.slice(0, head).join("") + HIDDEN + characters.slice(characters.length - tail).join("");
  return shown.replace(UNPRINTABLE, "?");
}

/** Stands for a seed phrase of `count` words. */
export function maskWords(count: number): string {
  return `${count} words`;
}
