/**
 * Which keywords occur where, in one pass over bytes.
 *
 * A keyword of three or more characters covers, at whichever parity it starts, one three-byte window that begins at an
 * even offset. So only every second offset is looked at: three bytes are hashed into a table that says whether a
 * keyword may cover this window there. The look-ups of neighbouring windows do not depend on each other, which is what
 * makes this faster than walking a state machine byte by byte.
 *
 * @module
 */

const TABLE_BITS = 16;
const TABLE_SIZE = 1 << TABLE_BITS;
const HASH = 0x9e3779b1 | 0;
/** Sets the bit that tells lower from upper case; other characters collide harmlessly, since patterns decide. */
const FOLD = 0x20;

/** Bytes that {@linkcode Automaton.find} may read, but not report, behind the end of its range. */
export const PADDING = 4;

/** Places of keywords, in ascending order of the windows that revealed them; reused from one call to the next. */
export interface Hits {
  count: number;
  /** Index of the keyword of each hit. */
  keywords: Int32Array;
  /** Where each hit begins. */
  positions: Int32Array;
}

/** A compiled set of keywords. */
export interface Automaton {
  /**
   * Finds every occurrence of every keyword that lies wholly in `[from, to)` of `bytes`, ASCII case ignored; now and
   * then an occurrence that differs in bit 5 of a character that is no letter. `bytes` must go on for `PADDING` bytes
   * behind `to`.
   */
  find(bytes: Uint8Array, from: number, to: number, hits: Hits): void;
}

/** An empty list of hits. */
export function emptyHits(): Hits {
  return { count: 0, keywords: new Int32Array(1024), positions: new Int32Array(1024) };
}

function addHit(hits: Hits, keyword: number, position: number): void {
  if (hits.count === hits.keywords.length) {
    hits.keywords = grown(hits.keywords);
    hits.positions = grown(hits.positions);
  }
  hits.keywords[hits.count] = keyword;
  hits.positions[hits.count++] = position;
}

function grown(list: Int32Array): Int32Array<ArrayBuffer> {
  const twice = new Int32Array(list.length * 2);
  twice.set(list);
  return twice;
}

function hash(first: number, second: number, third: number): number {
  return Math.imul(first | second << 8 | third << 16, HASH) >>> (32 - TABLE_BITS);
}

/** How often a folded character is met in code and prose, in thousandths; what is not listed is rare. */
const FREQUENT: Readonly<Record<string, number>> = {
  ...Object.fromEntries([..."etaoinsr"].map((letter) => [letter, 70])),
  ...Object.fromEntries([..."hldcumpfg"].map((letter) => [letter, 30])),
  ...Object.fromEntries([..."ybwv"].map((letter) => [letter, 15])),
  ...Object.fromEntries([...".-"].map((sign) => [sign, 10])),
};

function commonness(text: string): number {
  return [...text].reduce((product, character) => product * (FREQUENT[character] ?? 5), 1);
}

/** One window of a keyword: `offset` is where in the keyword the window begins, -1 if one byte before it. */
interface Window {
  readonly offset: number;
  readonly text: string;
}

/** The windows under which a keyword is filed: two next to each other, the rarest, so that one has even parity. */
function windowsOf(keyword: string): readonly Window[] {
  if (keyword.length < 3) throw new RangeError(`keyword "${keyword}" has fewer than three characters`);
  if (keyword.length === 3) {
    const [before, after] = [keyword.slice(0, 2), keyword.slice(1)];
    const wild = commonness(before) < commonness(after)
      ? { offset: -1, text: `?${before}` }
      : { offset: 1, text: `${after}?` };
    return [{ offset: 0, text: keyword }, wild];
  }
  let best = 0;
  let least = Infinity;
  for (let offset = 0; offset + 4 <= keyword.length; offset++) {
    const cost = commonness(keyword.slice(offset, offset + 3)) + commonness(keyword.slice(offset + 1, offset + 4));
    if (cost < least) [best, least] = [offset, cost];
  }
  return [best, best + 1].map((offset) => ({ offset, text: keyword.slice(offset, offset + 3) }));
}

/** Every folded byte a character of a window stands for; `?` stands for all. */
function bytesOf(character: string): readonly number[] {
  if (character !== "?") return [character.charCodeAt(0) | FOLD];
  return Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => (byte | FOLD) === byte);
}

/** Compiles keywords: lower-case ASCII, at least three characters each, none of them with `?`. */
export function compileKeywords(keywords: readonly string[]): Automaton {
  const folded = keywords.map((keyword) => Uint8Array.from(keyword, (character) => character.charCodeAt(0) | FOLD));
  const entries: { slot: number; keyword: number; offset: number }[] = [];
  keywords.forEach((keyword, index) => {
    for (const { offset, text } of windowsOf(keyword)) {
      const [first = [], second = [], third = []] = [...text].map(bytesOf);
      for (const a of first) {
        for (const b of second) for (const c of third) entries.push({ slot: hash(a, b, c), keyword: index, offset });
      }
    }
  });
  entries.sort((left, right) => left.slot - right.slot);
  const present = new Uint8Array(TABLE_SIZE);
  /** Index of the first entry of each slot. */
  const starts = new Uint32Array(TABLE_SIZE + 1);
  for (const { slot } of entries) {
    present[slot] = 1;
    starts[slot + 1] = (starts[slot + 1] ?? 0) + 1;
  }
  for (let slot = 0; slot < TABLE_SIZE; slot++) starts[slot + 1] = (starts[slot + 1] ?? 0) + (starts[slot] ?? 0);
  const entryKeyword = Int32Array.from(entries, (entry) => entry.keyword);
  const entryOffset = Int32Array.from(entries, (entry) => entry.offset);

  function verify(bytes: Uint8Array, from: number, to: number, slot: number, at: number, hits: Hits): void {
    const last = starts[slot + 1] as number;
    for (let entry = starts[slot] as number; entry < last; entry++) {
      const index = entryKeyword[entry] as number;
      const keyword = folded[index] as Uint8Array;
      const start = at - (entryOffset[entry] as number);
      const length = keyword.length;
      if (start < from || start + length > to) continue;
      let same = 0;
      while (same < length && ((bytes[start + same] as number) | FOLD) === keyword[same]) same++;
      if (same === length) addHit(hits, index, start);
    }
  }

  function find(bytes: Uint8Array, from: number, to: number, hits: Hits): void {
    hits.count = 0;
    if (to + PADDING > bytes.length) throw new RangeError("the padding behind the range is missing");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // A window may begin one byte before the last two of the range, or one before the first.
    for (let at = Math.max(0, from - 1) & ~1; at < to; at += 2) {
      const slot = Math.imul(view.getInt32(at, true) & 0xffffff | 0x202020, HASH) >>> (32 - TABLE_BITS);
      if (present[slot] !== 0) verify(bytes, from, to, slot, at, hits);
    }
  }

  return { find };
}
