/**
 * `docs/commands.md`, from what the commands declare.
 *
 * @module
 */

import { loadCommands } from "../../src/cli/commands/mod.ts";
import { helpFor } from "../../src/cli/help.ts";

/** The text of `docs/commands.md`. */
export async function commandsPage(): Promise<string> {
  const commands = await loadCommands();
  return [
    "# The command line",
    "Written by `tools/docs/main.ts` from `src/cli/commands/`; change it there.",
    "`agentsweep` stands for the program as you call it: after `deno install -g`, a binary, or " +
    "`deno run -A jsr:@agentsweep/mcp`. Standard output carries what you asked for and nothing else. Exit codes: 0 " +
    "all is well, 1 something was found, 2 an error or something incomplete, 130 ended by Ctrl-C.",
    ...commands.map((command) => `## ${command.name}\n\n\`\`\`text\n${helpFor(command, "agentsweep", 100)}\n\`\`\``),
  ].join("\n\n") + "\n";
}
