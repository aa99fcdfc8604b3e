/**
 * `completions`: what a shell needs to complete commands and flags.
 *
 * @module
 */

import { Refusal } from "../../guard/mod.ts";
import { type Command, EXIT } from "../command.ts";
import { completionScript, SHELLS } from "../completion_script.ts";
import { suggestion } from "../nearest.ts";
import { loadCommands } from "./mod.ts";

const FLAGS = {
  name: { value: "NAME", summary: "the name that you call the program by (agentsweep)" },
} as const;

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "completions",
  summary: "print completions for bash, zsh or fish",
  details: "The program must be called by one name, as after deno install -g or with a binary.",
  flags: FLAGS,
  operands: { name: "SHELL", min: 1, max: 1, completes: SHELLS },
  examples: [
    { text: "in ~/.bashrc: source <(agentsweep completions bash)", line: "completions bash" },
    { text: "into a folder of your $fpath, as _agentsweep", line: "completions zsh" },
    { text: "into ~/.config/fish/completions/agentsweep.fish", line: "completions fish" },
  ],
  keeps: () => [],
  async run({ flags, operands, terminal }) {
    const [written = ""] = operands;
    const shell = SHELLS.find((shell) => shell === written);
    if (!shell) {
      throw new Refusal(
        "argument",
        `there are no completions for ${written}${suggestion(written, SHELLS)}; there are ` +
          `some for ${SHELLS.join(", ")}`,
      );
    }
    const name = flags.name ?? "agentsweep";
    if (!/^[\w.-]+$/.test(name)) throw new Refusal("argument", `--name ${name} is no plain name of a program`);
    terminal.print(completionScript(shell, name, await loadCommands()));
    return EXIT.clean;
  },
};
