/**
 * The tool `scan_history`.
 *
 * @module
 */

import { z } from "zod";
import { auditReport } from "../../engine/audit/report.ts";
import { isDenied } from "../../engine/audit/grants.ts";
import type { AuditService } from "../../engine/audit/service.ts";
import { Refusal } from "../../guard/mod.ts";
import { formatBytes, plural } from "../../text/units.ts";
import { argumentsOf } from "../input.ts";
import { DATA_NOTICE, type Tool } from "../tool.ts";

const COUNT = z.int().nonnegative();
const MAX_TIMEOUT_SECONDS = 86_400;

const FIELDS = {
  all_sources: z.boolean().default(false).describe("Scan every agent's history."),
  detected_only: z.boolean().default(true).describe("Count only the sources that have history here."),
  include_blast_radius: z.boolean().default(false).describe("Group findings by secret, with everywhere it was found."),
  max_findings: COUNT.default(200).describe("How many findings to list; counts are of all."),
  timeout_seconds: z.number().positive().max(MAX_TIMEOUT_SECONDS).optional().describe(
    "End after this long and return what was found so far, with complete: false.",
  ),
};

const ROOT = z.string().optional().describe(
  "With source: another root for it, inside what the human allowed.",
);

const OUTPUT = z.strictObject({
  summary: z.strictObject({
    sources_scanned: COUNT,
    files_scanned: COUNT,
    bytes_scanned: COUNT,
    strings_scanned: COUNT,
    findings: COUNT.describe("Findings in all, also where the list is cut."),
    suppressed_by_ignore: COUNT,
    truncated_files: COUNT,
    leftover_backups: COUNT.describe("Backup files (*.bak) that still hold secrets."),
    unscanned: COUNT,
    complete: z.boolean().describe("False: something was not read, so the absence of findings proves nothing."),
    elapsed_seconds: z.number(),
  }),
  findings: z.array(z.strictObject({
    source: z.string(),
    fingerprint: z.string(),
    file: z.string(),
    line: COUNT,
    keypath: z.string(),
    rule: z.string(),
    display: z.string(),
    masked: z.string().describe("The most of the secret that is ever shown."),
  })),
  blast_radius: z.array(z.strictObject({
    rule: z.string(),
    display: z.string(),
    masked: z.string(),
    occurrences: COUNT,
    locations: z.array(z.string()),
    rotation: z.string(),
  })).optional(),
  unscanned: z.array(z.strictObject({ source: z.string(), file: z.string(), reason: z.string() })).describe(
    "What was not read, and why.",
  ),
  next_steps: z.array(z.string()),
});

function inputOf(service: AuditService) {
  const source = z.enum(service.keys as [string, ...string[]]).optional().describe("One agent, from list_sources.");
  return argumentsOf({ source, ...FIELDS, ...(service.allowsRoot ? { root: ROOT } : {}) });
}

/** Finds secrets in histories. */
export function scanHistory(service: AuditService): Tool<ReturnType<typeof inputOf>, typeof OUTPUT> {
  return {
    name: "scan_history",
    title: "Scan agents' histories for secrets",
    description:
      "Finds secrets (API keys, tokens, passwords, private keys, seed phrases) that leaked into the histories of " +
      "AI coding agents on this machine. Give source, or all_sources. Secrets are masked: no plaintext is ever returned. " +
      `What could not be read is listed and makes the scan incomplete. ${DATA_NOTICE}`,
    readOnly: true,
    destructive: false,
    idempotent: true,
    input: inputOf(service),
    output: OUTPUT,
    async run(input, { signal, progress }) {
      const { source, all_sources, root } = input as typeof input & { root?: string };
      if ((source === undefined) !== all_sources) {
        throw new Refusal(
          "argument",
          "give either source or all_sources: true, and not both; list_sources names the sources",
        );
      }
      if (root !== undefined && source === undefined) {
        throw new Refusal("argument", "root goes with source, not with all_sources");
      }
      const limit = input.timeout_seconds;
      const outcome = await service.scan({
        sources: source === undefined ? service.keys : [source],
        root,
        signal: limit === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(limit * 1000)]),
        onProgress: (done, of) => progress(done, `${done} of ${plural(of, "file")} scanned so far`),
      });
      const scanned = input.detected_only ? outcome.sources : source === undefined ? service.keys : [source];
      const advice = input.include_blast_radius ? await rotations() : null;
      return auditReport({ ...outcome, sources: scanned }, { maxFindings: input.max_findings, rotationOf: advice });
    },
    render({ summary, findings, blast_radius, unscanned, next_steps }) {
      const found = findings.map(({ source, file, line, keypath, rule, display, masked, fingerprint }) =>
        `${display} (${rule}): ${masked}  ${file}:${line}${
          keypath === "" ? "" : ` ${keypath}`
        }  (${source}, ${fingerprint})`
      );
      const radius = (blast_radius ?? []).flatMap(({ rule, display, masked, occurrences, locations, rotation }) => [
        `${display} (${rule}) ${masked}: found ${plural(occurrences, "time")}. ${rotation}`,
        ...locations.map((location) => `  ${location}`),
      ]);
      const denied = deniedSources(unscanned);
      const others = denied.length > 1 ? unscanned.filter((entry) => !isDenied(entry)) : unscanned;
      return [
        `${plural(summary.findings, "finding")} in ${plural(summary.files_scanned, "file")} of ` +
        `${plural(summary.sources_scanned, "agent")} (${formatBytes(summary.bytes_scanned)}, ` +
        `${summary.elapsed_seconds} s)${summary.complete ? "" : "; NOT COMPLETE"}.`,
        ...found,
        ...(radius.length > 0 ? ["By secret:"] : []),
        ...radius,
        ...(denied.length > 1 ? [notGranted(denied)] : []),
        ...(others.length > 0 ? [`Not scanned (${summary.unscanned - unscanned.length + others.length}):`] : []),
        ...others.map(({ source, file, reason }) => `  ${file} (${source}): ${reason}`),
        ...next_steps,
      ].join("\n");
    },
  };
}

/** Keys of the sources of which the sandbox keeps something closed. */
function deniedSources(unscanned: readonly { readonly source: string; readonly reason: string }[]): string[] {
  return [...new Set(unscanned.filter(isDenied).map(({ source }) => source))];
}

/** One line for all of them: most are agents that were never installed, but nobody here can know. */
function notGranted(sources: readonly string[]): string {
  return `${sources.length} sources not granted, as a whole or in part, so unknown: ${
    sources.join(", ")
  }. A human grants ` +
    "them by starting the server with what config --every-history prints, or one with --history SOURCE=DIR and " +
    "--allow-read=DIR; or scans them on the command line (scan).";
}

/** The rule tables are large and only needed here, so they are loaded when they are asked for. */
async function rotations(): Promise<(rule: string) => string> {
  const { findRule } = await import("../../secrets/mod.ts");
  return (rule) => findRule(rule)?.rotation ?? "";
}
