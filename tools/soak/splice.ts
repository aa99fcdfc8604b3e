/**
 * Compares a content with what became of it: nothing but planted secrets may have been replaced.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { Stretch } from "./search.ts";

/** How a content was changed. */
export interface Splice {
  /** Places that a marker stands for now. */
  readonly markers: number;
  /** Planted places of which a marker took nothing. */
  readonly untouched: number;
  /** Bytes replaced beyond what was planted, around planted places. */
  readonly beyond: number;
  /** Rules of markers where nothing was planted. */
  readonly unplanted: readonly string[];
  /** Why the contents are not those of before and after a redaction; null where they are. */
  readonly broken: string | null;
}

const MARKER = Buffer.from("[REDACTED:");
/** Bytes that must be the same behind a marker for a place to be its end. */
const ECHO = 24;
/** Farthest that the end of a replaced stretch is looked for. */
const FARTHEST = 1 << 16;
const NUMBERED = /^ \(\d+\)/;

/** Compares `before` with `after`; `planted` are the places of secrets in `before`, ascending. */
export function compareSplice(before: Uint8Array, after: Uint8Array, planted: readonly Stretch[]): Splice {
  const [old, now] = [before, after].map((bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) as [
    Buffer,
    Buffer,
  ];
  const unplanted: string[] = [];
  let [markers, beyond, untouched, next, p, q] = [0, 0, 0, 0, 0, 0];
  const done = (broken: string | null): Splice => ({ markers, untouched, beyond, unplanted, broken });
  for (;;) {
    const same = commonLength(old, p, now, q);
    p += same;
    q += same;
    if (p === old.length && q === now.length) break;
    // What stood there may begin like the marker.
    const from = now.lastIndexOf(MARKER, q);
    const close = from < 0 ? -1 : now.indexOf("]", from);
    if (from < 0 || close < q) return done(`byte ${p} of what was there is not ${q} of what is there now`);
    p -= q - from;
    const rule = now.toString("latin1", from + MARKER.length, close);
    q = close + 1;
    markers++;
    while (next < planted.length && planted[next]!.end <= p) {
      untouched++;
      next++;
    }
    const end = endOf(old, p, now, q, planted.slice(next, next + 4));
    if (end === null) {
      // A column that allows each text once: the markers are numbered.
      const [suffix = ""] = NUMBERED.exec(now.toString("latin1", q, q + 8)) ?? [];
      if (suffix !== "" && q + suffix.length === now.length) {
        q += suffix.length;
        p = old.length;
        next = planted.length;
        break;
      }
      return done(`behind the marker at ${from} stands what was not there`);
    }
    let covered = 0;
    while (next < planted.length && planted[next]!.start < end) {
      covered += Math.min(end, planted[next]!.end) - Math.max(p, planted[next]!.start);
      if (planted[next]!.end > end) break;
      next++;
    }
    if (covered === 0) unplanted.push(rule);
    else beyond += end - p - covered;
    p = end;
  }
  return { ...done(null), untouched: untouched + planted.length - next };
}

function commonLength(one: Buffer, at: number, other: Buffer, start: number): number {
  let length = 0;
  const most = Math.min(one.length - at, other.length - start);
  for (let step = 1 << 16; step > 0;) {
    const size = Math.min(step, most - length);
    const [a, b] = [at + length, start + length];
    if (size > 0 && one.subarray(a, a + size).equals(other.subarray(b, b + size))) length += size;
    else if (step === 1 || size === 0) break;
    else step = Math.max(1, step >> 4);
  }
  return length;
}

/** Where in `old` the stretch ends that a marker stands for, which ends in `now` at `q`. */
function endOf(old: Buffer, p: number, now: Buffer, q: number, near: readonly Stretch[]): number | null {
  const following = now.indexOf(MARKER, q);
  const isMarkerNear = following >= 0 && following - q < ECHO;
  const echo = now.subarray(q, Math.min(q + ECHO, isMarkerNear ? following : now.length));
  const isLast = !isMarkerNear && q + echo.length === now.length;
  const fits = (end: number) =>
    end >= p && end + echo.length <= old.length && (!isLast || end + echo.length === old.length) &&
    old.subarray(end, end + echo.length).equals(echo);
  if (isLast && fits(old.length - echo.length)) return old.length - echo.length;
  // Of lines that are replaced one by one, each marker stands for the rest of its line.
  const isLine = isMarkerNear && (echo[0] === 0x0a || echo[0] === 0x0d);
  for (const { end } of isLine ? [] : near) if (fits(end)) return end;
  for (let end = p; end < Math.min(old.length + 1, p + FARTHEST); end++) if (fits(end)) return end;
  return null;
}
