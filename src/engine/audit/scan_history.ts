/**
 * One scan of histories, for programs that want no service.
 *
 * @module
 */

import { Refusal } from "../../guard/mod.ts";
import { readHost } from "../../history/environment.ts";
import { type AuditOutcome, type AuditRequest, createAudit } from "./service.ts";

/** What to scan, and how to follow it. */
export interface ScanHistoryOptions extends Pick<AuditRequest, "signal" | "onProgress"> {
  /** Keys of the sources. @default all */
  readonly sources?: readonly string[] | undefined;
  /** Folders to look in instead of a source's own, by its key: copies, or other profiles. @default none */
  readonly history?: Readonly<Record<string, string>> | undefined;
}

/**
 * Finds the secrets in the histories of AI coding agents on this machine. They are masked: plaintext stays in the
 * Workers that scan.
 *
 * Needs `--allow-read` for the histories ({@linkcode historyPaths} names them) and `--allow-env` for the variables that
 * decide where they are. What cannot be read is in `unscanned`, and `isComplete` is false then.
 *
 * @example
 * ```ts
 * const copy = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${copy}/history.jsonl`, '{"text":"nothing to see here"}');
 * const { findings, isComplete } = await scanHistory({ sources: ["codex"], history: { codex: copy } });
 * console.log(findings.map(({ rule, file, line, masked }) => [rule, file, line, masked]), isComplete);
 * ```
 *
 * @throws {Refusal} For the key of a source that does not exist, and where neither `HOME` nor `USERPROFILE` may be read.
 */
export async function scanHistory(options: ScanHistoryOptions = {}): Promise<AuditOutcome> {
  const host = readHost();
  if (host === null) {
    throw new Refusal("unreadable", "neither HOME nor USERPROFILE may be read, so the histories cannot be located");
  }
  const history = new Map(Object.entries(options.history ?? {}));
  const audit = createAudit({ host, history, allowsRoot: false, workingDirectory: null, workerModules: null });
  const unknown = [...options.sources ?? [], ...history.keys()].find((key) => !audit.keys.includes(key));
  if (unknown !== undefined) {
    throw new Refusal("argument", `there is no source ${unknown}; there are ${audit.keys.join(", ")}`);
  }
  const { signal, onProgress } = options;
  return await audit.scan({ sources: options.sources ?? audit.keys, signal, onProgress });
}
