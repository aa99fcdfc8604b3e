/**
 * `list-targets`: the kinds of directory that `sweep` finds.
 *
 * @module
 */

import { createReclaim } from "../../engine/reclaim.ts";
import { targetReports } from "../../engine/reclaim_report.ts";
import { Refusal } from "../../guard/mod.ts";
import { TARGETS } from "../../reclaim/targets/mod.ts";
import { type Command, EXIT, JSON_FLAG, OUTPUT_FLAG } from "../command.ts";
import { table } from "../layout.ts";
import { suggestion } from "../nearest.ts";
import { deliver, requireFolderOf } from "../output.ts";

const FLAGS = { json: JSON_FLAG, output: OUTPUT_FLAG } as const;

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "list-targets",
  summary: "list the kinds of directory that sweep finds, and what proves each",
  flags: FLAGS,
  operands: { name: "WORD", min: 0, max: 1 },
  examples: [
    { text: "all kinds", line: "list-targets" },
    { text: "those with rust in key, ecosystem or name", line: "list-targets rust" },
  ],
  keeps: ({ output }) => output === undefined ? [] : ["write"],
  run({ flags, operands, terminal }) {
    requireFolderOf(flags.output);
    const [word = ""] = operands;
    const targets = targetReports(createReclaim([], TARGETS)).filter(({ key, ecosystem, matches }) =>
      [key, ecosystem, ...matches].some((text) => text.toLowerCase().includes(word.toLowerCase()))
    );
    if (targets.length === 0) {
      const near = suggestion(word, TARGETS.map(({ key }) => key));
      throw new Refusal(
        "argument",
        `no kind has ${word} in its key, ecosystem or name${near}${
          near ? "" : ";"
        } list-targets without a word lists all`,
      );
    }
    const text = flags.json ? JSON.stringify(targets, null, 2) : table(targets, [
      { title: "Key", of: ({ key }) => key },
      { title: "Ecosystem", of: ({ ecosystem }) => ecosystem },
      { title: "Directory", of: ({ matches }) => matches.join(", "), isFlexible: true },
      {
        title: "Proof",
        of: ({ requires_marker_file }) => requires_marker_file?.join(" or ") ?? "its name",
        isFlexible: true,
      },
      { title: "Comes back by", of: ({ regenerate_with }) => regenerate_with, isFlexible: true },
    ], terminal.width);
    deliver(terminal, text, flags.output);
    return Promise.resolve(EXIT.clean);
  },
};
