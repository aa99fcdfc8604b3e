/**
 * `scan`: which secrets leaked into the histories, and how each is rotated.
 *
 * @module
 */

import { type AuditReport, auditReport, findingReport } from "../../engine/audit/report.ts";
import type { AuditOutcome } from "../../engine/audit/service.ts";
import { Refusal } from "../../guard/mod.ts";
import { findRule } from "../../secrets/mod.ts";
import { plural } from "../../text/units.ts";
import { visible, visibleValue } from "../../text/visible.ts";
import { absentText } from "../absent_text.ts";
import { auditText } from "../audit_text.ts";
import { chooseSources, openAudit, ROOT_FLAG, scanWith, SOURCE_FLAG } from "../audit.ts";
import { type Command, type Context, EXIT, OUTPUT_FLAG } from "../command.ts";
import { auditPage } from "../html/audit_page.ts";
import { programOf } from "../invocation.ts";
import { deliver, requireFolderOf, writeWhole } from "../output.ts";
import { createStyle } from "../style.ts";
import { sarifLog } from "../sarif.ts";

const FLAGS = {
  source: SOURCE_FLAG,
  all: { summary: "scan every agent's history; so it is without --source too" },
  root: ROOT_FLAG,
  json: { summary: "print an array of findings, one for each place of a secret" },
  sarif: { summary: "print SARIF 2.1.0 for code-scanning tools" },
  html: { value: "FILE", summary: "also write a report to look at to FILE: one page that needs no network" },
  output: OUTPUT_FLAG,
} as const;

/** How many unread files are said beside a report in another form. */
const MAX_UNREAD = 20;

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "scan",
  summary: "find secrets that leaked into the histories of AI coding agents",
  details:
    "Secrets are always masked. Exit code 0: everything was read and nothing found; 1: secrets were found; 2: an " +
    "error, or something could not be read. A file .agentsweepignore in a history's folder or here names what to ignore.",
  flags: FLAGS,
  examples: [
    { text: "every agent on this machine", line: "scan" },
    { text: "one agent", line: "scan --source claude-code" },
    { text: "a copy of a history", line: "scan --source codex --root ./copy-of-codex" },
    { text: "for a script", line: "scan --json" },
    { text: "to look at rather than to read", line: "scan --html report.html" },
  ],
  keeps: ({ output, html }) => output !== undefined || html !== undefined ? ["write"] : [],
  async run(context) {
    const { flags, terminal } = context;
    if (flags.all && flags.source.length > 0) throw new Refusal("argument", "--all and --source exclude each other");
    if (flags.json && flags.sarif) throw new Refusal("argument", "--json and --sarif exclude each other");
    requireFolderOf(flags.output);
    requireFolderOf(flags.html);
    const { sources, history } = chooseSources(flags.source, flags.root);
    const outcome = await scanWith(openAudit(context, history), sources, context);
    const report = visibleValue(auditReport(outcome, {
      maxFindings: Infinity,
      rotationOf: (rule) => findRule(rule)?.rotation ?? "",
    }));
    const absent = absentText(outcome, {
      count: sources.length,
      isNamed: flags.source.length > 0,
      home: context.environment.host?.env.HOME || context.environment.host?.env.USERPROFILE,
    });
    if (context.signal.aborted) return sayEnded(context, outcome, report);
    deliver(terminal, render(context, outcome, report, absent), flags.output);
    if (flags.html !== undefined) writeWhole(terminal, auditPage(report, daysOld), flags.html);
    if (flags.json || flags.sarif) {
      if (flags.source.length > 0 || outcome.absent.length === sources.length) absent.forEach(terminal.note);
      if (!outcome.isComplete) sayUnread(context, report);
    }
    if (!outcome.isComplete) return EXIT.failed;
    return outcome.total > 0 ? EXIT.found : EXIT.clean;
  },
};

/** After Ctrl-C: shows what was found until then. A file is written by a scan that came to its end alone. */
function sayEnded(context: Context<typeof FLAGS>, outcome: AuditOutcome, report: AuditReport): number {
  const { flags, terminal } = context;
  const files = [flags.output, flags.html].filter((file) => file !== undefined && file !== "-");
  if (flags.output === undefined || flags.output === "-") terminal.print(render(context, outcome, report));
  terminal.note(
    files.length === 0
      ? "ended by Ctrl-C: this is what was found until then"
      : `ended by Ctrl-C: ${files.join(" and ")} ${files.length === 1 ? "was" : "were"} not written`,
  );
  return EXIT.interrupted;
}

function render(
  { flags, terminal, module }: Context<typeof FLAGS>,
  outcome: AuditOutcome,
  report: AuditReport,
  absent: readonly string[] = [],
): string {
  const findings = visibleValue(outcome.findings.map(findingReport));
  if (flags.json) return JSON.stringify(findings, null, 2);
  if (flags.sarif) return JSON.stringify(sarifLog(findings, report.unscanned, outcome.isComplete), null, 2);
  const isShown = flags.output === undefined || flags.output === "-";
  return auditText(report, {
    width: isShown ? terminal.width : Infinity,
    style: isShown ? terminal.style : createStyle(false),
    program: programOf(module),
    root: flags.root,
    absent: absent.map(visible),
  });
}

/** Where the report goes to standard output in another form, what was not read is still said. */
function sayUnread({ terminal }: Context<typeof FLAGS>, { unscanned, summary }: AuditReport): void {
  terminal.note(`agentsweep: not complete: ${plural(summary.unscanned, "place")} could not be read`);
  for (const { file, source, reason } of unscanned.slice(0, MAX_UNREAD)) {
    terminal.note(`  ${file} (${source}): ${reason}`);
  }
}

/** Days since a file last changed. Its name may be shown otherwise than it is; then nothing is known. */
function daysOld(file: string): number | null {
  try {
    const { mtime } = Deno.lstatSync(file);
    return mtime === null ? null : (Date.now() - mtime.getTime()) / 86_400_000;
  } catch {
    return null;
  }
}
