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

/** Kinds of which the server needs nothing, or of which single names that are read before all else are enough. */
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
    const probes = new Set([...wholeDisks(), ...needed.flatMap(ancestors), ...elsewhere]);
    const isNeeded = (path: string) => needed.some((allowed) => path === allowed || isBelow(path, allowed));
    if (isGranted({ name }) || [...probes].some((path) => isGranted({ name, path }) && !isNeeded(path))) {
      excess.push(name);
    }
  }
  return excess.map((name) => `--allow-${name}`);
}

/** Hosts that Deno lets every program import from, without a flag. */
const IMPORT_HOSTS = [
  "deno.land",
  "jsr.io",
  "esm.sh",
  "raw.esm.sh",
  "cdn.jsdelivr.net",
  "raw.githubusercontent.com",
  "gist.githubusercontent.com",
];

/**
 * Drops what the server needs nothing of once the environment was read, also the parts that {@linkcode excessOf} cannot see, such as one host of
 * `--allow-net=host`. Deno takes a kind back as a whole only, so this cannot be done for reading and writing.
 *
 * @param main URL of the main module.
 * @param keepsRun Whether the programs that may be run are needed: single ones, as {@linkcode excessOf} made sure.
 */
export function dropUnneeded(main: string, keepsRun: boolean): void {
  for (const name of NEVER) if (!keepsRun || name !== "run") Deno.permissions.revokeSync({ name });
  dropImports(main);
}

/**
 * Drops importing, since it is a way to the network. A program that was loaded from a host keeps that host: its workers
 * load from there.
 *
 * @param main URL of the main module.
 */
export function dropImports(main: string): void {
  const own = new URL(main);
  if (own.protocol === "file:") Deno.permissions.revokeSync({ name: "import" });
  for (const host of IMPORT_HOSTS) {
    if (host !== own.host) Deno.permissions.revokeSync({ name: "import", host: `${host}:443` });
  }
}

/** The part of `needs` that this process was given: nothing can be handed on that it does not have. */
export function grantedOf({ read, write, env, run = [] }: Needs): Needs {
  return {
    read: read.filter((path) => isGranted({ name: "read", path })),
    write: write.filter((path) => isGranted({ name: "write", path })),
    env: env.filter((variable) => isGranted({ name: "env", variable })),
    run: run.filter((command) => isGranted({ name: "run", command })),
  };
}

/** Whether something inside `needs` was denied by a `--deny` flag. Deno does not tell what. */
export function hasDenials({ read, write }: Needs): boolean {
  const isPartial = (permission: Deno.PermissionDescriptor) => Deno.permissions.querySync(permission).partial === true;
  return read.some((path) => isPartial({ name: "read", path })) ||
    write.some((path) => isPartial({ name: "write", path }));
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
