/**
 * Random JSON whose strings and their places are known because they were noted while it was written.
 *
 * @module
 */

/** Random numbers from 0 up to 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

/** A string as it must be found. */
export interface Expected {
  readonly text: string;
  readonly keypath: string;
  readonly key: boolean;
  /** Span of the token in UTF-16 units of the document's text. */
  readonly from: number;
  readonly to: number;
}

const CHARACTERS = [
  ..."abcXYZ 019.,:;{}[]\"'\\/<>&=-_",
  "\n",
  "\r",
  "\t",
  "\b",
  "\0",
  "\u001f",
  "é",
  "ß",
  "漢",
  "😀",
  "\ufeff",
];
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
};
const NUMBERS = [
  "0",
  "-0",
  "17",
  "-3.25",
  "1e9",
  "2.5E-7",
  "9007199254740993",
  "123456789012345678901234567890",
  "0.1e+2",
];

const unicodeEscape = (unit: number): string => "\\u" + unit.toString(16).padStart(4, "0");

/** Writes one character as JSON allows it, in one of the ways that it allows. */
export function escapeRandomly(character: string, random: () => number): string {
  const mustEscape = character < " " || character === '"' || character === "\\";
  if (!mustEscape && random() < 0.9) return character;
  const short = SHORT_ESCAPES[character];
  if (short !== undefined && random() < 0.7) return short;
  return character.split("").map((unit) => unicodeEscape(unit.charCodeAt(0))).join("");
}

/** A random text of at most this many characters. */
export function randomText(random: () => number, most: number): string {
  const length = Math.floor(random() * (most + 1));
  return Array.from({ length }, () => CHARACTERS[Math.floor(random() * CHARACTERS.length)]).join("");
}

/** Writes a random document on one line and notes its strings. */
export function randomJson(random: () => number): { text: string; strings: Expected[] } {
  let text = "";
  const strings: Expected[] = [];
  const gap = () => {
    while (random() < 0.15) text += random() < 0.7 ? " " : "\t";
  };

  function string(content: string, keypath: string, key: boolean): void {
    const from = text.length;
    text += `"${[...content].map((character) => escapeRandomly(character, random)).join("")}"`;
    strings.push({ text: content, keypath, key, from, to: text.length });
  }

  function list(open: string, close: string, keys: boolean, path: string, depth: number): void {
    text += open;
    const length = Math.floor(random() * 5);
    for (let index = 0; index < length; index++) {
      if (index > 0) text += ",";
      gap();
      if (!keys) {
        value(`${path}[${index}]`, depth + 1);
      } else {
        // The same key may come twice; both members count.
        const key = random() < 0.3 ? "same" : `key_${"abcdefg"[index]}`;
        string(key, `${path}{key}`, true);
        gap();
        text += ":";
        gap();
        value(path === "" ? key : `${path}.${key}`, depth + 1);
      }
      gap();
    }
    text += close;
  }

  function value(path: string, depth: number): void {
    const kind = depth === 0 ? random() * 0.5 : random();
    if (depth < 6 && kind < 0.25) list("{", "}", true, path, depth);
    else if (depth < 6 && kind < 0.5) list("[", "]", false, path, depth);
    else if (kind < 0.85) string(randomText(random, 20), path, false);
    else if (kind < 0.95) text += NUMBERS[Math.floor(random() * NUMBERS.length)];
    else text += ["true", "false", "null"][Math.floor(random() * 3)];
  }

  gap();
  value("", 0);
  gap();
  return { text, strings };
}
