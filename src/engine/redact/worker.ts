/**
 * The redacting worker: plaintext stays in here. It may read and write the source's files and the audit log, and nothing
 * else, where the runtime lets the thread that starts it say so.
 *
 * @module
 */

import { answerMessages } from "../../concurrency/worker_scope.ts";
import type { HistoryFile } from "../../history/mod.ts";
import { purgeBackup, restoreBackup } from "../../redact/backups.ts";
import { endingOf, STAGE } from "../../redact/ending.ts";
import { redactFile } from "../../redact/file.ts";
import { type IgnoreList, isIgnored, parseIgnore } from "../../secrets/mod.ts";
import { createBits, openPieces } from "../audit/pieces.ts";
import { scrubbed } from "../audit/scrub.ts";
import { readIgnoreFiles } from "../ignore_files.ts";
import type { Deed, RedactReply, RedactRequest, RedactSetup } from "./types.ts";

/** What the secrets met in this worker are made of: no name that is shown may share a piece with one. */
const pieces = openPieces(createBits(), crypto.getRandomValues(new Uint8Array(8)));

function shown(path: string): string {
  return scrubbed([path], pieces)[0]!;
}

let setup: RedactSetup | null = null;
let ignore: IgnoreList = parseIgnore();

async function perform(deed: Deed, file: HistoryFile): Promise<RedactReply> {
  const { roots, logPath, keepsBackup, isForced, isSheltered } = setup!;
  const ending = endingOf(setup!.ending);
  // What became of the file before was told.
  ending.leave(STAGE.reading);
  const common = { roots, isSheltered, logPath, shown, ending };
  if (deed !== "redact") {
    const result = deed === "restore" ? restoreBackup(file, common) : purgeBackup(file, common);
    return { kind: "done", shown: shown(file.path), result };
  }
  const result = await redactFile(file, {
    ...common,
    keepsBackup,
    isForced,
    note: pieces.note,
    isWanted: ({ rule, secret, line }) =>
      !isIgnored(ignore, { source: file.source, path: file.relpath, line, rule: rule.id }, secret),
  });
  return { kind: "done", shown: shown(file.path), result };
}

async function answer(request: RedactRequest): Promise<RedactReply> {
  if (request.kind === "file") return await perform(request.deed, request.file);
  if (request.kind === "show") return { kind: "shown", paths: scrubbed(request.paths, pieces) };
  setup = request.setup;
  ignore = parseIgnore(...readIgnoreFiles(setup.ignoreFiles));
  return { kind: "shown", paths: [] };
}

answerMessages<RedactRequest, RedactReply>(answer);
