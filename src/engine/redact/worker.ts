/**
 * The redacting worker: plaintext stays in here. It may read and write the source's files and the audit log, and nothing
 * else, where the runtime lets the thread that starts it say so.
 *
 * @module
 */

import { answerMessages } from "../../concurrency/worker_scope.ts";
import type { HistoryFile } from "../../history/mod.ts";
import { purgeBackup, restoreBackup } from "../../redact/backups.ts";
import { redactFile } from "../../redact/file.ts";
import { type IgnoreList, isIgnored, parseIgnore } from "../../secrets/mod.ts";
import { createDiscretion } from "../audit/scrub.ts";
import type { Deed, RedactReply, RedactRequest, RedactSetup } from "./types.ts";

let setup: RedactSetup | null = null;
let ignore: IgnoreList = parseIgnore();

function readIgnoreFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    try {
      return [Deno.readTextFileSync(path)];
    } catch {
      return [];
    }
  });
}

async function perform(deed: Deed, file: HistoryFile): Promise<RedactReply> {
  const { roots, logPath, keepsBackup, isForced } = setup!;
  const discretion = createDiscretion();
  const shown = discretion.scrub;
  const common = { roots, logPath, shown };
  if (deed !== "redact") {
    const result = deed === "restore" ? restoreBackup(file, common) : purgeBackup(file, common);
    return { kind: "done", shown: shown(file.path), result };
  }
  const result = await redactFile(file, {
    ...common,
    keepsBackup,
    isForced,
    note: discretion.note,
    isWanted: ({ rule, secret, line }) =>
      !isIgnored(ignore, { source: file.source, path: file.relpath, line, rule: rule.id }, secret),
  });
  return { kind: "done", shown: shown(file.path), result };
}

async function answer(request: RedactRequest): Promise<RedactReply> {
  if (request.kind === "file") return await perform(request.deed, request.file);
  if (request.kind === "show") {
    const { scrub } = createDiscretion();
    return { kind: "shown", paths: request.paths.map(scrub) };
  }
  setup = request.setup;
  ignore = parseIgnore(...readIgnoreFiles(setup.ignoreFiles));
  return { kind: "shown", paths: [] };
}

answerMessages<RedactRequest, RedactReply>(answer);
