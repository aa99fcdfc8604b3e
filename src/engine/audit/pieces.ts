/**
 * A memory of which short pieces secrets are made of, without the pieces: bits of a Bloom filter, shared by all workers.
 *
 * A secret that a rule finds in one file may be the name of another file, or a key, where nothing around it tells what
 * it is. So before any name is shown, it is held against every secret that this process ever met: as it is written, and by
 * letters and digits alone, since names are often made of texts by putting dashes for all other signs.
 *
 * @module
 */

/** How many characters of a secret in a row may not be shown. */
const TELLING = 8;
/** A shorter secret is hidden where it stands as a whole word: a piece of it is in too many names. No rule takes fewer. */
const SHORTEST = 4;
/** Up to a million pieces, one in a million other pieces is taken for one: it is hidden for nothing, which does no harm. */
const WORDS = 1 << 20;
const BITS = WORDS * 32;
const HASHES = 4;
/** The number that is not 0 once a short secret was met: most histories hold none, and nobody has to look for one. */
const SHORT_MET = WORDS - 1;

/** The pieces of the secrets met so far. */
export interface Pieces {
  /** Notes a secret's pieces, or a short one as a whole. */
  note(secret: string): void;
  /** `text` with every run that is made of noted pieces hidden, and every word that is a short secret. */
  hide(text: string): string;
}

/** Bits for {@linkcode openPieces}, which several threads may share. */
export function createBits(): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(WORDS * 4));
}

/** The memory in `bits`. Its hashes depend on `key`, of at least 8 bytes. */
export function openPieces(bits: Uint32Array, key: Uint8Array): Pieces {
  const seeds = new DataView(key.buffer, key.byteOffset, key.byteLength);
  const [first, second] = [seeds.getUint32(0), seeds.getUint32(4)];

  function hash(text: string, at: number, length: number, seed: number): number {
    let value = seed + TELLING - length;
    for (let index = at; index < at + length; index++) {
      // Without the case of letters: names are often written small.
      value = Math.imul(value ^ (text.charCodeAt(index) | 0x20), 0x5bd1e995);
      value ^= value >>> 15;
    }
    return value >>> 0;
  }

  /** Calls `use` with each bit of the piece at `at`, until it says no. */
  function every(text: string, at: number, length: number, use: (word: number, mask: number) => boolean): boolean {
    let bit = hash(text, at, length, first) % BITS;
    // Nearly always the first bit says no.
    if (!use(bit >>> 5, 1 << (bit & 31))) return false;
    const step = (hash(text, at, length, second) | 1) >>> 0;
    for (let index = 1; index < HASHES; index++) {
      bit = (bit + step) % BITS;
      if (!use(bit >>> 5, 1 << (bit & 31))) return false;
    }
    return true;
  }

  const isNoted = (text: string, at: number, length: number) =>
    at + length <= text.length && every(text, at, length, (word, mask) => (Atomics.load(bits, word) & mask) !== 0);

  function note(text: string): void {
    if (text.length < SHORTEST) return;
    const length = Math.min(text.length, TELLING);
    if (length < TELLING) Atomics.or(bits, SHORT_MET, 1);
    for (let at = 0; at + length <= text.length; at++) {
      every(text, at, length, (word, mask) => {
        Atomics.or(bits, word, mask);
        return true;
      });
    }
  }

  return {
    note(secret) {
      // The heading of a key is no secret, and by its letters alone it is in many names.
      for (const text of [secret, squeezed(secret.replaceAll(/-----[^-]+-----/g, "")).text]) note(text);
      // Of a name and a password in one, the password alone may be too short to be known by its pieces.
      const [, password = ""] = /^[^:]*:(.{1,7})$/.exec(secret) ?? [];
      note(password);
    },
    hide(text) {
      const hidden = new Uint8Array(text.length);
      const hasShort = Atomics.load(bits, SHORT_MET) !== 0;
      for (const { text: form, places } of [{ text, places: null }, squeezed(text)]) {
        const placeOf = (at: number) => places?.[at] ?? at;
        for (let at = 0; at + SHORTEST <= form.length; at++) {
          if (isNoted(form, at, TELLING)) hidden.fill(1, placeOf(at), placeOf(at + TELLING - 1) + 1);
          if (!hasShort || isWithinWord(text, placeOf(at))) continue;
          for (let length = SHORTEST; length < TELLING && at + length <= form.length; length++) {
            const end = placeOf(at + length - 1) + 1;
            if (!isWithinWord(text, end) && isNoted(form, at, length)) hidden.fill(1, placeOf(at), end);
          }
        }
      }
      return masked(text, hidden);
    },
  };
}

/** `text` with eight stars for each run of what is hidden. */
function masked(text: string, hidden: Uint8Array): string {
  let result = "";
  let shown = 0;
  for (let at = hidden.indexOf(1); at >= 0; at = hidden.indexOf(1, shown)) {
    result += `${text.slice(shown, at)}********`;
    const end = hidden.indexOf(0, at);
    shown = end < 0 ? text.length : end;
  }
  return result + text.slice(shown);
}

/** Letters and digits of a text, and where in it each stands. */
function squeezed(text: string): { text: string; places: number[] } {
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) if (isWord(text, at)) places.push(at);
  return { text: text.replaceAll(SIGNS, ""), places };
}

/** What is no letter and no digit in ASCII. */
const SIGNS = /[\0-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+/g;

/** Whether there is a letter or a digit; every sign beyond ASCII counts as one. */
function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x80 || (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}

/** Whether the place before `at` and the one at it belong to one word. */
function isWithinWord(text: string, at: number): boolean {
  return isWord(text, at - 1) && isWord(text, at);
}
