/**
 * Running one command for a human: its flags, its permissions, Ctrl-C, and what is said when it fails.
 *
 * @module
 */

import { errorCode, Refusal } from "../guard/mod.ts";
import { dropImports } from "../sandbox/needs.ts";
import { readEnvironment } from "../serve/environment.ts";
import { serveHelp } from "../serve/options.ts";
import { type Command, EXIT, type Granted, type Kept, PERMISSIONS } from "./command.ts";
import { COMMANDS, loadCommands } from "./commands/mod.ts";
import { helpFor, overview } from "./help.ts";
import { programOf } from "./invocation.ts";
import { suggestion } from "./nearest.ts";
import { parse } from "./parse.ts";
import { openTerminal } from "./terminal.ts";

/**
 * Runs a command.
 *
 * @returns The exit code.
 * @throws {Refusal} For a command line that cannot be obeyed, and whatever the command refuses.
 */
export async function runCommand(command: Command, args: readonly string[], module: string): Promise<number> {
  const terminal = openTerminal();
  if (args.includes("--help") || args.includes("-h")) {
    terminal.print(helpFor(command, programOf(module), terminal.width));
    return EXIT.clean;
  }
  const parsed = parse(command, args);
  const environment = readEnvironment();
  const granted = grantedNow();
  await dropPermissions(command.keeps(parsed.flags));
  dropImports(module);
  const signal = interruption();
  try {
    const code = await command.run({ ...parsed, module, environment, granted, terminal, signal });
    return signal.aborted ? EXIT.interrupted : code;
  } catch (error) {
    if (signal.aborted) {
      terminal.note("agentsweep: ended; nothing further was done");
      return EXIT.interrupted;
    }
    if (error instanceof Refusal) throw error;
    // Its message may quote what it met, so only its kind is told.
    throw new Refusal("argument", `${command.name} failed (${errorCode(error)}); doctor shows what may be wrong`);
  }
}

/** Prints help for the whole program, or for one command. */
export async function help(args: readonly string[], module: string): Promise<number> {
  const [name, ...more] = args.filter((arg) => arg !== "--help" && arg !== "-h");
  const terminal = openTerminal();
  if (more.length > 0) throw new Refusal("argument", `help takes one command; ${more[0]} is one too many`);
  if (name === "serve") terminal.print(serveHelp(programOf(module)));
  else if (name === undefined) terminal.print(overview(await loadCommands(), programOf(module), terminal.width));
  else {
    const load = COMMANDS.get(name);
    if (!load) {
      const near = suggestion(name, [...COMMANDS.keys(), "serve"]);
      throw new Refusal("argument", `there is no command ${name}${near}${near ? "" : ";"} help lists all of them`);
    }
    terminal.print(helpFor(await load(), programOf(module), terminal.width));
  }
  return EXIT.clean;
}

/** Asks Deno what it granted as a whole, without using any of it. */
function grantedNow(): Granted {
  return Object.fromEntries(
    PERMISSIONS.map((name) => [name, Deno.permissions.querySync({ name }).state === "granted"]),
  ) as Granted;
}

/** Drops every permission that the command has no use for; what it starts later has none of them either. */
async function dropPermissions(kept: readonly Kept[]): Promise<void> {
  for (const name of ["net", "env", "run", "ffi", "sys", "write"] as const) {
    if (kept.some((keep) => keep === name)) continue;
    if ((await Deno.permissions.query({ name })).state === "granted") await Deno.permissions.revoke({ name });
  }
}

/** Aborts at the first Ctrl-C, so that a step that was begun is finished; the second one ends the process. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const onInterrupt = () => {
    if (controller.signal.aborted) {
      // Whatever was drawn over and over on the line goes.
      if (Deno.stderr.isTerminal()) Deno.stderr.writeSync(new TextEncoder().encode("\r\x1b[K"));
      Deno.exit(EXIT.interrupted);
    }
    controller.abort(new Refusal("argument", "ended by Ctrl-C"));
  };
  for (const signal of Deno.build.os === "windows" ? ["SIGINT"] as const : ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, onInterrupt);
  }
  return controller.signal;
}
