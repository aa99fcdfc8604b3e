/**
 * The page of `scan --html`: what leaked, where, and what to do first.
 *
 * @module
 */

import type { AuditReport } from "../../engine/audit/report.ts";
import { formatBytes, plural } from "../../text/units.ts";
import { bars, card, type Markup, markup, page } from "./page.ts";

const MAX_BARS = 15;
const MAX_SECRETS = 500;

/**
 * The page.
 *
 * @param daysOld How many days ago a file last changed, or null where that is unknown.
 */
export function auditPage(report: AuditReport, daysOld: (file: string) => number | null): string {
  const { summary, findings, unscanned } = report;
  const secrets = report.blast_radius ?? [];
  return page(
    "Secrets in agents' histories",
    markup`<h1>${
      summary.files_scanned === 0
        ? "Nothing was scanned"
        : summary.findings === 0
        ? "No secrets were found"
        : `${plural(secrets.length, "secret")} leaked into agents' histories`
    }</h1>
<p class="faint">Secrets are masked. Rotate each at its provider first; then remove it from the history with <code>fix</code>.</p>
<div class="cards">${[
      card(String(summary.findings), "places"),
      card(String(summary.files_scanned), "files read"),
      card(formatBytes(summary.bytes_scanned), "read"),
      card(String(summary.leftover_backups), "leftover backups with secrets"),
    ]}</div>
${
      summary.complete
        ? []
        : markup`<p class="warn">Not complete: ${
          plural(summary.unscanned, "place")
        } could not be read, so what is not listed is not known to be clean.</p>`
    }
<div class="charts">
<div><h2>By agent</h2>${bars(counted(findings.map(({ source }) => source)))}</div>
<div><h2>By kind of secret</h2>${bars(counted(findings.map(({ display }) => display)))}</div>
<div><h2>By age of the file</h2>${bars(byAge(findings.map(({ file }) => daysOld(file))))}</div>
</div>
<h2>Rotate in this order, what stands in most places first</h2>
${
      secrets.slice(0, MAX_SECRETS).map(({ display, masked, occurrences, locations, rotation, rule }, index) =>
        markup`<details${index === 0 ? markup` open` : []}><summary><b>${display}</b> <code>${masked}</code>, ${
          plural(occurrences, "place")
        }</summary><p>${rotation}</p><p class="faint">rule ${rule}</p><ul>${
          locations.map((place) => markup`<li><code>${place}</code></li>`)
        }</ul>${
          occurrences > locations.length ? markup`<p class="faint">and ${occurrences - locations.length} more</p>` : []
        }</details>`
      )
    }${
      secrets.length > MAX_SECRETS
        ? markup`<p>and ${secrets.length - MAX_SECRETS} more secrets; scan --json lists all of them</p>`
        : []
    }
<h2>Not read</h2>${unread(unscanned, summary)}`,
  );
}

function counted(labels: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const rest = sorted.slice(MAX_BARS);
  if (rest.length === 0) return sorted;
  return [...sorted.slice(0, MAX_BARS), [`${rest.length} others`, rest.reduce((sum, [, count]) => sum + count, 0)]];
}

const AGES: readonly (readonly [string, number])[] = [
  ["today", 1],
  ["this week", 7],
  ["this month", 30],
  ["this year", 365],
  ["older", Infinity],
];

function byAge(days: readonly (number | null)[]): [string, number][] {
  const counts = AGES.map(([label]): [string, number] => [label, 0]);
  for (const age of days) if (age !== null) counts[AGES.findIndex(([, limit]) => age <= limit)]![1]++;
  const unknown = days.filter((age) => age === null).length;
  return unknown === 0 ? counts : [...counts, ["unknown", unknown]];
}

function unread(
  unscanned: AuditReport["unscanned"],
  { unscanned: total, files_scanned }: AuditReport["summary"],
): Markup {
  if (unscanned.length === 0 && files_scanned === 0) return markup`<p>No history of what was asked for is here.</p>`;
  if (unscanned.length === 0) return markup`<p>Everything was read.</p>`;
  return markup`<table><tr><th>File</th><th>Agent</th><th>Why</th></tr>${
    unscanned.map(({ file, source, reason }) =>
      markup`<tr><td><code>${file}</code></td><td data-label="Agent">${source}</td><td data-label="Why">${reason}</td></tr>`
    )
  }</table>${total > unscanned.length ? markup`<p class="faint">and ${total - unscanned.length} more</p>` : []}`;
}
