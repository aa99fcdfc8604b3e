/**
 * Seed phrases: BIP-39 in every language of the word lists, and Electrum's.
 *
 * No keyword announces one. But a phrase is at least 47 bytes long, so looking at one word in every 44 bytes meets each
 * phrase; only where that word is in a list are its neighbours looked at.
 *
 * @module
 */

import type { Candidate } from "./candidates.ts";
import { BIP39_RULE, checksumHolds, ELECTRUM_RULE, electrumVersionHolds, PHRASE_LENGTHS } from "./phrase.ts";
import { inputOffset, type Stretch } from "./stretch.ts";
import { beginningHash, hashStep, mayHold, wordTables } from "./wordlists.ts";

/** Most bytes of a phrase: 24 words of eight three-byte characters, some with a mark, and what stands between. */
export const LONGEST_MNEMONIC = 2048;

const STRIDE = 44;
const FEWEST_WORDS = 12;
/** Bytes of the longest word of any list, decomposed. */
const LONGEST_WORD = 48;
/** Most bytes between two words of a phrase, as in `",\n    12. "`. */
const LONGEST_GAP = 16;
/** Most words of a run that are looked at at once; a longer one is a word list. */
const LONGEST_RUN = 4096;
/** Checksums worked out for one stretch: what is denser is a word list, and time is bounded. */
const MOST_CHECKS = 4096;
/** Ways in which the words of one phrase may be separated: by a space and, where it wraps, by a line break. */
const MOST_SEPARATORS = 2;
/** Fewest different words of a phrase that is part of a longer run. */
const FEWEST_DIFFERENT = 8;

const LETTER = 1;
const GAP = 2;
const BACKSLASH = 0x5c;

/** What each byte is: part of a word, or of what may stand between words. Bytes that are not ASCII are letters. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80 || byte >= 0x61 && byte <= 0x7a) return LETTER;
  return " \t\r\n,;.:()[]\"'`-|>*#\\0123456789".includes(String.fromCharCode(byte)) ? GAP : 0;
});

/** `[start, end)` of a word in one number, so that the search allocates nothing: `start * WORD_UNIT + length`. */
type Word = number;

const WORD_UNIT = 64;
const NO_WORD: Word = -1;

function startOf(word: Word): number {
  return Math.floor(word / WORD_UNIT);
}

function endOf(word: Word): number {
  return startOf(word) + word % WORD_UNIT;
}

/** Whether an ideographic space stands at `at`. */
function isWideSpace(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xe3 && bytes[at + 1] === 0x80 && bytes[at + 2] === 0x80;
}

/** Whether the letter at `at` belongs to an escape: the `n` of `\n`. */
function isEscape(bytes: Uint8Array, at: number): boolean {
  const letter = bytes[at];
  return at > 0 && bytes[at - 1] === BACKSLASH && (letter === 0x6e || letter === 0x72 || letter === 0x74);
}

/** The first letter of the word with a letter at `at`. */
function firstLetter(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && KINDS[bytes[start - 1] as number] === LETTER && at - start <= LONGEST_WORD) {
    if (start >= 3 && isWideSpace(bytes, start - 3)) break;
    start--;
  }
  return isEscape(bytes, start) ? start + 1 : start;
}

/** Whether a word of a list may begin at `start`, judged by four bytes. */
function mayBegin(bytes: Uint8Array, start: number, beginnings: Uint8Array): boolean {
  const fourth = bytes[start + 3] as number;
  const three = (bytes[start] as number) | (bytes[start + 1] as number) << 8 | (bytes[start + 2] as number) << 16;
  return mayHold(beginnings, beginningHash(KINDS[fourth] === LETTER ? three | fourth << 24 : three));
}

/** The word of a list that begins at `start`. */
function wordAt(bytes: Uint8Array, length: number, start: number, words: Uint8Array): Word {
  let state = 0;
  let end = start;
  while (end < length && KINDS[bytes[end] as number] === LETTER && end - start <= LONGEST_WORD) {
    if (isWideSpace(bytes, end)) break;
    state = hashStep(state, bytes[end++] as number);
  }
  return end - start >= 3 && mayHold(words, state) ? start * WORD_UNIT + (end - start) : NO_WORD;
}

/** The first letter behind the gap that begins at `at`, or -1. */
function behindGap(bytes: Uint8Array, length: number, at: number): number {
  const last = Math.min(length, at + LONGEST_GAP);
  for (let place = at; place < last;) {
    const kind = KINDS[bytes[place] as number];
    if (kind === GAP || isEscape(bytes, place)) place++;
    else if (isWideSpace(bytes, place)) place += 3;
    else return kind === LETTER ? place : -1;
  }
  return -1;
}

/** The last letter in front of the gap that ends before `at`, or -1. */
function beforeGap(bytes: Uint8Array, at: number): number {
  const first = Math.max(0, at - LONGEST_GAP);
  for (let place = at - 1; place >= first;) {
    const kind = KINDS[bytes[place] as number];
    if (kind === GAP || isEscape(bytes, place)) place--;
    else if (place >= 2 && isWideSpace(bytes, place - 2)) place -= 3;
    else return kind === LETTER ? place : -1;
  }
  return -1;
}

function wordBehind(bytes: Uint8Array, length: number, word: Word, words: Uint8Array): Word {
  const end = endOf(word);
  const at = behindGap(bytes, length, end);
  return at <= end ? NO_WORD : wordAt(bytes, length, at, words);
}

function wordBefore(bytes: Uint8Array, length: number, word: Word, words: Uint8Array): Word {
  const start = startOf(word);
  const at = beforeGap(bytes, start);
  return at < 0 || at === start - 1 ? NO_WORD : wordAt(bytes, length, firstLetter(bytes, at), words);
}

/** Whether a word of a list has enough of them around it for a phrase. */
function hasCompany(bytes: Uint8Array, length: number, word: Word, words: Uint8Array): boolean {
  let count = 1;
  let next = word;
  while (count < FEWEST_WORDS && (next = wordBehind(bytes, length, next, words)) !== NO_WORD) count++;
  next = word;
  while (count < FEWEST_WORDS && (next = wordBefore(bytes, length, next, words)) !== NO_WORD) count++;
  return count === FEWEST_WORDS;
}

/** The run of words of any list around one. */
function runAround(bytes: Uint8Array, length: number, word: Word, words: Uint8Array): Word[] {
  const run: Word[] = [];
  for (let next = word; next !== NO_WORD && run.length < LONGEST_RUN;) {
    run.push(next);
    next = wordBehind(bytes, length, next, words);
  }
  const before: Word[] = [];
  for (let next = word; before.length < LONGEST_RUN;) {
    next = wordBefore(bytes, length, next, words);
    if (next === NO_WORD) break;
    before.push(next);
  }
  return [...before.reverse(), ...run];
}

/** Whether the words stand in a phrase's way: separated alike, and not in alphabetical order as in a word list. */
function isPhraseLike(indices: readonly number[], gaps: readonly string[], whole: boolean): boolean {
  if (new Set(gaps).size > MOST_SEPARATORS) return false;
  if (!whole && new Set(indices).size < FEWEST_DIFFERENT) return false;
  return whole || indices.some((index, at) => at > 0 && index < (indices[at - 1] as number));
}

/** Finds every seed phrase in a stretch. */
export function findMnemonics(stretch: Stretch, found: (candidate: Candidate) => boolean): void {
  const { bytes, length } = stretch;
  const { beginnings, words } = wordTables();
  let checks = MOST_CHECKS;
  for (let at = STRIDE - 1; at < length; at += STRIDE) {
    const kind = KINDS[bytes[at] as number];
    if (kind === 0) continue;
    const letter = kind === LETTER ? at : behindGap(bytes, length, at);
    if (letter < 0) continue;
    const start = firstLetter(bytes, letter);
    if (!mayBegin(bytes, start, beginnings)) continue;
    const word = wordAt(bytes, length, start, words);
    if (word === NO_WORD || !hasCompany(bytes, length, word, words)) continue;
    const run = runAround(bytes, length, word, words);
    checks = searchRun(stretch, run, checks, found);
    at = Math.max(at, endOf(run.at(-1) as Word));
  }
}

/** Tries every beginning and length of a phrase in a run; returns how many checksums may still be worked out. */
function searchRun(
  stretch: Stretch,
  run: readonly Word[],
  checks: number,
  found: (candidate: Candidate) => boolean,
): number {
  const decoder = new TextDecoder();
  const text = (start: number, end: number) => decoder.decode(stretch.bytes.subarray(start, end));
  const words = run.map((word) => text(startOf(word), endOf(word)).normalize("NFKD"));
  const gaps = run.map((word, at) => at === 0 ? "" : text(endOf(run[at - 1] as Word), startOf(word)))
    .map((gap) => gap.replaceAll(/\d/g, "").replaceAll(/(?:\s|\\+[nrt])+/g, " "));
  wordTables().indices.forEach((list, language) => {
    const indices = words.map((word) => list.get(word) ?? -1);
    for (let first = 0; first + FEWEST_WORDS <= indices.length && checks > 0; first++) {
      // What its first twelve words are not, a longer phrase is not either; runs of one word end here.
      const beginning = indices.slice(first, first + FEWEST_WORDS);
      const whole = PHRASE_LENGTHS.includes(run.length);
      if (beginning.includes(-1) || !whole && new Set(beginning).size < FEWEST_DIFFERENT) continue;
      for (const count of PHRASE_LENGTHS) {
        const window = indices.slice(first, first + count);
        if (window.length < count || window.includes(-1)) continue;
        if (!isPhraseLike(window, gaps.slice(first + 1, first + count), count === run.length)) continue;
        checks--;
        const phrase = words.slice(first, first + count);
        const rule = checksumHolds(window) ? BIP39_RULE : ELECTRUM_RULE;
        if (rule === ELECTRUM_RULE && (language !== 0 || !electrumVersionHolds(phrase))) continue;
        const start = inputOffset(stretch, startOf(run[first] as Word));
        const end = inputOffset(stretch, endOf(run[first + count - 1] as Word));
        // Shorter phrases that overlap it by chance lose to the longer one.
        found({ rule, start, end, secret: phrase.join(" "), marks: count, evidence: count, depth: 0, order: language });
        break;
      }
    }
  });
  return checks;
}
