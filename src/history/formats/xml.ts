/**
 * XML: the text between tags, attribute values, CDATA sections, comments, instructions and declarations. It never fails;
 * what is not well-formed is given out as the text of whatever it looks most like.
 *
 * @module
 */
import { cutText, cutXml } from "./cut.ts";
import { KEYPATH_KEY_BYTES, KEYPATH_LEVELS, shownKey, step } from "./keypath.ts";
import { createLineCounter } from "./lines.ts";
import { type Emit, OVERLAP_BYTES, PART_BYTES, type StringReader } from "./strings.ts";
import { capacityFor, type ReaderOptions } from "./text.ts";
import { createWindow } from "./window.ts";

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
/** Longest beginning that tells one kind of markup from another: `<![CDATA[`. */
const OPENING_UNITS = 9;

/** Markup that runs up to a fixed ending: what it begins with, and what it ends with. */
const SECTIONS = [["<!--", "-->"], ["<![CDATA[", "]]>"], ["<?", "?>"], ["<!", ">"]] as const;

const NAMED = new Map([["amp", "&"], ["lt", "<"], ["gt", ">"], ["quot", '"'], ["apos", "'"]]);
/** Longest inside of a reference that is understood: `#x0010FFFF`. */
const REFERENCE_LENGTH = 10;

/** What a reference stands for, by what is between its `&` and `;`; undefined for one that XML does not know. */
function referenced(inside: string): string | undefined {
  if (!inside.startsWith("#")) return NAMED.get(inside);
  const code = /^#(?:[0-9]+|[xX][0-9a-fA-F]+)$/.test(inside)
    ? Number(inside.slice(1).replace(/^[xX]/, "0x"))
    : Infinity;
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Undoes character references; one that XML does not know is left as it stands. */
export function unescapeXml(text: string): string {
  let said = "";
  let from = 0;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) {
    const end = text.slice(at + 1, at + 2 + REFERENCE_LENGTH).indexOf(";");
    const character = end > 0 ? referenced(text.slice(at + 1, at + 1 + end)) : undefined;
    if (character === undefined) continue;
    said += text.slice(from, at) + character;
    from = at + end + 2;
  }
  return said + text.slice(from);
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d;
}

function beginsName(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || unit === 0x5f || unit === 0x3a ||
    unit >= 0x80;
}

/** Where the reader is: between tags, in a section, in a tag, in a word of a tag, in a quoted value. */
type Place = "text" | "section" | "tag" | "word" | "value";

/** Creates a reader of XML. */
export function createXmlReader(emit: Emit, options: ReaderOptions): StringReader {
  const window = createWindow(capacityFor(2 * PART_BYTES, options), options.encoding, options.origin);
  const lines = createLineCounter(window, options.line);
  const names: string[] = [];
  let depth = 0;
  let place: Place = "text";
  let at = 0;
  // The span that is open, and how many parts of it are given out.
  let from = 0;
  let parts = 0;
  let ending = "";
  let quote = QUOTE;
  // In a tag: whether it is a closing one, has its name, and what the last word was and whether `=` followed it.
  let closing = false;
  let named = false;
  let attribute = "";
  let assigned = false;

  const unitAt = (position: number): number => window.units[position - window.base] as number;

  function find(unit: number, position: number): number {
    const index = window.units.subarray(0, window.limit - window.base).indexOf(unit, position - window.base);
    return index < 0 ? -1 : window.base + index;
  }

  function spells(position: number, word: string): boolean {
    for (let index = 0; index < word.length; index++) {
      if (position < window.base || unitAt(position + index) !== word.charCodeAt(index)) return false;
    }
    return true;
  }

  function keypath(): string {
    const path = names.slice(0, Math.min(depth, KEYPATH_LEVELS)).reduce(step, "");
    return place === "value" || place === "word" ? `${path}@${attribute}` : path;
  }

  function give(to: number, part: number): void {
    const [start, end] = [window.offset(from), window.offset(to)];
    if (!options.wants(start, end)) return;
    const plain = window.decode(from, to);
    if (plain.trim() === "") return;
    const text = place === "section" ? plain : unescapeXml(plain);
    const form = place === "section" ? "text" : "xml";
    emit({ text, line: lines.at(from), keypath: keypath(), start, end, form, key: false, part });
  }

  function begin(next: Place, position: number): void {
    place = next;
    from = position;
    parts = 0;
    at = position;
  }

  function grow(to: number): void {
    const cut = place === "section" ? cutText : cutXml;
    while (to - from > PART_BYTES) {
      const low = from - window.base;
      const end = cut(window.units, low, low + PART_BYTES);
      give(window.base + end, ++parts);
      from = window.base + cut(window.units, low, end - OVERLAP_BYTES);
    }
  }

  function endSpan(to: number): void {
    grow(to);
    if (to > from) give(to, parts === 0 ? 0 : parts + 1);
  }

  function endWord(to: number): void {
    const word = to - from <= KEYPATH_KEY_BYTES && parts === 0 ? window.decode(from, to) : "*";
    if (assigned || word === "*") endSpan(to);
    if (!named) {
      if (!closing) {
        if (depth < KEYPATH_LEVELS) names[depth] = shownKey(word);
        depth++;
      }
      named = true;
    } else if (!assigned) {
      attribute = shownKey(word);
    }
    assigned = false;
    begin("tag", to);
  }

  /** Reads on between tags; false where more must be seen first. */
  function readText(over: boolean): boolean {
    const less = find(LESS, at);
    if (less < 0) {
      at = window.limit;
      return false;
    }
    at = less;
    if (window.limit - less < OPENING_UNITS && !over) return false;
    const section = SECTIONS.find(([opening]) => spells(less, opening));
    const next = less + 1 < window.limit ? unitAt(less + 1) : 0;
    if (section !== undefined) {
      endSpan(less);
      ending = section[1];
      begin("section", less + section[0].length);
    } else if (next === SLASH || beginsName(next)) {
      endSpan(less);
      closing = next === SLASH;
      named = false;
      assigned = false;
      attribute = "";
      begin("tag", closing ? less + 2 : less + 1);
    } else {
      at = less + 1;
    }
    return true;
  }

  function readSection(): boolean {
    const greater = find(GREATER, at);
    if (greater < 0) {
      at = window.limit;
      return false;
    }
    at = greater + 1;
    const end = at - ending.length;
    if (end >= from && spells(end, ending)) {
      endSpan(end);
      begin("text", at);
    }
    return true;
  }

  /** Reads one unit of a tag outside of words and values. */
  function readTag(): void {
    const unit = unitAt(at);
    if (unit === GREATER) {
      const empty = at > window.base && unitAt(at - 1) === SLASH;
      if ((closing || empty) && depth > 0) depth--;
      begin("text", at + 1);
    } else if (unit === QUOTE || unit === APOSTROPHE) {
      quote = unit;
      begin("value", at + 1);
    } else if (isSpace(unit) || unit === SLASH) {
      at++;
    } else if (unit === EQUALS) {
      assigned = true;
      at++;
    } else {
      begin("word", at);
    }
  }

  function readWord(): boolean {
    while (at < window.limit) {
      const unit = unitAt(at);
      if (isSpace(unit) || unit === EQUALS || unit === GREATER || (unit === SLASH && !assigned)) {
        endWord(at);
        return true;
      }
      at++;
    }
    return false;
  }

  function readValue(): boolean {
    const end = find(quote, at);
    if (end < 0) {
      at = window.limit;
      return false;
    }
    endSpan(end);
    assigned = false;
    begin("tag", end + 1);
    return true;
  }

  function advance(over: boolean): void {
    let more = true;
    while (more && at < window.limit) {
      if (place === "text") more = readText(over);
      else if (place === "section") more = readSection();
      else if (place === "tag") readTag();
      else if (place === "word") more = readWord();
      else more = readValue();
    }
    if (place !== "tag") grow(at);
  }

  return {
    push(chunk) {
      for (let taken = 0; taken < chunk.length;) {
        taken += window.append(chunk.subarray(taken));
        advance(false);
        if (taken === chunk.length) break;
        // One unit more, so that a tag can see the slash before its end.
        const kept = Math.max(window.base, (place === "tag" ? at : from) - 1);
        lines.at(kept);
        window.drop(kept);
      }
    },
    end() {
      advance(true);
      if (place !== "tag") endSpan(window.limit);
      window.release();
    },
  };
}
