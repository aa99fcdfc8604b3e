/**
 * Completion scripts for the shells that people use.
 *
 * @module
 */

import type { Command } from "./command.ts";
import { type CommandWord, commandWords, type FlagWord, type Place } from "./completion_words.ts";

/** Shells that there are completions for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** A shell that there are completions for. */
export type Shell = typeof SHELLS[number];

/** The script for a program that is called `name`. */
export function completionScript(shell: Shell, name: string, commands: readonly Command[]): string {
  return { bash, zsh, fish }[shell](name, commandWords(commands));
}

function identifier(name: string): string {
  return `_${name.replaceAll(/\W/g, "_")}`;
}

function spellings({ name, short }: FlagWord): string[] {
  return short === "" ? [`--${name}`] : [`-${short}`, `--${name}`];
}

function bash(name: string, commands: readonly CommandWord[]): string {
  const reply = (place: Place) => {
    if (place === "text") return "COMPREPLY=()";
    if (place === "folder" || place === "file") {
      return `COMPREPLY=($(compgen -${place === "folder" ? "d" : "f"} -- "$word"))`;
    }
    return `COMPREPLY=($(compgen -W "${place.join(" ")}" -- "$word"))`;
  };
  const values = commands.flatMap(({ name: command, flags }) =>
    flags.filter(({ value }) => value !== "").map((flag) => {
      const patterns = spellings(flag).map((spelling) => `"${command} ${spelling}"`).join("|");
      return `    ${patterns}) ${reply(flag.place)}; return ;;`;
    })
  );
  const options = commands.map(({ name, flags }) =>
    `    "${name} "-*) ${reply(flags.map(({ name }) => `--${name}`))} ;;`
  );
  const operands = commands.map(({ name, operands }) => `    "${name} "*) ${reply(operands ?? "text")} ;;`);
  return `# Completions of ${name} for bash.
${identifier(name)}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  # A flag's value behind = is a word of its own for bash.
  if [ "$word" = = ]; then word=""; elif [ "$before" = = ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${reply(commands.map(({ name }) => name))}
    return
  fi
  case "$command $before" in
${values.join("\n")}
  esac
  case "$command $word" in
${options.join("\n")}
${operands.join("\n")}
  esac
}
complete -o filenames -F ${identifier(name)} ${name}`;
}

/** A text between single quotes, as zsh reads it. */
function zshQuoted(text: string): string {
  return text.replaceAll("'", `'\\''`);
}

/** A text in which colons and brackets mean themselves. */
function zshPlain(text: string): string {
  return zshQuoted(text.replaceAll(/[[\]:\\]/g, "\\$&"));
}

function zsh(name: string, commands: readonly CommandWord[]): string {
  const action = (place: Place) => {
    if (place === "text") return " ";
    if (place === "folder") return "_files -/";
    return place === "file" ? "_files" : `(${place.join(" ")})`;
  };
  const spec = (flag: FlagWord) => {
    const names = spellings(flag);
    const value = flag.value === "" ? "" : `:${flag.value}:${action(flag.place)}`;
    const text = `[${zshPlain(flag.summary)}]${value}`;
    // With its value behind = or, of a letter, at once.
    const joint = (name: string) => flag.value === "" ? name : name + (name.startsWith("--") ? "=" : "+");
    const once = flag.isRepeatable ? "*" : `(${names.join(" ")})`;
    return names.map((name) => `'${once}${joint(name)}${text}'`).join(" ");
  };
  const cases = commands.map(({ name, flags, operands }) => {
    const specs = [...flags.map(spec), ...(operands ? [`'*:argument:${action(operands)}'`] : [])];
    return `    ${name}) _arguments -s \\\n${specs.map((spec) => `        ${spec}`).join(" \\\n")} ;;`;
  });
  return `#compdef ${name}
# Completions of ${name} for zsh.
${identifier(name)}() {
  local -a commands=(
${commands.map(({ name, summary }) => `    '${name}:${zshPlain(summary)}'`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = "${identifier(name)}" ]; then
  ${identifier(name)} "$@"
else
  compdef ${identifier(name)} ${name}
fi`;
}

/** A text between single quotes, as fish reads it. */
function fishQuoted(text: string): string {
  return text.replaceAll(/[\\']/g, "\\$&");
}

function fish(name: string, commands: readonly CommandWord[]): string {
  const seen = (command: string) => `complete -c ${name} -n '__fish_seen_subcommand_from ${command}'`;
  const values = (place: Place) => {
    if (place === "text") return "-x";
    if (place === "folder") return "-x -a '(__fish_complete_directories)'";
    return place === "file" ? "-r -F" : `-x -a '${place.join(" ")}'`;
  };
  const operandsOf = (place: Place) =>
    place === "folder" ? "'(__fish_complete_directories)'" : `'${typeof place === "string" ? "" : place.join(" ")}'`;
  const lines = [
    `complete -c ${name} -f`,
    ...commands.map(({ name: word, summary }) =>
      `complete -c ${name} -n __fish_use_subcommand -a ${word} -d '${fishQuoted(summary)}'`
    ),
    ...commands.flatMap(({ name: command, flags, operands }) => [
      ...flags.map((flag) =>
        [
          seen(command),
          `-l ${flag.name}`,
          ...(flag.short ? [`-s ${flag.short}`] : []),
          ...(flag.value === "" ? [] : [values(flag.place)]),
          `-d '${fishQuoted(flag.summary)}'`,
        ].join(" ")
      ),
      ...(operands ? [`${seen(command)} -a ${operandsOf(operands)}`] : []),
    ]),
  ];
  return [`# Completions of ${name} for fish.`, ...lines].join("\n");
}
