/**
 * Redaction for the command line: the same service as the server's, under what a human named.
 *
 * @module
 */

import type { RedactionResult } from "../engine/redact/report.ts";
import { createRedaction, type RedactionReport, type RedactionService } from "../engine/redact/service.ts";
import { Refusal } from "../guard/mod.ts";
import { sourceByKey, SOURCES } from "../history/sources/mod.ts";
import { agentState } from "../redact/processes.ts";
import { originOf } from "../serve/origin.ts";
import { formatBytes, plural } from "../text/units.ts";
import { visible } from "../text/visible.ts";
import { chooseSources } from "./audit.ts";
import type { Context, Flag } from "./command.ts";

/** `--source`, the same for every command that writes: one source, named. */
export const ONE_SOURCE_FLAG = {
  value: "S",
  short: "s",
  summary: "the agent whose history is meant; list-sources names them",
  completes: SOURCES.map(({ key }) => key) as readonly string[],
} as const satisfies Flag;

/** A source that a human means. */
export interface Meant {
  /** Its key. */
  readonly source: string;
  /** Other places that the human named, by key. */
  readonly history: ReadonlyMap<string, string>;
}

/**
 * Checks `--source` and `--root`.
 *
 * @throws {Refusal} `argument` without a source, or for one that there is not.
 */
export function chooseSource(written: string | undefined, root: string | undefined): Meant {
  if (written === undefined) throw new Refusal("argument", "--source is missing; list-sources names all of them");
  const { sources, history } = chooseSources([written], root);
  return { source: sources[0]!, history };
}

/**
 * The redaction service of this process.
 *
 * @throws {Refusal} `argument` where the home directory is unknown.
 */
export function openRedaction(
  { environment, module }: Pick<Context, "environment" | "module">,
  history: ReadonlyMap<string, string>,
): RedactionService {
  const { host, workingDirectory } = environment;
  if (host === null) {
    throw new Refusal(
      "argument",
      "neither HOME nor USERPROFILE may be read, so neither the histories nor the audit log can be located; add " +
        "--allow-env=HOME,USERPROFILE",
    );
  }
  const origin = originOf(module);
  return createRedaction({
    host,
    history,
    workingDirectory,
    workerModules: origin.kind === "local" ? origin.modules : null,
    agentState: (source) => {
      const { processes: names = [], hosts } = sourceByKey(source) ?? {};
      return agentState({ names, hosts });
    },
  });
}

/** What a redaction came to, as text. */
export function redactionText({ redacted_files, skipped, rotation_reminder }: RedactionResult): string {
  return [
    `redacted ${plural(redacted_files.length, "file")}`,
    ...redacted_files.map(({ file, bytes_before, bytes_after, backup }) =>
      `  ${file} (${formatBytes(bytes_before)} before, ${formatBytes(bytes_after)} after${
        backup === null ? ", no backup" : ""
      })`
    ),
    ...skipped.map(({ file, reason }) => `not redacted: ${file}: ${reason}`),
    rotation_reminder,
  ].join("\n");
}

/** What became of backups. */
export interface BackupReport {
  /** Files that were restored, or backups that were deleted. */
  readonly done: readonly string[];
  /** Files beside which a redaction that was killed had left something, which is gone now. */
  readonly cleared: readonly string[];
  /** What was left as it is, each with the reason. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

/** The report of an undo or a purge, its names made visible. */
export function backupReport({ files }: RedactionReport): BackupReport {
  const done: string[] = [];
  const cleared: string[] = [];
  const skipped: { file: string; reason: string }[] = [];
  for (const { file, result } of files) {
    if (result.kind === "skipped") skipped.push({ file: visible(file), reason: visible(result.reason) });
    else if (result.kind === "cleared") cleared.push(visible(file));
    else done.push(visible(file));
  }
  return { done, cleared, skipped };
}

/** What was cleared, as lines of text. */
export function clearedText(cleared: readonly string[]): string[] {
  return cleared.map((file) => `removed what a redaction that was killed had left beside ${file}`);
}
