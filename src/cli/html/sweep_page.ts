/**
 * The page of `sweep --html`: where the space is that can be had back.
 *
 * @module
 */

import type { FindReport, ScanReport } from "../../engine/reclaim_report.ts";
import { isUnproven } from "../../reclaim/find.ts";
import { formatBytes, plural } from "../../text/units.ts";
import { bars, card, type Markup, markup, page } from "./page.ts";
import { squarify } from "./treemap.ts";

/** Sizes of the treemap, in the units of its text: for a desk and for a phone. */
const WIDE = { width: 1100, height: 520 };
const NARROW = { width: 350, height: 480 };
/** Beyond this many tiles none can be told from its neighbour; the rest shares one. */
const MAX_TILES = 150;
const MAX_ROWS = 1000;
const LINE = 16;
const CHARACTER = 7;

/** The page, from the reports of the folders that were looked at. */
export function sweepPage(reports: readonly ScanReport[]): string {
  const finds = reports.flatMap(({ finds }) => finds).sort((one, other) =>
    other.reclaimable_bytes - one.reclaimable_bytes
  );
  const all = reports.flatMap(({ skipped }) => skipped);
  // Below what was refused for more than its name stands what is merely called like a kind.
  const skipped = [...all.filter((entry) => !isUnproven(entry)), ...all.filter(isUnproven)];
  const unreadable = sum(reports.map(({ unreadable }) => unreadable));
  const total = sum(finds.map(({ reclaimable_bytes }) => reclaimable_bytes));
  return page(
    "Space that can be had back",
    markup`<h1>${formatBytes(total)} can be had back</h1>
<p class="faint">${reports.map(({ scanned }) => scanned).join(", ")}</p>
<div class="cards">${[
      card(String(finds.length), "directories that can be rebuilt"),
      card(String(sum(finds.map(({ files }) => files))), "files in them"),
      card(String(skipped.length), "refused, with reasons below"),
    ]}</div>
${
      unreadable > 0
        ? markup`<p class="warn">${
          plural(unreadable, "directory", "directories")
        } could not be read: what they hold is unknown.</p>`
        : []
    }
<h2>By size</h2>${finds.length === 0 ? markup`<p>Nothing was found.</p>` : treemaps(finds)}
<div class="charts"><div><h2>By kind (MiB)</h2>${bars(byKind(finds))}</div><div><h2>By age (directories)</h2>${
      bars(byAge(finds))
    }</div></div>
<h2>All of them</h2>${rows(finds)}
<h2>Refused</h2>${refused(skipped)}`,
  );
}

/** Drawn twice, so that its text can be read on a phone too; the page shows the one that fits. */
function treemaps(finds: readonly FindReport[]): Markup[] {
  return [
    markup`<div class="wide">${treemap(finds, WIDE)}</div>`,
    markup`<div class="narrow">${treemap(finds, NARROW)}</div>`,
  ];
}

function treemap(finds: readonly FindReport[], { width, height }: typeof WIDE): Markup {
  const sized = finds.filter(({ reclaimable_bytes }) => reclaimable_bytes > 0);
  const single = sized.slice(0, MAX_TILES);
  const rest = sized.slice(MAX_TILES);
  const tiles = single.map((find) => ({
    label: shortPath(find.path),
    title: `${find.path}\n${find.target}, ${formatBytes(find.reclaimable_bytes)}, ${plural(find.files, "file")}`,
    bytes: find.reclaimable_bytes,
    colour: colourOf(find.target),
  }));
  if (rest.length > 0) {
    const bytes = sum(rest.map(({ reclaimable_bytes }) => reclaimable_bytes));
    const label = `${rest.length} smaller ones`;
    tiles.push({ label, title: `${label}, ${formatBytes(bytes)}`, bytes, colour: "#5b6472" });
    tiles.sort((one, other) => other.bytes - one.bytes);
  }
  const places = squarify(tiles.map(({ bytes }) => bytes), { x: 0, y: 0, width, height });
  return markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Treemap of the space that can be had back">${
    tiles.map(({ label, title, bytes, colour }, index) => {
      const { x, y, width, height } = places[index]!;
      const room = Math.floor((width - 10) / CHARACTER);
      const lines = height < LINE + 6 || room < 4
        ? []
        : [label, formatBytes(bytes)].slice(0, height < 2 * LINE + 6 ? 1 : 2);
      return markup`<g><title>${title}</title><rect x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${
        fixed(height)
      }" fill="${colour}"/>${
        lines.map((line, row) =>
          markup`<text x="${fixed(x + 6)}" y="${fixed(y + LINE * (row + 1))}">${
            line.length > room ? `${line.slice(0, room - 1)}…` : line
          }</text>`
        )
      }</g>`;
    })
  }</svg>`;
}

/** The last two names of a path tell most. */
function shortPath(path: string): string {
  return path.split(/[\\/]/).slice(-2).join("/");
}

/** The same kind has the same colour in every report, dark enough for white text on it. */
function colourOf(target: string): string {
  let hash = 0;
  for (const character of target) hash = (hash * 31 + character.codePointAt(0)!) % 360;
  return `hsl(${hash} 45% 32%)`;
}

function byKind(finds: readonly FindReport[]): [string, number][] {
  const kinds = new Map<string, number>();
  for (const { target, reclaimable_bytes } of finds) kinds.set(target, (kinds.get(target) ?? 0) + reclaimable_bytes);
  return [...kinds].sort(([, one], [, other]) => other - one).slice(0, 12)
    .map(([kind, bytes]) => [kind, Number((bytes / 1024 / 1024).toFixed(1))]);
}

const AGES: readonly (readonly [string, number])[] = [
  ["up to a week", 7],
  ["up to a month", 30],
  ["up to half a year", 182],
  ["up to a year", 365],
  ["older", Infinity],
];

function byAge(finds: readonly FindReport[]): [string, number][] {
  const counts = AGES.map(([label]): [string, number] => [label, 0]);
  for (const { age_days } of finds) counts[AGES.findIndex(([, days]) => age_days <= days)]![1]++;
  return counts;
}

function rows(finds: readonly FindReport[]): Markup {
  const more = finds.length - MAX_ROWS;
  return markup`<table><tr><th>Directory</th><th>Kind</th><th class="number">Frees</th><th class="number">Files</th>
<th class="number">Days old</th><th>Comes back by</th></tr>${
    finds.slice(0, MAX_ROWS).map((find) =>
      markup`<tr><td><code>${find.path}</code></td><td data-label="Kind">${find.target}</td><td data-label="Frees" class="number">${
        formatBytes(find.reclaimable_bytes)
      }</td><td data-label="Files" class="number">${find.files}</td><td data-label="Days old" class="number">${
        Math.round(find.age_days)
      }</td><td data-label="Comes back by"><code>${find.regenerate_with}</code></td></tr>`
    )
  }</table>${more > 0 ? markup`<p class="faint">and ${more} smaller ones</p>` : []}`;
}

function refused(skipped: ScanReport["skipped"]): Markup {
  if (skipped.length === 0) return markup`<p>None.</p>`;
  return markup`<table><tr><th>Directory</th><th>Why it stays</th></tr>${
    skipped.slice(0, MAX_ROWS).map(({ path, reason }) =>
      markup`<tr><td><code>${path}</code></td><td data-label="Why it stays">${reason}</td></tr>`
    )
  }</table>${
    skipped.length > MAX_ROWS
      ? markup`<p class="faint">and ${skipped.length - MAX_ROWS} more; sweep --json lists them</p>`
      : []
  }`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
