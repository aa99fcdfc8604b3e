/**
 * Text: whatever has no structure, in spans of many lines, so that a secret may run over several of them.
 *
 * @module
 */
import { cutText } from "./cut.ts";
import { createLineCounter, type LineCounter } from "./lines.ts";
import { type Emit, OVERLAP_BYTES, PART_BYTES, type StringReader } from "./strings.ts";
import { createWindow, type Encoding, type Window } from "./window.ts";

/** Gives out a span of text in parts while it grows. */
export interface TextSpan {
  /** Begins a span. */
  begin(position: number): void;
  /** Position from which on the window must be kept. */
  kept(): number;
  /** Says that the span reaches at least as far as this. */
  grow(to: number): void;
  /** Ends the span. */
  end(to: number): void;
}

/** Creates what gives out the text of a window. */
export function createTextSpan(window: Window, lines: LineCounter, emit: Emit, wants: Wants): TextSpan {
  let from = 0;
  let part = 0;

  function give(to: number, number: number): void {
    const [start, end] = [window.offset(from), window.offset(to)];
    if (!wants(start, end)) return;
    emit({
      text: window.decode(from, to),
      line: lines.at(from),
      keypath: "",
      start,
      end,
      form: "text",
      key: false,
      part: number,
    });
  }

  function grow(to: number): void {
    while (to - from > PART_BYTES) {
      const low = from - window.base;
      const cut = cutText(window.units, low, low + PART_BYTES);
      give(window.base + cut, ++part);
      from = window.base + cutText(window.units, low, cut - OVERLAP_BYTES);
    }
  }

  return {
    begin(position) {
      from = position;
      part = 0;
    },
    kept: () => from,
    grow,
    end(to) {
      grow(to);
      if (to > from) give(to, part === 0 ? 0 : part + 1);
    },
  };
}

/** Whether anything in a span of file offsets is asked for; what is not is neither decoded nor given out. */
export type Wants = (start: number, end: number) => boolean;

/** What every reader is told about its input. */
export interface ReaderOptions {
  /** How characters are encoded. */
  readonly encoding: Encoding;
  /** File offset of the first byte that will be pushed (a byte order mark is not pushed). */
  readonly origin: number;
  /** Line on which that byte stands. */
  readonly line: number;
  /** See {@linkcode Wants}. */
  readonly wants: Wants;
  /** Size of the whole input in bytes, where it is known: less memory is taken for a small one. */
  readonly size?: number;
}

/** Room for an input in units: as much as a reader wants at most, and no more than a small input needs. */
export function capacityFor(most: number, options: ReaderOptions): number {
  return Math.min(most, (options.size ?? most) + 1);
}

/** Creates a reader of plain text. */
export function createTextReader(emit: Emit, options: ReaderOptions): StringReader {
  const window = createWindow(capacityFor(2 * PART_BYTES, options), options.encoding, options.origin);
  const lines = createLineCounter(window, options.line);
  const span = createTextSpan(window, lines, emit, options.wants);
  return {
    push(chunk) {
      for (let taken = 0; taken < chunk.length;) {
        taken += window.append(chunk.subarray(taken));
        span.grow(window.limit);
        if (taken === chunk.length) break;
        lines.at(span.kept());
        window.drop(span.kept());
      }
    },
    end() {
      span.end(window.limit);
      window.release();
    },
  };
}
