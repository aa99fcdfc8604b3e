/**
 * What `sweep` found, as text.
 *
 * @module
 */

import type { FindReport, ScanReport } from "../engine/reclaim_report.ts";
import { isUnproven } from "../reclaim/find.ts";
import { formatBytes, plural } from "../text/units.ts";
import { type Column, table, wrap } from "./layout.ts";

/** How the text is set. */
export interface SweepTextOptions {
  /** Columns; `Infinity` for no limit. */
  readonly width: number;
  /** Whether each find has a number to pick it by. */
  readonly hasNumbers: boolean;
  /** The flags that leave something out, as they were written. @default none */
  readonly filters?: string;
}

type Row = FindReport & { readonly number: number };

/** How many refused directories are named. */
const MAX_REFUSED = 10;

/** The finds as people see and number them: what frees most first. */
export function findsByGain(reports: readonly ScanReport[]): FindReport[] {
  return reports.flatMap(({ finds }) => finds).sort((one, other) => other.reclaimable_bytes - one.reclaimable_bytes);
}

/** The finds as a table, what was refused, and a sum. */
export function sweepText(
  reports: readonly ScanReport[],
  { width, hasNumbers, filters = "" }: SweepTextOptions,
): string {
  const rows: Row[] = findsByGain(reports).map((find, index) => ({ ...find, number: index + 1 }));
  const all = reports.flatMap(({ skipped }) => skipped);
  const skipped = all.filter((entry) => !isUnproven(entry));
  const unproven = all.length - skipped.length;
  const unreadable = sum(reports.map(({ unreadable }) => unreadable));
  const number: Column<Row> = { title: "No.", of: ({ number }) => String(number), isNumber: true };
  const columns: Column<Row>[] = [
    ...(hasNumbers ? [number] : []),
    { title: "Frees", of: ({ reclaimable_bytes }) => formatBytes(reclaimable_bytes), isNumber: true },
    { title: "Days", of: ({ age_days }) => String(Math.round(age_days)), isNumber: true },
    { title: "Kind", of: ({ target }) => target },
    { title: "Directory", of: ({ path }) => path, isFlexible: true },
    { title: "Comes back by", of: ({ regenerate_with }) => regenerate_with, isFlexible: true },
  ];
  const frees = sum(rows.map(({ reclaimable_bytes }) => reclaimable_bytes));
  const refused = skipped.slice(0, MAX_REFUSED).map(({ path, reason }) => wrap(`${path}: ${reason}`, width, "  "));
  if (skipped.length > refused.length) refused.push(`  and ${skipped.length - refused.length} more; --json lists them`);
  return [
    ...(rows.length > 0 ? [table(rows, columns, width)] : []),
    ...(refused.length > 0 ? ["Refused:\n" + refused.join("\n")] : []),
    ...(unreadable > 0
      ? [wrap(`${plural(unreadable, "directory", "directories")} could not be read: what they hold is unknown.`, width)]
      : []),
    ...(unproven > 0
      ? [
        wrap(
          `${plural(unproven, "directory has", "directories have")} the name of a kind, and nothing proves that ` +
            `${unproven === 1 ? "it" : "they"} can be rebuilt (--json lists ${unproven === 1 ? "it" : "them"}).`,
          width,
        ),
      ]
      : []),
    wrap(sumText(rows.length, frees, filters), width),
  ].join("\n\n");
}

function sumText(count: number, frees: number, filters: string): string {
  if (count === 0) return `No directory that can be rebuilt ${filters === "" ? "was found" : `fits ${filters}`}.`;
  const [which, them] = [plural(count, "directory", "directories"), count === 1 ? "it" : "them"];
  return `${which} can be rebuilt${filters === "" ? "" : ` and ${count === 1 ? "fits" : "fit"} ${filters}`}; ` +
    `deleting ${them} frees ${formatBytes(frees)}.`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
