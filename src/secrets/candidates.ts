/**
 * From keywords to matches: runs the patterns of the rules whose keywords occur, each in a window around them.
 *
 * @module
 */

import { emptyHits, type Hits, PADDING } from "./automaton.ts";
import { BASIC, type CompiledRule, type CompiledRules } from "./compile.ts";
import { decodePercent, decodeUtf8, type MappedText, unescapeHtml, unescapeJson, withoutColours } from "./decode.ts";
import { isSecret } from "./placeholder.ts";
import type { Rule, RuleInfo } from "./rule.ts";
import { inputOffset, type Stretch } from "./stretch.ts";

/** A text that a rule takes for a secret, before it is decided which of those that overlap stands. */
export interface Candidate {
  readonly rule: RuleInfo;
  /** Bytes of the input that hold the secret, in whatever encoding: `[start, end)`. */
  readonly start: number;
  readonly end: number;
  /** The secret itself, decoded. Never leaves the thread that scans. */
  readonly secret: string;
  /** What the place says as a whole, where the secret is a part of it. Never leaves the thread that scans. */
  readonly whole?: string;
  /** Length of the longest of the rule's keywords inside the secret; 0 if only the context tells what it is. */
  readonly marks: number;
  /** Length of the longest of the rule's keywords in the whole match: how much of a name or prefix was there. */
  readonly evidence: number;
  /** How many layers of JSON escapes were undone to find it; -1 if percent-encoding, colours or HTML's references were undone too. */
  readonly depth: number;
  /** Position of the rule in its table. */
  readonly order: number;
}

/** What a scan did, counted: grows in proportion to the input whatever the input is. */
export interface Work {
  hits: number;
  windows: number;
  /** Characters that patterns were given. */
  characters: number;
}

/** What a search for candidates needs beside the stretch. */
export interface Search {
  readonly rules: CompiledRules;
  readonly hits: Hits;
  readonly work: Work;
  /** Receives each candidate. Whether it counts, so that the search goes on behind it, is the answer. */
  readonly found: (candidate: Candidate) => boolean;
}

const BACKSLASH = 0x5c;
/** What may stand between the scheme and the credentials: spaces, tabs, their escapes' backslash. */
const BLANKS = [0x20, 0x09, BACKSLASH];
const IN_BASE64 = Uint8Array.from(
  { length: 256 },
  (_, byte) => /[A-Za-z0-9+/_=-]/.test(String.fromCharCode(byte)) ? 1 : 0,
);
const PERCENT_SIGN = 0x25;
/** `m`, and the `K` that `grep` adds. */
const COLOUR_ENDS = [0x6d, 0x4b];
const LONGEST_COLOUR = 32;

/** Longest base64 of `user:password` that is decoded. */
const LONGEST_BASIC = 1024;
const SHORTEST_BASIC = 8;

/** Finds every candidate in a stretch. */
export function searchStretch(stretch: Stretch, search: Search): void {
  const { rules, hits, work } = search;
  rules.automaton.find(stretch.bytes, 0, stretch.length, hits);
  work.hits += hits.count;
  // The window that is growing for each rule; windows that touch become one, so that text is not read twice.
  const starts = new Int32Array(rules.rules.length).fill(-1);
  const ends = new Int32Array(rules.rules.length);
  for (let index = 0; index < hits.count; index++) {
    const keyword = hits.keywords[index] as number;
    const at = hits.positions[index] as number;
    if (keyword === rules.basicKeyword) searchBasicCredentials(stretch, at, search);
    for (const compiled of rules.rulesOfKeyword[keyword] as readonly CompiledRule[]) {
      const { order, notBehind } = compiled;
      if (notBehind !== undefined && notBehind[stretch.bytes[at - 1] ?? 0] === 1 && !maybeEscape(stretch.bytes, at)) {
        continue;
      }
      const start = Math.max(0, at - compiled.bytesBefore);
      const end = Math.min(stretch.length, at + compiled.bytesAfter);
      if ((starts[order] as number) >= 0 && start > (ends[order] as number)) {
        searchWindow(stretch, compiled, starts[order] as number, ends[order] as number, search);
        starts[order] = start;
      } else if ((starts[order] as number) < 0) starts[order] = start;
      ends[order] = Math.max(ends[order] as number, end);
    }
  }
  for (const compiled of rules.rules) {
    const start = starts[compiled.order] as number;
    if (start >= 0) searchWindow(stretch, compiled, start, ends[compiled.order] as number, search);
  }
}

/** Whether the character in front of `at` may be the end of an escape: `\n`, `\u0022`, `%3D`, a colour. */
function maybeEscape(bytes: Uint8Array, at: number): boolean {
  if (COLOUR_ENDS.includes(bytes[at - 1] as number) && endsColour(bytes, at - 2)) return true;
  return bytes[at - 2] === BACKSLASH || bytes[at - 3] === PERCENT_SIGN || bytes[at - 6] === BACKSLASH;
}

/** Whether what ends at `last` is the beginning of a control sequence: `[` and numbers. */
function endsColour(bytes: Uint8Array, last: number): boolean {
  for (let at = last; at > last - LONGEST_COLOUR; at--) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x5b) return true;
    if (byte < 0x30 || byte > 0x3f) return false;
  }
  return false;
}

/** A text under one encoding; see {@linkcode Candidate.depth}. */
interface Reading extends MappedText {
  readonly depth: number;
}

/**
 * The readings of a text: as it stands, with JSON's escapes undone once and twice, and of what that comes to without
 * percent-encoding, without colours, and without HTML's references.
 */
function readings(raw: MappedText): Reading[] {
  const once = unescapeJson(raw);
  const twice = once && unescapeJson(once);
  const said = twice ?? once ?? raw;
  return [raw, once, twice, decodePercent(said), withoutColours(said), unescapeHtml(said)].flatMap((text, index) => {
    return text === undefined ? [] : [{ ...text, depth: index > 2 ? -1 : index }];
  });
}

function searchWindow(stretch: Stretch, compiled: CompiledRule, start: number, end: number, search: Search): void {
  const raw = decodeUtf8(stretch.bytes.subarray(start, end));
  search.work.windows++;
  for (const reading of readings(raw)) {
    search.work.characters += reading.text.length;
    searchText(reading.text, compiled, (secret, from, to, match) =>
      search.found({
        rule: compiled.rule,
        start: inputOffset(stretch, start + reading.offsetOf(from)),
        end: inputOffset(stretch, start + reading.offsetOf(to)),
        ...partOf(compiled.rule, secret),
        marks: longestKeyword(compiled, secret),
        evidence: longestKeyword(compiled, match),
        depth: reading.depth,
        order: compiled.order,
      }));
  }
}

function searchText(
  text: string,
  compiled: CompiledRule,
  found: (secret: string, from: number, to: number, match: string) => boolean,
): void {
  const { regexp, rule } = compiled;
  regexp.lastIndex = 0;
  for (let match = regexp.exec(text); match !== null; match = regexp.exec(text)) {
    const [from, to] = match.indices?.groups?.secret ?? match.indices?.[0] ?? [match.index, match.index];
    const secret = text.slice(from, to);
    if (!isSecret(rule, secret)) {
      // What was no secret may hold the beginning of one, as in `token = token=...`.
      regexp.lastIndex = from > match.index ? from : Math.max(regexp.lastIndex, match.index + 1);
    } else regexp.lastIndex = Math.max(found(secret, from, to, match[0]) ? to : 0, match.index + 1);
  }
}

/** The secret part of what a rule found, and the whole where that is more. */
function partOf({ part }: Rule, whole: string): Pick<Candidate, "secret" | "whole"> {
  const secret = part?.(whole) ?? whole;
  return secret === whole ? { secret } : { secret, whole };
}

function longestKeyword(compiled: CompiledRule, text: string): number {
  const lower = text.toLowerCase();
  let longest = 0;
  for (const keyword of compiled.rule.keywords) {
    if (keyword.length > longest && lower.includes(keyword)) longest = keyword.length;
  }
  return longest;
}

/** The base64 text behind `Basic ` at `at`, or nothing if none is there. */
function basicCredentials(stretch: Stretch, at: number): { start: number; encoded: string } | undefined {
  const { bytes, length } = stretch;
  let start = at + BASIC.length;
  const gap = start;
  while (start < length && start - gap < 4 && BLANKS.includes(bytes[start] as number)) start++;
  let end = start;
  while (end < length && end - start < LONGEST_BASIC && IN_BASE64[bytes[end] as number] === 1) end++;
  if (start === gap || end - start < SHORTEST_BASIC) return undefined;
  return { start, encoded: String.fromCharCode(...bytes.subarray(start, end)) };
}

/** Looks for secrets in the base64 of `user:password` behind `Basic `; their place is the whole base64 text. */
function searchBasicCredentials(stretch: Stretch, at: number, search: Search): void {
  const found = basicCredentials(stretch, at);
  if (found === undefined) return;
  const { start, encoded } = found;
  const decoded = decodeBase64(encoded);
  if (decoded === undefined || !/^[\x20-\x7e]+$/.test(decoded) || !decoded.includes(":")) return;
  const place = { start: inputOffset(stretch, start), end: inputOffset(stretch, start + encoded.length) };
  const inside = new Uint8Array(decoded.length + PADDING);
  for (let index = 0; index < decoded.length; index++) inside[index] = decoded.charCodeAt(index);
  searchStretch({ bytes: inside, length: decoded.length, base: 0, scale: 1 }, {
    ...search,
    hits: emptyHits(),
    found: (candidate) => search.found({ ...candidate, ...place, whole: encoded }),
  });
}

function decodeBase64(encoded: string): string | undefined {
  try {
    return atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return undefined;
  }
}
