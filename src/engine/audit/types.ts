/**
 * What crosses between the scanning workers and the rest of the program. There is no field for a secret in any of it.
 *
 * @module
 */

import type { HistoryFile } from "../../history/mod.ts";

/** Why a file is not read, or not to its end, when the scan is ended. */
export const ENDED = "the scan was ended before it was read";

/** A secret at one place of a file, masked. */
export interface PlaceFinding {
  /** Id of the rule. */
  readonly rule: string;
  /** The rule's human name. */
  readonly display: string;
  /** The most of the secret that is ever shown. */
  readonly masked: string;
  /** Line, from 1; of a database the row's id. */
  readonly line: number;
  /** Place in the line, from 1; 0 where lines mean nothing. */
  readonly column: number;
  /** Where in the record it stands; empty for text without structure. */
  readonly keypath: string;
  /** Stable hash of source, relative path, line and rule. */
  readonly fingerprint: string;
  /** Keyed hash of the secret, for grouping in this process alone. */
  readonly group: string;
}

/** Where the scan of a file that grew may go on, and what was counted up to there. */
export interface Resume {
  /** Byte behind a complete line. */
  readonly offset: number;
  /** Line that begins there. */
  readonly line: number;
  /** Checksum of all bytes before it. */
  readonly checksum: number;
  /** Strings before it. */
  readonly strings: number;
  /** Findings before it. */
  readonly findings: number;
  /** Findings before it that an ignore file names. */
  readonly suppressed: number;
}

/** A file to be scanned. */
export interface ScanTask {
  /** The file. */
  readonly file: HistoryFile;
  /** Paths of the ignore files that hold for it; each is read where it is there. */
  readonly ignoreFiles: readonly string[];
  /** Where to go on if the bytes before it are what they were; null to begin at the beginning. */
  readonly resume: Resume | null;
}

/** What became of a file. Counts are of what was scanned now, behind the place where the scan went on. */
export interface FileOutcome {
  /** Bytes scanned. */
  readonly bytes: number;
  /** Strings scanned: of a document its string tokens, of text its lines, of a database its cells' strings. */
  readonly strings: number;
  /** Findings in all, also beyond those that are handed out. */
  readonly findings: number;
  /** Findings that an ignore file names. */
  readonly suppressed: number;
  /** What could not be read, in sentences that quote nothing. */
  readonly problems: readonly string[];
  /** Whether the scan ended before the end that the file had when it was opened. */
  readonly isTruncated: boolean;
  /** Whether the scan went on where the task said; else it began at the beginning. */
  readonly isResumed: boolean;
  /** Where the next scan may go on, counted from the file's beginning where this one began there; null for nowhere. */
  readonly resume: Resume | null;
}

/** What a scan of a file came to. */
export interface Scanned {
  /** What became of it. */
  readonly outcome: FileOutcome;
  /** Its findings, as far as they are handed out. */
  readonly findings: readonly PlaceFinding[];
}

/** What a worker is told before its first task. */
export interface Setup {
  /** Random key of this process for hashes of secrets. */
  readonly key: Uint8Array;
  /** Which pieces of text secrets are made of, as bits that workers share; see `pieces.ts`. */
  readonly pieces: Uint32Array;
  /** One number that workers share: other than 0 once scans are to end. */
  readonly stop: Int32Array;
}

/** What a worker is asked. */
export type Request =
  | { readonly kind: "setup"; readonly setup: Setup }
  | { readonly kind: "scan"; readonly task: ScanTask }
  | { readonly kind: "scrub"; readonly texts: readonly string[] };

/** What a worker answers, once to each request but the first. */
export type Reply =
  | { readonly kind: "scanned"; readonly scanned: Scanned }
  | { readonly kind: "scrubbed"; readonly texts: readonly string[] }
  | { readonly kind: "failed" };
