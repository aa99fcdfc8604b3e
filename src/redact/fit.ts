/**
 * Fits places of secrets to what may be replaced without breaking the format around them: inside one JSON string and
 * whole escapes, inside one line, between the markup of XML.
 *
 * @module
 */

import { createJsonTokenizer } from "../history/formats/json_tokens.ts";
import { createReader, type StreamFormat } from "../history/formats/reader.ts";
import type { Place } from "./copies.ts";
import { isInKey } from "./keys.ts";
import { markerOf } from "./numbers.ts";
import type { Replacement } from "./units.ts";

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const BACKSLASH = 0x5c;

/** The number of the marker that stands for a place, which may lie in the key of a JSON object; 1 is not written. */
export type NumberOf = (place: Place, isKey: boolean) => number;

type Mark = (place: Place) => string;

/**
 * The replacements for `places`, ascending and apart from one another. A place that runs over several lines or strings
 * gets a marker in each of them, so that the number of lines and strings stays.
 */
export function fit(
  units: Uint8Array,
  format: StreamFormat,
  places: readonly Place[],
  numberOf: NumberOf = () => 1,
): Replacement[] {
  const merged = merge(places);
  if (merged.length === 0) return [];
  const mark: Mark = (place) => markerOf(place.rule, numberOf(place, isInKey(units, place.end)));
  if (format === "json") return fitRecord(units, 0, units.length, merged, mark);
  if (format === "xml") return inMarkup(units, merged, mark);
  const lines = merged.flatMap((place) => splitLines(units, place));
  return format === "text" ? lines.map((place) => marked(place, mark)) : fitRecords(units, lines, mark);
}

function marked(place: Place, mark: Mark): Replacement {
  return { start: place.start, end: place.end, text: mark(place) };
}

/** Makes places that overlap one; the rule of the longest stands. */
function merge(places: readonly Place[]): Place[] {
  const sorted = places.filter(({ start, end }) => start < end).sort((one, other) =>
    one.start - other.start || other.end - one.end
  );
  const merged: Place[] = [];
  let longest = 0;
  for (const place of sorted) {
    const last = merged.at(-1);
    if (last === undefined || place.start >= last.end) {
      merged.push(place);
      longest = place.end - place.start;
      continue;
    }
    const isLonger = place.end - place.start > longest;
    if (isLonger) longest = place.end - place.start;
    merged[merged.length - 1] = {
      start: last.start,
      end: Math.max(last.end, place.end),
      rule: isLonger ? place.rule : last.rule,
      secret: isLonger ? place.secret : last.secret,
    };
  }
  return merged;
}

function isBreak(unit: number | undefined): boolean {
  return unit === LINE_FEED || unit === RETURN;
}

/** The parts of a place in each line, without the spaces at their ends. */
function splitLines(units: Uint8Array, place: Place): Place[] {
  const { start, end } = place;
  const parts: Place[] = [];
  for (let from = start; from < end;) {
    let to = from;
    while (to < end && !isBreak(units[to])) to++;
    if (units.subarray(from, to).some((unit) => unit > 0x20)) parts.push({ ...place, start: from, end: to });
    from = to + 1;
  }
  return parts;
}

/** Fits places in JSON lines: a line that is not JSON is text. */
function fitRecords(units: Uint8Array, places: readonly Place[], mark: Mark): Replacement[] {
  const fitted: Replacement[] = [];
  for (let first = 0; first < places.length;) {
    const { start } = places[first] as Place;
    const from = units.lastIndexOf(LINE_FEED, start) + 1;
    const feed = units.indexOf(LINE_FEED, start);
    const to = feed < 0 ? units.length : feed;
    let last = first;
    while (last < places.length && (places[last] as Place).start < to) last++;
    for (const piece of fitRecord(units, from, to, places.slice(first, last), mark)) fitted.push(piece);
    first = last;
  }
  return fitted;
}

/** Fits places in one JSON document; what is not JSON is text. */
function fitRecord(
  units: Uint8Array,
  from: number,
  to: number,
  places: readonly Place[],
  mark: Mark,
): Replacement[] {
  const strings: { place: Place; from: number; to: number }[] = [];
  const outside = new Set(places);
  let next = 0;
  const tokens = createJsonTokenizer((start, end) => {
    while (next < places.length && (places[next] as Place).end <= start) next++;
    for (let index = next; index < places.length && (places[index] as Place).start < end; index++) {
      const place = places[index] as Place;
      outside.delete(place);
      strings.push({ place, from: start + 1, to: end - 1 });
    }
  });
  const isJson = tokens.feed(units, from, to, 0) === to && tokens.complete();
  if (!isJson) return places.flatMap((place) => splitLines(units, place)).map((place) => marked(place, mark));
  const inStrings = strings.flatMap(({ place, from, to }) => inString(units, place, from, to, mark));
  const fitted = [...inStrings, ...[...outside].flatMap((place) => inNumber(units, place, from, to, mark))];
  return apart(fitted.sort((one, other) => one.start - other.start));
}

/** Whole escapes may make neighbours overlap: then the first takes in the second. */
function apart(pieces: readonly Replacement[]): Replacement[] {
  const kept: Replacement[] = [];
  for (const piece of pieces) {
    const last = kept.at(-1);
    if (last === undefined || piece.start >= last.end) kept.push(piece);
    else kept[kept.length - 1] = { ...last, end: Math.max(last.end, piece.end) };
  }
  return kept;
}

/** The part of a place that lies in a string's inside `[from, to)`, without half an escape at either end. */
function inString(units: Uint8Array, place: Place, from: number, to: number, mark: Mark): Replacement[] {
  const start = wholeStart(units, Math.max(place.start, from), from);
  const end = wholeEnd(units, Math.min(place.end, to), start, to);
  return start < end ? [{ start, end, text: mark(place) }] : [];
}

const letter = (unit: number | undefined): string => unit === undefined ? "" : String.fromCharCode(unit);

/** How many backslashes end at `at`. */
function backslashesBefore(units: Uint8Array, at: number, from: number): number {
  let count = 0;
  while (at - count > from && units[at - count - 1] === BACKSLASH) count++;
  return count;
}

function wholeStart(units: Uint8Array, start: number, from: number): number {
  // Inside the digits of \uXXXX?
  for (let back = 1; back <= 4; back++) {
    if (letter(units[start - back]) !== "u") continue;
    const count = backslashesBefore(units, start - back, from);
    if (count % 2 === 1) return start - back - count;
  }
  const count = backslashesBefore(units, start, from);
  if (count === 0) return start;
  const sign = letter(units[start]);
  // A line break or tab in front of the secret stays; any other escaped character is the secret's first.
  if ("nrtbf".includes(sign)) return start + 1;
  return sign === BACKSLASH_SIGN || `"/u`.includes(sign) || count % 2 === 1 ? start - count : start;
}

const BACKSLASH_SIGN = "\\";

function wholeEnd(units: Uint8Array, end: number, start: number, to: number): number {
  for (let back = 1; back <= 4 && end - back > start; back++) {
    if (letter(units[end - back]) === "u" && backslashesBefore(units, end - back, start) % 2 === 1) {
      return Math.min(to, end - back + 5);
    }
  }
  // Backslashes at the end belong to what follows them.
  const count = backslashesBefore(units, end, start);
  if (count === 0) return end;
  let behind = end;
  while (behind < to && units[behind] === BACKSLASH) behind++;
  if (behind === to) return to;
  if (behind > end || `"/bfnrtu`.includes(letter(units[behind]))) return end - count;
  return end;
}

/** A number outside all strings that is a secret as a whole becomes a string. */
function inNumber(units: Uint8Array, place: Place, from: number, to: number, mark: Mark): Replacement[] {
  const { start, end } = place;
  if (!units.subarray(start, end).every((unit) => unit >= 0x30 && unit <= 0x39)) return [];
  const isNumeric = (unit: number | undefined) => unit !== undefined && /[-+.\dEe]/.test(letter(unit));
  if ((start > from && isNumeric(units[start - 1])) || (end < to && isNumeric(units[end]))) return [];
  const before = letter(units[skip(units, start - 1, -1)]);
  const after = letter(units[skip(units, end, 1)]);
  const isToken = (start === from || ":[,".includes(before)) && (end === to || ",]}".includes(after));
  return isToken ? [{ start, end, text: `"${mark(place)}"` }] : [];
}

function skip(units: Uint8Array, at: number, step: 1 | -1): number {
  while (units[at] === 0x20 || units[at] === 0x09 || isBreak(units[at])) at += step;
  return at;
}

/** The parts of places that lie in the strings of XML, never in its markup. */
function inMarkup(units: Uint8Array, places: readonly Place[], mark: Mark): Replacement[] {
  const strings: { start: number; end: number }[] = [];
  const reader = createReader("xml", ({ start, end }) => strings.push({ start, end }), { size: units.length });
  reader.push(units);
  reader.end();
  strings.sort((one, other) => one.start - other.start);
  const fitted: Replacement[] = [];
  let next = 0;
  for (const string of strings) {
    while (next < places.length && (places[next] as Place).end <= string.start) next++;
    for (let index = next; index < places.length && (places[index] as Place).start < string.end; index++) {
      const place = places[index] as Place;
      const [start, end] = [Math.max(place.start, string.start), Math.min(place.end, string.end)];
      for (const part of splitLines(units, { ...place, start, end })) fitted.push(marked(part, mark));
    }
  }
  return apart(fitted.sort((one, other) => one.start - other.start));
}
