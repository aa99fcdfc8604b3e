/**
 * A command that tells what it was left with; run as a process by a test.
 *
 * @module
 */

import { type Command, EXIT, type Kept, PERMISSIONS } from "../../src/cli/command.ts";
import { runCommand } from "../../src/cli/run.ts";

const FLAGS = {
  keep: { value: "NAME", repeatable: true, summary: "a permission to keep" },
  fail: { summary: "fail with a message that quotes something" },
} as const;

const command: Command<typeof FLAGS> = {
  name: "probe",
  summary: "tell what is left",
  flags: FLAGS,
  examples: [],
  keeps: ({ keep }) => keep as readonly Kept[],
  run({ flags, terminal, granted }) {
    if (flags.fail) throw new TypeError("the content of a file");
    const left = PERMISSIONS.filter((name) => Deno.permissions.querySync({ name }).state === "granted");
    terminal.print(JSON.stringify({ left, granted: PERMISSIONS.filter((name) => granted[name]) }));
    return Promise.resolve(EXIT.clean);
  },
};

if (import.meta.main) {
  try {
    Deno.exit(await runCommand(command, Deno.args, import.meta.url));
  } catch (error) {
    console.error(error instanceof Error ? error.message : "no error");
    Deno.exit(EXIT.failed);
  }
}
