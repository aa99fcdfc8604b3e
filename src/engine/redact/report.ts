/**
 * What a redaction came to, in the shape that both the tool and the command line give out.
 *
 * @module
 */

import type { RedactionReport } from "./service.ts";

/** A file that was redacted. */
export interface RedactedReport {
  /** The file. */
  readonly file: string;
  /** The file as it was; null where no backup was wanted. */
  readonly backup: string | null;
  /** What became of it. */
  readonly status: "redacted";
  /** Bytes before. */
  readonly bytes_before: number;
  /** Bytes after. */
  readonly bytes_after: number;
}

/** The result of `redact_source`. */
export interface RedactionResult {
  /** Files that were redacted. */
  redacted_files: RedactedReport[];
  /** Files that were left as they are. */
  skipped: { file: string; reason: string }[];
  /** Why nothing was done at all. */
  errors: string[];
  /** What to do next. */
  rotation_reminder: string;
}

const ROTATE = "Rotate every secret that was found: it was readable until now";
const LEFT = "Nothing was changed. Secrets that leaked must be rotated all the same.";
const NOTHING = "There was nothing to redact, and nothing was changed.";

/**
 * The report of a redaction.
 *
 * @param purge The command line by which a human deletes the backups.
 */
export function redactionReport({ files }: RedactionReport, purge = "purge --source SOURCE"): RedactionResult {
  const redacted_files = files.flatMap(({ file, result }): RedactedReport[] => {
    if (result.kind !== "redacted") return [];
    const { backup, before, after } = result;
    return [{ file, backup, status: "redacted", bytes_before: before, bytes_after: after }];
  });
  const skipped = files.flatMap(({ file, result }) => {
    return result.kind === "skipped" ? [{ file, reason: result.reason }] : [];
  });
  const rotation_reminder = redacted_files.length > 0
    ? reminder(redacted_files, purge)
    : files.length > 0
    ? LEFT
    : NOTHING;
  return { redacted_files, skipped, errors: [], rotation_reminder };
}

function reminder(redacted: readonly RedactedReport[], purge: string): string {
  if (redacted.every(({ backup }) => backup === null)) return `${ROTATE}.`;
  return `${ROTATE}, and the backups still hold it until they are purged (a human runs: ${purge}).`;
}
