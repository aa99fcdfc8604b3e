/**
 * What stands below a folder, to the byte, and copies of it.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "@std/path";

/** A file as it is. */
export interface Entry {
  readonly sha256: string;
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Time of the last change in nanoseconds. */
  readonly mtime: bigint;
}

/** Files below a folder by their relative paths; of a folder itself, only that it is one. */
export type Tree = ReadonlyMap<string, Entry | "folder">;

const CHUNK = 1 << 20;

/** SHA-256 of a file's content. */
export function hashOf(path: string): string {
  const hash = createHash("sha256");
  const fd = openSync(path, "r");
  try {
    const chunk = new Uint8Array(CHUNK);
    for (let got = readSync(fd, chunk); got > 0; got = readSync(fd, chunk)) hash.update(chunk.subarray(0, got));
  } finally {
    closeSync(fd);
  }
  return hash.digest("hex");
}

/** Looks at everything below a folder. */
export function treeOf(root: string): Tree {
  const tree = new Map<string, Entry | "folder">();
  const visit = (folder: string, below: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      const [path, relative] = [join(folder, name), below === "" ? name : `${below}/${name}`];
      if (isDirectory) {
        tree.set(relative, "folder");
        visit(path, relative);
        continue;
      }
      const { size, mode, uid, gid, mtimeNs } = lstatSync(path, { bigint: true });
      tree.set(relative, {
        sha256: hashOf(path),
        size: Number(size),
        mode: Number(mode) & 0o7777,
        uid: Number(uid),
        gid: Number(gid),
        mtime: mtimeNs,
      });
    }
  };
  visit(root, "");
  return tree;
}

/** Time up to which a system keeps that of a file whose time was set: what is finer may be lost. */
const MILLISECOND = 1_000_000n;

/** How two trees differ, in words; empty where they are the same down to modes, owners and times. */
export function differences(expected: Tree, found: Tree): string[] {
  const said: string[] = [];
  for (const [path, entry] of expected) {
    const other = found.get(path);
    if (other === undefined) said.push(`${path} is missing`);
    else if (entry === "folder" || other === "folder") {
      if (entry !== other) said.push(`${path} is of another kind`);
    } else {
      if (entry.sha256 !== other.sha256) said.push(`${path} has another content`);
      for (const key of ["mode", "uid", "gid"] as const) {
        if (entry[key] !== other[key]) said.push(`${path} has another ${key}: ${other[key]} for ${entry[key]}`);
      }
      if (entry.mtime / MILLISECOND !== other.mtime / MILLISECOND) said.push(`${path} has another time`);
    }
  }
  for (const path of found.keys()) if (!expected.has(path)) said.push(`${path} was not there`);
  return said;
}

/** Copies a folder with modes, owners, times and hard links. */
export function copyTree(from: string, to: string): void {
  const { success, stderr } = new Deno.Command("cp", { args: ["-a", from, to] }).outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
