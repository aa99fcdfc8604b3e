/**
 * Numbers as SQLite's files store them.
 *
 * @module
 */

/** Big-endian 16-bit number. */
export function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) << 8 | (bytes[at + 1] as number);
}

/** Big-endian 32-bit number. */
export function u32(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) * 65536 + u16(bytes, at + 2);
}

/** A variable-length number and the index behind it. */
export interface Varint {
  /** The number as an unsigned one; exact up to 2^53. */
  readonly value: number;
  /** Index behind its last byte. */
  readonly next: number;
}

/** Reads a variable-length number of up to nine bytes; bytes that are missing count as zero. */
export function varint(bytes: Uint8Array, at: number): Varint {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes[at + index] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: at + index + 1 };
  }
  return { value: value * 256 + (bytes[at + 8] ?? 0), next: at + 9 };
}

/** Reads a rowid: a variable-length number that is a signed 64-bit one. */
export function rowid(bytes: Uint8Array, at: number): { value: bigint; next: number } {
  const short = varint(bytes, at);
  if (short.value <= Number.MAX_SAFE_INTEGER) return { value: BigInt(short.value), next: short.next };
  let value = 0n;
  for (let index = at; index < Math.min(at + 8, short.next); index++) {
    value = value << 7n | BigInt((bytes[index] ?? 0) & 0x7f);
  }
  if (short.next === at + 9) value = value << 8n | BigInt(bytes[at + 8] ?? 0);
  return { value: BigInt.asIntN(64, value), next: short.next };
}
