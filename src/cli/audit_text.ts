/**
 * A scan's report as text: by secret, what to rotate first at the top.
 *
 * @module
 */

import type { AuditReport, BlastReport } from "../engine/audit/report.ts";
import { formatBytes, plural } from "../text/units.ts";
import { clipMiddle, wrap } from "./layout.ts";
import type { Style } from "./style.ts";

/** How the text is set. */
export interface TextOptions {
  /** Columns; `Infinity` for no limit. */
  readonly width: number;
  /** Colours. */
  readonly style: Style;
  /** How the program is called, for advice. */
  readonly program: string;
}

/** How many places of one secret, and how many unread files, are named. */
const MAX_PLACES = 3;
const MAX_UNREAD = 20;
const MAX_WIDTH = 120;

/** The report, already visible, as text. */
export function auditText(report: AuditReport, options: TextOptions): string {
  const { summary, unscanned } = report;
  const { style, program } = options;
  const width = Math.min(MAX_WIDTH, options.width);
  const path = (text: string) => `  ${clipMiddle(text, options.width - 2)}`;
  const secrets = report.blast_radius ?? [];
  const sourcesOf = sourcesBySecret(report);
  const head = `${plural(summary.findings, "finding")} (${plural(secrets.length, "secret")}) in ` +
    `${plural(summary.files_scanned, "file")} of ${plural(summary.sources_scanned, "agent")}, ` +
    `${formatBytes(summary.bytes_scanned)} read in ${summary.elapsed_seconds} s`;
  const mark = !summary.complete ? style.warn : summary.findings > 0 ? style.bad : style.good;
  const blocks = [mark(wrap(head, width))];
  if (secrets.length > 0) blocks.push(style.bold("Rotate in this order:"));
  secrets.forEach((secret, index) => blocks.push(secretText(secret, index + 1, sourcesOf, width, style, path)));
  if (unscanned.length > 0) {
    const shown = unscanned.slice(0, MAX_UNREAD).map(({ source, file, reason }) =>
      `${path(`${source}: ${file}`)}\n${wrap(reason, width, "    ")}`
    );
    const more = summary.unscanned - shown.length;
    if (more > 0) shown.push(`  and ${more} more; --json lists all of them`);
    blocks.push([style.warn(`Not read (${summary.unscanned}):`), ...shown].join("\n"));
  }
  blocks.push(advice(report, program).map((line) => line.startsWith(" ") ? line : wrap(line, width)).join("\n"));
  return blocks.join("\n\n");
}

function secretText(
  secret: BlastReport,
  number: number,
  sourcesOf: ReadonlyMap<string, Set<string>>,
  width: number,
  style: Style,
  path: (text: string) => string,
): string {
  const { display, masked, rule, occurrences, locations, rotation } = secret;
  const agents = [...sourcesOf.get(`${rule} ${masked}`) ?? []].join(", ");
  const shown = locations.slice(0, MAX_PLACES).map((place) => style.faint(path(place)));
  const more = occurrences - shown.length;
  if (more > 0) shown.push(style.faint(`  and ${more} more`));
  return [
    style.bold(wrap(`${number}. ${display}  ${masked}`, width)),
    wrap(`${plural(occurrences, "place")} in ${agents} (${rule})`, width, "  "),
    wrap(`Rotate: ${rotation}`, width, "  "),
    ...shown,
  ].join("\n");
}

function sourcesBySecret({ findings }: AuditReport): Map<string, Set<string>> {
  const sources = new Map<string, Set<string>>();
  for (const { rule, masked, source } of findings) {
    const id = `${rule} ${masked}`;
    const known = sources.get(id);
    if (known) known.add(source);
    else sources.set(id, new Set([source]));
  }
  return sources;
}

function advice({ summary, findings }: AuditReport, program: string): string[] {
  const lines: string[] = [];
  if (!summary.complete) lines.push("Not everything was read, so what is not listed is not known to be clean.");
  if (summary.findings > 0) {
    const sources = [...new Set(findings.map(({ source }) => source))];
    lines.push(
      "Rotate first: whoever could read these files may have the secrets. Then remove them from the histories:",
      ...sources.map((source) => `  ${program} fix --source ${source} --allow-production`),
    );
  }
  if (summary.leftover_backups > 0) {
    lines.push(`${plural(summary.leftover_backups, "leftover backup")} (*.bak) hold secrets too; purge deletes them.`);
  }
  if (summary.suppressed_by_ignore > 0) lines.push(`${summary.suppressed_by_ignore} more are ignored on request.`);
  if (lines.length === 0) lines.push("Nothing was found, and everything was read.");
  return lines;
}
