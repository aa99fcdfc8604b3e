/**
 * Reading a command line by the flags that a command declares.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { Refusal } from "../guard/mod.ts";
import type { Command, Flag, Flags, Values } from "./command.ts";
import { suggestion } from "./nearest.ts";

/** A command line as read. */
export interface Parsed<F extends Flags = Flags> {
  /** What was given for each flag. */
  readonly flags: Values<F>;
  /** What stands beside flags. */
  readonly operands: readonly string[];
}

/**
 * Reads `args` for `command`.
 *
 * @throws {Refusal} `argument`, with what is wrong and what to write.
 */
export function parse<F extends Flags>(command: Command<F>, args: readonly string[]): Parsed<F> {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(command.flags).map(([name, { value, short }]) => [
        name,
        { type: value === undefined ? "boolean" : "string", ...(short ? { short } : {}) } as const,
      ]),
    ),
  });
  const given = new Map<string, string[]>();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const flag: Flag | null = Object.hasOwn(command.flags, token.name) ? command.flags[token.name]! : null;
    if (flag === null) throw unknownFlag(command, token.rawName);
    const value = flag.value === undefined ? switchValue(token) : valueOf(token, flag);
    const values = given.get(token.name);
    if (values && !flag.repeatable && flag.value !== undefined) {
      throw new Refusal("argument", `${token.rawName} was given twice; it takes one ${flag.value}`);
    }
    given.set(token.name, [...values ?? [], value]);
  }
  checkOperands(command, operands);
  return { flags: valuesOf(command.flags, given), operands };
}

/** An option as the parser of Node tells of it. */
interface Option {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function switchValue({ rawName, value }: Option): string {
  if (value === undefined) return "";
  throw new Refusal("argument", `${rawName} takes no value; leave out =${value}`);
}

function valueOf({ rawName, value, inlineValue }: Option, flag: Flag): string {
  if (value === undefined || value === "") {
    throw new Refusal("argument", `${rawName} needs a value: ${rawName} ${flag.value}`);
  }
  // A flag behind a flag is far more often a forgotten value than one that begins with a dash.
  if (!inlineValue && value.startsWith("-") && value !== "-") {
    throw new Refusal(
      "argument",
      `${rawName} needs a value, and ${value} is a flag; if it is meant, ${rawName}=${value}`,
    );
  }
  if (flag.choices && !flag.choices.includes(value)) {
    throw new Refusal(
      "argument",
      `${rawName} does not know ${value}${suggestion(value, flag.choices)}${
        suggestion(value, flag.choices) === "" ? "; it" : " It"
      } takes one of: ${flag.choices.join(", ")}`,
    );
  }
  return value;
}

function unknownFlag(command: Pick<Command, "name" | "flags">, written: string): Refusal {
  const names = [...Object.keys(command.flags), "help"].map((name) => `--${name}`);
  return new Refusal(
    "argument",
    `${command.name} knows no flag ${written}${suggestion(written, names)}${
      suggestion(written, names) === "" ? "; " : " "
    }${command.name} --help lists the flags`,
  );
}

function checkOperands(
  { name, operands: wanted }: Pick<Command, "name" | "operands">,
  operands: readonly string[],
): void {
  const { min, max } = wanted ?? { min: 0, max: 0 };
  if (operands.length > max) {
    throw new Refusal("argument", `unexpected argument ${operands[max]}; ${name} --help shows what it takes`);
  }
  if (operands.length < min) {
    throw new Refusal("argument", `${name} needs ${wanted!.name}; ${name} --help shows examples`);
  }
}

function valuesOf<F extends Flags>(flags: F, given: ReadonlyMap<string, string[]>): Values<F> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { value, repeatable }]) => {
      const values = given.get(name);
      if (value === undefined) return [name, values !== undefined];
      return [name, repeatable ? values ?? [] : values?.[0]];
    }),
  ) as Values<F>;
}

/**
 * A whole number given for a flag; undefined where it was not given.
 *
 * @throws {Refusal} `argument`.
 */
export function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Refusal("argument", `${flag} is ${text}; it must be a whole number, 0 or more`);
}
