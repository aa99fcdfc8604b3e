/**
 * JSON: one document, or one record a line.
 *
 * A line or document of up to {@linkcode WHOLE_BYTES} is JSON as a whole or it is text as a whole. A longer one is given
 * out while it is read; if it turns out not to be JSON, it is text from {@linkcode OVERLAP_BYTES} before that place on.
 * Neighbouring lines that are not JSON come as one text, so that a secret may run over several of them.
 *
 * @module
 */
import { cutJson, cutText } from "./cut.ts";
import { createJsonPath } from "./json_path.ts";
import { unescapeJson } from "./json_text.ts";
import { createJsonTokenizer } from "./json_tokens.ts";
import { KEYPATH_KEY_BYTES } from "./keypath.ts";
import { createLineCounter, findLineFeed } from "./lines.ts";
import { type Emit, type HistoryString, OVERLAP_BYTES, PART_BYTES, type StringReader, WHOLE_BYTES } from "./strings.ts";
import { capacityFor, createTextSpan, type ReaderOptions } from "./text.ts";
import { createWindow } from "./window.ts";

/** Room for a run of text, a whole line behind it, and what the next chunk brings. */
const CAPACITY = 2 * WHOLE_BYTES;
/** Bytes kept before the place reached, so that a text may begin there. */
const KEPT_BYTES = OVERLAP_BYTES + 8;

/** Options of {@linkcode createJsonReader}. */
export interface JsonOptions extends ReaderOptions {
  /** Whether each line is a record of its own. */
  readonly lines: boolean;
}

/** What the reader does with the line or document it is in: wait for its end, read it as JSON, read it as text. */
type Phase = "wait" | "json" | "text";

/** Creates a reader of JSON or of JSON lines. */
export function createJsonReader(emit: Emit, options: JsonOptions): StringReader {
  const { wants } = options;
  const window = createWindow(capacityFor(CAPACITY, options), options.encoding, options.origin);
  const lines = createLineCounter(window, options.line);
  const tokens = createJsonTokenizer(onString);
  const text = createTextSpan(window, lines, emit, wants);
  const path = createJsonPath(tokens);

  let phase: Phase = "wait";
  let unitStart = 0;
  let reached = 0;
  // Strings of a unit that may yet turn out not to be JSON.
  let held: HistoryString[] | undefined;
  // Where the unit ends that the window holds as a whole, and its text where each of its characters is one unit, so that
  // spans of one are spans of the other: cheaper than decoding every string.
  let unitEnd = -1;
  let unitText: string | undefined;
  // The string that is being given out in parts.
  let partOf = -1;
  let partStart = 0;
  let part = 0;
  // Where neighbouring lines that are not JSON end; -1 where the last line was JSON.
  let runEnd = -1;

  function decode(from: number, to: number): string {
    if (unitEnd >= 0) {
      const whole = window.decode(unitStart, unitEnd);
      unitText = whole.length === unitEnd - unitStart ? whole : undefined;
      unitEnd = -1;
    }
    const plain = unitText === undefined ? window.decode(from, to) : unitText.slice(from - unitStart, to - unitStart);
    return unescapeJson(plain);
  }

  /** Gives out a span; `quotes` is how many bytes at each end of it are not part of the text. */
  function give(from: number, to: number, quotes: 0 | 1, key: boolean, number: number): void {
    const [start, end] = [window.offset(from), window.offset(to)];
    if (!wants(start, end)) return;
    const found: HistoryString = {
      text: decode(from + quotes, to - quotes),
      line: lines.at(from),
      keypath: path.render(key),
      start,
      end,
      form: "json",
      key,
      part: number,
    };
    if (held === undefined) emit(found);
    else held.push(found);
  }

  /** Gives out all full parts of a string whose inside reaches at least up to `to`. */
  function giveParts(start: number, to: number, key: boolean): void {
    if (partOf !== start) {
      partOf = start;
      partStart = start + 1;
      part = 0;
    }
    while (to - partStart > PART_BYTES) {
      const low = partStart - window.base;
      const cut = cutJson(window.units, low, low + PART_BYTES);
      give(partStart, window.base + cut, 0, key, ++part);
      partStart = window.base + cutJson(window.units, low, cut - OVERLAP_BYTES);
    }
  }

  function onString(start: number, end: number, key: boolean): void {
    if (end - start - 2 <= PART_BYTES) {
      give(start, end, 1, key, 0);
    } else {
      giveParts(start, end - 1, key);
      give(partStart, end - 1, 0, key, part + 1);
    }
    if (key) path.enter(end - start - 2 <= KEYPATH_KEY_BYTES ? decode(start + 1, end - 1) : undefined);
  }

  function feed(from: number, to: number): number {
    const { units, base } = window;
    return base + tokens.feed(units, from - base, to - base, base);
  }

  function isBlank(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      const unit = window.units[at - window.base] as number;
      if (unit !== 0x20 && unit !== 0x0d && unit !== 0x09 && unit !== 0x0a) return false;
    }
    return true;
  }

  function endRun(): void {
    if (runEnd >= 0) text.end(runEnd);
    runEnd = -1;
  }

  function addToRun(from: number, to: number): void {
    if (runEnd < 0) {
      if (isBlank(from, to)) return;
      text.begin(from);
    }
    runEnd = to;
    text.grow(to);
  }

  /** Reads a line or document that the window holds as a whole. */
  function readWhole(to: number): void {
    if (!wants(window.offset(unitStart), window.offset(to))) return endRun();
    tokens.reset();
    partOf = -1;
    held = [];
    unitEnd = to;
    const isJson = feed(unitStart, to) === to && tokens.complete();
    unitEnd = -1;
    unitText = undefined;
    const found = held;
    held = undefined;
    if (!isJson) return addToRun(unitStart, to);
    endRun();
    for (const string of found) emit(string);
  }

  function beginText(position: number): void {
    phase = "text";
    const { units, base } = window;
    text.begin(Math.max(unitStart, base + cutText(units, 0, Math.max(0, position - OVERLAP_BYTES - base))));
  }

  function beginLong(): void {
    endRun();
    tokens.reset();
    partOf = -1;
    phase = "json";
    reached = unitStart;
  }

  /** Reads on in a long line or document. */
  function readOn(to: number): void {
    if (phase === "json") {
      reached = feed(reached, to);
      if (reached < to) beginText(reached);
      else if (tokens.openString() >= 0) giveParts(tokens.openString(), to, tokens.openIsKey());
    }
    if (phase === "text") text.grow(to);
  }

  /** Ends a long line or document. */
  function endLong(to: number): void {
    readOn(to);
    if (phase === "json" && !tokens.complete()) {
      const open = tokens.openString() >= 0 ? partStart : to;
      beginText(Math.min(to, open + OVERLAP_BYTES));
    }
    if (phase === "text") text.end(to);
    phase = "wait";
  }

  function beginUnit(position: number): void {
    unitStart = position;
    reached = position;
  }

  /** Does all that can be done with what the window holds. */
  function advance(): void {
    for (;;) {
      const feedAt = options.lines ? findLineFeed(window, reached) : -1;
      const to = feedAt < 0 ? window.limit : feedAt;
      if (phase === "wait" && to - unitStart > WHOLE_BYTES) beginLong();
      if (phase !== "wait") readOn(to);
      if (feedAt < 0) {
        reached = window.limit;
        return;
      }
      if (phase === "wait") readWhole(to);
      else endLong(to);
      beginUnit(to + 1);
    }
  }

  /** Position from which on the window is still needed. */
  function kept(): number {
    if (phase === "text") return text.kept();
    if (phase === "wait") return runEnd < 0 ? unitStart : text.kept();
    const open = tokens.openString() >= 0 ? partStart : reached;
    return Math.max(unitStart, Math.min(open, reached - KEPT_BYTES));
  }

  return {
    push(chunk) {
      for (let taken = 0; taken < chunk.length;) {
        taken += window.append(chunk.subarray(taken));
        advance();
        if (taken === chunk.length) break;
        const position = kept();
        lines.at(position);
        window.drop(position);
      }
    },
    end() {
      if (phase !== "wait") endLong(window.limit);
      else if (window.limit > unitStart) readWhole(window.limit);
      endRun();
      window.release();
    },
  };
}
