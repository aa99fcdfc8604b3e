/**
 * Which command runs. A server pays for none of the others: each is loaded when it is asked for.
 *
 * @module
 */

import { Refusal } from "../guard/mod.ts";
import { VERSION } from "../version.ts";
import { visible } from "../text/visible.ts";
import { COMMANDS } from "./commands/mod.ts";

/**
 * Runs the command that `args` name; `serve` where they name none.
 *
 * @param module URL of the main module.
 * @returns The exit code: 0 for success, 1 where a scan found something, 2 for what was refused or failed.
 */
export async function main(args: readonly string[], module: string): Promise<number> {
  const [first = "", ...rest] = args;
  const asksHelp = args.includes("--help") || args.includes("-h");
  try {
    const load = COMMANDS.get(first);
    if (load) return await (await import("./run.ts")).runCommand(await load(), rest, module);
    if (first === "help") return await (await import("./run.ts")).help(rest, module);
    if (asksHelp && first === "serve") return await (await import("./run.ts")).help(["serve"], module);
    if (asksHelp && (first === "" || first.startsWith("-"))) return await (await import("./run.ts")).help([], module);
    if (args.includes("--version") || first === "-v") {
      console.log(VERSION);
      return 0;
    }
    if (first !== "" && first !== "serve" && !first.startsWith("-")) {
      const { suggestion } = await import("./nearest.ts");
      const near = suggestion(first, [...COMMANDS.keys(), "serve", "help"]);
      throw new Refusal("argument", `unknown command ${first}${near}${near ? "" : ";"} --help shows what there is`);
    }
    const [{ parseServeOptions }, { start }] = await Promise.all([
      import("../serve/options.ts"),
      import("../serve/start.ts"),
    ]);
    const options = await withNearest(() => parseServeOptions(first === "serve" ? rest : args, first === "serve"));
    return await start(options, module, args);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await tell(`agentsweep: ${visible(await withoutSecrets(error.message, args))}`);
    return 2;
  }
}

/** Runs `parse` of the flags of `serve`; of a flag that there is not, the nearest one is named. */
async function withNearest<T>(parse: () => T): Promise<T> {
  try {
    return parse();
  } catch (error) {
    const [, flag] = /^Unknown option '([^' ]+)/.exec(error instanceof Refusal ? error.message : "") ?? [];
    if (flag === undefined) throw error;
    const { suggestion } = await import("./nearest.ts");
    const { SERVE_FLAGS } = await import("../serve/options.ts");
    const near = suggestion(flag, [...Object.keys(SERVE_FLAGS), "help", "version"].map((name) => `--${name}`));
    throw new Refusal("argument", `serve knows no flag ${flag}${near}${near ? "" : ";"} --help lists the flags`);
  }
}

/** No secret is shorter, so that rules are loaded only for a message that may quote one. */
const SHORTEST_QUOTE = 4;

/** A message in which what it quotes of the command line is masked where it is a secret. */
async function withoutSecrets(message: string, args: readonly string[]): Promise<string> {
  // A token behind dashes looks like a part of something longer.
  const parts = args.flatMap((arg) => [arg, ...arg.split("=")]).map((part) => part.replace(/^-+/, ""));
  const quoted = parts.filter((part) => part.length >= SHORTEST_QUOTE && message.includes(part));
  if (quoted.length === 0) return message;
  const { maskSpans } = await import("../engine/audit/scrub.ts");
  return quoted.reduce((text, part) => text.replaceAll(part, () => maskSpans(part)), maskSpans(message));
}

/** Says why nothing is done: in one line, or in as many as a terminal needs for whole words. */
async function tell(text: string): Promise<void> {
  if (!Deno.stderr.isTerminal()) return console.error(text);
  const { openTerminal } = await import("./terminal.ts");
  openTerminal().note(text);
}
