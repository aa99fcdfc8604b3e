/**
 * Redacts one history file: reads, replaces, verifies, passes the gates, writes.
 *
 * @module
 */

import { zstdCompressSync } from "node:zlib";
import { errorCode, Refusal } from "../guard/mod.ts";
import { type HistoryFile, unpackZstd } from "../history/mod.ts";
import { redactContent } from "./content.ts";
import type { IsWanted } from "./content.ts";
import { redactDatabase } from "./database.ts";
import { type Ending, ENDLESS, STAGE } from "./ending.ts";
import { fileGate, placeGate, restGate } from "./gates.ts";
import { claimFolder } from "./leftovers.ts";
import { WORK } from "./names.ts";
import { isHalfRestored } from "./remains.ts";
import { readBytes, readWhole, type Snapshot } from "./snapshot.ts";
import { joined } from "./units.ts";
import { type Change, writeHistory, type WriteStep } from "./write.ts";

/** How a source is redacted. */
export interface RedactSettings {
  /** Folders and files of the source. */
  readonly roots: readonly string[];
  /** Whether nobody but its owner gets to a file, by a folder that this thread cannot look at. @default false */
  readonly isSheltered?: boolean | undefined;
  /** Path of the audit log. */
  readonly logPath: string;
  /** Whether backups are kept. */
  readonly keepsBackup: boolean;
  /** Whether a file that was just modified is redacted all the same. The command line alone says so. */
  readonly isForced: boolean;
  /** Makes a path showable, before what stands in other files is known. */
  readonly shown: (path: string) => string;
  /** See {@linkcode IsWanted}. */
  readonly isWanted: IsWanted;
  /** Told once all that stands in the file was looked at. @default nobody is */
  readonly onRead?: () => void;
  /** Ends the work. @default nobody does */
  readonly ending?: Ending | undefined;
  /** Told after each step of a write. */
  readonly onStep?: (step: WriteStep) => void;
}

/** What became of a file. Nothing in it is plaintext. */
export type FileResult =
  | { readonly kind: "clean" }
  | { readonly kind: "skipped"; readonly reason: string }
  | {
    readonly kind: "redacted";
    readonly backup: string | null;
    readonly before: number;
    readonly after: number;
    readonly replaced: number;
    readonly rules: readonly string[];
  };

/** Larger files do not fit into memory with their new content. */
const LARGEST = 1 << 30;

/** Redacts a file. Never throws for anything about the file: why it was left as it is stands in the result. */
export async function redactFile(file: HistoryFile, settings: RedactSettings): Promise<FileResult> {
  const { path, size } = file;
  try {
    const shut = fileGate(path) ?? placeGate(path, settings.roots);
    if (shut !== null) return { kind: "skipped", reason: shut };
    if (size > LARGEST) return { kind: "skipped", reason: "it is larger than 1 GiB, which is not redacted" };
    return file.format === "sqlite" ? await redactStore(path, settings) : await redactText(file, settings);
  } catch (error) {
    if (error instanceof Refusal) return { kind: "skipped", reason: error.message };
    return { kind: "skipped", reason: `it could not be redacted (${errorCode(error)}): nothing was changed` };
  }
}

async function redactText(file: HistoryFile, settings: RedactSettings): Promise<FileResult> {
  const format = file.format === "sqlite" ? "text" : file.format;
  const isPacked = file.compression === "zstd";
  const { before, bytes: read } = isPacked ? { before: readWhole(file.path), bytes: null } : readBytes(file.path);
  const content = read ?? await unpacked(file.path);
  const { bytes, replaced, values, left, problem } = redactContent(content, format, settings.isWanted);
  settings.onRead?.();
  if (left.length > 0) {
    return { kind: "skipped", reason: `secrets would be left in it (${left.join(", ")}): nothing was changed` };
  }
  if (replaced === 0) return { kind: "clean" };
  if (problem !== null) return { kind: "skipped", reason: `${problem}: nothing was changed` };
  const written = isPacked ? new Uint8Array(zstdCompressSync(bytes)) : bytes;
  return commit({ before, content: written }, { replaced, rules: rulesOf(values) }, settings);
}

async function unpacked(path: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const unpacking = unpackZstd(path, ({ reason }) => {
    throw new Refusal("unreadable", `it cannot be unpacked: ${reason}`);
  });
  for await (const piece of unpacking) parts.push(piece);
  return joined(parts);
}

function rulesOf(values: readonly { readonly rule: string }[]): string[] {
  return [...new Set(values.map(({ rule }) => rule))].sort();
}

const HALF =
  "backups of the files beside it stand there without its own: an undo or a purge was cut short, run it again";

async function redactStore(path: string, settings: RedactSettings): Promise<FileResult> {
  if (isHalfRestored(path)) return { kind: "skipped", reason: HALF };
  const { ending = ENDLESS } = settings;
  const folder = path + WORK;
  let result: FileResult | null = null;
  const lock = claimed(folder, ending);
  try {
    const redaction = await redactDatabase(path, folder, settings.isWanted, ending);
    const { before, beside, settled, redacted, replaced, values } = redaction;
    settings.onRead?.();
    if (redacted === null) return { kind: "clean" };
    const database = { beside, settled: { file: settled } };
    const summary = { replaced, rules: rulesOf(values) };
    result = commit({ before, content: { file: redacted }, database }, summary, settings);
    return result;
  } finally {
    lock[Symbol.dispose]();
    if (result?.kind !== "redacted") ending.leave(STAGE.reading);
  }
}

/** The private folder and its lock. The thread is not ended while it is not known whose folder it is. */
function claimed(folder: string, ending: Ending): Disposable {
  const before = ending.enter(STAGE.writing);
  try {
    const lock = claimFolder(folder);
    ending.leave(STAGE.copying);
    return lock;
  } catch (error) {
    ending.leave(before);
    throw error;
  }
}

function commit(
  change: Pick<Change, "before" | "content" | "database">,
  summary: { replaced: number; rules: readonly string[] },
  settings: RedactSettings,
): FileResult {
  const { before } = change;
  const { roots, keepsBackup, isForced, isSheltered, logPath, shown, onStep, ending } = settings;
  const originals: readonly Snapshot[] = [before, ...change.database?.beside ?? []];
  for (const { mtime } of originals) {
    const shut = isForced ? null : restGate(mtime, Date.now());
    if (shut !== null) return { kind: "skipped", reason: shut };
  }
  const { backup, bytes } = writeHistory({
    ...change,
    roots,
    keepsBackup,
    isSheltered,
    logPath,
    shown,
    onStep,
    ending,
  });
  return {
    kind: "redacted",
    backup: backup && shown(backup),
    before: before.size,
    after: bytes,
    replaced: summary.replaced,
    rules: summary.rules,
  };
}
