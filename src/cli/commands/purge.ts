/**
 * `purge`: deletes the backups of one agent's history, which still hold the secrets.
 *
 * @module
 */

import { Refusal } from "../../guard/mod.ts";
import { formatBytes, plural } from "../../text/units.ts";
import { visible } from "../../text/visible.ts";
import { ROOT_FLAG } from "../audit.ts";
import { type Command, EXIT, JSON_FLAG, YES_FLAG } from "../command.ts";
import { backupReport, chooseSource, clearedText, ONE_SOURCE_FLAG, openRedaction } from "../redaction.ts";

const FLAGS = { source: ONE_SOURCE_FLAG, root: ROOT_FLAG, yes: YES_FLAG, json: JSON_FLAG } as const;

/** The word to type before anything is deleted. */
const CONFIRMATION = "PURGE";

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "purge",
  summary: "delete the backups (*.bak) beside the files of one agent's history",
  details:
    "Backups hold the files as they were, secrets included; nothing else is deleted but what a fix that was killed " +
    "left beside a file. There is no undo then. Exit code 2: you did not confirm, or something was left.",
  flags: FLAGS,
  examples: [{ text: "delete the backups in a copy", line: "purge --source codex --root ./copy-of-codex" }],
  keeps: () => ["write"],
  async run(context) {
    const { flags, terminal, signal } = context;
    const { source, history } = chooseSource(flags.source, flags.root);
    const service = openRedaction(context, history);
    const { files, bytes } = await service.backups(source, signal);
    if (!flags.yes && files.length > 0) {
      if (!terminal.canAsk || flags.json) {
        throw new Refusal("argument", "nobody can be asked here; --yes deletes all of them");
      }
      terminal.print(files.map(visible).join("\n"));
      const question = `Delete ${plural(files.length, "backup")} (${formatBytes(bytes)})? Type ${CONFIRMATION}: `;
      if (await terminal.ask(question, signal) !== CONFIRMATION) {
        terminal.note("nothing was deleted");
        return EXIT.failed;
      }
    }
    const { done, cleared, skipped } = backupReport(await service.purge(source, signal));
    if (flags.json) terminal.print(JSON.stringify({ deleted: done, cleared, skipped }, null, 2));
    else {
      terminal.print([`deleted ${plural(done.length, "backup")}`, ...done, ...clearedText(cleared)].join("\n"));
      for (const { file, reason } of skipped) terminal.note(`not deleted: ${file}: ${reason}`);
    }
    return skipped.length === 0 ? EXIT.clean : EXIT.failed;
  },
};
