/**
 * The syntax of a rule's pattern as a tree: what its reach is computed from, and what the tests analyse.
 *
 * @module
 */

/**
 * A set of characters as a bit mask: bit n stands for the ASCII character n, bit 128 for every other one.
 */
export type CharacterSet = bigint;

/** A part of a pattern. */
export type Pattern =
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly items: readonly Pattern[] }
  | { readonly kind: "choice"; readonly branches: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly body: Pattern; readonly min: number; readonly max: number }
  | { readonly kind: "look"; readonly body: Pattern; readonly behind: boolean; readonly negative: boolean }
  /** `^`, `$`, `\b` and `\B`: nothing is consumed. */
  | { readonly kind: "edge" };

const OTHER = 128;
/** Every character. */
export const EVERYTHING: CharacterSet = (1n << 129n) - 1n;

/** The set of the characters of `text`. */
export function setOf(text: string): CharacterSet {
  let set = 0n;
  for (const character of text) set |= bitOf(character.charCodeAt(0));
  return set;
}

function bitOf(code: number): CharacterSet {
  return 1n << BigInt(Math.min(code, OTHER));
}

function rangeOf(first: number, last: number): CharacterSet {
  let set = 0n;
  for (let code = first; code <= Math.min(last, OTHER); code++) set |= bitOf(code);
  return last > OTHER ? set | bitOf(OTHER) : set;
}

const DIGIT = rangeOf(48, 57);
const LETTERS = rangeOf(65, 90) | rangeOf(97, 122);
const WORD = DIGIT | LETTERS | setOf("_");
const SPACE = setOf(" \t\n\r\v\f") | bitOf(OTHER);
const LINE_ENDS = setOf("\n\r");
const CLASSES: Readonly<Record<string, CharacterSet>> = {
  d: DIGIT,
  w: WORD,
  s: SPACE,
  D: EVERYTHING & ~DIGIT,
  W: EVERYTHING & ~WORD,
  // What is not ASCII may be a space or not.
  S: EVERYTHING & ~setOf(" \t\n\r\v\f"),
};
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", 0: "\0" };

/** `set` with the other case of each of its letters. */
function withoutCase(set: CharacterSet): CharacterSet {
  const upper = set & rangeOf(65, 90);
  const lower = set & rangeOf(97, 122);
  return set | upper << 32n | lower >> 32n;
}

/** The ASCII codes of a set, and 128 if it has other characters. */
export function codesOf(set: CharacterSet): readonly number[] {
  let codes = codesOfSet.get(set);
  if (codes === undefined) {
    codes = ALL_CODES.filter((code) => set & bitOf(code));
    codesOfSet.set(set, codes);
  }
  return codes;
}

const ALL_CODES = Array.from({ length: OTHER + 1 }, (_, code) => code);
const codesOfSet = new Map<CharacterSet, readonly number[]>();

/**
 * Parses a regular expression. Knows what rules are written in: classes, groups (named, plain, with modifiers),
 * look-arounds, quantifiers.
 *
 * @throws {SyntaxError} At a back-reference or a property escape.
 */
export function parsePattern(regexp: RegExp): Pattern {
  const { source } = regexp;
  let at = 0;

  function fail(what: string): never {
    throw new SyntaxError(`${what} at ${at} of /${source}/`);
  }

  function take(text: string): boolean {
    if (!source.startsWith(text, at)) return false;
    at += text.length;
    return true;
  }

  function choice(ignoreCase: boolean): Pattern {
    const branches = [sequence(ignoreCase)];
    while (take("|")) branches.push(sequence(ignoreCase));
    return branches.length === 1 ? branches[0] as Pattern : { kind: "choice", branches };
  }

  function sequence(ignoreCase: boolean): Pattern {
    const items: Pattern[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      items.push(quantified(atom(ignoreCase)));
    }
    return items.length === 1 ? items[0] as Pattern : { kind: "sequence", items };
  }

  function quantified(body: Pattern): Pattern {
    const [min, max] = quantifier();
    if (min === 1 && max === 1) return body;
    take("?");
    return { kind: "repeat", body, min, max };
  }

  function quantifier(): [number, number] {
    if (take("*")) return [0, Infinity];
    if (take("+")) return [1, Infinity];
    if (take("?")) return [0, 1];
    const counted = /^\{(\d+)(?:(,)(\d*))?\}/.exec(source.slice(at, at + 24));
    if (counted === null) return [1, 1];
    at += counted[0].length;
    const min = Number(counted[1]);
    if (counted[2] === undefined) return [min, min];
    return [min, counted[3] ? Number(counted[3]) : Infinity];
  }

  function atom(ignoreCase: boolean): Pattern {
    if (take("(")) return group(ignoreCase);
    if (take("^") || take("$")) return { kind: "edge" };
    if (take("\\b") || take("\\B")) return { kind: "edge" };
    if (take(".")) return { kind: "set", set: EVERYTHING & ~LINE_ENDS };
    const set = take("[") ? characterClass() : character();
    return { kind: "set", set: ignoreCase ? withoutCase(set) : set };
  }

  function group(ignoreCase: boolean): Pattern {
    const look = /^\?(<?)([=!])/.exec(source.slice(at, at + 3));
    if (look !== null) {
      at += look[0].length;
      const body = choice(ignoreCase);
      if (!take(")")) fail("missing )");
      return { kind: "look", body, behind: look[1] === "<", negative: look[2] === "!" };
    }
    const opening = /^\?(?:<[A-Za-z_]\w*>|([ims]*)(?:-([ims]*))?:)/.exec(source.slice(at));
    if (opening !== null) at += opening[0].length;
    else if (source[at] === "?") fail("unknown group");
    const on = opening?.[1]?.includes("i") ?? false;
    const off = opening?.[2]?.includes("i") ?? false;
    const body = choice((ignoreCase || on) && !off);
    if (!take(")")) fail("missing )");
    return body;
  }

  function characterClass(): CharacterSet {
    const negated = take("^");
    let set = 0n;
    while (!take("]")) {
      if (at >= source.length) fail("missing ]");
      const first = character();
      if (source[at] === "-" && source[at + 1] !== "]") {
        at++;
        set |= rangeOf(codesOf(first)[0] ?? 0, codesOf(character()).at(-1) ?? 0);
      } else set |= first;
    }
    return negated ? EVERYTHING & ~set : set;
  }

  function character(): CharacterSet {
    const sign = source[at++];
    if (sign === undefined) fail("unexpected end");
    if (sign !== "\\") return bitOf(sign.charCodeAt(0));
    const escaped = source[at++] ?? "";
    if (/[1-9kpP]/.test(escaped)) fail("a back-reference or a property");
    if (escaped === "b") return bitOf(8);
    const code = escaped === "x" ? hexadecimal(2) : escaped === "u" ? hexadecimal(4) : undefined;
    if (code !== undefined) return bitOf(code);
    return CLASSES[escaped] ?? bitOf((CONTROLS[escaped] ?? escaped).charCodeAt(0));
  }

  function hexadecimal(digits: number): number {
    const code = Number.parseInt(source.slice(at, at + digits), 16);
    if (Number.isNaN(code)) fail("a bad escape");
    at += digits;
    return code;
  }

  const tree = choice(regexp.ignoreCase);
  if (at < source.length) fail("unbalanced )");
  return tree;
}

/** Most characters that a match of the pattern can have. */
export function longestMatch(pattern: Pattern): number {
  switch (pattern.kind) {
    case "set":
      return 1;
    case "sequence":
      return pattern.items.reduce((sum, item) => sum + longestMatch(item), 0);
    case "choice":
      return Math.max(...pattern.branches.map(longestMatch));
    case "repeat": {
      const body = longestMatch(pattern.body);
      return body === 0 ? 0 : body * pattern.max;
    }
    default:
      return 0;
  }
}

/** Most characters before or behind a match that the pattern's look-arounds and edges can see. */
export function lookAroundReach(pattern: Pattern): number {
  switch (pattern.kind) {
    case "sequence":
      return Math.max(0, ...pattern.items.map(lookAroundReach));
    case "choice":
      return Math.max(...pattern.branches.map(lookAroundReach));
    case "repeat":
      return lookAroundReach(pattern.body);
    case "look":
      return longestMatch(pattern.body) + lookAroundReach(pattern.body);
    case "edge":
      return 1;
    default:
      return 0;
  }
}
