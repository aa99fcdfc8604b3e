/**
 * Reading git's own small files, whatever stands in their place.
 *
 * @module
 */

import { openPlain, type PlainFile } from "./plain_file.ts";

/** Far above what any of git's small text files holds. */
const MAX_TEXT_BYTES = 2 ** 20;
/** A byte order mark is a part of a path like any other character. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** A file as it was read. */
export interface ReadFile {
  /** Its content. */
  readonly bytes: Uint8Array;
  /** Differs when the file was written again; null where it is too young to tell. */
  readonly stamp: string | null;
}

/**
 * Content of a file, or nothing but `known` where that is still its stamp; null where the file is missing.
 *
 * @throws {RangeError} Where it is no file, or too large; the message says which.
 */
export function readFile(path: string, maxBytes: number, known: string | null = null): ReadFile | "known" | null {
  let file: PlainFile | null;
  try {
    file = openPlain(path, true);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  if (!file) throw new RangeError(`${path} is not a file`);
  try {
    const { size, stamp } = file;
    if (size > maxBytes) throw new RangeError(`${path} is too large`);
    if (stamp !== null && stamp === known) return "known";
    return { bytes: file.read(size), stamp };
  } finally {
    file.close();
  }
}

/** Text of one of git's small files; null where it is missing. */
export function readText(path: string): string | null {
  const file = readFile(path, MAX_TEXT_BYTES);
  return file === null || file === "known" ? null : DECODER.decode(file.bytes);
}

/** The last value of `key` in the sections `[section]` of a git configuration; null where there is none. */
export function configValue(text: string, section: string, key: string): string | null {
  let isInside = false;
  let value: string | null = null;
  for (let line of text.split("\n")) {
    const header = /^\s*\[\s*([^\]\s"]+)\s*("(?:[^"\\]|\\.)*")?\s*\]/.exec(line);
    if (header) {
      isInside = header[2] === undefined && header[1]!.toLowerCase() === section;
      line = line.slice(header[0].length);
    }
    const [, name, said] = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*?)\s*)?$/.exec(line) ?? [];
    if (isInside && name?.toLowerCase() === key) value = said === undefined ? "true" : unquoted(said);
  }
  return value;
}

/** A value without its quotes, escapes and comment. */
function unquoted(said: string): string {
  let text = "";
  let isQuoted = false;
  for (let at = 0; at < said.length; at++) {
    const character = said[at]!;
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\") text += said[++at] ?? "";
    else if (!isQuoted && (character === "#" || character === ";")) return text.trimEnd();
    else text += character;
  }
  return text;
}
