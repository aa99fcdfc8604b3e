/**
 * Discovery in a process of its own, whose permissions a test sets.
 *
 * @module
 */
import { assert } from "@std/assert";
import type { Access, HistoryFile, RootAccess, Unscanned } from "../../src/history/mod.ts";

/** What the child saw. */
export interface Seen {
  /** Files found. */
  readonly files: HistoryFile[];
  /** What was not read. */
  readonly unscanned: Unscanned[];
  /** Keys of the sources that have history. */
  readonly detected: string[];
  /** What the sandbox allows of each source. */
  readonly access: Access[];
  /** What the sandbox allows of each root. */
  readonly roots: RootAccess[];
}

/** How the child runs. */
export interface ChildOptions {
  /** Paths that it may read, beside this project. */
  readonly read: readonly string[];
  /** The Deno executable. */
  readonly deno?: string;
  /** User that it runs as. */
  readonly uid?: number;
  /** Where it keeps its cache. */
  readonly cache?: string;
}

const PROJECT = new URL("../../", import.meta.url).pathname;

/** Runs discovery of `keys` in the home directory `home`. */
export async function discoverInChild(home: string, keys: readonly string[], options: ChildOptions): Promise<Seen> {
  const { read, deno = Deno.execPath(), uid, cache } = options;
  const { code, stdout, stderr } = await new Deno.Command(deno, {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-config",
      "--no-lock",
      `--allow-read=${[`${PROJECT}src`, ...read].join(",")}`,
      new URL("_list.ts", import.meta.url).pathname,
      home,
      ...keys,
    ],
    env: cache === undefined ? {} : { DENO_DIR: cache, HOME: cache },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  }).output();
  assert(code === 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
