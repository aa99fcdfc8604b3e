/**
 * The server itself, in the process or Worker that is held to its permissions.
 *
 * @module
 */

import { type AuditService, createAudit, unavailableAudit } from "../engine/audit/service.ts";
import type { RedactionService } from "../engine/redact/service.ts";
import { createReclaim } from "../engine/reclaim.ts";
import { openRoots } from "../guard/mod.ts";
import { serve } from "../mcp/serve.ts";
import { TARGETS } from "../reclaim/targets/mod.ts";
import type { Posture } from "../sandbox/posture.ts";
import type { AgentState } from "../redact/gates.ts";
import type { Environment } from "./environment.ts";
import type { ServeOptions } from "./options.ts";
import { report } from "./report.ts";

/** Everything that a server is started with. Plain data: it is handed over to a Worker. */
export interface ServePlan {
  /** What the human said on the command line. */
  readonly options: ServeOptions;
  /** What the environment said. */
  readonly environment: Environment;
  /** Own modules that a narrowed Worker must read; null where Workers cannot be narrowed. */
  readonly workerModules: readonly string[] | null;
}

/** Tells whether the agent of a source is running. */
export type AskAgentState = (source: string) => Promise<AgentState>;

/**
 * Serves under `plan` until the client's stream ends.
 *
 * @param agentState Asked before a source is redacted.
 * @throws {Refusal} When a root cannot be used.
 */
export async function run(plan: ServePlan, posture: Posture, agentState: AskAgentState): Promise<void> {
  const { options } = plan;
  const roots = openRoots(options.roots);
  const reclaim = options.hasReclaim
    ? createReclaim(roots, TARGETS, { exclude: options.exclude, maxDepth: options.maxDepth, keepsWorkers: true })
    : null;
  const audit = auditOf(plan);
  const redaction = audit && await redactionOf(plan, agentState);
  const served = [
    ...roots.map(({ path }) => path),
    ...(audit ? ["agents' histories"] : []),
    ...(redaction ? ["redaction"] : []),
  ];
  report(`serving ${served.join(", ")} (sandbox: ${posture})`);
  await serve({ reclaim, audit, redaction, posture, requireHuman: options.requireHuman }, report);
  // The client is gone; a deletion that was begun is not left half done.
  await reclaim?.settled();
}

function auditOf({ options, environment, workerModules }: ServePlan): AuditService | null {
  if (!options.hasAudit) return null;
  const { host, allowsRoot, workingDirectory } = environment;
  if (host === null) {
    const reason =
      "neither HOME nor USERPROFILE may be read, so the histories cannot be located; start the server with " +
      "--allow-env=HOME,USERPROFILE, or with --no-audit";
    report(`the Audit tools answer with an error: ${reason}`);
    return unavailableAudit(reason);
  }
  return createAudit({ host, history: options.history, allowsRoot, workingDirectory, workerModules });
}

/** Redaction is loaded where a human made it possible, and nowhere else. */
async function redactionOf(
  { options, environment, workerModules }: ServePlan,
  agentState: AskAgentState,
): Promise<RedactionService | null> {
  const { host, allowsRedact, workingDirectory } = environment;
  if (!allowsRedact || host === null) return null;
  const { createRedaction } = await import("../engine/redact/service.ts");
  return createRedaction({ host, history: options.history, workingDirectory, workerModules, agentState });
}
