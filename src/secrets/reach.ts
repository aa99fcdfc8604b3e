/**
 * How far around a keyword a rule's pattern has to look: worked out from the pattern itself.
 *
 * @module
 */

import {
  type CharacterSet,
  codesOf,
  EVERYTHING,
  longestMatch,
  lookAroundReach,
  parsePattern,
  type Pattern,
} from "./pattern.ts";
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
  /** Characters that may not stand right in front of a match. */
  readonly notBehind: CharacterSet;
}

/** Characters that are followed before the walk is given up: a keyword that far behind is as good as anywhere. */
const LONGEST_WALK = 50_000;

/** Each text that a walk may have read last, as far as keywords care, with the longest match that ends with it. */
type Places = ReadonlyMap<string, number>;

function merged(left: Places, right: Places): Places {
  const both = new Map(left);
  for (const [text, length] of right) both.set(text, Math.max(both.get(text) ?? 0, length));
  return both;
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
  let steps = 0;

  /** Where a walk is after a character: what it may have begun, or the length of the keyword that is complete. */
  const known = new Map<string, string | number>();

  function follow(text: string): string | number {
    let next = known.get(text);
    if (next === undefined) {
      const complete = rule.keywords.find((keyword) => text.endsWith(keyword));
      let end = text;
      while (!beginnings.has(end)) end = end.slice(1);
      next = complete?.length ?? end;
      known.set(text, next);
    }
    return next;
  }

  const charactersOf = new Map<CharacterSet, ReadonlySet<string>>();

  /** The characters of a set in lower case; all that no keyword has are alike. */
  function folded(set: CharacterSet): ReadonlySet<string> {
    let characters = charactersOf.get(set);
    if (characters === undefined) {
      const all = codesOf(set).map((code) => String.fromCharCode(code).toLowerCase());
      characters = new Set(all.map((character) => alphabet.has(character) ? character : "\0"));
      charactersOf.set(set, characters);
    }
    return characters;
  }

  function read(set: CharacterSet, places: Places): Places {
    const characters = folded(set);
    const reached = new Map<string, number>();
    for (const [text, length] of places) {
      for (const character of characters) {
        steps++;
        const next = character === "\0" ? "" : follow(text + character);
        if (typeof next === "number") before = Math.max(before, length + 1 - next);
        else reached.set(next, Math.max(reached.get(next) ?? 0, length + 1));
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
        for (let round = 1; round <= pattern.max && current.size > 0 && steps < LONGEST_WALK; round++) {
          current = walk(pattern.body, current);
          if (round >= pattern.min) reached = merged(reached, current);
        }
        return reached;
      }
      default:
        return places;
    }
  }

  const unmet = Number.isFinite(longest) ? walk(tree, new Map([["", 0]])) : new Map([["", 0]]);
  const guaranteed = unmet.size === 0 && steps < LONGEST_WALK;
  return {
    before: guaranteed ? before : longest,
    longest,
    margin: lookAroundReach(tree),
    guaranteed,
    notBehind: leadingBan(tree),
  };
}

/** The characters that a pattern's first look-behind rules out, or its first choice of several. */
function leadingBan(tree: Pattern): CharacterSet {
  const first = tree.kind === "sequence" ? tree.items[0] : undefined;
  const looks = first?.kind === "choice" ? first.branches : [first];
  return looks.reduce<CharacterSet>((banned, look) => {
    if (look?.kind !== "look" || !look.behind) return 0n;
    // What no single character decides is not looked at here.
    if (look.negative) return banned & (look.body.kind === "set" ? look.body.set : 0n);
    return banned & EVERYTHING & ~endsOf(look.body);
  }, EVERYTHING);
}

/** The characters that a text of a part can end with; every one where that is not obvious. */
function endsOf(part: Pattern | undefined): CharacterSet {
  if (part?.kind === "set") return part.set;
  if (part?.kind === "sequence") return endsOf(part.items.at(-1));
  if (part?.kind === "choice") return part.branches.reduce((ends, branch) => ends | endsOf(branch), 0n);
  return EVERYTHING;
}
