/**
 * Writes the files of a history but for its databases, in every format and encoding.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { dirname, join } from "@std/path";
import { zstdCompressSync } from "node:zlib";
import type { Author } from "./author.ts";
import { asJson, asXml } from "./forms.ts";

/** How large a file becomes, and how much of it are secrets. */
export interface Amount {
  /** Least number of bytes. */
  readonly bytes: number;
  /** Pieces without a secret for each piece with one. */
  readonly clean: number;
}

/** How a file of text is written. */
export interface Writing extends Amount {
  /** What ends a line. @default "\n" */
  readonly ending?: "\n" | "\r\n";
  /** Character encoding; UTF-16 comes with a byte order mark. @default "utf-8" */
  readonly encoding?: "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be";
  /** Whether the last line has no end. @default false */
  readonly isUnended?: boolean;
}

/** A history being written. */
export interface Store {
  /** Its root. */
  readonly root: string;
  readonly author: Author;
}

/** Pieces, with and without secrets, until there are enough bytes. */
function* pieces(
  { bytes, clean }: Amount,
  author: Author,
  plain: () => string,
  planted: () => string,
): Generator<string> {
  for (let size = 0; size < bytes;) {
    const piece = author.below(clean + 1) === 0 || size === 0 ? planted() : plain();
    size += piece.length;
    yield piece;
  }
}

const MARKS = { "utf-8": "", "utf-8-bom": "\ufeff", "utf-16le": "\ufeff", "utf-16be": "\ufeff" } as const;

function encoded(text: string, encoding: NonNullable<Writing["encoding"]>): Uint8Array {
  if (encoding.startsWith("utf-8")) return new TextEncoder().encode(text);
  const wide = Buffer.from(text, "utf16le");
  return encoding === "utf-16be" ? wide.swap16() : wide;
}

const BLOCK = 1 << 20;

/** Writes a file in blocks, so that one of any size takes little memory. */
function write(
  { root }: Store,
  file: string,
  texts: Iterable<string>,
  encoding: NonNullable<Writing["encoding"]>,
): void {
  const path = join(root, file);
  Deno.mkdirSync(dirname(path), { recursive: true });
  using out = Deno.openSync(path, { write: true, createNew: true });
  let held = MARKS[encoding] as string;
  const flush = () => {
    const bytes = encoded(held, encoding);
    for (let at = 0; at < bytes.length;) at += out.writeSync(bytes.subarray(at));
    held = "";
  };
  for (const text of texts) {
    held += text;
    if (held.length >= BLOCK) flush();
  }
  flush();
}

function* ended(lines: Iterable<string>, { ending = "\n", isUnended = false }: Writing): Generator<string> {
  let isFirst = true;
  for (const line of lines) {
    if (!isFirst) yield ending;
    yield ending === "\n" ? line : line.replace(/\r?\n/g, ending);
    isFirst = false;
  }
  if (!isUnended) yield ending;
}

/** JSON lines. */
export function writeJsonl(store: Store, file: string, writing: Writing): void {
  const { author } = store;
  const lines = pieces(writing, author, author.line, () => author.record(file));
  write(store, file, ended(lines, writing), writing.encoding ?? "utf-8");
}

/** JSON lines of which one is as long as the whole file is to be. */
export function writeLongLine(store: Store, file: string, amount: Amount): void {
  const { author } = store;
  function* texts(): Generator<string> {
    yield `{"first":"${author.plant(file, true).text}"}\n{"parts":["begin"`;
    const planted = () => `${author.prose()}\n${author.plant(file).text}\n`;
    for (const piece of pieces(amount, author, author.prose, planted)) yield `,"${asJson(piece)}"`;
    yield `],"last":"${author.plant(file, true).text}"}\n{"n":1}\n`;
  }
  write(store, file, texts(), "utf-8");
}

/** Packed JSON lines, in two frames. */
export function writePacked(store: Store, file: string, amount: Amount): void {
  const { author } = store;
  const lines = [...ended(pieces(amount, author, author.line, () => author.record(file)), amount)].join("");
  const half = lines.indexOf("\n", lines.length / 2) + 1;
  const frames = [lines.slice(0, half), lines.slice(half)].map((part) => zstdCompressSync(part));
  Deno.mkdirSync(dirname(join(store.root, file)), { recursive: true });
  Deno.writeFileSync(join(store.root, file), new Uint8Array(Buffer.concat(frames)));
}

/** One JSON document, indented or not. */
export function writeJson(store: Store, file: string, writing: Writing & { readonly indent?: string }): void {
  const { author } = store;
  const { indent = "" } = writing;
  const gap = indent === "" ? "" : `\n${indent}`;
  function* texts(): Generator<string> {
    yield `{${gap}"version": 1.0,${gap}"items": [`;
    let comma = "";
    const record = () => author.record(file);
    for (const piece of pieces(writing, author, author.line, record)) {
      // A record that is torn is no JSON: its text is an item then.
      let item = piece;
      try {
        JSON.parse(piece);
      } catch {
        item = `"${asJson(piece)}"`;
      }
      yield `${comma}${gap}${indent}${item}`;
      comma = ",";
    }
    yield `${gap}],${gap}"end": null${gap === "" ? "" : "\n"}}`;
  }
  write(store, file, ended(texts(), { ...writing, ending: "\n" }), writing.encoding ?? "utf-8");
}

/** Text. */
export function writeText(store: Store, file: string, writing: Writing): void {
  const { author } = store;
  const texts = pieces(writing, author, author.prose, () => author.passage(file));
  write(store, file, ended(texts, writing), writing.encoding ?? "utf-8");
}

/** XML. */
export function writeXml(store: Store, file: string, writing: Writing): void {
  const { author } = store;
  function* texts(): Generator<string> {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<project version="4">';
    const plain = () => `<message>${asXml(author.prose())}</message>`;
    yield* pieces(writing, author, plain, () => author.element(file));
    yield "</project>";
  }
  write(store, file, ended(texts(), writing), writing.encoding ?? "utf-8");
}
