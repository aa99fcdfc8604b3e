/**
 * The command line that starts the server on this machine with the least that it needs.
 *
 * @module
 */

import { dirname, fromFileUrl, join } from "@std/path";
import { historyPaths } from "../engine/audit/service.ts";
import { type Environment, variableNames } from "../serve/environment.ts";
import { originOf } from "../serve/origin.ts";
import { repositoryFilesAbove } from "../reclaim/git.ts";
import { flagsFor } from "../sandbox/needs.ts";
import { isWithin } from "../guard/mod.ts";
import type { Launch } from "./clients.ts";
import { offlineConfigOf, specifierOf } from "./invocation.ts";

/** What the server is to be started for. */
export interface LaunchOptions {
  /** Roots of Reclaim, absolute. */
  readonly roots: readonly string[];
  /** Whether the Audit tools are served. */
  readonly hasAudit: boolean;
  /** Whether histories that are not there yet may be read too. */
  readonly everyHistory: boolean;
  /** Further flags of `serve`. */
  readonly serveFlags: readonly string[];
}

/** The variables of the environment that the server always asks for, beside those that are set. */
const ALWAYS = ["HOME", "USERPROFILE"];

/**
 * How a client starts the server. A compiled binary is named alone: it narrows itself.
 *
 * @throws {Refusal} For a path that Deno's flags cannot express.
 */
export function launchOf(module: string, environment: Environment, options: LaunchOptions): Launch {
  const { roots, hasAudit, serveFlags } = options;
  const args = [...roots.flatMap((root) => ["--root", root]), ...serveFlags];
  if (Deno.build.standalone) return { command: Deno.execPath(), args };
  const histories = hasAudit && environment.host
    ? historyPaths({ host: environment.host, history: new Map() }).filter((path) =>
      options.everyHistory || isThere(path)
    )
    : [];
  const { modules } = originOf(module);
  const needs = {
    read: outermost([...roots, ...roots.flatMap(repositoryFilesAbove), ...histories, ...modules.filter(isThere)]),
    write: [...roots],
    env: hasAudit ? variables(environment) : [],
  };
  return { command: Deno.execPath(), args: ["run", ...configOf(module), ...flagsFor(needs), mainOf(module), ...args] };
}

/** Without what lies inside another one, and each once. */
function outermost(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => !paths.some((outer) => outer !== path && isWithin(outer, path)));
}

/** Names of the variables that decide something on this machine: those that are set, and this program's own. */
function variables({ host }: Environment): string[] {
  const own = Deno.build.os === "windows" ? ALWAYS : ALWAYS.slice(0, 1);
  return variableNames().filter((name) =>
    own.includes(name) || name.startsWith("AGENTSWEEP_") || Boolean(host?.env[name]) && !ALWAYS.includes(name)
  );
}

/**
 * A checkout needs its own `deno.json`. Nothing else may bring one: the folder that a client starts in is one that an
 * agent can write.
 */
function configOf(module: string): string[] {
  const origin = originOf(module);
  if (origin.kind === "remote") return ["--no-config", ...(module.startsWith("file:") ? ["--no-lock"] : [])];
  return [`--config=${offlineConfigOf(module) ?? join(dirname(fromFileUrl(module)), "deno.json")}`];
}

function mainOf(module: string): string {
  return module.startsWith("file:") ? fromFileUrl(module) : specifierOf(module);
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
