/**
 * Steps of writing that every change of a history is made of.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "@std/path";
import { errorCode, Refusal } from "../guard/mod.ts";
import { accessTo } from "../history/access.ts";
import { type AuditLog, openAuditLog } from "./audit_log.ts";
import type { Ending } from "./ending.ts";
import { readWhole, type Snapshot } from "./snapshot.ts";

/** New content: the bytes, or a file that holds them. */
export type Content = Uint8Array | { readonly file: string };

/** What a file holds by now. */
export type Filled = Pick<Snapshot, "sha256" | "size">;

/** Says that a file is not what was scanned. */
export const CHANGED = "it changed since it was scanned: nothing was written";

/** Opens the audit log. @throws {Refusal} Where it cannot be written. */
export function openLog(path: string): AuditLog {
  try {
    return openAuditLog(path);
  } catch (error) {
    throw new Refusal("unreadable", `the audit log cannot be written (${errorCode(error)})`);
  }
}

/** An error of the system as a refusal. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = errorCode(error);
  if (code === "ENOENT") return new Refusal("missing", "it no longer exists");
  if (code === "ENOSPC" || code === "EDQUOT") return new Refusal("incomplete", "the disk is full: nothing was changed");
  if (error instanceof Deno.errors.NotCapable) {
    return new Refusal(
      "unreadable",
      "the sandbox does not allow writing it: start Deno with --allow-write for its folder",
    );
  }
  return new Refusal("unreadable", `it cannot be written (${code}): nothing was changed`);
}

/** Writes all of `bytes`. */
export function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

/** How much is written at once. */
const PIECE_BYTES = 1 << 20;

/** Writes content into an open file, down to the disk, and gives it the mode and owner of the old one. */
export function fill(file: Deno.FsFile, path: string, content: Content, before: Snapshot, ending: Ending): Filled {
  const hash = createHash("sha256");
  const write = (piece: Uint8Array) => {
    ending.check();
    hash.update(piece);
    writeAll(file, piece);
  };
  let size = 0;
  if (content instanceof Uint8Array) {
    for (let at = 0; at < content.length; at += PIECE_BYTES) write(content.subarray(at, at + PIECE_BYTES));
    size = content.length;
  } else size = readWhole(content.file, write).size;
  takeOwner(path, before);
  if (Deno.build.os !== "windows") Deno.chmodSync(path, before.mode);
  ending.check();
  file.syncSync();
  return { sha256: hash.digest("hex"), size };
}

/** Gives a file the owner of an old one. */
export function takeOwner(path: string, { uid, gid }: Snapshot): void {
  if (Deno.build.os === "windows") return;
  const info = Deno.lstatSync(path);
  if (info.uid !== uid || info.gid !== gid) Deno.chownSync(path, uid, gid);
}

/**
 * Brings the names in a file's folder down to the disk.
 *
 * @returns Whether that was done. Windows knows no such thing; the folder of a single file may not be read, and whoever
 *   sits at a terminal is not asked for it: then the order in which the file system does it must do.
 */
export function syncFolder(path: string): boolean {
  const folder = dirname(path);
  if (Deno.build.os === "windows" || accessTo(folder) !== "granted") return false;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return true;
}

/** Removes a file, or leaves it where that cannot be done. */
export function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It is not there, or cannot be removed: the refusal that follows says what matters.
  }
}
