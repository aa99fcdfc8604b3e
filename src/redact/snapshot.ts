/**
 * Which file stands at a path, and with what content.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, readSync } from "node:fs";
import { Refusal } from "../guard/mod.ts";
import { openItself } from "../guard/open.ts";
import { accessTo } from "../history/access.ts";

/** A file as it was at one moment. */
export interface Snapshot {
  /** Absolute path. */
  readonly path: string;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** Owner. */
  readonly uid: number;
  /** Group. */
  readonly gid: number;
  /** Time of the last change in milliseconds since 1970. */
  readonly mtime: number;
  /** Device, inode, size and exact time of the last change, as one text. */
  readonly identity: string;
}

const CHUNK_BYTES = 1 << 20;

function identityOf(info: BigIntStats): string {
  return `${info.dev}:${info.ino}:${info.size}:${info.mtimeNs}`;
}

/** The identity of what stands at `path` now; empty where nothing does, or it may not be looked at. Asks nobody. */
export function identityAt(path: string): string {
  try {
    if (accessTo(path) !== "granted") return "";
    return identityOf(lstatSync(path, { bigint: true }));
  } catch {
    return "";
  }
}

/**
 * Reads a file, without following a link.
 *
 * @param take Receives the content piece by piece; a piece is only valid during the call.
 * @throws {Refusal} `changed` where it changes while it is read. Errors of the system pass.
 */
export function readWhole(path: string, take: (piece: Uint8Array) => void = () => {}): Snapshot {
  const fd = openItself(path, constants.O_RDONLY);
  try {
    const info = fstatSync(fd, { bigint: true });
    const hash = createHash("sha256");
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let got = readSync(fd, chunk); got > 0; got = readSync(fd, chunk)) {
      const piece = chunk.subarray(0, got);
      hash.update(piece);
      take(piece);
    }
    if (identityOf(fstatSync(fd, { bigint: true })) !== identityOf(info)) {
      throw new Refusal("changed", "it changed while it was read");
    }
    return {
      path,
      sha256: hash.digest("hex"),
      size: Number(info.size),
      mode: Number(info.mode) & 0o7777,
      uid: Number(info.uid),
      gid: Number(info.gid),
      mtime: Number(info.mtimeMs),
      identity: identityOf(info),
    };
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads a file into memory, without following a link.
 *
 * @throws {Refusal} As {@linkcode readWhole} does.
 */
export function readBytes(path: string): { readonly before: Snapshot; readonly bytes: Uint8Array } {
  // One piece of memory of the right size: parts that are joined would take twice as much.
  let bytes = new Uint8Array(lstatSync(path).size);
  let length = 0;
  const before = readWhole(path, (piece) => {
    if (length + piece.length > bytes.length) {
      const larger = new Uint8Array(2 * (length + piece.length));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(piece, length);
    length += piece.length;
  });
  return { before, bytes: bytes.subarray(0, length) };
}
