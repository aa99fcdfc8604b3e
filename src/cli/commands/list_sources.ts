/**
 * `list-sources`: the agents whose histories can be scanned.
 *
 * @module
 */

import { type SourceReport, sourceReports } from "../../engine/audit/report.ts";
import { openAudit } from "../audit.ts";
import { type Command, EXIT, JSON_FLAG, OUTPUT_FLAG } from "../command.ts";
import { table } from "../layout.ts";
import { deliver, requireFolderOf } from "../output.ts";

const FLAGS = {
  detected: { summary: "leave out agents that have no history here" },
  json: JSON_FLAG,
  output: OUTPUT_FLAG,
} as const;

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "list-sources",
  summary: "list the AI coding agents whose histories can be scanned",
  flags: FLAGS,
  examples: [
    { text: "all of them", line: "list-sources" },
    { text: "those that have history here, for a script", line: "list-sources --detected --json" },
  ],
  keeps: ({ output }) => output === undefined ? [] : ["write"],
  async run(context) {
    const { flags, terminal, signal } = context;
    requireFolderOf(flags.output);
    const all = sourceReports(await openAudit(context, new Map()).list(signal));
    const sources = flags.detected ? all.filter(({ detected }) => detected) : all;
    const text = flags.json ? JSON.stringify(sources, null, 2) : table(sources, [
      { title: "Source", of: ({ source }) => source },
      { title: "Agent", of: ({ display, experimental }) => `${display}${experimental ? " (experimental)" : ""}` },
      { title: "History", of: stateOf },
      { title: "Place", of: ({ root }) => root, isFlexible: true },
    ], terminal.width);
    deliver(terminal, text, flags.output);
    return EXIT.clean;
  },
};

function stateOf({ detected, access }: SourceReport): string {
  if (access === "denied") return detected ? "found, in part denied" : "denied";
  return detected ? "found" : "none";
}
