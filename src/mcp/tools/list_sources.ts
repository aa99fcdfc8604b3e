/**
 * The tool `list_sources`.
 *
 * @module
 */

import { z } from "zod";
import { sourceReports } from "../../engine/audit/report.ts";
import type { AuditService } from "../../engine/audit/service.ts";
import { type Posture, POSTURES } from "../../sandbox/posture.ts";
import { argumentsOf } from "../input.ts";
import { DATA_NOTICE, type Tool } from "../tool.ts";

const INPUT = argumentsOf({
  detected_only: z.boolean().default(false).describe("Leave out sources that have no history here."),
});

const OUTPUT = z.strictObject({
  sources: z.array(z.strictObject({
    source: z.string().describe("Key for scan_history."),
    display: z.string(),
    experimental: z.boolean().describe("Where it keeps history is derived from research, not from a real install."),
    root: z.string(),
    roots: z.array(z.string()).describe("Every place where it keeps history."),
    detected: z.boolean().describe("There is history here. False says nothing where access is denied."),
    access: z.enum(["granted", "denied"]).describe("Whether the sandbox allows to read all of it."),
  })),
  total: z.int().nonnegative(),
  detected: z.int().nonnegative(),
  sandbox: z.enum(POSTURES),
});

/** Shows which agents' histories there are. */
export function listSources(service: AuditService, posture: Posture): Tool<typeof INPUT, typeof OUTPUT> {
  return {
    name: "list_sources",
    title: "List histories of AI coding agents",
    description:
      "Lists the AI coding agents whose histories scan_history can read, where each keeps them, whether there " +
      `are any, and whether the sandbox allows to read them. ${DATA_NOTICE}`,
    readOnly: true,
    destructive: false,
    idempotent: true,
    input: INPUT,
    output: OUTPUT,
    async run({ detected_only }, { signal }) {
      const all = sourceReports(await service.list(signal));
      const detected = all.filter((source) => source.detected);
      return {
        sources: detected_only ? detected : all,
        total: all.length,
        detected: detected.length,
        sandbox: posture,
      };
    },
    render({ sources, total, detected, sandbox }) {
      const lines = sources.filter(({ detected }) => detected).map(
        ({ source, display, root, access, experimental }) => {
          const rest = access === "denied" ? ", in part unknown: the sandbox denies reading all of it" : "";
          return `${source} (${display}${experimental ? ", experimental" : ""}): history found${rest}; ${root}`;
        },
      );
      const others = (wanted: "granted" | "denied") =>
        sources.filter(({ detected, access }) => !detected && access === wanted).map(({ source }) => source).join(", ");
      return [
        `${detected} of ${total} agents have history here (sandbox: ${sandbox}).`,
        ...lines,
        ...(others("granted") === "" ? [] : [`None: ${others("granted")}`]),
        ...(others("denied") === "" ? [] : [`Unknown, since the sandbox denies reading them: ${others("denied")}`]),
      ].join("\n");
    },
  };
}
