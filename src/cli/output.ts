/**
 * Files that a human asked for.
 *
 * @module
 */

import { basename, dirname, join, resolve } from "@std/path";
import { Refusal, refusalFrom } from "../guard/mod.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Prints `text`, or writes it to `file` where one was named.
 *
 * @throws {Refusal} When the file cannot be written.
 */
export function deliver(terminal: Terminal, text: string, file: string | undefined): void {
  if (file === undefined || file === "-") terminal.print(text);
  else writeWhole(terminal, text, file);
}

/**
 * Writes `text` to `file` so that there is all of it or nothing new: beside it first, then renamed over it.
 *
 * @throws {Refusal} When the file cannot be written.
 */
export function writeWhole(terminal: Terminal, text: string, file: string): void {
  // A report names files and masked secrets of this user: it is nobody else's to read.
  replaceWhole(`${text}\n`, file, 0o600);
  terminal.note(`wrote ${file}`);
}

/**
 * Writes exactly `text` to `file`, whole or not at all.
 *
 * @param mode Permission bits of the file.
 * @throws {Refusal} When the file cannot be written.
 */
export function replaceWhole(text: string, file: string, mode: number): void {
  const path = resolve(file);
  if (isDirectory(path)) throw new Refusal("argument", `${file} is a directory; name a file to write to`);
  const draft = join(dirname(path), `.${basename(path)}.${crypto.randomUUID().slice(0, 8)}.part`);
  try {
    const handle = Deno.openSync(draft, { write: true, createNew: true, mode });
    try {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length;) at += handle.writeSync(bytes.subarray(at));
      handle.syncDataSync();
    } finally {
      handle.close();
    }
    Deno.renameSync(draft, path);
  } catch (error) {
    throw refusalFrom(file, error, "--allow-write");
  }
}

/**
 * Checks early that a file can be written to, so that long work is not lost at its end.
 *
 * @throws {Refusal} When its folder is missing.
 */
export function requireFolderOf(file: string | undefined): void {
  if (file === undefined || file === "-") return;
  const folder = dirname(resolve(file));
  if (!isDirectory(folder)) throw new Refusal("missing", `${folder}, where ${file} is to be written, does not exist`);
}

/** Whether there is a directory, perhaps behind a link. */
export function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
