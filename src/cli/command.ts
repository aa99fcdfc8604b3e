/**
 * What a command of the command line is: its flags are data, from which parsing, help and completions are made.
 *
 * @module
 */

import type { Environment } from "../serve/environment.ts";
import type { Terminal } from "./terminal.ts";

/** One flag. Without `value` it is a switch. */
export interface Flag {
  /** Name of its value in help, such as `DIR`. @default none: a switch */
  readonly value?: string;
  /** Whether it may be given several times. @default false */
  readonly repeatable?: boolean;
  /** One letter for short, without the dash. @default none */
  readonly short?: string;
  /** What it does, in a few words without a full stop. */
  readonly summary: string;
  /** The only values, where there are few. @default any */
  readonly choices?: readonly string[];
  /** Values that a shell completes, where the command itself says which there are. @default what the value's name tells */
  readonly completes?: readonly string[];
}

/** Flags by name, without dashes. */
export type Flags = Readonly<Record<string, Flag>>;

/** What was given for each flag: text, a list where it is repeatable, whether it was given where it is a switch. */
export type Values<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends { readonly value: string; readonly repeatable: true } ? readonly string[]
    : F[Name] extends { readonly value: string } ? string | undefined
    : boolean;
};

/** Kinds of Deno's permissions. */
export const PERMISSIONS = ["read", "write", "net", "env", "run", "ffi", "sys"] as const;

/** Which of them were granted as a whole. */
export type Granted = Readonly<Record<typeof PERMISSIONS[number], boolean>>;

/** What a command is run with. */
export interface Context<F extends Flags = Flags> {
  /** The flags. */
  readonly flags: Values<F>;
  /** What stands on the command line beside flags. */
  readonly operands: readonly string[];
  /** URL of the main module. */
  readonly module: string;
  /** The environment as it was at the start. */
  readonly environment: Environment;
  /** What Deno had granted as a whole, before what the command does not need was dropped. */
  readonly granted: Granted;
  /** Where to print and ask. */
  readonly terminal: Terminal;
  /** Aborts at the first Ctrl-C; a second one ends the process at once. */
  readonly signal: AbortSignal;
}

/** A line of help that shows the command at work. */
export interface Example {
  /** What it is for. */
  readonly text: string;
  /** The arguments after the program's name. */
  readonly line: string;
}

/** What may stand beside flags. */
export interface Operands {
  /** Name in help, such as `DIR`. */
  readonly name: string;
  /** The fewest. */
  readonly min: number;
  /** The most. */
  readonly max: number;
  /** Words that a shell completes. @default what the name tells */
  readonly completes?: readonly string[];
}

/** Permissions that a command may go on using; every other one is dropped before it runs. Reading always stays. */
export type Kept = "write" | "run";

/**
 * One command. Each is a module of its own that exports `command`; what it needs beyond `src/cli` it may import at the
 * top, since only the command that runs is loaded.
 */
export interface Command<F extends Flags = Flags> {
  /** The word that runs it. */
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** What else one should know before using it. @default nothing */
  readonly details?: string;
  /** Its flags, beside `--help`. */
  readonly flags: F;
  /** What may stand beside flags. @default nothing */
  readonly operands?: Operands;
  /** At least one. */
  readonly examples: readonly Example[];
  /** Which permissions it uses beside reading. */
  keeps(flags: Values<F>): readonly Kept[];
  /**
   * Does it.
   *
   * @returns One of {@linkcode EXIT}.
   * @throws {Refusal} With the one sentence that says what to do instead; the exit code is then 2.
   */
  run(context: Context<F>): Promise<number>;
}

/** Exit codes. */
export const EXIT = {
  /** All is well and nothing was found. */
  clean: 0,
  /** Something was found. */
  found: 1,
  /** Something went wrong, or not everything could be done. */
  failed: 2,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const;

/** `--json`, the same for every command. */
export const JSON_FLAG = { summary: "print JSON instead of text" } as const satisfies Flag;

/** `-o FILE`, the same for every command that prints a report. */
export const OUTPUT_FLAG = {
  value: "FILE",
  short: "o",
  summary: "write what would be printed to FILE instead",
} as const satisfies Flag;

/** `--yes`, for commands that ask. */
export const YES_FLAG = {
  summary: "answer the question with yes; needed where nobody can be asked",
} as const satisfies Flag;
