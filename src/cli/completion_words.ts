/**
 * What a shell may complete, made from what commands declare.
 *
 * @module
 */

import { SERVE_FLAGS } from "../serve/options.ts";
import type { Command, Flag } from "./command.ts";

/** What can stand in one place: some words, a folder, a file, or what nobody can guess. */
export type Place = readonly string[] | "folder" | "file" | "text";

/** One flag. */
export interface FlagWord {
  /** Its name, without dashes. */
  readonly name: string;
  /** One letter for short; empty for none. */
  readonly short: string;
  /** What it does. */
  readonly summary: string;
  /** What its value is called; empty for a switch. */
  readonly value: string;
  /** What its value may be. */
  readonly place: Place;
  /** Whether it may be given several times. */
  readonly isRepeatable: boolean;
}

/** One command. */
export interface CommandWord {
  /** Its name. */
  readonly name: string;
  /** What it does. */
  readonly summary: string;
  /** Its flags. */
  readonly flags: readonly FlagWord[];
  /** What stands beside flags; null where nothing does. */
  readonly operands: Place | null;
}

const HELP: FlagWord = {
  name: "help",
  short: "h",
  summary: "show help",
  value: "",
  place: "text",
  isRepeatable: false,
};

/** Every command with its flags, `serve` and `help` too. */
export function commandWords(commands: readonly Command[]): CommandWord[] {
  const named = commands.map(({ name, summary, flags, operands }) => ({
    name,
    summary,
    flags: [...Object.entries(flags).map(([name, flag]) => flagWord(name, flag)), HELP],
    operands: operands ? operands.completes ?? placeOf(operands.name) : null,
  }));
  const serve = {
    name: "serve",
    summary: "run the MCP server",
    flags: [...Object.entries(SERVE_FLAGS).map(([name, flag]) => flagWord(name, flag)), HELP],
    operands: "folder" as const,
  };
  const help = {
    name: "help",
    summary: "show help",
    flags: [],
    operands: [...named.map(({ name }) => name), "serve"],
  };
  return [...named, serve, help];
}

function flagWord(name: string, { short = "", summary, value = "", choices, completes, repeatable }: Flag): FlagWord {
  return {
    name,
    short,
    summary,
    value,
    place: choices ?? completes ?? placeOf(value),
    isRepeatable: repeatable ?? false,
  };
}

function placeOf(name: string): Place {
  if (name === "DIR") return "folder";
  return name === "FILE" ? "file" : "text";
}
