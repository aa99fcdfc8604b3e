/**
 * `rules`: the kinds of secret that can be found.
 *
 * @module
 */

import { Refusal } from "../../guard/mod.ts";
import { ruleCatalogue } from "../../secrets/mod.ts";
import { type Command, EXIT, JSON_FLAG, OUTPUT_FLAG } from "../command.ts";
import { table } from "../layout.ts";
import { suggestion } from "../nearest.ts";
import { deliver, requireFolderOf } from "../output.ts";

const FLAGS = { json: JSON_FLAG, output: OUTPUT_FLAG } as const;

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "rules",
  summary: "list the kinds of secret that scan finds",
  flags: FLAGS,
  operands: { name: "WORD", min: 0, max: 1 },
  examples: [
    { text: "all kinds", line: "rules" },
    { text: "those with aws in id, name or provider", line: "rules aws" },
  ],
  keeps: ({ output }) => output === undefined ? [] : ["write"],
  run({ flags, operands, terminal }) {
    requireFolderOf(flags.output);
    const [word = ""] = operands;
    const rules = ruleCatalogue().filter(({ id, display, provider }) =>
      [id, display, provider].some((text) => text.toLowerCase().includes(word.toLowerCase()))
    );
    if (rules.length === 0) {
      const near = suggestion(word, ruleCatalogue().map(({ id }) => id));
      throw new Refusal(
        "argument",
        `no rule has ${word} in its id, name or provider${near}${near ? "" : ";"} rules without a word lists all`,
      );
    }
    const text = flags.json ? JSON.stringify(rules, null, 2) : table(rules, [
      { title: "Rule", of: ({ id }) => id },
      { title: "Finds", of: ({ display }) => display, isFlexible: true },
      { title: "Provider", of: ({ provider }) => provider, isFlexible: true },
      { title: "Used", of: ({ confidence }) => confidence === "low" ? "on request" : "always" },
    ], terminal.width);
    deliver(terminal, text, flags.output);
    return Promise.resolve(EXIT.clean);
  },
};
