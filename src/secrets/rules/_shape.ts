/**
 * Builders of rules from the format of a token: the pattern, the keywords, and examples that must and must not match
 * all follow from one description, so that a table row states nothing but the provider's facts.
 *
 * @module
 */

import type { Confidence, Rule } from "../rule.ts";
import { ALNUM, BASE64URL, HEX, sample } from "../sample.ts";
import { assigned, type AssignedOptions, nameKeywords } from "./_assigned.ts";

/** One stretch of a token: its pattern, and how to make a stand-in for it. */
export interface Piece {
  /** Source of its pattern. */
  readonly source: string;
  /** A text that the pattern matches; `extra` characters longer than the longest, or shorter than the shortest. */
  readonly make: (seed: number, extra?: number) => string;
  /** The characters it is made of; empty for fixed words. */
  readonly alphabet: string;
}

/** A token's format: fixed texts and pieces, in order. */
export type Shape = readonly (string | Piece)[];

/** Decimal and hexadecimal digits of both cases. */
export const ANY_HEX = `${HEX}ABCDEF`;

/** Letters, digits and `_`: what `\\w` matches. */
export const WORD = `${ALNUM}_`;

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** The inside of a character class for exactly the characters of `alphabet`, with ranges where three or more follow. */
function classOf(alphabet: string): string {
  const codes = [...new Set(alphabet)].map((character) => character.charCodeAt(0)).sort((a, b) => a - b);
  let inside = "";
  for (let at = 0; at < codes.length;) {
    let end = at;
    while (codes[end + 1] === (codes[end] ?? 0) + 1) end++;
    const [first, last] = [codes[at] ?? 0, codes[end] ?? 0].map((code) => {
      const character = String.fromCharCode(code);
      return /[\]\\^-]/.test(character) ? `\\${character}` : character;
    });
    inside += end - at > 1 ? `${first}-${last}` : end > at ? `${first}${last}` : first;
    at = end + 1;
  }
  return inside;
}

/** `length` characters of `alphabet`, or any number between `length` and `longest`. */
export function run(alphabet: string, length: number, longest = length): Piece {
  return {
    source: `[${classOf(alphabet)}]{${length === longest ? length : `${length},${longest}`}}`,
    make: (seed, extra = 0) => sample(alphabet, extra > 0 ? longest + extra : length + extra, seed),
    alphabet,
  };
}

/** One of several fixed words. */
export function oneOf(...words: readonly string[]): Piece {
  return {
    source: `(?:${words.map(escape).join("|")})`,
    make: (seed) => words[seed % words.length] ?? "",
    alphabet: "",
  };
}

/** Up to `longest` characters of padding, of which a stand-in has none. */
export function padding(longest: number): Piece {
  return { source: `={0,${longest}}`, make: () => "", alphabet: "" };
}

/** One of several formats. */
export function either(...shapes: readonly Shape[]): Piece {
  return {
    source: `(?:${shapes.map(sourceOf).join("|")})`,
    make: (seed, extra) => make(shapes[seed % shapes.length] ?? [], seed, extra),
    alphabet: lastAlphabet(shapes.flat()),
  };
}

/** A UUID of these hexadecimal digits. */
export function uuid(hex: string): Piece {
  const group = `[${classOf(hex)}]`;
  return {
    source: `${group}{8}-(?:${group}{4}-){3}${group}{12}`,
    make: (seed, extra = 0) =>
      [8, 4, 4, 4, 12 + extra].map((length, at) => sample(hex, length, seed * 5 + at)).join("-"),
    alphabet: `${hex}-`,
  };
}

function sourceOf(shape: Shape): string {
  return shape.map((part) => typeof part === "string" ? escape(part) : part.source).join("");
}

/** The characters of the last piece that varies. */
function lastAlphabet(shape: Shape): string {
  const last = shape.findLast((part) => typeof part !== "string" && part.alphabet !== "");
  return typeof last === "object" ? last.alphabet : "";
}

/** A stand-in of that shape; the last piece that varies is `extra` characters too long or too short. */
export function make(shape: Shape, seed = 1, extra = 0): string {
  const last = shape.findLastIndex((part) => typeof part !== "string" && part.alphabet !== "");
  return shape.map((part, at) => typeof part === "string" ? part : part.make(seed * 31 + at, at === last ? extra : 0))
    .join("");
}

/** What documentation shows in place of a token: the same shape filled with one letter. */
function placeholder(shape: Shape): string {
  return shape.map((part) =>
    typeof part === "string" ? part : part.alphabet === "" ? part.make(0) : part.make(1).replace(/[^-.]/g, "x")
  ).join("");
}

/**
 * A pattern for that shape where no longer word surrounds it. Also right after the letter of an escape (`\n`) that
 * nobody decoded, and after that of a terminal's colour sequence (`\x1b[31m`).
 */
function token(shape: Shape, after: readonly string[], likeBase64: boolean): RegExp {
  const before = likeBase64 ? "\\w+/-" : "\\w-";
  const beyond = classOf(BASE64URL + lastAlphabet(shape) + (likeBase64 ? "+/=" : ""));
  if (after.length > 0) {
    return new RegExp(`(?:${after.map(escape).join("|")})(?<secret>${sourceOf(shape)})(?![${beyond}])`);
  }
  return new RegExp(`(?:(?<![${before}])|(?<=\\\\[nrt]|\\dm))${sourceOf(shape)}(?![${beyond}])`);
}

/** What every row of a table states. */
export interface Facts {
  readonly id: string;
  readonly display: string;
  readonly provider: string;
  /** The format. */
  readonly shape: Shape;
  /** @default 3 */
  readonly entropy?: number;
  readonly valid?: (secret: string) => boolean;
  /** See {@linkcode Rule.part}. */
  readonly part?: (secret: string) => string;
  /** Makes a stand-in pass `valid`. */
  readonly seal?: (made: string) => string;
  readonly stopWords?: readonly string[];
  readonly confidence?: Confidence;
  readonly rotation: string;
  readonly documentation: string;
  /** Further texts that must match, beside those that follow from the shape. */
  readonly match?: () => readonly string[];
  /** Further texts that must not match, beside those that follow from the shape. */
  readonly noMatch?: () => readonly string[];
}

/** A row for a token that its own shape tells apart. */
export interface TokenFacts extends Facts {
  /**
   * What must stand before the token, for a prefix that is too short or too common to be a keyword by itself: each of
   * these followed by the shape's first text is a keyword then.
   *
   * @default [] (anything but a longer word)
   */
  readonly after?: readonly string[];
  /**
   * Whether the token could be part of longer base64: then no `+` or `/` may stand beside it, and no `=` after it.
   *
   * @default false
   */
  readonly likeBase64?: boolean;
  /** @default the text that the shape starts with */
  readonly keywords?: readonly string[];
}

/** A row for a value that only the name of what it is assigned to tells apart. */
export interface ContextFacts extends Facts, AssignedOptions {
  /** Names of the provider; a space stands for an optional separator. */
  readonly names: readonly string[];
}

/** The fields that both builders pass through, without those that are absent. */
function common(facts: Facts, entropy: number): Omit<Rule, "keywords" | "pattern" | "examples"> {
  const { id, display, provider, valid, part, stopWords, confidence, rotation, documentation } = facts;
  return {
    id,
    display,
    provider,
    entropy,
    ...(valid && { valid }),
    ...(part && { part }),
    ...(stopWords && { stopWords }),
    ...(confidence && { confidence }),
    rotation,
    documentation,
  };
}

/** The text that every token of that shape starts with. */
function leadingText(shape: Shape): string[] {
  const [first] = shape;
  if (typeof first !== "string" || first.length < 3) throw new TypeError("a shape without a prefix needs keywords");
  return [first.toLowerCase()];
}

/**
 * What usually stands before a value, for {@linkcode TokenFacts.after}; a line break both as such and as its escape,
 * since keywords are looked for in bytes that nobody has decoded yet.
 */
export const DELIMITERS: readonly string[] = ['"', "'", "`", "=", ":", " ", ">", "(", "\n", "\\n"];

/**
 * A rule for a token with a shape of its own, such as `acme_` and 32 letters and digits.
 *
 * @throws {TypeError} without keywords when the shape does not start with a text of three characters.
 */
export function tokenRule(facts: TokenFacts): Rule {
  const { shape, after = [], likeBase64 = false, seal = (made: string) => made } = facts;
  const { keywords = after.length > 0 ? after.map((mark) => (mark + shape[0]).toLowerCase()) : leadingText(shape) } =
    facts;
  const [opening = ""] = after;
  const whole = (seed: number) => seal(make(shape, seed));
  return {
    ...common(facts, facts.entropy ?? 3),
    keywords,
    pattern: token(shape, after, likeBase64),
    examples: {
      match: () => [
        opening + whole(1),
        `API_TOKEN=${whole(2)}\n`,
        `{"token":"${whole(3)}"}`,
        `Authorization: Bearer ${whole(4)}\\n`,
        ...(facts.match?.() ?? []),
      ],
      noMatch: () => [
        opening + make(shape, 5, -1),
        opening + make(shape, 6, 1),
        `a${whole(7)}`,
        opening + placeholder(shape),
        ...(facts.noMatch?.() ?? []),
      ],
    },
  };
}

/**
 * Whether a text mixes digits and letters, or letters of both cases as evenly as chance does: what a random text of
 * twenty characters nearly always does, and an identifier in camel or snake case rarely.
 */
export function isMixed(secret: string): boolean {
  const upper = secret.replace(/[^A-Z]/g, "").length;
  const lower = secret.replace(/[^a-z]/g, "").length;
  return upper + lower > 0 && /[0-9]/.test(secret) || Math.min(upper, lower) * 4 > secret.length;
}

/** Whether the last `length` characters differ enough: for the random end of a long fixed text such as an address. */
export function variedEnd(length: number): (secret: string) => boolean {
  return (secret) => new Set(secret.slice(-length)).size * 3 > length;
}

/**
 * A rule for a value without a shape of its own, assigned to something named after the provider. Unless `valid` says
 * otherwise, a value without any fixed text must have both letters and digits.
 */
export function contextRule(facts: ContextFacts): Rule {
  const { shape, names, hints = [], wholeWord = false, seal = (made: string) => made } = facts;
  const notBefore = facts.notBefore ?? classOf(`${BASE64URL}+/=${lastAlphabet(shape)}`);
  const valid = shape.some((part) => typeof part === "string") ? {} : { valid: isMixed };
  const name = (names[0] ?? "").replace(" ", "_");
  const hint = hints[0] ?? "token";
  const whole = (seed: number) => seal(make(shape, seed));
  return {
    ...common({ ...valid, ...facts }, facts.entropy ?? 3),
    keywords: nameKeywords(names),
    pattern: assigned(names, sourceOf(shape), { hints, wholeWord, notBefore }),
    examples: {
      match: () => [
        `${`${name}_${hint}`.toUpperCase()}=${whole(1)}\n`,
        `const ${name}_${hint} = "${whole(2)}";`,
        `  "${name}-${hint}": "${whole(3)}",`,
        `${name}.${hint}: '${whole(4)}'`,
        ...(facts.match?.() ?? []),
      ],
      noMatch: () => [
        `${name}_${hint} = "${make(shape, 5, -1)}"`,
        `${name}_${hint} = "${make(shape, 6, 1)}"`,
        `${name}_${hint}_sha256: ${whole(7)}`,
        `${name}_${hint} = "${placeholder(shape)}"`,
        `other_token = "${whole(8)}"`,
        ...(facts.noMatch?.() ?? []),
      ],
    },
  };
}
