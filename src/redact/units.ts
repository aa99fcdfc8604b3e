/**
 * A file's content as one byte a character unit, whatever its encoding.
 *
 * @module
 */

import { detectEncoding, OPENING_BYTES } from "../history/formats/window.ts";

/** Content as units, with the way back. */
export interface Units {
  /** UTF-8 as it stands, or UTF-16 with every unit that is not ASCII shown as 0xff; without a byte order mark. */
  readonly units: Uint8Array;
  /** Unit of an offset in the file. */
  indexOf(offset: number): number;
  /**
   * The file's bytes with `pieces` (ascending, apart from one another) replaced by their texts, which are ASCII.
   */
  replaced(pieces: readonly Replacement[]): Uint8Array;
}

/** What goes in the place of units `[start, end)`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Reads `bytes` as units. */
export function unitsOf(bytes: Uint8Array): Units {
  const { encoding, mark } = detectEncoding(bytes.subarray(0, OPENING_BYTES));
  const scale = encoding === "utf-8" ? 1 : 2;
  const low = encoding === "utf-16be" ? 1 : 0;
  const units = scale === 1 ? bytes.subarray(mark) : narrowed(bytes, mark, low);
  const offsetOf = (index: number) => mark + index * scale;

  function encoded(text: string): Uint8Array {
    const written = new Uint8Array(text.length * scale);
    for (let index = 0; index < text.length; index++) {
      written[index * scale + (scale - 1) * low] = text.charCodeAt(index);
    }
    return written;
  }
  return {
    units,
    // UTF-16 found by a reading that is one byte off: little-endian texts seem to begin and end a byte early, others late.
    indexOf: (offset) => low === 0 ? Math.ceil((offset - mark) / scale) : Math.floor((offset - mark) / scale),
    replaced(pieces) {
      const parts: Uint8Array[] = [];
      let at = 0;
      for (const { start, end, text } of pieces) {
        parts.push(bytes.subarray(at, offsetOf(start)), encoded(text));
        at = offsetOf(end);
      }
      parts.push(bytes.subarray(at));
      return joined(parts);
    },
  };
}

function narrowed(bytes: Uint8Array, mark: number, low: number): Uint8Array {
  const units = new Uint8Array((bytes.length - mark) >> 1);
  for (let index = 0; index < units.length; index++) {
    const at = mark + index * 2;
    const byte = bytes[at + low] as number;
    units[index] = bytes[at + 1 - low] === 0 && byte < 0x80 ? byte : 0xff;
  }
  return units;
}

/** The parts behind one another. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
