/**
 * Stretches of bytes to scan: the input itself, and what UTF-16 in it says.
 *
 * @module
 */

import { PADDING } from "./automaton.ts";

/** Bytes of one byte a character, and where in the input each comes from. */
export interface Stretch {
  /** The bytes, followed by `PADDING` more. */
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Offset in the input of the first byte. */
  readonly base: number;
  /** Bytes of the input for one of the stretch: 1, or 2 for UTF-16. */
  readonly scale: 1 | 2;
}

/** Fewest characters that are taken for UTF-16 text. */
const SHORTEST = 8;
/** Stands for what is not ASCII: never valid in UTF-8, so that it decodes to U+FFFD. */
const NOT_ASCII = 0xff;
/** Characters in a row that may be not ASCII before the text is taken to have ended. */
const PATIENCE = 8;

/** Offset in the input of the byte at `index` of a stretch. */
export function inputOffset(stretch: Stretch, index: number): number {
  return stretch.base + index * stretch.scale;
}

/**
 * The UTF-16 text, of either byte order, with a mark or without, in `bytes[0, length)`, told by its NUL bytes. Each
 * stretch is narrowed to one byte a character.
 */
export function wideStretches(bytes: Uint8Array, length: number, base: number): Stretch[] {
  const stretches: Stretch[] = [];
  let at = bytes.indexOf(0);
  while (at >= 0 && at < length) {
    // Little-endian has the NUL behind an ASCII character, big-endian in front of it. Read the wrong way round, a text
    // loses its last character and may gain the byte before it: where both readings are as long, either may be right.
    const little = wideAt(bytes, length, at - 1, 1);
    const big = wideAt(bytes, length, at, 0);
    const longest = Math.max(little?.length ?? 0, big?.length ?? 0);
    let end = at;
    for (const found of [little, big]) {
      if (found === undefined || found.length < longest) continue;
      stretches.push({ bytes: found.bytes, length: found.length, base: base + found.start, scale: 2 });
      end = Math.max(end, found.start + found.length * 2);
    }
    at = bytes.indexOf(0, end > at ? end : skipNuls(bytes, length, at));
  }
  return stretches;
}

/** The first place from `at` on that is no NUL, so that a gigabyte of them is passed over quickly. */
function skipNuls(bytes: Uint8Array, length: number, at: number): number {
  while (at < length && bytes[at] === 0) at++;
  return at;
}

/** UTF-16 text that begins at `start`, its high byte `high` bytes from the beginning of each pair; or nothing. */
function wideAt(
  bytes: Uint8Array,
  length: number,
  start: number,
  high: 0 | 1,
): { start: number; bytes: Uint8Array; length: number } | undefined {
  if (start < 0) return undefined;
  let end = start;
  let strange = 0;
  for (let at = start; at + 1 < length && strange < PATIENCE; at += 2) {
    const low = bytes[at + 1 - high] as number;
    if (bytes[at + high] === 0 && low !== 0 && low < 0x80) {
      strange = 0;
      end = at + 2;
    } else strange++;
  }
  const characters = (end - start) / 2;
  if (characters < SHORTEST) return undefined;
  const narrow = new Uint8Array(characters + PADDING);
  for (let index = 0; index < characters; index++) {
    const at = start + index * 2;
    const low = bytes[at + 1 - high] as number;
    narrow[index] = bytes[at + high] === 0 && low < 0x80 ? low : NOT_ASCII;
  }
  return { start, bytes: narrow, length: characters };
}
