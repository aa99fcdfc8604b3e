/**
 * Telling whether the beginning of a file is still what it was, without reading it all.
 *
 * @module
 */

import { createHmac } from "node:crypto";

const SAMPLES = 16;
const SAMPLE_BYTES = 4096;

/** Reads at an offset; gives back how many bytes. */
export type ReadAt = (into: Uint8Array, offset: number) => number;

/**
 * A keyed hash of samples of a file up to `end`: its first and last bytes, and places spread evenly between. What an
 * append-only log does never changes it; an edit that hits no sample is not seen until the file's size shrinks.
 */
export function sampleHash(key: Uint8Array, read: ReadAt, end: number): string {
  const hash = createHmac("sha256", key).update(String(end));
  const last = Math.max(0, end - SAMPLE_BYTES);
  for (let index = 0; index <= SAMPLES; index++) {
    const offset = Math.floor(last * index / SAMPLES);
    const sample = new Uint8Array(Math.min(SAMPLE_BYTES, end - offset));
    hash.update(sample.subarray(0, read(sample, offset)));
  }
  return hash.digest("hex");
}
