/**
 * What crosses between the redacting worker and the rest of the program. There is no field for a secret in any of it.
 *
 * @module
 */

import type { HistoryFile } from "../../history/mod.ts";
import type { BackupResult } from "../../redact/backups.ts";
import type { FileResult } from "../../redact/file.ts";
import type { Familiar } from "../audit/unread.ts";

/** What the worker is told before its first file. */
export interface RedactSetup {
  /** Folders and files of the source. */
  readonly roots: readonly string[];
  /** Path of the audit log. */
  readonly logPath: string;
  /** Paths of ignore files; each is read where it is there. */
  readonly ignoreFiles: readonly string[];
  /** Whether backups are kept. */
  readonly keepsBackup: boolean;
  /** Whether a file that was just modified is redacted all the same. */
  readonly isForced: boolean;
  /** What is shown of names while not everything was read. */
  readonly familiar: Familiar;
  /** Whether nobody but the owner gets to any of it, by a folder above. */
  readonly isSheltered: boolean;
  /** By which the work is ended. */
  readonly ending: Int32Array;
}

/** What is done with a file. */
export type Deed = "redact" | "restore" | "purge";

/** What the worker is asked. */
export type RedactRequest =
  | { readonly kind: "setup"; readonly setup: RedactSetup }
  | { readonly kind: "file"; readonly deed: Deed; readonly file: HistoryFile }
  /** `isWhole` says that the worker was given every file of the source. */
  | { readonly kind: "show"; readonly paths: readonly string[]; readonly isWhole: boolean };

/** What the worker answers. */
export type RedactReply =
  /** `shown` is the path as it may be shown while nothing is known of the files behind it. */
  | { readonly kind: "done"; readonly shown: string; readonly result: FileResult | BackupResult }
  | { readonly kind: "shown"; readonly paths: readonly string[] };
