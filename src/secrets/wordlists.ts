/**
 * The word lists of seed phrases.
 *
 * @module
 */

import { wordlist as czech } from "@scure/bip39/wordlists/czech.js";
import { wordlist as english } from "@scure/bip39/wordlists/english.js";
import { wordlist as french } from "@scure/bip39/wordlists/french.js";
import { wordlist as italian } from "@scure/bip39/wordlists/italian.js";
import { wordlist as japanese } from "@scure/bip39/wordlists/japanese.js";
import { wordlist as korean } from "@scure/bip39/wordlists/korean.js";
import { wordlist as portuguese } from "@scure/bip39/wordlists/portuguese.js";
import { wordlist as simplifiedChinese } from "@scure/bip39/wordlists/simplified-chinese.js";
import { wordlist as spanish } from "@scure/bip39/wordlists/spanish.js";
import { wordlist as traditionalChinese } from "@scure/bip39/wordlists/traditional-chinese.js";

/** English first: also the list of Electrum's phrases. */
const LISTS = [
  english,
  czech,
  french,
  italian,
  japanese,
  korean,
  portuguese,
  simplifiedChinese,
  spanish,
  traditionalChinese,
];

const FILTER_BITS = 18;

/** What is looked up of the word lists. */
export interface WordTables {
  /** The hashes of every word of every list, in both its composed and decomposed form. */
  readonly words: Uint8Array;
  /** The hashes of the first four bytes of each. */
  readonly beginnings: Uint8Array;
  /** For each list, English first: the index of each of its words, decomposed (NFKD). */
  readonly indices: readonly ReadonlyMap<string, number>[];
}

let tables: WordTables | undefined;

/** The next state of the hash of a word's bytes; 0 is the first. */
export function hashStep(state: number, byte: number): number {
  return Math.imul(state ^ byte, 0x01000193) + 0x9e37;
}

/** The hash of the first four bytes of a word, read little-endian; a shorter word's other bytes are 0. */
export function beginningHash(fourBytes: number): number {
  return Math.imul(fourBytes, 0x9e3779b1);
}

function slotOf(hash: number): number {
  return (hash ^ hash >>> 15) & ((1 << FILTER_BITS) - 1);
}

/** Whether a filter has a hash; now and then also for one that it was not given. */
export function mayHold(filter: Uint8Array, hash: number): boolean {
  const slot = slotOf(hash);
  return ((filter[slot >>> 3] as number) >> (slot & 7) & 1) !== 0;
}

function hold(filter: Uint8Array, hash: number): void {
  const slot = slotOf(hash);
  filter[slot >>> 3] = (filter[slot >>> 3] as number) | 1 << (slot & 7);
}

/** The tables, made when first asked for. */
export function wordTables(): WordTables {
  tables ??= makeTables();
  return tables;
}

function makeTables(): WordTables {
  const words = new Uint8Array(1 << (FILTER_BITS - 3));
  const beginnings = new Uint8Array(1 << (FILTER_BITS - 3));
  const encoder = new TextEncoder();
  const indices = LISTS.map((list) => {
    for (const word of list) {
      for (const form of new Set([word.normalize("NFC"), word.normalize("NFKD")])) {
        const bytes = encoder.encode(form);
        hold(words, bytes.reduce(hashStep, 0));
        hold(beginnings, beginningHash(bytes.slice(0, 4).reduce((number, byte, at) => number | byte << (8 * at), 0)));
      }
    }
    return new Map(list.map((word, index) => [word.normalize("NFKD"), index]));
  });
  return { words, beginnings, indices };
}
