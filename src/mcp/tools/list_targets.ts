/**
 * The tool `list_targets`.
 *
 * @module
 */

import { z } from "zod";
import type { ReclaimService } from "../../engine/reclaim.ts";
import { targetReports } from "../../engine/reclaim_report.ts";
import { type Posture, POSTURES } from "../../sandbox/posture.ts";
import { argumentsOf } from "../input.ts";
import { DATA_NOTICE, type Tool } from "../tool.ts";

const INPUT = argumentsOf({});

const OUTPUT = z.strictObject({
  roots: z.array(z.string()).describe("Directories that the human allowed; nothing outside is ever touched."),
  sandbox: z.enum(POSTURES).describe("How Deno's sandbox holds the server to those directories."),
  targets: z.array(z.strictObject({
    key: z.string().describe("Key for `only` of scan."),
    ecosystem: z.string(),
    matches: z.array(z.string()).describe("Names of the directory."),
    requires_marker_file: z.array(z.string()).nullable().describe(
      "One of these files proves it, beside it, or inside it where it begins with ./; null for a pure cache.",
    ),
    regenerate_with: z.string(),
  })),
});

/** Shows the roots, the sandbox and the catalogue. */
export function listTargets(service: ReclaimService, posture: Posture): Tool<typeof INPUT, typeof OUTPUT> {
  return {
    name: "list_targets",
    title: "List reclaimable kinds of directory",
    description:
      "Lists the kinds of regenerable directory that scan looks for, what proves each kind, how it comes back, " +
      `and the roots inside which this server may look and delete. Reads no files. ${DATA_NOTICE}`,
    readOnly: true,
    destructive: false,
    idempotent: true,
    input: INPUT,
    output: OUTPUT,
    run() {
      const roots = service.roots.map(({ path }) => path);
      return Promise.resolve({ roots, sandbox: posture, targets: targetReports(service) });
    },
    render({ roots, sandbox, targets }) {
      const lines = [...Map.groupBy(targets, (target) => target.regenerate_with)].map(([command, kinds]) =>
        `${command}: ${kinds.map(({ key }) => key).join(", ")}`
      );
      return [
        `Roots: ${roots.join(", ")}`,
        `Sandbox: ${sandbox}`,
        `${targets.length} kinds by what brings them back; the structured result has their names and proofs:`,
        ...lines,
      ].join("\n");
    },
  };
}
