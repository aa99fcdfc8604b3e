/**
 * Reading the files in which a human says what to ignore.
 *
 * @module
 */

import { isOpen, openHistory } from "../history/formats/open.ts";

/** Far above what a human writes; what is larger says nothing. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The texts of the ignore files that are there and may be read. One that is not says nothing, and neither does what is
 * no file: a pipe would never answer, a device never end.
 */
export function readIgnoreFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const opened = openHistory(path, { follow: true });
    if (!isOpen(opened)) return [];
    try {
      if (opened.size > MAX_BYTES) return [];
      const bytes = new Uint8Array(opened.size);
      return [new TextDecoder().decode(bytes.subarray(0, opened.read(bytes, 0)))];
    } catch {
      return [];
    } finally {
      opened.close();
    }
  });
}
