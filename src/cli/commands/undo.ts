/**
 * `undo`: puts the backups of one agent's history back.
 *
 * @module
 */

import { Refusal } from "../../guard/mod.ts";
import { plural } from "../../text/units.ts";
import { visible } from "../../text/visible.ts";
import { ROOT_FLAG } from "../audit.ts";
import { type Command, EXIT, JSON_FLAG, YES_FLAG } from "../command.ts";
import { backupReport, chooseSource, clearedText, ONE_SOURCE_FLAG, openRedaction } from "../redaction.ts";

const FLAGS = { source: ONE_SOURCE_FLAG, root: ROOT_FLAG, yes: YES_FLAG, json: JSON_FLAG } as const;

/** The word to type before anything is changed. */
const CONFIRMATION = "UNDO";

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "undo",
  summary: "put back every file that fix redacted, byte for byte",
  details: "A file that changed since it was redacted, and a backup that fix did not make, are left as they are. " +
    "The secrets are back then. What a fix that was killed left beside a file is removed, and an undo that was killed is " +
    "ended.",
  flags: FLAGS,
  examples: [{ text: "undo the redaction of a copy", line: "undo --source codex --root ./copy-of-codex" }],
  keeps: () => ["write", "run"],
  async run(context) {
    const { flags, terminal, signal } = context;
    const { source, history } = chooseSource(flags.source, flags.root);
    const service = openRedaction(context, history);
    const { files } = await service.backups(source, signal);
    if (!flags.yes && files.length > 0) {
      if (!terminal.canAsk || flags.json) {
        throw new Refusal("argument", "nobody can be asked here; --yes undoes all of it");
      }
      terminal.print(files.map(visible).join("\n"));
      const question = `Put ${plural(files.length, "backup")} back? Type ${CONFIRMATION}: `;
      if (await terminal.ask(question, signal) !== CONFIRMATION) {
        terminal.note("nothing was changed");
        return EXIT.failed;
      }
    }
    const { done, cleared, skipped } = backupReport(await service.undo(source, signal));
    if (flags.json) terminal.print(JSON.stringify({ restored: done, cleared, skipped }, null, 2));
    else {
      terminal.print([`put back ${plural(done.length, "backup")}`, ...done, ...clearedText(cleared)].join("\n"));
      for (const { file, reason } of skipped) terminal.note(`left as it is: ${file}: ${reason}`);
    }
    return skipped.length === 0 ? EXIT.clean : EXIT.failed;
  },
};
