/**
 * `docs/commands.md`, from what the commands declare.
 *
 * @module
 */

import { loadCommands } from "../../src/cli/commands/mod.ts";
import { helpFor } from "../../src/cli/help.ts";

const EXIT_CODES = `
| command | 0 | 1 | 2 |
| --- | --- | --- | --- |
| \`scan\` | everything was read, nothing found; also where no history is | secrets were found | something could not be read, whatever was found |
| \`fix\` | all was redacted, or there was nothing to redact | | you did not confirm; refused; a file was left as it is or could not be read |
| \`undo\`, \`purge\` | all backups were put back or deleted | | you did not confirm; something was left as it is |
| \`sweep\` | the folders were read, whatever was found | | something could not be read |
| \`sweep --delete\` | all that you picked is gone; also where you picked or confirmed nothing | | something could not be read or deleted |
| \`doctor\` | nothing to mend | problems, each with what mends it | |
| the others | done | | a word or file that there is not |`.trim();

/** The text of `docs/commands.md`. */
export async function commandsPage(): Promise<string> {
  const commands = await loadCommands();
  return [
    "# The command line",
    "Written by `tools/docs/main.ts` from `src/cli/commands/`; change it there.",
    "`agentsweep` stands for the program as you call it: after `deno install -g`, a binary, or " +
    "`deno run -A jsr:@agentsweep/mcp`. Standard output carries what you asked for and nothing else. Exit codes:",
    EXIT_CODES,
    "Every command gives 2 for arguments that it cannot obey, and 130 when it was ended by Ctrl-C.",
    ...commands.map((command) => `## ${command.name}\n\n\`\`\`text\n${helpFor(command, "agentsweep", 100)}\n\`\`\``),
  ].join("\n\n") + "\n";
}
