/**
 * The tool `scan`.
 *
 * @module
 */

import { z } from "zod";
import type { ReclaimService } from "../../engine/reclaim.ts";
import { scanReport } from "../../engine/reclaim_report.ts";
import { formatBytes, plural } from "../../text/units.ts";
import { argumentsOf } from "../input.ts";
import { DATA_NOTICE, type Tool } from "../tool.ts";

const COUNT = z.int().nonnegative();
/** Keys named at most: more than there are. */
const MAX_ONLY = 1000;
/** Globs at most, and their length: each is compared with every directory. */
const MAX_GLOBS = 200;
const MAX_GLOB = 1024;

const INPUT = argumentsOf({
  path: z.string().describe("Absolute path of the directory to scan; it must lie inside a root."),
  only: z.array(z.string()).max(MAX_ONLY).optional().describe(
    "Keys of the kinds to look for, from list_targets. All by default.",
  ),
  min_size_mb: z.number().nonnegative().default(0).describe("Leave out finds smaller than this, in MiB."),
  older_than_days: z.number().nonnegative().optional().describe("Leave out finds that changed more recently."),
  max_depth: COUNT.optional().describe("How many levels below path to visit."),
  exclude: z.array(z.string().max(MAX_GLOB)).max(MAX_GLOBS).optional().describe(
    "Globs to leave out: a name (`legacy*`), or a path below `path` (`apps/**/dist`).",
  ),
  max_finds: COUNT.default(200).describe("How many finds to list; counts and totals are of all."),
});

const OUTPUT = z.strictObject({
  scanned: z.string(),
  found: COUNT.describe("Finds in all, also where the list is cut."),
  total_size: z.string(),
  total_bytes: COUNT.describe("Apparent size of all finds."),
  reclaimable_bytes: COUNT.describe("What deleting all finds frees."),
  duration_seconds: z.number(),
  directories_visited: COUNT,
  unreadable: COUNT.describe("Directories that could not be listed: what they hold is unknown."),
  skipped: z.array(z.strictObject({ path: z.string(), reason: z.string() })).describe(
    "Directories that matched by name and were refused.",
  ),
  finds: z.array(z.strictObject({
    id: z.string().describe("The only thing that reclaim accepts."),
    path: z.string(),
    target: z.string(),
    size: z.string(),
    size_bytes: COUNT,
    reclaimable_bytes: COUNT,
    files: COUNT,
    age_days: z.number(),
    regenerate_with: z.string(),
  })),
});

/** Finds what could be deleted. */
export function scan(service: ReclaimService): Tool<typeof INPUT, typeof OUTPUT> {
  return {
    name: "scan",
    title: "Scan for reclaimable directories",
    description:
      "Finds regenerable build directories (node_modules, .venv, target, ...) below a path inside the roots, " +
      "with the size of each, what deleting it would free, and an id. Deletes nothing; the ids are the only things that " +
      `reclaim accepts. ${DATA_NOTICE}`,
    readOnly: true,
    destructive: false,
    idempotent: true,
    input: INPUT,
    output: OUTPUT,
    async run(input, { signal, progress }) {
      const scanned = await service.scan({
        path: input.path,
        only: input.only,
        minSizeMb: input.min_size_mb,
        olderThanDays: input.older_than_days,
        maxDepth: input.max_depth,
        exclude: input.exclude,
      }, {
        signal,
        onProgress: ({ visited, matched, measured }) =>
          progress(visited + measured, `${visited} directories visited, ${measured} of ${matched} matches measured`),
      });
      return scanReport(service, scanned, input.max_finds);
    },
    render(report) {
      const shown = report.finds.map(({ id, size, path, target, age_days, regenerate_with }) =>
        `${id}  ${size}  ${path}  (${target}, ${age_days} days old; back by ${regenerate_with})`
      );
      const more = report.found - report.finds.length;
      const unknown = plural(report.unreadable, "directory", "directories");
      return [
        `${plural(report.found, "find")} below ${report.scanned}: ${report.total_size}, of which deleting frees ` +
        `${formatBytes(report.reclaimable_bytes)}.`,
        ...shown,
        ...(more > 0 ? [`... and ${more} more, not listed.`] : []),
        ...(report.unreadable > 0 ? [`${unknown} could not be listed: what they hold is unknown.`] : []),
        ...(report.skipped.length > 0 ? ["Refused:"] : []),
        ...report.skipped.map(({ path, reason }) => `  ${path}: ${reason}`),
      ].join("\n");
    },
  };
}
