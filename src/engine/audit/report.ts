/**
 * What Audit reports, under the names that tools and scripts rely on.
 *
 * @module
 */

import type { AuditFinding, AuditOutcome, SourceState } from "./service.ts";

/** One source, as `list_sources` shows it. */
export interface SourceReport {
  /** Key. */
  source: string;
  /** Human name. */
  display: string;
  /** Whether its storage is not confirmed on a real install. */
  experimental: boolean;
  /** The first place where it keeps history. */
  root: string;
  /** Every place. */
  roots: string[];
  /** Whether there is history. */
  detected: boolean;
  /** Whether the sandbox allows to read all of it. */
  access: "granted" | "denied";
}

/** One finding, as `scan_history` and the command line show it. */
export interface FindingReport {
  /** Key of the source. */
  source: string;
  /** Stable hash of source, relative path, line and rule. */
  fingerprint: string;
  /** The file. */
  file: string;
  /** Line, from 1; of a database the row's id. */
  line: number;
  /** Where in the record it stands. */
  keypath: string;
  /** Id of the rule. */
  rule: string;
  /** The rule's human name. */
  display: string;
  /** The most of the secret that is ever shown. */
  masked: string;
}

/** One secret and everywhere it was found. */
export interface BlastReport {
  /** Id of the rule. */
  rule: string;
  /** The rule's human name. */
  display: string;
  /** The most of the secret that is ever shown. */
  masked: string;
  /** How often it was found. */
  occurrences: number;
  /** Where: `file:line keypath`, at most {@linkcode MAX_LOCATIONS}. */
  locations: string[];
  /** What to do about it. */
  rotation: string;
}

/** Result of `scan_history`. */
export interface AuditReport {
  /** Counts of the whole scan, also where lists are cut. */
  summary: {
    sources_scanned: number;
    files_scanned: number;
    bytes_scanned: number;
    strings_scanned: number;
    findings: number;
    suppressed_by_ignore: number;
    truncated_files: number;
    leftover_backups: number;
    unscanned: number;
    complete: boolean;
    elapsed_seconds: number;
  };
  /** The first findings, by source, file, line and column. */
  findings: FindingReport[];
  /** Findings by secret, when asked for. */
  blast_radius?: BlastReport[];
  /** What was not scanned, and why. */
  unscanned: { source: string; file: string; reason: string }[];
  /** What to do now. */
  next_steps: string[];
}

/** How to report. */
export interface AuditReportOptions {
  /** How many findings are listed at most. */
  readonly maxFindings: number;
  /** Rotation advice by rule, when the findings are to be grouped by secret. */
  readonly rotationOf: ((rule: string) => string) | null;
}

/** Locations of one secret that are listed at most. */
const MAX_LOCATIONS = 50;
/** Unscanned entries that are listed at most. */
const MAX_UNSCANNED = 200;

/**
 * Reports the state of sources.
 *
 * @example
 * ```ts
 * import { createAudit, sourceReports } from "@agentsweep/mcp";
 * import { readHost } from "@agentsweep/mcp/history";
 *
 * const none = { history: new Map(), allowsRoot: false, workingDirectory: null, workerModules: null };
 * const audit = createAudit({ host: readHost()!, ...none });
 * console.log(sourceReports(await audit.list()).filter(({ detected }) => detected).length);
 * ```
 */
export function sourceReports(states: readonly SourceState[]): SourceReport[] {
  return states.map(({ source, isDetected, isGranted }) => ({
    source: source.key,
    display: source.display,
    experimental: source.experimental,
    root: source.root,
    roots: [...source.roots],
    detected: isDetected,
    access: isGranted ? "granted" : "denied",
  }));
}

/**
 * Reports a scan.
 *
 * @example
 * ```ts
 * import { auditReport, scanHistory } from "@agentsweep/mcp";
 *
 * const copy = await Deno.makeTempDir();
 * const outcome = await scanHistory({ sources: ["codex"], history: { codex: copy } });
 * const { summary, next_steps } = auditReport(outcome, { maxFindings: 20, rotationOf: () => "rotate it" });
 * console.log(summary.complete, next_steps);
 * ```
 */
export function auditReport(outcome: AuditOutcome, { maxFindings, rotationOf }: AuditReportOptions): AuditReport {
  return {
    summary: {
      sources_scanned: outcome.sources.length,
      files_scanned: outcome.files,
      bytes_scanned: outcome.bytes,
      strings_scanned: outcome.strings,
      findings: outcome.total,
      suppressed_by_ignore: outcome.suppressed,
      truncated_files: outcome.truncated,
      leftover_backups: outcome.backups,
      unscanned: outcome.unscanned.length,
      complete: outcome.isComplete,
      elapsed_seconds: Number(outcome.seconds.toFixed(3)),
    },
    findings: outcome.findings.slice(0, maxFindings).map(findingReport),
    ...(rotationOf ? { blast_radius: blastRadius(outcome.findings, rotationOf) } : {}),
    unscanned: outcome.unscanned.slice(0, MAX_UNSCANNED).map(({ source, file, reason }) => ({ source, file, reason })),
    next_steps: nextSteps(outcome, maxFindings),
  };
}

/**
 * Reports one finding.
 *
 * @example
 * ```ts
 * import { findingReport, scanHistory } from "@agentsweep/mcp";
 *
 * const copy = await Deno.makeTempDir();
 * const outcome = await scanHistory({ sources: ["codex"], history: { codex: copy } });
 * console.log(outcome.findings.map(findingReport));
 * ```
 */
export function findingReport(finding: AuditFinding): FindingReport {
  const { source, fingerprint, file, line, keypath, rule, display, masked } = finding;
  return { source, fingerprint, file, line, keypath, rule, display, masked };
}

/** Groups findings by secret, the most frequent first. */
function blastRadius(findings: readonly AuditFinding[], rotationOf: (rule: string) => string): BlastReport[] {
  const groups = new Map<string, AuditFinding[]>();
  for (const finding of findings) {
    const id = `${finding.rule} ${finding.group}`;
    const group = groups.get(id);
    if (group) group.push(finding);
    else groups.set(id, [finding]);
  }
  return [...groups.values()]
    .sort((one, other) => other.length - one.length)
    .map((group) => {
      const { rule, display, masked } = group[0]!;
      return {
        rule,
        display,
        masked,
        occurrences: group.length,
        locations: group.slice(0, MAX_LOCATIONS).map(({ file, line, keypath }) => `${file}:${line} ${keypath}`.trim()),
        rotation: rotationOf(rule),
      };
    });
}

function nextSteps(outcome: AuditOutcome, maxFindings: number): string[] {
  const steps: string[] = [];
  if (!outcome.isComplete) {
    steps.push(
      "The scan is not complete: what is listed under unscanned was not read, so it is unknown whether it holds secrets. " +
        "Do what each reason says, then scan again.",
    );
  }
  const kept = outcome.findings.length;
  if (outcome.total > Math.min(maxFindings, kept)) {
    const more = maxFindings < kept
      ? "raise max_findings for more"
      : "of a file with very many no more are kept, nor are they in the blast radius";
    steps.push(`Only the first ${Math.min(maxFindings, kept)} of ${outcome.total} findings are listed; ${more}.`);
  }
  if (outcome.total > 0) {
    steps.push(
      "Rotate each secret at its provider first: whoever could read the history may have it. get_rotation_guidance says how.",
      "Then a human removes them on the command line: deno run -A jsr:@agentsweep/mcp fix --source SOURCE, with " +
        "--root COPY for a copy of the history, or --allow-production for the history itself.",
    );
  }
  if (outcome.backups > 0) {
    steps.push(
      "Leftover backups (*.bak) hold secrets too: delete them on the command line with purge once all is well.",
    );
  }
  if (steps.length === 0) steps.push(outcome.files === 0 ? nothingThere(outcome) : ALL_READ);
  return steps;
}

const ALL_READ = "Nothing was found, and everything was read.";

/** Where there is no history, there was nothing to find. */
function nothingThere({ absent }: AuditOutcome): string {
  const [first, ...others] = absent;
  if (first === undefined) return ALL_READ;
  return others.length === 0
    ? `No history of ${first.source} is here (looked in ${first.roots.join(", ")}), so nothing was scanned.`
    : `None of these ${absent.length} agents has a history here, so nothing was scanned; list_sources says where each would be.`;
}
