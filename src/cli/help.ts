/**
 * Help that teaches by example, made from what commands declare.
 *
 * @module
 */

import { serveHelp } from "../serve/options.ts";
import type { Command, Flag } from "./command.ts";
import { wrap } from "./layout.ts";

const MAX_WIDTH = 100;

/** Help for one command, in at most `width` columns. */
export function helpFor(command: Command, program: string, width: number): string {
  const room = Math.min(width, MAX_WIDTH);
  const flags: [string, Flag][] = [
    ...Object.entries(command.flags),
    ["help", { short: "h", summary: "this text" }],
  ];
  return [
    wrap(`${command.name}: ${command.summary}`, room),
    "",
    `Usage: ${usageOf(command)}`,
    ...(command.details ? ["", wrap(command.details, room)] : []),
    "",
    "Examples:",
    ...command.examples.flatMap(({ text, line }) => [wrap(`# ${text}`, room, "  "), `  ${program} ${line}`.trimEnd()]),
    "",
    "Flags:",
    definitions(flags.map(([name, flag]) => [spelling(name, flag), summaryOf(flag)]), room),
  ].join("\n");
}

/** Help for the whole program. */
export function overview(commands: readonly Command[], program: string, width: number): string {
  const room = Math.min(width, MAX_WIDTH);
  return [
    serveHelp(program),
    "",
    "Commands for people (serve is what runs without one):",
    definitions(commands.map(({ name, summary }) => [name, summary]), room),
    "",
    `  ${program} help COMMAND`,
  ].join("\n");
}

function usageOf({ name, operands }: Command): string {
  const { name: operand = "", min = 0, max = 0 } = operands ?? {};
  const shown = max === 0 ? "" : ` ${min === 0 ? `[${operand}]` : operand}${max > 1 ? "..." : ""}`;
  return `${name}${shown} [flags]`;
}

function spelling(name: string, { value, short }: Flag): string {
  return `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
}

function summaryOf({ summary, repeatable, choices }: Flag): string {
  const notes = [...(repeatable ? ["repeatable"] : []), ...(choices ? [`one of ${choices.join(", ")}`] : [])];
  return notes.length === 0 ? summary : `${summary}; ${notes.join("; ")}`;
}

/** Terms with what they mean beside them, or below where there is no room. */
function definitions(entries: readonly (readonly [string, string])[], width: number): string {
  const term = Math.max(...entries.map(([term]) => term.length));
  const indent = " ".repeat(term + 4);
  if (width < term + 30) {
    return entries.map(([term, meaning]) => `  ${term}\n${wrap(meaning, width, "      ")}`).join("\n");
  }
  return entries.map(([name, meaning]) => `  ${name.padEnd(term)}${wrap(meaning, width, indent).slice(term + 2)}`)
    .join("\n");
}
