/**
 * Reads every string of a file that discovery found.
 *
 * @module
 */
import { breathe } from "../concurrency/slices.ts";
import type { Report } from "./formats/problem.ts";
import { createReader } from "./formats/reader.ts";
import type { HistoryString } from "./formats/strings.ts";
import { type ReadOptions, readStrings } from "./read.ts";
import type { HistoryFile } from "./source.ts";
import { unpackZstd } from "./unpack.ts";

const SLICE_BYTES = 256 * 1024;
/** How long to work before others get their turn. */
const TURN_MS = 20;

/**
 * Every string of a history file, compressed or not, in the order of the file. The spans of a compressed file are those
 * of its unpacked bytes.
 *
 * Needs `--allow-read` for the file, and for a database also for the files beside it. Memory stays bounded.
 *
 * @param file The file, as discovery found it.
 * @param report Takes what could not be read; there is no error to catch besides the signal's.
 * @example
 * ```ts
 * import { discover, hostOf, isUnscanned, resolveSource, sourceByKey, stringsOf } from "./mod.ts";
 *
 * const codex = resolveSource(sourceByKey("codex")!, hostOf(Deno.build.os, Deno.env.toObject()));
 * for await (const event of discover([codex])) {
 *   if (isUnscanned(event)) continue;
 *   for await (const { line, keypath } of stringsOf(event, console.error)) console.log(event.relpath, line, keypath);
 * }
 * ```
 *
 * @throws the signal's reason once it is aborted.
 */
export async function* stringsOf(
  file: HistoryFile,
  report: Report,
  options: ReadOptions = {},
): AsyncGenerator<HistoryString> {
  const opening = { root: file.root, ...options };
  if (file.compression === undefined || file.format === "sqlite") {
    yield* readStrings(file.path, file.format, report, opening);
    return;
  }
  const found: HistoryString[] = [];
  const reader = createReader(file.format, (string) => found.push(string));
  let turn = performance.now();
  for await (const bytes of unpackZstd(file.path, report, opening)) {
    // What is packed well becomes far more strings than it has bytes: those of a slice are handed on before the next.
    for (let at = 0; at === 0 || at < bytes.length; at += SLICE_BYTES) {
      options.signal?.throwIfAborted();
      reader.push(bytes.subarray(at, at + SLICE_BYTES));
      for (const string of found) yield string;
      found.length = 0;
      if (performance.now() - turn < TURN_MS) continue;
      await breathe();
      turn = performance.now();
    }
  }
  reader.end();
  yield* found;
}
