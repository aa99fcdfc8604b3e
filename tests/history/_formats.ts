/**
 * Reading in tests: bytes or files, at once or in random chunks.
 *
 * @module
 */
import { createReader, type StreamFormat } from "../../src/history/formats/reader.ts";
import { type HistoryString, type Problem, readStrings } from "../../src/history/read.ts";
import type { ReadOptions } from "../../src/history/read.ts";
import type { Format } from "../../src/history/source.ts";

/** UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** UTF-16 bytes of a text. */
export function utf16(text: string, littleEndian: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index++) view.setUint16(2 * index, text.charCodeAt(index), littleEndian);
  return bytes;
}

/** Joins byte arrays. */
export function concat(...arrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(arrays.reduce((sum, array) => sum + array.length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}

/** Reads bytes pushed at once. */
export function readBytes(format: StreamFormat, bytes: Uint8Array): HistoryString[] {
  const found: HistoryString[] = [];
  const reader = createReader(format, (string) => found.push(string));
  reader.push(bytes);
  reader.end();
  return found;
}

/** Reads bytes pushed in chunks of random size up to `most`; each chunk is overwritten behind the reader's back. */
export function readChunks(
  format: StreamFormat,
  bytes: Uint8Array,
  random: () => number,
  most: number,
): HistoryString[] {
  const found: HistoryString[] = [];
  const reader = createReader(format, (string) => found.push(string));
  for (let at = 0; at < bytes.length;) {
    const chunk = bytes.slice(at, at + 1 + Math.floor(random() * most));
    reader.push(chunk);
    at += chunk.length;
    chunk.fill(0x22);
  }
  reader.end();
  return found;
}

/** What came out of reading a file. */
export interface Outcome {
  readonly strings: HistoryString[];
  readonly problems: Problem[];
  /** All texts, joined by line breaks. */
  readonly text: string;
  /** The kinds of the problems. */
  readonly kinds: string[];
}

/** Reads a file to its end. */
export async function readFile(path: string, format: Format, options: ReadOptions = {}): Promise<Outcome> {
  const strings: HistoryString[] = [];
  const problems: Problem[] = [];
  for await (const string of readStrings(path, format, (found) => problems.push(found), options)) strings.push(string);
  return {
    strings,
    problems,
    text: strings.map(({ text }) => text).join("\n"),
    kinds: problems.map(({ kind }) => kind),
  };
}

/** Runs with a fresh directory that is removed afterwards. */
export async function withDir(run: (dir: string) => Promise<void> | void): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await run(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}
