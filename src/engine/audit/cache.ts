/**
 * What is remembered of files between two scans: in memory, masked, for as long as the process lives.
 *
 * @module
 */

import { statSync } from "node:fs";
import type { HistoryFile } from "../../history/mod.ts";
import type { Scanned, ScanTask } from "./types.ts";

/** What is to be done about a file. */
export interface Plan {
  /** What is known of the file, where it is as it was: nothing needs to be done. */
  readonly known: Scanned | null;
  /** What brings up to date what is known. */
  readonly task: ScanTask;
  /** Takes what the task came to; gives back the whole, with what was known before. */
  remember(scanned: Scanned): Scanned;
}

/** The memory of one process. */
export interface ScanCache {
  /** What is to be done about a file, for which these ignore files hold. */
  plan(file: HistoryFile, ignoreFiles: readonly string[]): Plan;
  /** Forgets all files below `roots` of a source but those given: they are gone. */
  retain(source: string, roots: readonly string[], files: readonly HistoryFile[]): void;
}

interface Entry extends Scanned {
  readonly file: HistoryFile;
  readonly stamp: string;
  readonly isSettled: boolean;
}

/**
 * How old the last change of a file must be, in milliseconds, for its time to tell of the next: clocks of file systems
 * tick slowly, and two changes within one tick look like one.
 */
const TICK_MS = 50;

/** An empty memory. */
export function createCache(): ScanCache {
  const entries = new Map<string, Entry>();
  // The same file below another root has another relative path, and so other fingerprints.
  const keyOf = ({ source, root, path }: HistoryFile) => `${source}\0${root}\0${path}`;
  return {
    plan(file, ignoreFiles) {
      const key = keyOf(file);
      const stamp = stampOf(file, ignoreFiles);
      const isSettled = Date.now() - file.mtime > TICK_MS;
      const entry = entries.get(key);
      const before = entry && entry.stamp === stamp && entry.file.dev === file.dev && entry.file.ino === file.ino
        ? entry
        : null;
      // The time of the content can be set back by whoever writes it; the other one cannot, but Deno tells it in whole
      // seconds: a change within the second of the one before, with its time set back, is not seen.
      const isSame = before?.isSettled && before.file.size === file.size && before.file.mtime === file.mtime &&
        before.file.ctime === file.ctime;
      // Whatever changed: what stands before that place is compared byte by byte before the scan goes on there.
      const resume = before?.outcome.resume ?? null;
      return {
        known: before && isSame ? before : null,
        task: { file, ignoreFiles, resume },
        remember(scanned) {
          const whole = before && resume && scanned.outcome.isResumed ? joined(before, scanned, resume.line) : scanned;
          // A file that could not be read as a whole is read again: the reason may be gone by then.
          if (whole.outcome.problems.length === 0) entries.set(key, { ...whole, file, stamp, isSettled });
          else entries.delete(key);
          return whole;
        },
      };
    },
    retain(source, roots, files) {
      const kept = new Set(files.map(keyOf));
      for (const [key, { file }] of entries) {
        if (file.source === source && roots.includes(file.root) && !kept.has(key)) entries.delete(key);
      }
    },
  };
}

/** The beginning as it was found before, and what was found from the resumed line on. */
function joined(before: Scanned, after: Scanned, fromLine: number): Scanned {
  const start = before.outcome.resume!;
  const { outcome } = after;
  const sum = (now: { strings: number; findings: number; suppressed: number }) => ({
    strings: start.strings + now.strings,
    findings: start.findings + now.findings,
    suppressed: start.suppressed + now.suppressed,
  });
  return {
    findings: [...before.findings.filter(({ line }) => line < fromLine), ...after.findings],
    outcome: {
      ...outcome,
      ...sum(outcome),
      bytes: start.offset + outcome.bytes,
      resume: outcome.resume && { ...outcome.resume, ...sum(outcome.resume) },
    },
  };
}

/** Changes whenever an ignore file does, or what stands beside a database: new rows are in its log first. */
function stampOf(file: HistoryFile, ignoreFiles: readonly string[]): string {
  const beside = file.format === "sqlite" ? ["-wal", "-journal"].map((suffix) => file.path + suffix) : [];
  return [...ignoreFiles, ...beside].map((path) => {
    try {
      const { size, ino, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
      return `${path} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
    } catch {
      return "";
    }
  }).join("\n");
}
