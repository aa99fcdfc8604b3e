/**
 * What `sweep` found, as text.
 *
 * @module
 */

import type { ScanReport } from "../engine/reclaim_report.ts";
import { formatBytes, plural } from "../text/units.ts";
import { type Column, table, wrap } from "./layout.ts";

/** How the text is set. */
export interface SweepTextOptions {
  /** Columns; `Infinity` for no limit. */
  readonly width: number;
  /** Whether each find has a number to pick it by. */
  readonly hasNumbers: boolean;
}

type Row = ScanReport["finds"][number] & { readonly number: number };

/** How many refused directories are named. */
const MAX_REFUSED = 10;

/** The finds as a table, what was refused, and a sum. */
export function sweepText(reports: readonly ScanReport[], { width, hasNumbers }: SweepTextOptions): string {
  const rows: Row[] = reports.flatMap(({ finds }) => finds).map((find, index) => ({ ...find, number: index + 1 }));
  const skipped = reports.flatMap(({ skipped }) => skipped);
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
    wrap(
      `${plural(rows.length, "directory", "directories")} can be rebuilt; deleting them frees ${formatBytes(frees)}.`,
      width,
    ),
  ].join("\n\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
