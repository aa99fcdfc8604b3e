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
import { plaintextsOf } from "../../secrets/spans.ts";
import { createBits, openPieces } from "../audit/pieces.ts";
import { scanFile } from "../audit/scan_file.ts";
import { scrubbed } from "../audit/scrub.ts";
import { createGuard, type Guard } from "../audit/unread.ts";
import { readIgnoreFiles } from "../ignore_files.ts";
import type { Deed, RedactReply, RedactRequest, RedactSetup } from "./types.ts";

/** What the secrets met in this worker are made of: no name that is shown may share a piece with one. */
const key = crypto.getRandomValues(new Uint8Array(32));
const pieces = openPieces(createBits(), key);

let guard: Guard = () => "";

/** A path as it is shown, also in the log, before everything is read: a later file may tell that a name is a secret. */
function shown(path: string): string {
  return guard(path, scrubbed([path], pieces)[0]!);
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
  let wasRead = false;
  const result = await redactFile(file, {
    ...common,
    keepsBackup,
    isForced,
    onRead: () => wasRead = true,
    isWanted: ({ rule, line, ...span }) => {
      pieces.note(span.secret);
      const place = { source: file.source, path: file.relpath, line, rule: rule.id };
      return !plaintextsOf(span).some((text) => isIgnored(ignore, place, text));
    },
  });
  // What stands in a file that is left as it is may be the name of another one all the same.
  if (!wasRead) {
    await scanFile({ file, ignoreFiles: [], resume: null }, {
      key,
      ignore,
      pieces,
      isStopped: () => false,
    });
  }
  return { kind: "done", shown: shown(file.path), result };
}

async function answer(request: RedactRequest): Promise<RedactReply> {
  if (request.kind === "file") return await perform(request.deed, request.file);
  if (request.kind === "show") {
    const { paths, isWhole } = request;
    const texts = scrubbed(paths, pieces);
    return { kind: "shown", paths: isWhole ? texts : texts.map((text, index) => guard(paths[index]!, text)) };
  }
  setup = request.setup;
  guard = createGuard(setup.familiar);
  ignore = parseIgnore(...readIgnoreFiles(setup.ignoreFiles));
  return { kind: "shown", paths: [] };
}

answerMessages<RedactRequest, RedactReply>(answer);
