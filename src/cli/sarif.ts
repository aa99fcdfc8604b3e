/**
 * Findings as SARIF 2.1.0, which code-scanning tools read.
 *
 * @module
 */

import type { FindingReport } from "../engine/audit/report.ts";
import { findRule } from "../secrets/mod.ts";
import { VERSION } from "../version.ts";

/** A SARIF log. */
export interface SarifLog {
  /** Where the shape is described. */
  readonly $schema: string;
  /** Version of SARIF. */
  readonly version: "2.1.0";
  /** One run. */
  readonly runs: readonly Record<string, unknown>[];
}

/** A log of one run. Secrets are masked in it as everywhere. */
export function sarifLog(
  findings: readonly FindingReport[],
  unscanned: readonly { readonly file: string; readonly reason: string }[],
  isComplete: boolean,
): SarifLog {
  const ids = [...new Set(findings.map(({ rule }) => rule))].sort();
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: {
        driver: {
          name: "agentsweep",
          semanticVersion: VERSION,
          informationUri: "https://jsr.io/@agentsweep/mcp",
          rules: ids.map(describeRule),
        },
      },
      invocations: [{
        executionSuccessful: isComplete,
        toolExecutionNotifications: unscanned.map(({ file, reason }) => ({
          level: "warning",
          message: { text: `not scanned: ${reason}` },
          locations: [{ physicalLocation: { artifactLocation: { uri: fileUri(file) } } }],
        })),
      }],
      results: findings.map((finding) => ({
        ruleId: finding.rule,
        ruleIndex: ids.indexOf(finding.rule),
        level: "error",
        message: { text: `${finding.display} ${finding.masked} in the history of ${finding.source}` },
        locations: [{
          physicalLocation: {
            artifactLocation: { uri: fileUri(finding.file) },
            region: { startLine: Math.max(1, finding.line) },
          },
          ...(finding.keypath === ""
            ? {}
            : { logicalLocations: [{ fullyQualifiedName: finding.keypath, kind: "member" }] }),
        }],
        partialFingerprints: { "agentsweep/v1": finding.fingerprint },
      })),
    }],
  };
}

function describeRule(id: string): Record<string, unknown> {
  const rule = findRule(id);
  return {
    id,
    shortDescription: { text: rule?.display ?? id },
    help: { text: rule?.rotation ?? "Revoke the secret where it was issued." },
    ...(rule && /^https?:/.test(rule.documentation) ? { helpUri: encodeURI(decodeURI(rule.documentation)) } : {}),
  };
}

/** A path as a URI; what is in it may be any character. */
function fileUri(path: string): string {
  const slashed = path.replaceAll("\\", "/");
  const encoded = slashed.split("/").map((part) => encodeURIComponent(part.toWellFormed())).join("/");
  return slashed.startsWith("/") ? `file://${encoded}` : `file:///${encoded.replace(/^([A-Za-z])%3A/, "$1:")}`;
}
