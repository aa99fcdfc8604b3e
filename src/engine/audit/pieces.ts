/**
 * A memory of which short pieces secrets are made of, without the pieces: bits of a Bloom filter, shared by all workers.
 *
 * A secret that a rule finds in one file may be the name of another file, or a key, where nothing around it tells what
 * it is. So before any name is shown, it is held against every secret that this process ever met.
 *
 * @module
 */

/** How many characters of a secret in a row may not be shown. */
const TELLING = 8;
/** Up to a million pieces, one in a million other pieces is taken for one: it is hidden for nothing, which does no harm. */
const WORDS = 1 << 20;
const BITS = WORDS * 32;
const HASHES = 4;

/** The pieces of the secrets met so far. */
export interface Pieces {
  /** Notes a secret's pieces. */
  note(secret: string): void;
  /** `text` with every run that is made of noted pieces hidden. */
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

  function hash(text: string, at: number, seed: number): number {
    let value = seed;
    for (let index = at; index < at + TELLING; index++) {
      // Without the case of letters: names are often written small.
      value = Math.imul(value ^ (text.charCodeAt(index) | 0x20), 0x5bd1e995);
      value ^= value >>> 15;
    }
    return value >>> 0;
  }

  /** Calls `use` with each bit of the piece at `at`, until it says no. */
  function every(text: string, at: number, use: (word: number, mask: number) => boolean): boolean {
    const start = hash(text, at, first);
    const step = (hash(text, at, second) | 1) >>> 0;
    for (let index = 0; index < HASHES; index++) {
      const bit = (start + index * step) % BITS;
      if (!use(bit >>> 5, 1 << (bit & 31))) return false;
    }
    return true;
  }

  const isNoted = (text: string, at: number) =>
    at + TELLING <= text.length && every(text, at, (word, mask) => (Atomics.load(bits, word) & mask) !== 0);

  return {
    note(secret) {
      for (let at = 0; at + TELLING <= secret.length; at++) {
        every(secret, at, (word, mask) => {
          Atomics.or(bits, word, mask);
          return true;
        });
      }
    },
    hide(text) {
      let result = "";
      let shown = 0;
      for (let at = 0; at + TELLING <= text.length; at++) {
        if (!isNoted(text, at)) continue;
        result += `${text.slice(shown, at)}********`;
        while (isNoted(text, at + 1)) at++;
        at += TELLING - 1;
        shown = at + 1;
      }
      return result + text.slice(shown);
    },
  };
}
