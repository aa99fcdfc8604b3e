/**
 * Audit for the command line: the same service as the server's, under what a human named.
 *
 * @module
 */

import { resolve } from "@std/path";
import { type AuditOutcome, type AuditService, createAudit } from "../engine/audit/service.ts";
import { Refusal } from "../guard/mod.ts";
import { SOURCES } from "../history/sources/mod.ts";
import type { Environment } from "../serve/environment.ts";
import { originOf } from "../serve/origin.ts";
import type { Context, Flag } from "./command.ts";
import { suggestion } from "./nearest.ts";

/** `--source`, the same for every command that scans. */
export const SOURCE_FLAG = {
  value: "S",
  short: "s",
  repeatable: true,
  summary: "the agent whose history is meant; list-sources names them",
  completes: SOURCES.map(({ key }) => key) as readonly string[],
} as const satisfies Flag;

/** `--root`, the same for every command that scans. */
export const ROOT_FLAG = {
  value: "DIR",
  summary: "look for the source's history in DIR instead of its usual place",
} as const satisfies Flag;

/** Which histories a human means. */
export interface Chosen {
  /** Keys of the sources, in their order. */
  readonly sources: readonly string[];
  /** Other places that the human named, by key. */
  readonly history: ReadonlyMap<string, string>;
}

/**
 * Checks `--source` and `--root`. Without a source every one is meant.
 *
 * @throws {Refusal} `argument` for a source that there is not, and for a root without exactly one source.
 */
export function chooseSources(written: readonly string[], root: string | undefined): Chosen {
  const keys = SOURCES.map(({ key }) => key);
  const unknown = written.find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    const near = suggestion(unknown, keys);
    throw new Refusal(
      "argument",
      `there is no source ${unknown}${near}${near ? "" : ";"} list-sources names all of them`,
    );
  }
  const sources = written.length === 0 ? keys : keys.filter((key) => written.includes(key));
  if (root === undefined) return { sources, history: new Map() };
  if (written.length === 0 || sources.length !== 1) {
    throw new Refusal("argument", "--root goes with exactly one --source, whose history lies there");
  }
  const path = resolve(root);
  if (!isDirectory(path)) throw new Refusal("missing", `${root} is no directory that can be read`);
  return { sources, history: new Map([[sources[0]!, path]]) };
}

/**
 * The Audit service of this process.
 *
 * @throws {Refusal} `argument` where the home directory is unknown.
 */
export function openAudit(
  { environment, module }: { readonly environment: Environment; readonly module: string },
  history: ReadonlyMap<string, string>,
): AuditService {
  const { host, workingDirectory } = environment;
  if (host === null) {
    throw new Refusal(
      "argument",
      "neither HOME nor USERPROFILE may be read, so the histories cannot be located; add --allow-env=HOME,USERPROFILE",
    );
  }
  const origin = originOf(module);
  return createAudit({
    host,
    history,
    allowsRoot: true,
    workingDirectory,
    workerModules: origin.kind === "local" ? origin.modules : null,
  });
}

/** Scans with progress on standard error. */
export async function scanWith(
  service: AuditService,
  sources: readonly string[],
  { terminal, signal }: Pick<Context, "terminal" | "signal">,
): Promise<AuditOutcome> {
  const progress = terminal.progress("scanning");
  try {
    return await service.scan({ sources, signal, onProgress: (done, of) => progress.update(done, of, "files") });
  } finally {
    progress.end();
  }
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
