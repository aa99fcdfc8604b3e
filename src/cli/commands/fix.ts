/**
 * `fix`: redacts the secrets in one agent's history.
 *
 * @module
 */

import { auditReport } from "../../engine/audit/report.ts";
import { redactionReport } from "../../engine/redact/report.ts";
import { Refusal } from "../../guard/mod.ts";
import { findRule } from "../../secrets/mod.ts";
import { commandLine } from "../../text/shell.ts";
import { plural } from "../../text/units.ts";
import { visible, visibleValue } from "../../text/visible.ts";
import { openAudit, ROOT_FLAG, scanWith } from "../audit.ts";
import { auditText } from "../audit_text.ts";
import { type Command, EXIT, JSON_FLAG, YES_FLAG } from "../command.ts";
import { programOf } from "../invocation.ts";
import { chooseSource, ONE_SOURCE_FLAG, openRedaction, redactionText } from "../redaction.ts";

const FLAGS = {
  "source": ONE_SOURCE_FLAG,
  "root": ROOT_FLAG,
  "allow-production": { summary: "redact in the agent's own folder, not only in a copy" },
  "force": { summary: "even while the agent seems to run, and in files that were just modified" },
  "no-backup": { summary: "keep no backup: there is no undo then" },
  "yes": YES_FLAG,
  "json": JSON_FLAG,
} as const;

const YOUNG =
  "it was modified in the last 60 seconds and will be left as it is: wait, end what writes it, or add --force";

/** The word to type before anything is changed. */
const CONFIRMATION = "REDACT";

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "fix",
  summary: "replace the secrets in one agent's history by [REDACTED:<rule>]",
  details:
    "Every other byte of a file stays as it is, and the file as it was is kept beside it (*.bak) until purge. Without " +
    "--allow-production only a copy, named with --root, is touched. Rotate what leaked all the same. Exit code 0: " +
    "all was redacted, or there was nothing to; 2: you did not confirm, something was refused, or a file was left as it is.",
  flags: FLAGS,
  examples: [
    { text: "a copy of a history", line: "fix --source codex --root ./copy-of-codex" },
    { text: "the history itself, once the agent has ended", line: "fix --source claude-code --allow-production" },
    { text: "back to how it was", line: "undo --source claude-code" },
  ],
  keeps: () => ["write", "run"],
  async run(context) {
    const { flags, terminal, signal } = context;
    const { source, history } = chooseSource(flags.source, flags.root);
    if (!flags.yes && (!terminal.canAsk || flags.json)) {
      throw new Refusal("argument", "nobody can be asked here; --yes redacts everything that is found");
    }
    const service = openRedaction(context, history);
    const waivers = {
      allowsProduction: flags["allow-production"],
      isForced: flags.force,
      hasNoBackup: flags["no-backup"],
    };
    await service.admit(source, waivers);
    if (!flags.yes) {
      const outcome = await scanWith(openAudit(context, history), [source], context);
      signal.throwIfAborted();
      const rotationOf = (rule: string) => findRule(rule)?.rotation ?? "";
      const report = visibleValue(auditReport(outcome, { maxFindings: Infinity, rotationOf }));
      const { width, style } = terminal;
      terminal.print(auditText(report, { width, style, program: null }));
      if (outcome.total === 0) {
        terminal.note("there is nothing to redact: nothing was changed");
        return outcome.isComplete ? EXIT.clean : EXIT.failed;
      }
      if (!flags.force) {
        const young = await service.restless(source, outcome.findings, signal);
        for (const file of new Set(young.map(({ file }) => visible(file)))) terminal.note(`${file}: ${YOUNG}`);
        if (young.length === outcome.total) {
          terminal.note("nothing was changed");
          return EXIT.failed;
        }
      }
      const kept = flags["no-backup"] ? "WITHOUT a backup" : "with backups";
      const question = `Redact ${plural(outcome.total, "finding")}, ${kept}? Type ${CONFIRMATION}: `;
      if (await terminal.ask(question, signal) !== CONFIRMATION) {
        terminal.note("nothing was changed");
        return EXIT.failed;
      }
    }
    const place = flags.root === undefined ? "" : ` ${commandLine(["--root", flags.root], Deno.build.os)}`;
    const purge = `${programOf(context.module)} purge --source ${source}${place}`;
    const result = visibleValue(redactionReport(await service.redact(source, waivers, signal), purge));
    terminal.print(flags.json ? JSON.stringify(result, null, 2) : redactionText(result));
    return result.skipped.length === 0 ? EXIT.clean : EXIT.failed;
  },
};
