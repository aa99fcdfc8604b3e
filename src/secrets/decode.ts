/**
 * Text under its encodings, with the way back to the bytes. Every step is lenient: what does not decode stays as it is.
 *
 * @module
 */

/** Decoded text whose every character knows where in the bytes it came from. */
export interface MappedText {
  readonly text: string;
  /** Offset, in the bytes that were decoded, of the character at `index`; for `text.length`, of their end. */
  offsetOf(index: number): number;
}

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

const identity = (index: number): number => index;

/** Decodes UTF-8; bytes that are not valid become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): MappedText {
  const text = UTF8.decode(bytes);
  // A character for every byte: all ASCII, or each invalid byte by itself.
  if (text.length === bytes.length) return { text, offsetOf: identity };
  const offsets = new Uint32Array(text.length + 1);
  let index = 0;
  for (let offset = 0; offset < bytes.length;) {
    offsets[index++] = offset;
    const length = sequenceLength(bytes, offset);
    // Four bytes are two UTF-16 code units, both of which begin where the sequence does.
    if (length === 4) offsets[index++] = offset;
    offset += length;
  }
  offsets[index] = bytes.length;
  return { text, offsetOf: (at) => offsets[at] ?? bytes.length };
}

/** Bytes that a UTF-8 decoder turns into one character at `at`: a valid sequence, or the longest beginning of one. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0xc2 || first > 0xf4) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // The second byte's range shuts out overlong forms, surrogates, and what lies beyond U+10FFFF.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let step = 1; step < length; step++) {
    const next = bytes[at + step] ?? 0;
    const fits = step === 1 ? next >= low && next <= high : next >= 0x80 && next <= 0xbf;
    if (!fits) return step;
  }
  return length;
}

const ESCAPE = /\\(?:u[0-9A-Fa-f]{4}|[nrtbf"\\/])/g;
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
const PERCENT = /%[0-9A-Fa-f]{2}/g;

/** Undoes the escapes of a JSON string once; `undefined` if there is none. */
export function unescapeJson(source: MappedText): MappedText | undefined {
  if (!source.text.includes("\\")) return undefined;
  return replaced(source, ESCAPE, (escape) => {
    const sign = escape.charAt(1);
    if (escape.length > 2) return String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    return CONTROLS[sign] ?? sign;
  });
}

/** Undoes percent-encoding once; `undefined` if there is none. What is not ASCII becomes U+FFFD. */
export function decodePercent(source: MappedText): MappedText | undefined {
  if (!source.text.includes("%")) return undefined;
  return replaced(source, PERCENT, (escape) => {
    const byte = Number.parseInt(escape.slice(1), 16);
    return byte < 0x80 ? String.fromCharCode(byte) : "\ufffd";
  });
}

const REFERENCE = /&(?:amp|lt|gt|quot|apos|#\d{1,3}|#[xX][0-9A-Fa-f]{1,2});/g;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Undoes HTML's references to ASCII characters once; `undefined` if there is none. */
export function unescapeHtml(source: MappedText): MappedText | undefined {
  if (!source.text.includes("&")) return undefined;
  return replaced(source, REFERENCE, (reference) => {
    const name = reference.slice(1, -1);
    if (!name.startsWith("#")) return NAMED[name] ?? "\ufffd";
    const code = /^#[xX]/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code < 0x80 ? String.fromCharCode(code) : "\ufffd";
  });
}

/** Control sequences of terminals, as many as follow one another: colours, and what `grep` writes around a match. */
// deno-lint-ignore no-control-regex -- such sequences begin with one
const CONTROL_SEQUENCES = /(?:\x1b\[[0-9;:?]{0,32}[A-Za-z])+/g;

/** A space for each run of terminals' control sequences; `undefined` if there is none. */
export function withoutColours(source: MappedText): MappedText | undefined {
  if (!source.text.includes("\x1b[")) return undefined;
  return replaced(source, CONTROL_SEQUENCES, () => " ");
}

/** Replaces every match by one character and keeps the map. */
function replaced(source: MappedText, pattern: RegExp, by: (match: string) => string): MappedText | undefined {
  /** Where, in the new text, the map bends; and which place in the old text that is. */
  const bends: number[] = [];
  const places: number[] = [];
  let text = "";
  let copied = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(source.text); match !== null; match = pattern.exec(source.text)) {
    text += source.text.slice(copied, match.index) + by(match[0]);
    copied = pattern.lastIndex;
    bends.push(text.length);
    places.push(copied);
  }
  if (bends.length === 0) return undefined;
  text += source.text.slice(copied);

  function offsetOf(index: number): number {
    let low = 0;
    let high = bends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bends[middle] as number) <= index) low = middle + 1;
      else high = middle;
    }
    // The character in front of a bend is the replaced one; up to there, the old text runs beside the new.
    if (low === 0) return source.offsetOf(index);
    return source.offsetOf((places[low - 1] as number) + index - (bends[low - 1] as number));
  }
  return { text, offsetOf };
}
