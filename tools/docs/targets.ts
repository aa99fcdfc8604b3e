/**
 * Writes `docs/targets.md` from the catalogue of targets.
 *
 * @example
 * ```sh
 * deno run --allow-write=docs tools/docs/targets.ts
 * ```
 *
 * @module
 */
import type { Target } from "../../src/reclaim/target.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";
import { CAVEATS, LEFT_OUT } from "./left_out.ts";

/** How many kinds at the head of the table are the common ones. */
const COMMON = 24;

const code = (text: string): string => `\`${text}\``;
const codes = (texts: readonly string[]): string => texts.map(code).join(", ");

function proof({ marker, unless }: Target): string {
  const places = marker === null ? ["its name"] : [
    ...(marker.beside ? [`beside it ${codes(marker.beside)}`] : []),
    ...(marker.inside ? [`inside it ${codes(marker.inside)}`] : []),
  ];
  return places.join("; or ") + (unless ? `; never with ${codes(unless)} inside` : "");
}

function row(target: Target): string[] {
  return [
    code(target.key),
    codes(target.matches),
    proof(target),
    `[${code(target.regenerateWith)}](${target.documentation})`,
  ];
}

/** A Markdown table laid out as `deno fmt` would. */
function table(head: string[], rows: readonly string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((cells) => (cells[column] ?? title).length))
  );
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

const kinds = (targets: readonly Target[]): string =>
  table(["Key", "Directory", "Proof (one is enough)", "Comes back by"], targets.map(row));

/** The text of `docs/targets.md`. */
export function targetsPage(): string {
  const others = TARGETS.slice(COMMON);
  const ecosystems = [...new Set(others.map((target) => target.ecosystem))];
  const sections = ecosystems.map((ecosystem) =>
    `### ${ecosystem}\n\n${kinds(others.filter((target) => target.ecosystem === ecosystem))}`
  );
  return `# Reclaim targets

Written by \`tools/docs/targets.ts\` from \`src/reclaim/targets/\`; change it there.

A directory is offered only if its name matches a kind and something on disk proves that it can be rebuilt: a pure cache
is proved by its name, anything else by a file beside it or inside it. \`*\` stands for any characters inside one name. A
name of several parts (\`vendor/bundle\`) means the last directory; the proof beside it then stands beside the first.
Where several kinds fit, the first in this order counts. Whatever the kind, a directory that git tracks, that holds
version control metadata or a mount, or that is reached through a link is never offered.

## The ${COMMON} common kinds

${kinds(TARGETS.slice(0, COMMON))}

## ${others.length} more kinds

${sections.join("\n\n")}

## Look before you delete

These can be rebuilt, but something of their owner's may be in them.

${table(["Directory", "What may be in it"], CAVEATS.map(({ names, reason }) => [codes(names), reason]))}

## Left out on purpose

Other cleaners delete some of these. They hold something that no command brings back, or nothing proves that they don't.

${table(["Directory", "Why it stays"], LEFT_OUT.map(({ names, reason }) => [codes(names), reason]))}
`;
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../../docs/targets.md", import.meta.url), targetsPage());
}
