/**
 * The commands for people. Only the one that runs is loaded.
 *
 * @module
 */

import type { Command } from "../command.ts";

/** Loads each command, in the order of the help. */
export const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map<string, () => Promise<Command>>([
  ["scan", async () => (await import("./scan.ts")).command],
  ["fix", async () => (await import("./fix.ts")).command],
  ["undo", async () => (await import("./undo.ts")).command],
  ["purge", async () => (await import("./purge.ts")).command],
  ["sweep", async () => (await import("./sweep.ts")).command],
  ["config", async () => (await import("./config.ts")).command],
  ["doctor", async () => (await import("./doctor.ts")).command],
  ["list-sources", async () => (await import("./list_sources.ts")).command],
  ["list-targets", async () => (await import("./list_targets.ts")).command],
  ["rules", async () => (await import("./rules.ts")).command],
  ["explain", async () => (await import("./explain.ts")).command],
  ["completions", async () => (await import("./completions.ts")).command],
]);

/** Every command. */
export function loadCommands(): Promise<Command[]> {
  return Promise.all(Array.from(COMMANDS.values(), (load) => load()));
}
