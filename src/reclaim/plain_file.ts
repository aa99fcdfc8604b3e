/**
 * Reading a plain file, whatever is put in its place.
 *
 * @module
 */

import type * as FileSystem from "node:fs";
import process from "node:process";

/** A plain file, open for reading. */
export interface PlainFile {
  /** Its size in bytes. */
  readonly size: number;
  /** Differs when the file was written again; null where that was too recent to tell. */
  readonly stamp: string | null;
  /** The first `length` bytes, fewer where there are no more. */
  read(length: number): Uint8Array;
  /** Closes it. */
  close(): void;
}

/** How long a file must have been left alone for its stamp to tell: more than the tick of any file system's clock. */
const SETTLED_MS = 2500;

/** Loaded when it is first needed, not when a server starts: only this one opens without waiting. */
let loaded: typeof FileSystem | undefined;

/**
 * Opens a plain file; null where what stands there is none. What was opened is what is checked: a pipe or a device that
 * is put there at any instant holds nobody up.
 *
 * @param follow Whether a link at the end of the path is followed.
 * @throws What the system says, such as `ENOENT`.
 */
export function openPlain(path: string, follow: boolean): PlainFile | null {
  const fs = loaded ??= process.getBuiltinModule("node:fs") as typeof FileSystem;
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = fs.constants;
  // Windows knows neither flag.
  // With permissions for single paths Deno resolves the path itself, and the kernel never sees the link.
  if (!follow && Deno.lstatSync(path).isSymlink) return null;
  const fd = fs.openSync(path, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
  try {
    const info = fs.fstatSync(fd);
    if (info.isFile()) return plainFile(fs, fd, info);
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  fs.closeSync(fd);
  return null;
}

function plainFile(fs: typeof FileSystem, fd: number, info: FileSystem.Stats): PlainFile {
  const isSettled = Date.now() - Math.max(info.mtimeMs, info.ctimeMs) > SETTLED_MS;
  return {
    size: info.size,
    stamp: isSettled ? [info.dev, info.ino, info.size, info.mtimeMs, info.ctimeMs].join(":") : null,
    read(length) {
      const bytes = new Uint8Array(Math.min(length, info.size));
      let done = 0;
      while (done < bytes.length) {
        const count = fs.readSync(fd, bytes, done, bytes.length - done, done);
        if (count === 0) break;
        done += count;
      }
      return bytes.subarray(0, done);
    },
    close: () => fs.closeSync(fd),
  };
}
