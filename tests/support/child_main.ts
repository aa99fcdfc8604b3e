/**
 * What runs in the child processes of `child.ts`: one request, answered on stdout.
 *
 * @module
 */

import { contain, openRoots, Refusal } from "../../src/guard/mod.ts";
import { type RemovalStep, removeFind } from "../../src/reclaim/remove.ts";
import { onlyFind, reclaimIn } from "./tree.ts";

/** What a child can be asked: open a root, reclaim all finds of one, or remove its only find and die on the way. */
export type Request = "open" | "reclaim" | "die-at" | "remove";

/** What a child answers. */
export interface Answer {
  /** Code of the refusal, empty where there was none. */
  readonly code: string;
  /** Reasons of refusals, one a line. */
  readonly message: string;
  /** Paths that were deleted. */
  readonly deleted: readonly string[];
}

async function answer(request: Request, path: string, step: string | undefined): Promise<Answer> {
  if (request === "open") {
    openRoots([path]);
    return { code: "", message: "", deleted: [] };
  }
  const service = reclaimIn(path);
  if (request === "reclaim") {
    const { finds, skipped } = await service.scan({ path });
    const reasons = skipped.map(({ reason }) => reason);
    if (finds.length === 0) return { code: "", message: reasons.join("\n"), deleted: [] };
    const { accepted, refused } = await service.redeem(finds.map((find) => service.ticketFor(find)));
    reasons.push(...refused.map(({ reason }) => reason));
    return { code: "", message: reasons.join("\n"), deleted: accepted.map(({ find }) => find.path) };
  }
  const { find } = await onlyFind(service, path);
  const contained = contain(service.roots, find.path);
  if (request === "remove") Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
  await removeFind(find, contained, (now: RemovalStep) => {
    if (request === "die-at" && now === step) Deno.kill(Deno.pid, "SIGKILL");
  });
  return { code: "", message: "", deleted: [find.path] };
}

if (import.meta.main) {
  const [request, path, step] = Deno.args as [Request, string, string | undefined];
  let result: Answer;
  try {
    result = await answer(request, path, step);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    result = { code: error.code, message: error.message, deleted: [] };
  }
  console.log(JSON.stringify(result));
}
