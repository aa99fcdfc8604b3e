/**
 * What the program asks of its environment: once, at the start, and by name.
 *
 * @module
 */

import { historyVariables, readHost, readVariable } from "../history/environment.ts";
import type { Host } from "../history/source.ts";

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
  return [NO_ROOT_OVERRIDE, ALLOW_REDACT, ...historyVariables()].sort();
}

/** Reads the variables that may be read. One that may not counts as unset. */
export function readEnvironment(): Environment {
  return {
    host: readHost(),
    allowsRoot: readVariable(NO_ROOT_OVERRIDE) !== "1",
    allowsRedact: readVariable(ALLOW_REDACT) === "1",
    workingDirectory: workingDirectory(),
  };
}

function workingDirectory(): string | null {
  try {
    return Deno.cwd();
  } catch {
    return null;
  }
}
