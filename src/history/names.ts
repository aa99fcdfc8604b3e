/**
 * What a file's name tells: its format, its compression, and whether it is a leftover copy.
 *
 * @module
 */
import type { Compression, Format } from "./source.ts";

const FORMATS: Readonly<Record<string, Format>> = {
  jsonl: "jsonl",
  ndjson: "jsonl",
  json: "json",
  chat: "json",
  meta: "json",
  xml: "xml",
  db: "sqlite",
  sqlite: "sqlite",
  sqlite3: "sqlite",
  vscdb: "sqlite",
  txt: "text",
  md: "text",
  log: "text",
};

const PACKED = /\.(?:gz|zip|bz2|xz|zst|zstd)$/i;
const BACKUP = /\.bak(?:[.-]?\d+)?$/i;

/**
 * Format by the right-most extension that says one, so that `x.jsonl.deleted.2026-01-01` is JSONL; `text` if none does.
 *
 * @example
 * ```ts
 * import { formatOf } from "@agentsweep/mcp/history";
 *
 * console.log(formatOf("session.jsonl")); // jsonl
 * ```
 */
export function formatOf(name: string): Format {
  for (const extension of name.toLowerCase().split(".").reverse()) {
    const format = FORMATS[extension];
    if (format !== undefined) return format;
  }
  return "text";
}

/**
 * Compression by the last extension of a name without a backup's suffix.
 *
 * @example
 * ```ts
 * import { compressionOf } from "@agentsweep/mcp/history";
 *
 * console.log(compressionOf("session.jsonl.zst"));
 * ```
 */
export function compressionOf(name: string): Compression | undefined {
  return /\.(?:zst|zstd)$/i.test(name) ? "zstd" : undefined;
}

/**
 * The name of the file that `name` is a leftover copy of (`a.jsonl` for `a.jsonl.bak`), or `undefined`.
 *
 * @example
 * ```ts
 * import { originalOf } from "@agentsweep/mcp/history";
 *
 * console.log(originalOf("session.jsonl.bak")); // session.jsonl
 * ```
 */
export function originalOf(name: string): string | undefined {
  return BACKUP.test(name) ? name.replace(BACKUP, "") || undefined : undefined;
}

/**
 * The name of the file that is packed in a file called `name` (`a.jsonl` for `a.jsonl.gz`), or `undefined`.
 *
 * @example
 * ```ts
 * import { packedIn } from "@agentsweep/mcp/history";
 *
 * console.log(packedIn("session.jsonl.gz")); // session.jsonl
 * ```
 */
export function packedIn(name: string): string | undefined {
  return PACKED.test(name) ? name.replace(PACKED, "") || undefined : undefined;
}
