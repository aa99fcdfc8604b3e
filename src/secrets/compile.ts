/**
 * Rules made ready to run.
 *
 * @module
 */

import { type Automaton, compileKeywords } from "./automaton.ts";
import { codesOf } from "./pattern.ts";
import { type Reach, reachOf } from "./reach.ts";
import type { Rule } from "./rule.ts";

/** A rule with what is worked out from it once. */
export interface CompiledRule {
  readonly rule: Rule;
  /** Position in the table: the last tie-break between rules. */
  readonly order: number;
  /** The rule's pattern with the flags that find all matches and their places. */
  readonly regexp: RegExp;
  readonly reach: Reach;
  /** Bytes in front of a keyword, and from its start on, that a match and what it looks at may take, encoded. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /**
   * Where a match can only begin with its keyword: 1 for each byte that rules it out when it stands in front. Most
   * short prefixes occur in the middle of longer words, and are passed over by this alone.
   */
  readonly notBehind: Uint8Array | undefined;
}

/** A set of rules made ready to run. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  readonly automaton: Automaton;
  /** For each of the automaton's keywords, the rules that have it. */
  readonly rulesOfKeyword: readonly (readonly CompiledRule[])[];
  /** Index of the keyword that announces HTTP Basic credentials. */
  readonly basicKeyword: number;
  /** Most bytes that a window takes on either side of a keyword. */
  readonly widest: number;
}

/** The word in front of the base64 of `user:password` in a header. */
export const BASIC = "basic";

/** Escapes make text longer: a quarter, and this many bytes for what stands around a short secret. */
const ESCAPES = 48;

function encodedLength(characters: number): number {
  return Math.ceil(characters * 1.25) + ESCAPES;
}

function compileRule(rule: Rule, order: number): CompiledRule {
  const reach = reachOf(rule);
  if (!Number.isFinite(reach.longest)) throw new RangeError(`rule ${rule.id}: the pattern has no longest match`);
  const regexp = new RegExp(rule.pattern.source, [...new Set(`${rule.pattern.flags}gd`)].join(""));
  const bytesBefore = encodedLength(reach.before + reach.margin);
  const bytesAfter = encodedLength(reach.longest + reach.margin);
  return { rule, order, regexp, reach, bytesBefore, bytesAfter, notBehind: bannedBytes(reach) };
}

function bannedBytes(reach: Reach): Uint8Array | undefined {
  if (reach.before > 0 || reach.notBehind === 0n) return undefined;
  const banned = new Uint8Array(256);
  for (const code of codesOf(reach.notBehind)) {
    if (code < 128) banned[code] = 1;
    else banned.fill(1, 128);
  }
  return banned;
}

/** What a slash may look like in JSON, whose writers escape it or not, and in JSON in a string of JSON. */
const SLASHES = ["/", "\\/", "\\\\/", "\\\\\\/"] as const;

/** What some of JSON's writers (Gson, Go, PHP) escape for the sake of HTML, in JSON in up to two strings of JSON. */
const JSON_FOR_HTML = ["\\", "\\\\", "\\\\\\\\"].flatMap((backslashes) =>
  ["=&<>'", "=&<>'\""].map((signs) =>
    new Map(Array.from(signs, (sign) => [sign, `${backslashes}u00${sign.charCodeAt(0).toString(16)}`]))
  )
);

/** What HTML has for a character, as its writers differ in it; the last are Handlebars and Mustache. */
const REFERENCES = [
  { '"': "&quot;", "'": "&#39;" },
  { '"': "&#34;", "'": "&#x27;" },
  { '"': "&#x22;", "'": "&apos;" },
  { '"': "&quot;", "'": "&#x27;", "=": "&#x3d;" },
  { '"': "&quot;", "'": "&#39;", "=": "&#x3d;", "/": "&#x2f;" },
].map((signs) => new Map(Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", ...signs })));

/**
 * A keyword as it may stand in bytes: with slashes as JSON's writers escape them, with all that HTML gives a meaning
 * escaped by JSON's writers or by HTML's, or in a URL.
 */
function spellings(keyword: string): string[] {
  const slashed = SLASHES.map((slash) => keyword.replaceAll("/", slash));
  const escaped = [...JSON_FOR_HTML, ...REFERENCES].map((signs) =>
    Array.from(keyword, (sign) => signs.get(sign) ?? sign).join("")
  );
  return [...new Set([...slashed, ...escaped, encodeURIComponent(keyword).toLowerCase()])];
}

const compiled = new WeakMap<readonly Rule[], CompiledRules>();

/**
 * Makes rules ready to run. The same array is compiled once.
 *
 * @throws {RangeError} If a pattern has no longest match, or a keyword fewer than three characters.
 * @throws {SyntaxError} If a pattern uses syntax that rules may not use.
 */
export function compileRules(rules: readonly Rule[]): CompiledRules {
  const known = compiled.get(rules);
  if (known !== undefined) return known;
  const ready = rules.map(compileRule);
  const byKeyword = new Map<string, CompiledRule[]>([[BASIC, []]]);
  for (const one of ready) {
    for (const keyword of one.rule.keywords.flatMap(spellings)) {
      const sharing = byKeyword.get(keyword);
      if (sharing === undefined) byKeyword.set(keyword, [one]);
      else sharing.push(one);
    }
  }
  const keywords = [...byKeyword.keys()];
  const made: CompiledRules = {
    rules: ready,
    automaton: compileKeywords(keywords),
    rulesOfKeyword: [...byKeyword.values()],
    basicKeyword: keywords.indexOf(BASIC),
    widest: Math.max(0, ...ready.map((one) => Math.max(one.bytesBefore, one.bytesAfter))),
  };
  compiled.set(rules, made);
  return made;
}
