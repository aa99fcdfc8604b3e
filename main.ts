/**
 * An MCP server that lets an agent do two dangerous chores safely. It finds regenerable build directories inside the
 * roots that a human allowed, and deletes only what it found itself, checked again at the moment of deletion. And it finds
 * secrets that leaked into the histories of AI coding agents, and shows them masked.
 *
 * Run it as a server, or import the parts that it is made of: `@agentsweep/mcp/secrets` is the detection alone,
 * `@agentsweep/mcp/history` the reading of histories.
 *
 * @example Run as an MCP server
 * ```sh
 * deno run --no-prompt --allow-read=/home/me/code --allow-write=/home/me/code jsr:@agentsweep/mcp --root /home/me/code
 * ```
 *
 * @module
 */

export * from "./src/engine/audit/report.ts";
export {
  type AbsentSource,
  type AuditFinding,
  type AuditOutcome,
  type AuditRequest,
  type AuditService,
  type AuditSettings,
  createAudit,
  historyPaths,
  type SourceState,
} from "./src/engine/audit/service.ts";
export { scanHistory, type ScanHistoryOptions } from "./src/engine/audit/scan_history.ts";
export { type PlaceFinding } from "./src/engine/audit/types.ts";
export * from "./src/engine/reclaim.ts";
export * from "./src/engine/reclaim_report.ts";
export * from "./src/guard/mod.ts";
export { createServer, type Server, type ServerParts, type ServerTransport } from "./src/mcp/create.ts";
export { type Posture, POSTURES } from "./src/sandbox/posture.ts";
export { type Marker, type Target } from "./src/reclaim/target.ts";
export { TARGETS } from "./src/reclaim/targets/mod.ts";
export { type Candidate, type Find } from "./src/reclaim/find.ts";
export { type ScanOutcome, type ScanProgress } from "./src/reclaim/scan.ts";
export { type Skipped } from "./src/reclaim/walk.ts";
export { VERSION } from "./src/version.ts";

import { main } from "./src/cli/main.ts";
import { becomeWorker, workerRole } from "./src/concurrency/own_worker.ts";

/** The Workers that a bundle, which is one file, starts of itself. */
const WORKERS: Readonly<Record<string, () => Promise<unknown>>> = {
  audit: () => import("./src/engine/audit/worker.ts"),
  reclaim: () => import("./src/reclaim/worker.ts"),
  redact: () => import("./src/engine/redact/worker.ts"),
};

const role = workerRole();
if (role !== null) await becomeWorker(WORKERS[role]!);
else if (import.meta.main) Deno.exit(await main(Deno.args, import.meta.url));
