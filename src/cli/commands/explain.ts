/**
 * `explain`: one kind of secret, and what to do when it leaked.
 *
 * @module
 */

import { Refusal } from "../../guard/mod.ts";
import { findRule, ruleCatalogue } from "../../secrets/mod.ts";
import { type Command, EXIT, JSON_FLAG, OUTPUT_FLAG } from "../command.ts";
import { wrap } from "../layout.ts";
import { suggestion } from "../nearest.ts";
import { deliver, requireFolderOf } from "../output.ts";

const FLAGS = { json: JSON_FLAG, output: OUTPUT_FLAG } as const;
const MAX_WIDTH = 100;

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "explain",
  summary: "explain one rule: whose secret it finds and how to rotate it",
  flags: FLAGS,
  operands: { name: "RULE", min: 1, max: 1, completes: ruleCatalogue().map(({ id }) => id) },
  examples: [{ text: "a rule that scan named", line: "explain github-pat" }],
  keeps: ({ output }) => output === undefined ? [] : ["write"],
  run({ flags, operands, terminal }) {
    requireFolderOf(flags.output);
    const [id = ""] = operands;
    const rule = findRule(id);
    if (!rule) {
      const near = suggestion(id, ruleCatalogue().map(({ id }) => id));
      throw new Refusal("argument", `there is no rule ${id}${near}${near ? "" : ";"} rules lists all of them`);
    }
    const width = Math.min(MAX_WIDTH, terminal.width);
    const text = flags.json ? JSON.stringify(rule, null, 2) : [
      terminal.style.bold(wrap(`${rule.id}: ${rule.display}`, width)),
      wrap(`Provider: ${rule.provider}`, width),
      wrap(`Used: ${rule.confidence === "low" ? "only on request, since it is often wrong" : "always"}`, width),
      wrap(`Rotate: ${rule.rotation}`, width),
      `Format: ${rule.documentation}`,
    ].join("\n");
    deliver(terminal, text, flags.output);
    return Promise.resolve(EXIT.clean);
  },
};
