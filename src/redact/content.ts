/**
 * Redacts the content of one file, in memory, and proves what it did.
 *
 * @module
 */

import { createJsonTokenizer } from "../history/formats/json_tokens.ts";
import { createReader, type StreamFormat } from "../history/formats/reader.ts";
import { chooseRules } from "../secrets/catalogue.ts";
import { plaintextsOf, scanSpans, type Span } from "../secrets/spans.ts";
import { type CopyFinder, createCopyFinder, createWordFinder, type Place, type Value } from "./copies.ts";
import { fit, type NumberOf } from "./fit.ts";
import { createNumbers, highestMarker, type Numbers } from "./numbers.ts";
import { reachOf } from "./telling.ts";
import { type Units, unitsOf } from "./units.ts";

/** What became of a content. */
export interface Redaction {
  /** The new content; the very same bytes where nothing was found. */
  readonly bytes: Uint8Array;
  /** How many places were replaced. */
  readonly replaced: number;
  /** What was replaced. Plaintext: stays in the worker. */
  readonly values: readonly Value[];
  /** Ids of the rules whose secrets are still there. */
  readonly left: readonly string[];
  /** Why the new content must not be written; null where it may. */
  readonly problem: string | null;
}

/** What of that which a scan finds is to be removed. */
export type IsWanted = (span: Pick<Span, "rule" | "secret" | "whole" | "line">) => boolean;

/** A marker may put what follows it into another light, so that it takes several rounds. */
const ROUNDS = 6;

/**
 * Replaces every secret in `bytes` by its marker, with all copies of it under any encoding.
 *
 * @param known Values found elsewhere that are removed here, too.
 * @param finder Finds the copies of those.
 * @param numbers Numbers the markers.
 */
export function redactContent(
  bytes: Uint8Array,
  format: StreamFormat,
  isWanted: IsWanted,
  known: readonly Value[] = [],
  finder: CopyFinder = createCopyFinder(known),
  numbers: Numbers = createNumbers(),
): Redaction {
  const values = new Map<string, Value>(known.map((value) => [value.secret, value]));
  const before = values.size;
  let noted = before;
  let fresh = createCopyFinder([]);
  const numberOf = numbering(numbers, bytes);
  let content = bytes;
  let replaced = 0;
  let left: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const units = unitsOf(content);
    const places = placesIn(content, units, format, isWanted, values);
    if (values.size > noted) {
      noted = values.size;
      fresh = createCopyFinder([...values.values()].slice(before));
    }
    for (const { find } of [finder, fresh]) for (const place of find(units.units)) places.push(place);
    const pieces = fit(units.units, format, places, numberOf);
    left = [...new Set(places.map(({ rule }) => rule))];
    if (pieces.length === 0) break;
    content = units.replaced(pieces);
    replaced += pieces.length;
  }
  const problem = replaced === 0 ? null : problemOf(unitsOf(bytes).units, unitsOf(content).units, format);
  return { bytes: content, replaced, values: [...values.values()], left, problem };
}

/** The numbers of markers in one content: keys of objects go on behind the markers that were there before. */
function numbering(numbers: Numbers, bytes: Uint8Array): NumberOf {
  const there = new Map<string, number>();
  return (place, isKey) => {
    if (numbers.isEverywhere) return numbers.of(place);
    if (!isKey) return 1;
    const highest = there.get(place.rule) ?? highestMarker(unitsOf(bytes).units, place.rule);
    there.set(place.rule, highest);
    return highest + numbers.of(place);
  };
}

/** Places of wanted spans, whose secrets join `values`. */
function placesIn(
  bytes: Uint8Array,
  units: Units,
  format: StreamFormat,
  isWanted: IsWanted,
  values: Map<string, Value>,
): Place[] {
  const places: Place[] = [];
  const take = (span: Span) => {
    if (!isWanted(span)) return false;
    for (const secret of plaintextsOf(span)) {
      if (!values.has(secret)) values.set(secret, { secret, rule: span.rule.id });
    }
    return true;
  };
  if (format === "xml") {
    // Markup and references stand between the bytes and the text: the copies of what the text holds are its places.
    const reader = createReader("xml", ({ text, line, start, end }) => {
      const said = new TextEncoder().encode(text);
      const taken = spansOf(said).filter((span) => take({ ...span, line }));
      const [from, to] = [units.indexOf(start), units.indexOf(end)];
      for (const place of wordPlaces(taken, said, units.units.subarray(from, to))) {
        places.push({ ...place, start: from + place.start, end: from + place.end });
      }
    }, { size: bytes.length });
    reader.push(bytes);
    reader.end();
    return places;
  }
  for (const span of spansOf(bytes)) {
    if (!take(span)) continue;
    const { secret, whole = secret, rule } = span;
    places.push({ start: units.indexOf(span.start), end: units.indexOf(span.end), rule: rule.id, secret: whole });
  }
  return places;
}

/**
 * Where spans of the text `said` lie in its markup, of those whose copies are not looked for: as many of the words lie in
 * front of each there. Where that cannot be told, all the words' places.
 */
function wordPlaces(spans: readonly Span[], said: Uint8Array, markup: Uint8Array): Place[] {
  const words = spans.map(({ secret, whole = secret, rule, start }) => ({ secret: whole, rule: rule.id, start }))
    .filter(({ secret }) => reachOf(secret) !== "everywhere");
  if (words.length === 0) return [];
  const { find } = createWordFinder(words);
  const inOrder = (units: Uint8Array) => {
    const places = new Map(find(units).map((place) => [place.start, place]));
    return [...places.values()].sort((one, other) => one.start - other.start);
  };
  const [before, written] = [inOrder(said), inOrder(markup)];
  const wanted = new Set(words.map(({ start }) => start));
  if (before.length !== written.length) return written;
  return written.filter((_, index) => wanted.has(before[index]?.start ?? -1));
}

/** The spans of all secrets in bytes. */
export function spansOf(bytes: Uint8Array): Span[] {
  const spans: Span[] = [];
  const scanner = scanSpans({ ...chooseRules({}), onSpan: (span) => spans.push(span) });
  scanner.push(bytes);
  scanner.finish();
  return spans;
}

/** Compares the form of old and new content. */
function problemOf(before: Uint8Array, after: Uint8Array, format: StreamFormat): string | null {
  const [old, now] = [shapeOf(before, format), shapeOf(after, format)];
  if (old.lines !== now.lines) return "the number of lines would change";
  if (old.sound.length === now.sound.length && old.sound.every((is, index) => is === now.sound[index])) return null;
  return "it would not parse as before";
}

/** How many lines there are, and which records are valid JSON. */
function shapeOf(units: Uint8Array, format: StreamFormat): { lines: number; sound: readonly (boolean | number)[] } {
  const tokens = createJsonTokenizer(() => {});
  const isJson = (from: number, to: number) => {
    tokens.reset();
    return tokens.feed(units, from, to, 0) === to && tokens.complete();
  };
  const sound: (boolean | number)[] = [];
  let lines = 0;
  for (let from = 0; from <= units.length;) {
    const feed = units.indexOf(0x0a, from);
    const to = feed < 0 ? units.length : feed;
    if (format === "jsonl") sound.push(isJson(from, to));
    lines++;
    from = to + 1;
  }
  if (format === "json") sound.push(isJson(0, units.length));
  if (format === "xml") {
    let strings = 0;
    const reader = createReader("xml", () => strings++, { size: units.length });
    reader.push(units);
    reader.end();
    sound.push(strings);
  }
  return { lines, sound };
}
