/**
 * Histories with synthetic secrets in them, and their redaction as a worker does it.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { HistoryFile } from "../../src/history/mod.ts";
import { type FileResult, redactFile, type RedactSettings } from "../../src/redact/file.ts";
import { scanBytes } from "../../src/secrets/mod.ts";
import { ALNUM, sample } from "../../src/secrets/sample.ts";

/** The n-th synthetic secret, of a kind that is found without any context. */
export function secret(number: number): string {
  return "glpat" + "-" + sample(ALNUM, 20, number + 1);
}

/** Settings that redact everything below `root`, with the audit log in `home`. */
export function settingsFor(root: string, home: string, more: Partial<RedactSettings> = {}): RedactSettings {
  return {
    roots: [root],
    logPath: `${home}/.agentsweep/audit.jsonl`,
    keepsBackup: true,
    isForced: false,
    shown: (path) => path,
    isWanted: () => true,
    ...more,
  };
}

/** Makes a file look as if it had rested for an hour, with all that stands beside it. */
export function rest(path: string): void {
  const then = new Date(Date.now() - 3_600_000);
  Deno.utimeSync(path, then, then);
}

/** A history file as discovery tells of it. */
export function fileAt(path: string, format: HistoryFile["format"], root: string): HistoryFile {
  const { size, mtime, dev, ino } = Deno.lstatSync(path);
  const relpath = path.slice(root.length + 1);
  return {
    source: "codex",
    path,
    root,
    relpath,
    format,
    backup: false,
    size,
    mtime: mtime?.getTime() ?? 0,
    ctime: 0,
    dev,
    ino: ino ?? 0,
  };
}

/** Writes `content` to a file of a name with that format's ending, an hour ago, and redacts it. */
export async function redactWritten(
  home: string,
  format: HistoryFile["format"],
  content: string | Uint8Array,
  more: Partial<RedactSettings> = {},
): Promise<{ path: string; result: FileResult; after: Uint8Array }> {
  const root = `${home}/store`;
  Deno.mkdirSync(root, { recursive: true });
  const path = `${root}/history.${format}`;
  Deno.writeFileSync(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  rest(path);
  const result = await redactFile(fileAt(path, format, root), settingsFor(root, home, more));
  return { path, result, after: Deno.readFileSync(path) };
}

/** What of `secrets` stands in `bytes` under any encoding that a person would think of: written apart from `src`. */
export function plaintextsIn(bytes: Uint8Array, secrets: readonly string[]): string[] {
  const buffer = Buffer.from(bytes);
  return secrets.filter((text) =>
    [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)].some((form) =>
      buffer.includes(form) || buffer.includes(Buffer.from(form, "utf16le"))
    ) || buffer.includes(Buffer.from(text).toString("base64").replace(/.?=*$/, "")) ||
    buffer.includes(Buffer.from(text).toString("hex"))
  );
}

/** Ids of the rules that a scan of `bytes` finds. */
export function rulesIn(bytes: Uint8Array): string[] {
  return scanBytes(bytes).map(({ rule }) => rule);
}
