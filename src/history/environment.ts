/**
 * What the environment says of where histories are: asked by name, and by no other.
 *
 * @module
 */

import { hostOf, resolveSource } from "./resolve.ts";
import type { Host } from "./source.ts";
import { SOURCES } from "./sources/mod.ts";

/** The names, once they were asked for. */
let known: readonly string[] | undefined;

/**
 * Names of the variables that decide where histories are on this system, sorted.
 *
 * @example
 * ```ts
 * import { historyVariables } from "@agentsweep/mcp/history";
 *
 * console.log(`--allow-env=${historyVariables().join(",")}`);
 * ```
 */
export function historyVariables(): readonly string[] {
  return known ??= askSources();
}

function askSources(): string[] {
  const names = new Set<string>();
  // The declarations of the sources are the one place that knows: they are asked with an environment that takes notes.
  const env = new Proxy<Record<string, string | undefined>>({}, {
    get(_, name) {
      if (typeof name === "string") names.add(name);
      return name === "HOME" || name === "USERPROFILE" ? "/" : undefined;
    },
  });
  const host = hostOf(Deno.build.os, env);
  for (const spec of SOURCES) resolveSource(spec, host);
  return [...names].sort();
}

/**
 * This machine, as far as its variables may be read; null where neither `HOME` nor `USERPROFILE` may be, or is set.
 *
 * Needs `--allow-env` for {@linkcode historyVariables}. One that may not be read counts as unset.
 *
 * @example
 * ```ts
 * const host = readHost();
 * console.log(host?.os, host?.env.HOME !== undefined);
 * ```
 */
export function readHost(): Host | null {
  const env = Object.fromEntries(historyVariables().map((name) => [name, readVariable(name)]));
  return env.HOME || env.USERPROFILE ? hostOf(Deno.build.os, env) : null;
}

/** Asks first whether it may be read: on a terminal Deno would put a question to the human for each of them. */
export function readVariable(name: string): string | undefined {
  const isAllowed = Deno.permissions.querySync({ name: "env", variable: name }).state === "granted";
  return isAllowed ? Deno.env.get(name) : undefined;
}
