/**
 * What is remembered of files between two scans: in memory, masked, for as long as the process lives.
 *
 * @module
 */

import type { HistoryFile } from "../../history/mod.ts";
import type { FileOutcome, PlaceFinding, ScanTask } from "./types.ts";

/** What a scan of a file came to. */
export interface Scanned {
  /** What became of it. */
  readonly outcome: FileOutcome;
  /** Its findings, as far as they were handed out. */
  readonly findings: readonly PlaceFinding[];
}

/** The memory of one process. */
export interface ScanCache {
  /** What is known of a file that is as it was; null where it is not. */
  unchanged(file: HistoryFile): Scanned | null;
  /** The task that brings what is known of a file up to date. */
  task(id: number, file: HistoryFile): ScanTask;
  /** Remembers a scan, joined with what is known where it went on from there; gives back the whole. */
  remember(task: ScanTask, scanned: Scanned): Scanned;
  /** Forgets everything when `stamp` is another than the last time. */
  keepFor(stamp: string): void;
}

interface Entry extends Scanned {
  readonly file: HistoryFile;
}

/** An empty memory. */
export function createCache(): ScanCache {
  const entries = new Map<string, Entry>();
  let stamped = "";
  const keyOf = ({ source, path }: HistoryFile) => `${source}\0${path}`;
  const known = (file: HistoryFile) => {
    const entry = entries.get(keyOf(file));
    return entry && entry.file.dev === file.dev && entry.file.ino === file.ino ? entry : undefined;
  };
  return {
    unchanged(file) {
      const entry = known(file);
      return entry && entry.file.size === file.size && entry.file.mtime === file.mtime ? entry : null;
    },
    task(id, file) {
      const entry = known(file);
      const resume = entry?.outcome.resume;
      const isGrown = entry && resume && file.size > entry.file.size;
      return isGrown
        ? { id, file, from: resume.offset, fromLine: resume.line, samples: resume.samples }
        : { id, file, from: 0, fromLine: 1, samples: null };
    },
    remember(task, scanned) {
      const before = scanned.outcome.isResumed ? entries.get(keyOf(task.file)) : undefined;
      const whole = before ? joined(before, scanned, task) : scanned;
      // A file that could not be read as a whole is read again: the reason may be gone by then.
      if (whole.outcome.problems.length === 0) entries.set(keyOf(task.file), { ...whole, file: task.file });
      else entries.delete(keyOf(task.file));
      return whole;
    },
    keepFor(stamp) {
      if (stamp !== stamped) entries.clear();
      stamped = stamp;
    },
  };
}

/** The beginning as it was found before, and what was found from the resumed line on. */
function joined(before: Scanned, after: Scanned, { from, fromLine }: ScanTask): Scanned {
  const kept = before.findings.filter(({ line }) => line < fromLine);
  const dropped = before.findings.length - kept.length;
  const strings = before.outcome.resume?.strings ?? 0;
  const { outcome } = after;
  return {
    findings: [...kept, ...after.findings],
    outcome: {
      ...outcome,
      bytes: from + outcome.bytes,
      strings: strings + outcome.strings,
      findings: before.outcome.findings - dropped + outcome.findings,
      suppressed: before.outcome.suppressed + outcome.suppressed,
      resume: outcome.resume && { ...outcome.resume, strings: strings + outcome.resume.strings },
    },
  };
}
