/**
 * Writing a client's configuration: into what is there already where that can be done safely, else not at all.
 *
 * @module
 */

import { dirname, resolve } from "@std/path";
import { Refusal, refusalFrom } from "../guard/mod.ts";
import { mergedJson } from "./client_file.ts";
import type { Client } from "./clients.ts";
import { isDirectory, replaceWhole } from "./output.ts";
import type { Terminal } from "./terminal.ts";

/** How it is written. */
export interface InstallOptions {
  /** Form of the text; `text` for what is no configuration. */
  readonly format: Client["format"] | "text";
  /** Whether another entry of the same name is replaced. */
  readonly isForced: boolean;
}

/** How a file begins that `config` wrote for a client which has one file for each server. */
const OWN_FILE = "name: agentsweep\n";

/**
 * Puts `text` into `file`. What else stands in the file stays; its folder is made where that alone is missing.
 *
 * @throws {Refusal} When it cannot; the text is printed then, to be put in by hand.
 */
export function install(terminal: Terminal, file: string, text: string, { format, isForced }: InstallOptions): void {
  if (isDirectory(file)) throw new Refusal("argument", `${file} is a directory; name a file to write to`);
  const there = contentOf(file);
  if (there === null) {
    makeFolderOf(file);
    replaceWhole(`${text}\n`, file, 0o600);
    return terminal.note(`wrote ${file}`);
  }
  // A configuration may be a link into a folder of such files: the link stays, and what it leads to is changed.
  const { path, mode, content } = there;
  if (content === `${text}\n`) return terminal.note(`${file} holds it already`);
  if (format === "json") {
    const { text: merged, change } = byHand(terminal, file, text, () => mergedJson(content, text, isForced));
    if (change === "none") return terminal.note(`${file} holds it already`);
    replaceWhole(merged, path, mode);
    return terminal.note(`${change} agentsweep in ${file}; all else in it is as it was`);
  }
  byHand(terminal, file, text, () => {
    if (format === "yaml" && text.startsWith(OWN_FILE) && content.startsWith(OWN_FILE)) {
      if (!isForced) throw new Refusal("argument", "is there already; --force replaces it");
    } else {
      const form = format === "toml" || format === "yaml"
        ? ` in ${format.toUpperCase()}, into which nothing is added`
        : "";
      throw new Refusal("argument", `is there already${form}`);
    }
  });
  replaceWhole(`${text}\n`, path, mode);
  terminal.note(`wrote ${file}`);
}

/** Runs `step`; where it refuses, prints the text for the human to put in. */
function byHand<T>(terminal: Terminal, file: string, text: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    terminal.print(text);
    throw new Refusal(
      "argument",
      `${file} ${error.message}; it was left as it is: put in by hand what stands on standard output, or name another file`,
    );
  }
}

/** What stands in a file, where it really is, and its permission bits; null where there is none. */
function contentOf(file: string): { path: string; mode: number; content: string } | null {
  try {
    const path = Deno.realPathSync(file);
    const { mode } = Deno.statSync(path);
    // Every byte is to be kept, so each must be understood.
    const content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Deno.readFileSync(path));
    return { path, mode: (mode ?? 0o600) & 0o777, content };
  } catch (error) {
    if (error instanceof TypeError) throw new Refusal("argument", `${file} is not UTF-8; it was left as it is`);
    if (error instanceof Deno.errors.NotFound && !isLink(file)) return null;
    throw refusalFrom(file, error, "--allow-read");
  }
}

/** Whether the path itself is a link, be it to nothing. */
function isLink(file: string): boolean {
  try {
    return Deno.lstatSync(file).isSymlink;
  } catch {
    return false;
  }
}

function makeFolderOf(file: string): void {
  const folder = dirname(resolve(file));
  if (isDirectory(folder)) return;
  try {
    Deno.mkdirSync(folder);
  } catch (error) {
    throw refusalFrom(folder, error, "--allow-write");
  }
}
