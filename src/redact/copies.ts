/**
 * Finds every copy of known secrets in bytes, however the copy is written: under any number of layers of JSON escapes,
 * percent-encoded, with XML references, or as base64 or hexadecimal digits.
 *
 * Two readings of the bytes are searched: the bytes themselves, and one in which all escapes are undone at once. The
 * secrets are read in the same way, so that what is equal but for escapes is found. This may take a text for a copy that
 * differs from the secret in its escapes alone; it never misses one. Values that may be ordinary words have copies in
 * fewer places: see {@linkcode reachOf}.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { createCanon } from "./canon.ts";
import { isInKey, isWhole } from "./keys.ts";
import { type Reach, reachOf } from "./telling.ts";

/** A secret, and what it is replaced by. */
export interface Value {
  /** The plaintext. */
  readonly secret: string;
  /** Id of the rule that found it. */
  readonly rule: string;
}

/** A place of units, `[start, end)`. */
export interface Place {
  readonly start: number;
  readonly end: number;
  /** Id of the rule whose marker goes there. */
  readonly rule: string;
  /** The value that stands there. */
  readonly secret: string;
}

/** Searches for a fixed set of values. */
export interface CopyFinder {
  /** Places of all copies, in no order; they may overlap. */
  find(units: Uint8Array): Place[];
}

interface Pattern {
  readonly bytes: Uint8Array;
  readonly rule: string;
  readonly secret: string;
  /** Whether a copy must not be a piece of a longer word. */
  readonly isWord: boolean;
  /** Where copies are spared. */
  readonly reach: Reach;
}

/** From this length on a value is looked for inside longer words too. */
const LONG = 8;
/** What is shorter has no head to be found by. */
const SHORTEST = 4;
const WINDOW = 4 << 20;
/** Most bytes that one byte of a value takes under the encodings that are known. */
const WIDEST = 12;
const BITS = 18;

/** A finder of the copies of `values`, as far as {@linkcode reachOf} lets them reach. */
export function createCopyFinder(values: readonly Value[]): CopyFinder {
  return createFinder(values.flatMap((value) => {
    const reach = reachOf(value.secret);
    return reach === "place" ? [] : [{ ...value, reach }];
  }));
}

/** A finder of `values`, ordinary words or not, from four characters on. */
export function createWordFinder(values: readonly Value[]): CopyFinder {
  return createFinder(values.map((value) => ({ ...value, reach: "everywhere" })));
}

interface Sought extends Value {
  readonly reach: Reach;
}

function createFinder(values: readonly Sought[]): CopyFinder {
  const plain = createIndex(values.flatMap((value) => patternOf(Buffer.from(value.secret), value)));
  const undone = createIndex(values.flatMap((value) => canonicalPatterns(value)));
  const longest = Math.max(0, ...values.map(({ secret }) => secret.length));
  const overlap = Math.min(WINDOW / 2, longest * WIDEST + 64);
  let canon = { capacity: 0, ...createCanon(0) };

  function find(units: Uint8Array): Place[] {
    if (longest < SHORTEST) return [];
    const capacity = Math.min(WINDOW, units.length);
    // Most cells of a database are small.
    if (canon.capacity < capacity) canon = { capacity, ...createCanon(capacity) };
    const places: Place[] = [];
    const take = (start: number, end: number, { rule, secret, reach }: Pattern) => {
      if (reach !== "everywhere" && isInKey(units, end)) return;
      if (reach === "prose" && isWhole(units, start, end)) return;
      places.push({ start, end, rule, secret });
    };
    plain.search(units, units.length, take);
    for (let from = 0; from < units.length; from += WINDOW - overlap) {
      const to = Math.min(units.length, from + WINDOW);
      const { bytes, starts, length } = canon.read(units, from, to);
      undone.search(bytes, length, (start, end, pattern) => {
        take(starts[start] as number, starts[end] as number, pattern);
      });
      if (to === units.length) break;
    }
    return places;
  }
  return { find };
}

function canonicalPatterns(value: Sought): Pattern[] {
  const { secret, rule } = value;
  const bytes = Buffer.from(secret);
  const canon = createCanon(bytes.length);
  const { bytes: undone, length } = canon.read(bytes, 0, bytes.length);
  // What a final backslash escapes depends on what follows it.
  let end = length;
  while (end > 0 && undone[end - 1] === 0x5c) end--;
  const patterns = patternOf(undone.slice(0, end), value);
  if (bytes.length < LONG) return patterns;
  for (const text of [...base64Of(bytes), bytes.toString("hex"), bytes.toString("hex").toUpperCase()]) {
    patterns.push({ bytes: Buffer.from(text), rule, secret, isWord: false, reach: "everywhere" });
  }
  return patterns;
}

function patternOf(bytes: Uint8Array, { secret, rule, reach }: Sought): Pattern[] {
  if (bytes.length < SHORTEST) return [];
  const isWord = reach === "prose" || secret.length < LONG || /^(?:\d+|\p{L}+)$/u.test(secret);
  return [{ bytes, rule, secret, isWord, reach }];
}

/** The digits that a value's bytes alone decide, at each of the three places that it may have in a longer base64 text. */
function base64Of(bytes: Uint8Array): string[] {
  const texts = new Set<string>();
  for (const lead of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(lead), bytes]).toString("base64");
    const digits = encoded.slice(lead === 0 ? 0 : lead + 1, Math.floor((lead + bytes.length) * 8 / 6));
    texts.add(digits);
    texts.add(digits.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return [...texts];
}

interface Index {
  search(bytes: Uint8Array, length: number, found: (start: number, end: number, pattern: Pattern) => void): void;
}

/** Patterns by their first four bytes, and by the four after them: many secrets begin alike. */
function createIndex(patterns: readonly Pattern[]): Index {
  const filter = new Uint8Array(1 << BITS);
  const groups = new Map<number, { short: Pattern[]; long: Map<number, Pattern[]> }>();
  const seen = new Set<string>();
  for (const pattern of patterns) {
    const id = Buffer.from(pattern.bytes).toString("latin1");
    if (seen.has(id)) continue;
    seen.add(id);
    const head = wordAt(pattern.bytes, 0);
    filter[slot(head)] = 1;
    const group = groups.get(head) ?? { short: [], long: new Map<number, Pattern[]>() };
    groups.set(head, group);
    if (pattern.bytes.length < LONG) group.short.push(pattern);
    else {
      const next = wordAt(pattern.bytes, 4);
      group.long.set(next, [...group.long.get(next) ?? [], pattern]);
    }
  }

  function search(
    bytes: Uint8Array,
    length: number,
    found: (start: number, end: number, pattern: Pattern) => void,
  ): void {
    if (groups.size === 0) return;
    let word = 0;
    for (let at = 0; at < length; at++) {
      word = (word << 8 | (bytes[at] as number)) >>> 0;
      if (at < 3 || filter[slot(word)] === 0) continue;
      const group = groups.get(word);
      if (group === undefined) continue;
      const start = at - 3;
      const long = start + LONG <= length ? group.long.get(wordAt(bytes, start + 4)) ?? [] : [];
      for (const pattern of [...group.short, ...long]) {
        const { bytes: wanted, isWord } = pattern;
        const end = start + wanted.length;
        if (end > length || !isAt(bytes, start, wanted)) continue;
        if (isWord && (isWordByte(bytes[start - 1], start) || (end < length && isWordByte(bytes[end], 1)))) continue;
        found(start, end, pattern);
      }
    }
  }
  return { search };
}

function slot(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> (32 - BITS);
}

function wordAt(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4);
  return (a << 24 | b << 16 | c << 8 | d) >>> 0;
}

function isAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[start + index] !== wanted[index]) return false;
  return true;
}

function isWordByte(byte: number | undefined, start: number): boolean {
  if (byte === undefined || start === 0) return false;
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f || byte >= 0x80;
}
