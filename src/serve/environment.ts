/**
 * What the program asks of its environment: once, at the start, and by name.
 *
 * @module
 */

import { hostOf, resolveSource } from "../history/resolve.ts";
import type { Host } from "../history/source.ts";
import { SOURCES } from "../history/sources/mod.ts";

/** Takes `root` out of what callers may say, when it is `1`. */
const NO_ROOT_OVERRIDE = "AGENTSWEEP_MCP_NO_ROOT_OVERRIDE";

/** Makes redaction possible over MCP, when it is `1`. */
const ALLOW_REDACT = "AGENTSWEEP_MCP_ALLOW_REDACT";

/** The environment as it was at the start. */
export interface Environment {
  /** The machine's layout and variables; null where neither `HOME` nor `USERPROFILE` could be read. */
  readonly host: Host | null;
  /** Whether a caller may name another root for a source. */
  readonly allowsRoot: boolean;
  /** Whether a human made redaction possible. */
  readonly allowsRedact: boolean;
  /** Folder that the program was started in; null where that may not be read. */
  readonly workingDirectory: string | null;
}

/** Names of the variables that decide where histories are, and of this program's own. */
export function variableNames(): readonly string[] {
  return known ??= askSources();
}

/** The names, once they were asked for. */
let known: readonly string[] | undefined;

function askSources(): string[] {
  const names = new Set<string>([NO_ROOT_OVERRIDE, ALLOW_REDACT]);
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

/** Reads the variables that may be read. One that may not counts as unset. */
export function readEnvironment(): Environment {
  const env = Object.fromEntries(variableNames().map((name) => [name, variable(name)]));
  const hasHome = Boolean(env.HOME || env.USERPROFILE);
  return {
    host: hasHome ? hostOf(Deno.build.os, env) : null,
    allowsRoot: env[NO_ROOT_OVERRIDE] !== "1",
    allowsRedact: env[ALLOW_REDACT] === "1",
    workingDirectory: workingDirectory(),
  };
}

/** Asks first whether it may be read: on a terminal Deno would put a question to the human for each of them. */
function variable(name: string): string | undefined {
  const isAllowed = Deno.permissions.querySync({ name: "env", variable: name }).state === "granted";
  return isAllowed ? Deno.env.get(name) : undefined;
}

function workingDirectory(): string | null {
  try {
    return Deno.cwd();
  } catch {
    return null;
  }
}
