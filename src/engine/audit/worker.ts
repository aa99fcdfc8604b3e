/**
 * The scanning worker: plaintext stays in here. It may read histories and nothing else, where the runtime lets the
 * thread that starts it say so.
 *
 * @module
 */

import { type IgnoreList, parseIgnore } from "../../secrets/mod.ts";
import { readIgnoreFiles } from "../ignore_files.ts";
import { openPieces } from "./pieces.ts";
import { type ScanContext, scanFile } from "./scan_file.ts";
import { scrubbed } from "./scrub.ts";
import type { Reply, Request, Setup } from "./types.ts";

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<Request>) => void;
  postMessage: (reply: Reply) => void;
};

let context: Omit<ScanContext, "ignore"> | null = null;
const ignoreLists = new Map<string, IgnoreList>();

function begin({ key, pieces, stop }: Setup): void {
  context = { key, pieces: openPieces(pieces, key), isStopped: () => Atomics.load(stop, 0) !== 0 };
}

function ignoreListOf(paths: readonly string[]): IgnoreList {
  const id = paths.join("\0");
  const list = ignoreLists.get(id) ?? parseIgnore(...readIgnoreFiles(paths));
  ignoreLists.set(id, list);
  return list;
}

async function answer(request: Exclude<Request, { kind: "setup" }>): Promise<Reply> {
  const { pieces, ...rest } = context!;
  if (request.kind === "scrub") return { kind: "scrubbed", texts: scrubbed(request.texts, pieces) };
  const { task } = request;
  const ignore = ignoreListOf(task.ignoreFiles);
  return { kind: "scanned", scanned: await scanFile(task, { ...rest, pieces, ignore }) };
}

// What went wrong is not told: a message of an error may quote the file, and Deno prints one that nobody catches.
for (const event of ["error", "unhandledrejection"]) {
  globalThis.addEventListener(event, (happened) => {
    happened.preventDefault();
    scope.postMessage({ kind: "failed" });
  });
}

scope.onmessage = async ({ data }) => {
  if (data.kind === "setup") return begin(data.setup);
  scope.postMessage(await answer(data).catch((): Reply => ({ kind: "failed" })));
};
