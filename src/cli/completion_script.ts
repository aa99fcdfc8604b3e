/**
 * Completion scripts, made from what commands declare.
 *
 * @module
 */

import type { Command } from "./command.ts";

/** Shells that there are completions for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** A shell that there are completions for. */
export type Shell = typeof SHELLS[number];

/** The script for a program that is called `name`. */
export function completionScript(shell: Shell, name: string, commands: readonly Command[]): string {
  return { bash, zsh, fish }[shell](name, commands);
}

function flagsOf({ flags }: Command): string[] {
  return [...Object.keys(flags), "help"].map((flag) => `--${flag}`);
}

function words(commands: readonly Command[]): string[] {
  return [...commands.map(({ name }) => name), "serve", "help"];
}

/** Values of one flag, where there are few. */
function choicesOf(commands: readonly Command[]): { command: string; flag: string; values: readonly string[] }[] {
  return commands.flatMap(({ name, flags }) =>
    Object.entries(flags).flatMap(([flag, { choices }]) => choices ? [{ command: name, flag, values: choices }] : [])
  );
}

function identifier(name: string): string {
  return `_${name.replaceAll(/\W/g, "_")}`;
}

function bash(name: string, commands: readonly Command[]): string {
  const cases = commands.map((command) => `    ${command.name}) options="${flagsOf(command).join(" ")}" ;;`);
  const choices = choicesOf(commands).map(({ command, flag, values }) =>
    `    "${command} --${flag}") COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$word")); return ;;`
  );
  return `# Completions of ${name} for bash.
${identifier(name)}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" options=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${words(commands).join(" ")}" -- "$word"))
    return
  fi
  case "$command $before" in
${choices.join("\n")}
  esac
  case "$command" in
${cases.join("\n")}
    help) options="${words(commands).join(" ")}" ;;
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) if [ "$command" = help ]; then COMPREPLY=($(compgen -W "$options" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi ;;
  esac
}
complete -o filenames -F ${identifier(name)} ${name}`;
}

/** A text between single quotes, as zsh and fish read it. */
function quoted(text: string): string {
  return text.replaceAll("'", "").replaceAll(/[[\]:]/g, " ");
}

function zsh(name: string, commands: readonly Command[]): string {
  const described = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`);
  const cases = commands.map((command) => {
    const flags = Object.entries(command.flags).map(([flag, { summary, value, choices, repeatable }]) => {
      const action = value === undefined ? "" : `:${value}:${choices ? `(${choices.join(" ")})` : "_files"}`;
      return `        '${repeatable ? "*" : ""}--${flag}[${quoted(summary)}]${action}'`;
    });
    return `      ${command.name}) _arguments \\\n${
      [...flags, "        '--help[help]'", "        '*:argument:_files'"].join(" \\\n")
    } ;;`;
  });
  return `#compdef ${name}
# Completions of ${name} for zsh.
${identifier(name)}() {
  local -a commands=(
${described.join("\n")}
    'serve:run the MCP server'
    'help:show help'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
  else
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
${cases.join("\n")}
      help) _describe command commands ;;
    esac
  fi
}
if [ "$funcstack[1]" = "${identifier(name)}" ]; then
  ${identifier(name)} "$@"
else
  compdef ${identifier(name)} ${name}
fi`;
}

function fish(name: string, commands: readonly Command[]): string {
  const lines = [
    ...[...commands.map(({ name, summary }) => [name, summary]), ["serve", "run the MCP server"], ["help", "show help"]]
      .map(([word, summary]) => `complete -c ${name} -n __fish_use_subcommand -f -a ${word} -d '${quoted(summary!)}'`),
    ...commands.flatMap((command) =>
      Object.entries({ ...command.flags, help: { summary: "help", short: "h" } }).map(([flag, declared]) => {
        const { summary, value, short, choices } = declared as Command["flags"][string];
        const parts = [
          `complete -c ${name} -n '__fish_seen_subcommand_from ${command.name}' -l ${flag}`,
          ...(short ? [`-s ${short}`] : []),
          ...(value === undefined ? [] : choices ? [`-x -a '${choices.join(" ")}'`] : ["-r"]),
          `-d '${quoted(summary)}'`,
        ];
        return parts.join(" ");
      })
    ),
  ];
  return [`# Completions of ${name} for fish.`, ...lines].join("\n");
}
