/**
 * Which command runs.
 *
 * @module
 */

import { Refusal } from "../guard/mod.ts";
import { parseServeOptions, SERVE_HELP } from "../serve/options.ts";
import { report } from "../serve/run.ts";
import { start } from "../serve/start.ts";
import { VERSION } from "../version.ts";

/**
 * Runs the command that `args` name; `serve` where they name none.
 *
 * @param module URL of the main module.
 * @returns The exit code: 0 for success, 2 for a command line or a start that was refused.
 */
export async function main(args: readonly string[], module: string): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) return say(SERVE_HELP);
  if (args.includes("--version")) return say(VERSION);
  try {
    const [first = ""] = args;
    if (first !== "" && first !== "serve" && !first.startsWith("-")) {
      throw new Refusal("argument", `unknown command ${first}; --help shows what there is`);
    }
    const flags = first === "serve" ? args.slice(1) : args;
    return await start(parseServeOptions(flags), module, args);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    report(error.message);
    return 2;
  }
}

function say(text: string): number {
  console.log(text);
  return 0;
}
