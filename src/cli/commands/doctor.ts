/**
 * `doctor`: what the sandbox allows, what is found and readable, what was left over, and how to mend each problem.
 *
 * @module
 */

import { type Command, EXIT, JSON_FLAG, OUTPUT_FLAG } from "../command.ts";
import { diagnose, type Diagnosis } from "../diagnosis.ts";
import { wrap } from "../layout.ts";
import { deliver, requireFolderOf } from "../output.ts";
import { createStyle, type Style } from "../style.ts";

const FLAGS = {
  root: {
    value: "DIR",
    repeatable: true,
    summary: "also look for leftover quarantines of interrupted deletions in DIR",
  },
  json: JSON_FLAG,
  output: OUTPUT_FLAG,
} as const;

const MAX_WIDTH = 110;

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "doctor",
  summary: "say what the sandbox allows, what is found, what is wrong and how to mend it",
  details: "Exit code 0: nothing to mend; 1: there are problems, each with what mends it.",
  flags: FLAGS,
  examples: [
    { text: "this machine", line: "doctor" },
    { text: "with your projects", line: "doctor --root ~/code" },
    { text: "as a client would start it: put its permission flags instead of -A", line: "doctor" },
  ],
  keeps: ({ output }) => output === undefined ? [] : ["write"],
  async run(context) {
    const { flags, terminal } = context;
    requireFolderOf(flags.output);
    const diagnosis = await diagnose(context, flags.root);
    const isShown = flags.output === undefined || flags.output === "-";
    const text = flags.json
      ? JSON.stringify(diagnosis, null, 2)
      : diagnosisText(diagnosis, isShown ? terminal.width : Infinity, isShown ? terminal.style : createStyle(false));
    deliver(terminal, text, flags.output);
    return diagnosis.problems.length > 0 ? EXIT.found : EXIT.clean;
  },
};

function diagnosisText(diagnosis: Diagnosis, columns: number, style: Style): string {
  const width = Math.min(MAX_WIDTH, columns);
  const { versions, posture, layers, sources, problems } = diagnosis;
  const list = (names: readonly string[]) => names.length === 0 ? "none" : names.join(", ");
  const wrapped = (text: string) => wrap(text, width, "  ");
  return [
    style.bold("Versions"),
    wrapped(Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(", ")),
    "",
    style.bold("Sandbox"),
    wrapped(posture),
    ...layers.map(({ layer, allows }) => wrapped(`${layer}: ${allows}`)),
    "",
    style.bold("Histories"),
    wrapped(`found and readable (${sources.readable.length}): ${list(sources.readable)}`),
    wrapped(`not here (${sources.absent.length}): ${list(sources.absent)}`),
    ...(sources.denied.length > 0
      ? [style.warn(wrapped(`denied (${sources.denied.length}): ${list(sources.denied)}`))]
      : []),
    "",
    problems.length === 0 ? style.good("Nothing to mend.") : style.bad(`To mend (${problems.length})`),
    ...problems.flatMap(({ problem, mend }) => [wrapped(problem), ...mend.split("\n").map((line) => `    ${line}`)]),
  ].join("\n");
}
