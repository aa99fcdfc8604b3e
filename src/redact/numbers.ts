/**
 * Numbers behind markers, where markers of different secrets must not be equal: among the keys of a JSON object, or in a
 * database that allows a text once or joins by it. The marker itself stays as it is: `[REDACTED:<rule>] (2)`.
 *
 * @module
 */

import type { Place } from "./copies.ts";

/** What a marker's number depends on. */
export type Marked = Pick<Place, "rule" | "secret">;

/** Numbers secrets; the same secret has the same number each time. */
export interface Numbers {
  /** Whether all markers are numbered, or only those in the keys of JSON objects. */
  readonly isEverywhere: boolean;
  /** The number of a rule's secret; 1 is not written. */
  of(marked: Marked): number;
}

/** Numbers from `first` on, by rule, in the order in which secrets are met. */
export function createNumbers(isEverywhere = false, first = 1): Numbers {
  const known = new Map<string, Map<string, number>>();
  return {
    isEverywhere,
    of({ rule, secret }) {
      const secrets = known.get(rule) ?? new Map<string, number>();
      known.set(rule, secrets);
      const number = secrets.get(secret) ?? first + secrets.size;
      secrets.set(secret, number);
      return number;
    },
  };
}

/** What stands for a secret. */
export function markerOf(rule: string, number = 1): string {
  return `[REDACTED:${rule}]${number > 1 ? ` (${number})` : ""}`;
}

/** The highest number that a content's markers of a rule have, from an earlier redaction; 0 where there are none. */
export function highestMarker(units: Uint8Array, rule: string): number {
  const text = new TextDecoder("latin1").decode(units);
  const marker = markerOf(rule);
  let highest = 0;
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) {
    const [, number = "1"] = /^ \((\d{1,9})\)/.exec(text.slice(at + marker.length, at + marker.length + 12)) ?? [];
    highest = Math.max(highest, Number(number));
  }
  return highest;
}
