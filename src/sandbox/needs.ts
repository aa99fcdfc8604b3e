/**
 * What the server needs of Deno's permissions, and what it was given beyond that.
 *
 * @module
 */

import { Refusal } from "../guard/refusal.ts";

/** The permissions that a server needs; all others are refused to it. */
export interface Needs {
  /** Absolute paths to be read. */
  readonly read: readonly string[];
  /** Absolute paths to be written and deleted in. */
  readonly write: readonly string[];
  /** Names of environment variables to be read, before anything else happens. */
  readonly env: readonly string[];
  /** Names of programs to be run. @default none */
  readonly run?: readonly string[];
}

/** Kinds that the server needs nothing of. */
const NEVER = ["net", "env", "run", "ffi", "sys"] as const;

/**
 * Asks Deno what was given beyond `needs`, without using any of it: the permission flags by name, empty when there is
 * nothing.
 *
 * Deno tells whether one path is allowed, not which ones are: a whole disk (`/`, each drive), every folder above a needed
 * one, and places where nothing is needed stand for the rest.
 *
 * @param elsewhere Paths that a narrow process has no need of, such as the home directory.
 */
export function excessOf(needs: Needs, elsewhere: readonly string[]): string[] {
  const excess: string[] = NEVER.filter((name) => isGranted({ name }));
  for (const name of ["read", "write"] as const) {
    const needed = needs[name];
    const probes = [...wholeDisks(), ...needed.flatMap(ancestors), ...elsewhere]
      .filter((path) => !needed.some((allowed) => path === allowed || isBelow(path, allowed)));
    if (isGranted({ name }) || probes.some((path) => isGranted({ name, path }))) excess.push(name);
  }
  return excess.map((name) => `--allow-${name}`);
}

function isGranted(permission: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(permission).state === "granted";
}

/** `--allow-read=/` is not `--allow-read`: the roots of the disks are asked for one by one. */
function wholeDisks(): string[] {
  if (Deno.build.os !== "windows") return ["/"];
  return Array.from({ length: 26 }, (_, index) => `${String.fromCharCode(65 + index)}:\\`);
}

function ancestors(path: string): string[] {
  const found: string[] = [];
  const separator = Deno.build.os === "windows" ? /[\\/](?=[^\\/]+$)/ : /\/(?=[^/]+$)/;
  for (let at = path.search(separator); at > 0; at = path.search(separator)) found.push(path = path.slice(0, at));
  return found;
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder) && /^[\\/]/.test(path.slice(folder.length));
}

/**
 * The `deno run` flags that grant `needs` and nothing else.
 *
 * @throws {Refusal} For a path with a comma: Deno's flags separate paths by it and know no way to write one.
 */
export function flagsFor({ read, write, env, run = [] }: Needs): string[] {
  return [
    "--no-prompt",
    ...listFlag("read", read),
    ...listFlag("write", write),
    ...listFlag("env", env),
    ...listFlag("run", run),
  ];
}

function listFlag(name: string, paths: readonly string[]): string[] {
  const split = paths.find((path) => path.includes(","));
  if (split !== undefined) {
    throw new Refusal("bad-path", `${split} contains a comma, which Deno's permission flags cannot express`);
  }
  return paths.length === 0 ? [] : [`--allow-${name}=${paths.join(",")}`];
}
