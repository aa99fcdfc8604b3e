/**
 * Numbers as people read them.
 *
 * @module
 */

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** Bytes in a mebibyte, the unit of `min_size_mb`. */
export const MEBIBYTE: number = 1024 * 1024;

/**
 * A size in binary units: `"0 B"`, `"1.5 KiB"`, `"12.3 GiB"`.
 *
 * @param bytes Size in bytes.
 */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // Rounded before it is compared, so that no size reads as 1024.0 of a unit.
  while (Number(value.toFixed(1)) >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** `count` with the noun in its number: `"1 file"`, `"3 files"`, `"2 directories"`. */
export function plural(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
