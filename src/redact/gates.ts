/**
 * The gates that a history passes before it is written. Each says no in one sentence, or nothing.
 *
 * @module
 */

import { lstatSync, realpathSync } from "node:fs";
import { errorCode, isWithin } from "../guard/mod.ts";

/** Why a gate stays shut; null where it opens. */
export type Gate = string | null;

/** What is known about the running agent. */
export type AgentState = "idle" | "unknown" | RunningAgent;

/** A process that is the agent, or the editor that it runs in. */
export interface RunningAgent {
  /** By which of the known names it was recognised. */
  readonly running: string;
  /** The process's number. */
  readonly pid: number;
}

/** How long a file must have rested, in milliseconds. */
export const RESTING_MS = 60_000;

/** What an agent itself uses is for the command line alone. */
export function productionGate(isOwn: boolean): Gate {
  return isOwn
    ? "it is the agent's own folder, holds one or lies in one, and is no copy elsewhere: name a copy " +
      "(--history SOURCE=DIR of a server, --root DIR of fix), or let a human run fix --allow-production"
    : null;
}

/** A running agent writes what was removed back, or loses its place. */
export function agentGate(state: AgentState): Gate {
  if (state === "idle") return null;
  if (state === "unknown") return "whether the agent is running cannot be told here, so nothing is written";
  return `the agent is running (${state.running}, process ${state.pid}): end it first`;
}

/** A file that was just written may be written again. */
export function restGate(mtime: number, now: number): Gate {
  // A time in the future says nothing about rest: it is refused, too.
  return now - mtime >= RESTING_MS ? null : "it was modified in the last 60 seconds: wait, or end what writes it";
}

/** The file must be a plain one, with no other name. */
export function fileGate(path: string): Gate {
  try {
    const info = lstatSync(path);
    if (info.isSymbolicLink()) return "it is a link, and links are not followed";
    if (!info.isFile()) return "it is not a file";
    if (info.nlink > 1) return "it has another hard link, which would keep the secret";
    return null;
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "it no longer exists" : `it cannot be looked at (${errorCode(error)})`;
  }
}

/** The file's folder must really lie inside the source's trees. */
export function placeGate(path: string, roots: readonly string[]): Gate {
  try {
    const real = realpathSync(path);
    const inside = roots.some((root) => isWithin(root, path) && isWithin(realpathSync(root), real));
    return inside ? null : "its real path is outside of the source's folders";
  } catch (error) {
    return `its real path cannot be resolved (${errorCode(error)})`;
  }
}

/** An existing backup is never overwritten. */
export function backupGate(path: string): Gate {
  try {
    lstatSync(path);
    return "a backup of it exists already: restore it with undo, or delete it with purge";
  } catch (error) {
    return errorCode(error) === "ENOENT" ? null : `its backup cannot be looked at (${errorCode(error)})`;
  }
}
