/**
 * How far around a keyword a rule's pattern has to look: worked out from the pattern itself.
 *
 * @module
 */

import { type CharacterSet, codesOf, longestMatch, lookAroundReach, parsePattern, type Pattern } from "./pattern.ts";
import type { Rule } from "./rule.ts";

/** The bounds of a rule's window, in characters of decoded text. */
export interface Reach {
  /** Most characters of a match in front of its first keyword. */
  readonly before: number;
  /** Most characters of a whole match. */
  readonly longest: number;
  /** Most characters that look-arounds see on either side of a match. */
  readonly margin: number;
  /** Whether the pattern's structure makes certain that every match holds a keyword. */
  readonly guaranteed: boolean;
}

/** Each text that a walk may have read last, as far as keywords care, with the longest match that ends with it. */
type Places = ReadonlyMap<string, number>;

function merged(left: Places, right: Places): Places {
  const both = new Map(left);
  for (const [text, length] of right) both.set(text, Math.max(both.get(text) ?? 0, length));
  return both;
}

/** By how much a round made every place longer, where it did nothing else. */
function steadyGrowth(before: Places, after: Places): number | undefined {
  if (before.size !== after.size) return undefined;
  let growth: number | undefined;
  for (const [text, length] of after) {
    const grown = length - (before.get(text) ?? NaN);
    if (Number.isNaN(grown) || (growth ?? grown) !== grown) return undefined;
    growth = grown;
  }
  return growth;
}

/**
 * Works out a rule's reach by walking every way through its pattern while following which beginnings of keywords have
 * just been read. A way ends where a keyword is complete, so prefixed tokens end after a few steps.
 *
 * @throws {SyntaxError} If the pattern uses syntax that rules may not use.
 */
export function reachOf(rule: Pick<Rule, "pattern" | "keywords">): Reach {
  const tree = parsePattern(rule.pattern);
  const longest = longestMatch(tree);
  const beginnings = new Set([""]);
  for (const keyword of rule.keywords) {
    for (let length = 1; length < keyword.length; length++) beginnings.add(keyword.slice(0, length));
  }
  const alphabet = new Set(rule.keywords.join(""));
  let before = 0;

  /** The longest end of `text` that begins a keyword; `undefined`, and counted, where it completes one. */
  function follow(text: string, length: number): string | undefined {
    for (const keyword of rule.keywords) {
      if (text.endsWith(keyword)) {
        before = Math.max(before, length - keyword.length);
        return undefined;
      }
    }
    let end = text;
    while (!beginnings.has(end)) end = end.slice(1);
    return end;
  }

  const known = new Map<CharacterSet, ReadonlySet<string>>();

  /** The characters of a set, as far as they differ: all that no keyword has are alike. */
  function charactersOf(set: CharacterSet): ReadonlySet<string> {
    let characters = known.get(set);
    if (characters === undefined) {
      const folded = codesOf(set).map((code) => String.fromCharCode(code).toLowerCase());
      characters = new Set(folded.map((character) => alphabet.has(character) ? character : "\0"));
      known.set(set, characters);
    }
    return characters;
  }

  function read(set: CharacterSet, places: Places): Places {
    const characters = charactersOf(set);
    const reached = new Map<string, number>();
    for (const [text, length] of places) {
      for (const character of characters) {
        const next = character === "\0" ? "" : follow(text + character, length + 1);
        if (next !== undefined) reached.set(next, Math.max(reached.get(next) ?? 0, length + 1));
      }
    }
    return reached;
  }

  function walk(pattern: Pattern, places: Places): Places {
    if (places.size === 0) return places;
    switch (pattern.kind) {
      case "set":
        return read(pattern.set, places);
      case "sequence":
        return pattern.items.reduce((reached, item) => walk(item, reached), places);
      case "choice":
        return pattern.branches.map((branch) => walk(branch, places)).reduce(merged);
      case "repeat": {
        let reached: Places = pattern.min === 0 ? places : new Map();
        let current = places;
        for (let round = 1; round <= pattern.max && current.size > 0; round++) {
          const next = walk(pattern.body, current);
          const growth = steadyGrowth(current, next);
          current = next;
          const skipped = pattern.max - round - 1;
          if (growth !== undefined && skipped > 0) {
            // Every further round would do the same again; the last one is walked for the keywords that it completes.
            current = new Map([...current].map(([text, length]) => [text, length + growth * skipped]));
            round += skipped;
          }
          if (round >= pattern.min) reached = merged(reached, current);
        }
        return reached;
      }
      default:
        return places;
    }
  }

  const unmet = Number.isFinite(longest) ? walk(tree, new Map([["", 0]])) : new Map([["", 0]]);
  const guaranteed = unmet.size === 0;
  return { before: guaranteed ? before : longest, longest, margin: lookAroundReach(tree), guaranteed };
}
