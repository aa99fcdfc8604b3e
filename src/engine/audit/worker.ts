/**
 * The scanning worker: plaintext stays in here. It may read histories and nothing else, where the runtime lets the
 * thread that starts it say so.
 *
 * @module
 */

import { parseIgnore } from "../../secrets/mod.ts";
import { type ScanContext, scanFile } from "./scan_file.ts";
import { createDiscretion } from "./scrub.ts";
import type { Reply, Request, Setup } from "./types.ts";

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<Request>) => void;
  postMessage: (reply: Reply) => void;
};

/** The ignore files that are there and may be read; one that is not says nothing. */
function readIgnoreFiles({ ignoreFiles }: Setup): string[] {
  return ignoreFiles.flatMap((path) => {
    try {
      return [Deno.readTextFileSync(path)];
    } catch {
      return [];
    }
  });
}

let base: Omit<ScanContext, "onFindings"> | null = null;

async function answer(request: Request): Promise<void> {
  if (request.kind === "setup") {
    base = { key: request.setup.key, ignore: parseIgnore(...readIgnoreFiles(request.setup)) };
    return;
  }
  if (request.kind === "scrub") {
    const { scrub } = createDiscretion();
    scope.postMessage({ kind: "scrubbed", id: request.id, texts: request.texts.map(scrub) });
    return;
  }
  const { task } = request;
  const outcome = await scanFile(task, {
    ...base!,
    onFindings: (findings) => scope.postMessage({ kind: "found", id: task.id, findings }),
  });
  scope.postMessage({ kind: "done", id: task.id, outcome });
}

// One request after the other: the next is begun when the one before is answered.
let turn: Promise<void> = Promise.resolve();
scope.onmessage = ({ data }) => {
  turn = turn.then(() => answer(data));
};
