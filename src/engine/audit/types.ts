/**
 * What crosses between the scanning workers and the rest of the program. There is no field for a secret in any of it.
 *
 * @module
 */

import type { HistoryFile } from "../../history/mod.ts";

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

/** A file to be scanned, from its beginning or from a line on. */
export interface ScanTask {
  /** Number of the task, given back with every answer. */
  readonly id: number;
  /** The file. */
  readonly file: HistoryFile;
  /** Byte to begin at, the beginning of a line. */
  readonly from: number;
  /** Line of that byte, from 1. */
  readonly fromLine: number;
  /** Samples of the file up to `from`, as they were; when they differ the file is scanned from its beginning. */
  readonly samples: string | null;
}

/** Where the next scan of a file that grew may go on. */
export interface Resume {
  /** Byte behind the last complete line. */
  readonly offset: number;
  /** Line that begins there. */
  readonly line: number;
  /** Strings up to there, of what this scan read. */
  readonly strings: number;
  /** Keyed hash of samples of the file up to there. */
  readonly samples: string;
}

/** What became of a file. */
export interface FileOutcome {
  /** The path as it may be shown: secrets in it are masked. */
  readonly shown: string;
  /** Bytes read. */
  readonly bytes: number;
  /** Strings scanned: of a document its string tokens, of text its lines, of a database its cells' strings. */
  readonly strings: number;
  /** Findings in all, also beyond those that were sent. */
  readonly findings: number;
  /** Findings that an ignore file names. */
  readonly suppressed: number;
  /** What could not be read, in sentences that quote nothing. */
  readonly problems: readonly string[];
  /** Whether the file ended earlier than its size said. */
  readonly isTruncated: boolean;
  /** Whether the scan began at `from`; else it began at the beginning. */
  readonly isResumed: boolean;
  /** Where the next scan may go on; null for formats that have no lines. */
  readonly resume: Resume | null;
}

/** What a worker is told before its first task. */
export interface Setup {
  /** Random key of this process for hashes of secrets. */
  readonly key: Uint8Array;
  /** Paths of ignore files; each is read where it is there. */
  readonly ignoreFiles: readonly string[];
}

/** What a worker is asked. */
export type Request =
  | { readonly kind: "setup"; readonly setup: Setup }
  | { readonly kind: "scan"; readonly task: ScanTask }
  | { readonly kind: "scrub"; readonly id: number; readonly texts: readonly string[] };

/** What a worker answers. */
export type Reply =
  | { readonly kind: "found"; readonly id: number; readonly findings: readonly PlaceFinding[] }
  | { readonly kind: "done"; readonly id: number; readonly outcome: FileOutcome }
  | { readonly kind: "scrubbed"; readonly id: number; readonly texts: readonly string[] };
