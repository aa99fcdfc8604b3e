/**
 * From a byte offset to the place that people and redaction need: line, column, keypath and the span of the token.
 *
 * A byte scanner that found something at an offset asks here, once for all offsets of a file, or once a line.
 *
 * @module
 */
import { createJsonReader } from "./json.ts";
import { findLineFeed } from "./lines.ts";
import { afterOpening, createReader, type StreamFormat } from "./reader.ts";
import type { Form, HistoryString, StringReader } from "./strings.ts";
import { createWindow, type Opening } from "./window.ts";

/** Where in a file an offset is. */
export interface Place {
  /** 1-based line. */
  readonly line: number;
  /** 1-based column in bytes. */
  readonly column: number;
  /** See {@linkcode HistoryString.keypath}; empty where there is no structure. */
  readonly keypath: string;
  /** First byte of the token that holds the offset: a string with its quotes, a part of a long one, or the line's text. */
  readonly start: number;
  /** The byte behind the token. */
  readonly end: number;
  /** How the token encodes its text. */
  readonly form: Form;
  /** Whether the token is a key. */
  readonly key: boolean;
}

/** Finds the places of offsets in an input that is pushed from its first byte on. */
export interface Locator {
  /** Takes the next bytes. */
  push(chunk: Uint8Array): void;
  /** Says that the input is over and returns the places, one for each offset in its order. */
  end(): Place[];
}

/** The line of an offset. */
interface Line {
  readonly number: number;
  readonly start: number;
  end: number;
}

const WINDOW_UNITS = 256 * 1024;

/** Notes the lines of sorted offsets in the part of an input that follows its byte order mark. */
function createLineIndex(offsets: readonly number[], lines: Line[], { encoding, mark }: Opening): StringReader {
  const window = createWindow(WINDOW_UNITS, encoding, mark);
  let number = 1;
  let start = mark;
  let unended = 0;

  function note(before: number): void {
    for (let at = offsets[lines.length]; at !== undefined && at < before; at = offsets[lines.length]) {
      lines.push({ number, start, end: -1 });
    }
  }

  function endLine(at: number): void {
    for (; unended < lines.length; unended++) (lines[unended] as Line).end = at;
  }

  return {
    push(chunk) {
      for (let taken = 0; taken < chunk.length;) {
        taken += window.append(chunk.subarray(taken));
        for (let feed = findLineFeed(window, window.base); feed >= 0; feed = findLineFeed(window, feed + 1)) {
          note(window.offset(feed + 1));
          endLine(window.offset(feed));
          number++;
          start = window.offset(feed + 1);
        }
        window.drop(window.limit);
      }
    },
    end() {
      note(Infinity);
      endLine(window.offset(window.limit));
      window.release();
    },
  };
}

/** Index of the first of the sorted numbers that is not below `least`. */
function firstFrom(sorted: readonly number[], least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function placeAt(offset: number, line: Line, string: HistoryString | undefined): Place {
  const place = { line: line.number, column: Math.max(1, offset - line.start + 1) };
  if (string === undefined) {
    return { ...place, keypath: "", start: line.start, end: line.end, form: "text", key: false };
  }
  const { keypath, start, end, form, key } = string;
  if (form === "json") return { ...place, keypath, start, end, form, key };
  // Text comes in spans of many lines.
  return { ...place, keypath, start: Math.max(start, line.start), end: Math.min(end, line.end), form, key };
}

/**
 * Creates a locator. It decodes nothing but keys and the tokens that hold an offset.
 *
 * An offset outside of all strings, such as one in a number, gets its line.
 *
 * @param offsets byte offsets in the input, in any order
 * @example
 * ```ts
 * const bytes = new TextEncoder().encode('{"role":"user"}\n{"role":"assistant"}\n');
 * const locator = createLocator("jsonl", [25]);
 * locator.push(bytes);
 * const [place] = locator.end(); // line 2, column 10, keypath "role", bytes 24 to 35
 * ```
 */
export function createLocator(format: StreamFormat, offsets: readonly number[]): Locator {
  const sorted = [...new Set(offsets)].sort((left, right) => left - right);
  const lines: Line[] = [];
  const index = afterOpening((opening) => createLineIndex(sorted, lines, opening));
  const strings = new Map<number, HistoryString>();
  const wants = (start: number, end: number) => (sorted[firstFrom(sorted, start)] ?? end) < end;
  const reader: StringReader = createReader(format, note, { wants });

  function note(string: HistoryString): void {
    for (let at = firstFrom(sorted, string.start); (sorted[at] ?? string.end) < string.end; at++) {
      // Parts overlap: the first that holds an offset is as good as the second.
      if (!strings.has(sorted[at] as number)) strings.set(sorted[at] as number, string);
    }
  }

  return {
    push(chunk) {
      index.push(chunk);
      reader.push(chunk);
    },
    end() {
      index.end();
      reader.end();
      return offsets.map((offset) => placeAt(offset, lines[firstFrom(sorted, offset)] as Line, strings.get(offset)));
    },
  };
}

/**
 * The token that holds an offset of one line of JSON lines; the whole line where it is not JSON or the offset is
 * outside of its strings. Offsets and spans count from the line's first byte, which is on line 1.
 *
 * @param line the line's bytes in UTF-8, without a line feed
 */
export function locateInLine(line: Uint8Array, offset: number): Place {
  let found: HistoryString | undefined;
  const wants = (start: number, end: number) => start <= offset && offset < end;
  const options = { encoding: "utf-8", origin: 0, line: 1, wants, size: line.length, lines: true } as const;
  const reader = createJsonReader((string) => found ??= string, options);
  reader.push(line);
  reader.end();
  return placeAt(offset, { number: 1, start: 0, end: line.length }, found);
}
