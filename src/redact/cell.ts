/**
 * Redacts one cell of a database: text, JSON, or bytes, compressed or not.
 *
 * @module
 */

import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { Refusal } from "../guard/mod.ts";
import { detectCompression, inflate } from "../history/formats/sqlite/inflate.ts";
import { type IsWanted, redactContent } from "./content.ts";
import type { CopyFinder, Value } from "./copies.ts";
import type { Numbers } from "./numbers.ts";
import { joined } from "./units.ts";

/** What is looked for in a cell. */
export interface CellSearch {
  /** Finds copies of the values. */
  readonly finder: CopyFinder;
  /** Values known so far. */
  readonly values: readonly Value[];
  /** See {@linkcode IsWanted}. */
  readonly isWanted: IsWanted;
  /** Whether the scan found a secret in the cell's row. */
  readonly isNamed: boolean;
  /** Numbers the markers. */
  readonly numbers: Numbers;
}

const PACK = { zstd: zstdCompressSync, gzip: gzipSync, zlib: deflateSync } as const;

/**
 * The cell's new bytes, or null where it holds nothing to be removed.
 *
 * @throws {Refusal} Where it cannot be rewritten.
 */
export function redactCell(bytes: Uint8Array, kind: "text" | "blob", search: CellSearch): Uint8Array | null {
  const compression = kind === "blob" ? detectCompression(bytes) : undefined;
  if (compression === undefined) return redactPlain(bytes, search);
  const { pieces, sound } = inflate(bytes, compression);
  if (!sound) return redactPlain(bytes, search);
  const rewritten = redactPlain(joined(pieces), search);
  return rewritten && new Uint8Array(PACK[compression](rewritten));
}

function redactPlain(bytes: Uint8Array, search: CellSearch): Uint8Array | null {
  const { finder, values, isWanted, isNamed, numbers } = search;
  if (!isNamed && finder.find(bytes).length === 0) return null;
  // Content that is no JSON as a whole is taken for text.
  const format = /^[\s\0\ufeff]*[{["]/.test(new TextDecoder("latin1").decode(bytes.subarray(0, 64))) ? "json" : "text";
  const { bytes: rewritten, replaced, problem } = redactContent(bytes, format, isWanted, values, finder, numbers);
  if (problem !== null) throw new Refusal("incomplete", `a cell cannot be redacted: ${problem}`);
  return replaced === 0 ? null : rewritten;
}
