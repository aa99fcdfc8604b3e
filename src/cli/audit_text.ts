/**
 * A scan's report as text: by secret, those that stand in most places at the top.
 *
 * @module
 */

import type { AuditReport, BlastReport } from "../engine/audit/report.ts";
import { ENDED } from "../engine/audit/types.ts";
import { formatBytes, plural } from "../text/units.ts";
import { commandLine } from "../text/shell.ts";
import { clipMiddle, widthOf, wrap } from "./layout.ts";
import type { Style } from "./style.ts";

/** How the text is set. */
export interface TextOptions {
  /** Columns; `Infinity` for no limit. */
  readonly width: number;
  /** Colours. */
  readonly style: Style;
  /** How the program is called, for advice; null where a command shows this that does itself what comes next. */
  readonly program: string | null;
  /** The other place that was scanned. @default none: the sources' own */
  readonly root?: string | undefined;
  /** What is to be said of agents without a history here. @default nothing */
  readonly absent?: readonly string[];
}

/** How many places of one secret, and how many unread files, are named. */
const MAX_PLACES = 3;
const MAX_UNREAD = 20;
const MAX_WIDTH = 120;

/** The report, already visible, as text. */
export function auditText(report: AuditReport, options: TextOptions): string {
  const { summary, unscanned } = report;
  const { style } = options;
  const width = Math.min(MAX_WIDTH, options.width);
  const path = (text: string) => `  ${clipMiddle(text, options.width - 2)}`;
  const place = (text: string) => placeText(text, options.width);
  const secrets = report.blast_radius ?? [];
  const sourcesOf = sourcesBySecret(report);
  const head = `${plural(summary.findings, "finding")} (${plural(secrets.length, "secret")}) in ` +
    `${plural(summary.files_scanned, "file")} of ${plural(summary.sources_scanned, "agent")}, ` +
    `${formatBytes(summary.bytes_scanned)} read in ${summary.elapsed_seconds} s`;
  const mark = !summary.complete
    ? style.warn
    : summary.findings > 0
    ? style.bad
    : summary.files_scanned === 0
    ? String
    : style.good;
  const blocks = [[mark(wrap(head, width)), ...(options.absent ?? []).map((line) => wrap(line, width))].join("\n")];
  if (secrets.length > 0) blocks.push(style.bold("Rotate in this order, what stands in most places first:"));
  secrets.forEach((secret, index) => blocks.push(secretText(secret, index + 1, sourcesOf, width, style, place)));
  if (unscanned.length > 0) {
    const told = unscanned.filter(({ reason }) => reason !== ENDED);
    const shown = told.slice(0, MAX_UNREAD).map(({ source, file, reason }) =>
      `${path(`${source}: ${file}`)}\n${wrap(reason, width, "    ")}`
    );
    const more = told.length - shown.length;
    if (more > 0) shown.push(`  and ${more} more; --json lists all of them`);
    for (const [source, count] of endedBySource(report)) {
      shown.push(wrap(`${source}: ${plural(count, "place")} when the scan was ended`, width, "  "));
    }
    blocks.push([style.warn(`Not read (${summary.unscanned}):`), ...shown].join("\n"));
  }
  blocks.push(advice(report, options).map((line) => line.startsWith(" ") ? line : wrap(line, width)).join("\n"));
  return blocks.join("\n\n");
}

/** How many places of each source had not been read when the scan was ended. */
function endedBySource({ unscanned }: AuditReport): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { source, reason } of unscanned) {
    if (reason === ENDED) counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  return counts;
}

function secretText(
  secret: BlastReport,
  number: number,
  sourcesOf: ReadonlyMap<string, Set<string>>,
  width: number,
  style: Style,
  textOf: (place: string) => string,
): string {
  const { display, masked, rule, occurrences, locations, rotation } = secret;
  const agents = [...sourcesOf.get(`${rule} ${masked}`) ?? []].join(", ");
  const shown = locations.slice(0, MAX_PLACES).map((place) => style.faint(textOf(place)));
  const more = occurrences - shown.length;
  if (more > 0) shown.push(style.faint(`  and ${more} more`));
  return [
    style.bold(wrap(`${number}. ${display}  ${masked}`, width)),
    wrap(`${plural(occurrences, "place")} in ${agents} (${rule})`, width, "  "),
    wrap(`Rotate: ${rotation}`, width, "  "),
    ...shown,
  ].join("\n");
}

/** A place in one line; where there is no room, the key path goes below the file, so that both can be told. */
function placeText(place: string, width: number): string {
  const [, file = place, keypath] = /^(.*:\d+) (.*)$/s.exec(place) ?? [];
  if (keypath === undefined || widthOf(place) <= width - 2) return `  ${clipMiddle(place, width - 2)}`;
  return `  ${clipMiddle(file, width - 2)}\n    ${clipMiddle(keypath, width - 4)}`;
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

function advice({ summary, findings }: AuditReport, { program, root }: TextOptions): string[] {
  const lines: string[] = [];
  const place = root === undefined ? "" : ` --root ${commandLine([root], Deno.build.os)}`;
  const commands = (isBackup: boolean, line: (source: string) => string) => {
    if (program === null) return [];
    const sources = findings.filter(({ file }) => file.endsWith(".bak") === isBackup).map(({ source }) => source);
    return [...new Set(sources)].map((source) => `  ${program} ${line(source)}${place}`);
  };
  if (!summary.complete) lines.push("Not everything was read, so what is not listed is not known to be clean.");
  if (summary.findings > 0) lines.push("Rotate first: whoever could read these files may have the secrets.");
  const fixes = commands(false, (source) => `fix --source ${source}${root === undefined ? " --allow-production" : ""}`);
  if (fixes.length > 0) lines.push("Then remove them from the histories:", ...fixes);
  const purges = commands(true, (source) => `purge --source ${source}`);
  if (purges.length > 0) {
    lines.push(
      `${plural(summary.leftover_backups, "leftover backup")} (*.bak) with secrets; once all is well, delete them:`,
      ...purges,
    );
  }
  if (summary.suppressed_by_ignore > 0) lines.push(`${summary.suppressed_by_ignore} more are ignored on request.`);
  if (lines.length === 0) {
    lines.push(
      summary.files_scanned === 0 ? "There was nothing to scan." : "Nothing was found, and everything was read.",
    );
  }
  return lines;
}
