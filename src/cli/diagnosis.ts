/**
 * Finding out what is well on this machine and what is not.
 *
 * @module
 */

import { basename, resolve } from "@std/path";
import { createReclaim } from "../engine/reclaim.ts";
import { historyPaths } from "../engine/audit/service.ts";
import { createGuard, familiarIn } from "../engine/audit/unread.ts";
import { errorCode, openRoots, Refusal } from "../guard/mod.ts";
import { accessTo } from "../history/access.ts";
import type { ResolvedSource } from "../history/resolve.ts";
import type { HistoryFile, Host } from "../history/source.ts";
import { discover, isUnscanned } from "../history/discover.ts";
import { hasLeftovers, isHalfRestored } from "../redact/remains.ts";
import { isQuarantineName } from "../reclaim/quarantine.ts";
import { TARGETS } from "../reclaim/targets/mod.ts";
import { originOf } from "../serve/origin.ts";
import { commandLine } from "../text/shell.ts";
import { plural } from "../text/units.ts";
import { visible, visibleValue } from "../text/visible.ts";
import { VERSION } from "../version.ts";
import { openAudit } from "./audit.ts";
import { type Context, PERMISSIONS } from "./command.ts";
import { programOf } from "./invocation.ts";

/** Something that is not as it should be. */
export interface Trouble {
  /** What, in one sentence. */
  readonly problem: string;
  /** The command, or the flag, that mends it. */
  readonly mend: string;
}

/** The state of this machine. */
export interface Diagnosis {
  /** Versions of this program, of Deno, and the system. */
  readonly versions: Readonly<Record<string, string>>;
  /** How `serve` would be held, started as this process was. */
  readonly posture: string;
  /** What each layer allows. */
  readonly layers: readonly { readonly layer: string; readonly allows: string }[];
  /** Keys of sources by their state. */
  readonly sources: {
    readonly readable: readonly string[];
    readonly absent: readonly string[];
    readonly denied: readonly string[];
  };
  /** What to mend. */
  readonly problems: readonly Trouble[];
}

/** The oldest Deno that everything was tried with. */
const LEAST_DENO = [2, 4] as const;

/**
 * Diagnoses this machine; changes nothing.
 *
 * @param folders Where to look for leftovers of interrupted deletions.
 */
export async function diagnose(context: Context, folders: readonly string[]): Promise<Diagnosis> {
  const problems: Trouble[] = [];
  const { granted } = context;
  if (isOld(Deno.version.deno)) {
    problems.push({
      problem: `Deno ${Deno.version.deno} is older than what this was tried with`,
      mend: "deno upgrade",
    });
  }
  const sources = await sourceStates(context, problems);
  await findQuarantines(context, folders, problems);
  return visibleValue({
    versions: {
      agentsweep: VERSION,
      Deno: Deno.version.deno,
      system: `${Deno.build.os} ${Deno.build.arch}${Deno.build.standalone ? " (compiled)" : ""}`,
    },
    posture: postureOf(context),
    layers: [
      { layer: "Deno", allows: PERMISSIONS.map((name) => `${name} ${granted[name] ? "all" : "not all"}`).join(", ") },
      {
        layer: "guard",
        allows: "deletes only what a scan of the same process found, below the roots named with --root",
      },
      {
        layer: "tools",
        allows: context.environment.allowsRoot
          ? "a model may name another root for a source, inside what is allowed"
          : "a model may not name another root for a source",
      },
    ],
    sources,
    problems,
  });
}

function postureOf({ granted, module }: Context): string {
  const isWide = PERMISSIONS.some((name) => granted[name]);
  if (!isWide) return "serve, started with the permissions of this process, runs in place (process-flags)";
  if (originOf(module).kind === "local") return "serve, started with this much, narrows itself in a Worker (worker)";
  return granted.run
    ? "serve, started with this much, starts itself again with the exact flags (child-process)"
    : "serve, started with this much, refuses to start: it has no way to narrow itself";
}

async function sourceStates(context: Context, problems: Trouble[]): Promise<Diagnosis["sources"]> {
  const { environment, module, signal } = context;
  if (environment.host === null) {
    problems.push({
      problem: "neither HOME nor USERPROFILE may be read, so the histories cannot be located",
      mend: "add --allow-env=HOME,USERPROFILE",
    });
    return { readable: [], absent: [], denied: [] };
  }
  const states = await openAudit(context, new Map()).list(signal);
  const denied = states.filter(({ isGranted }) => !isGranted);
  problems.push(...deniedTroubles(denied.map(({ source }) => source), environment.host));
  const readable = states.filter(({ isDetected, isGranted }) => isDetected && isGranted);
  const backups = new Map<string, number>();
  // Nothing is read here, so nobody knows which names are secrets.
  const guard = createGuard(familiarIn(readable.map(({ source }) => source)));
  for await (const event of discover(readable.map(({ source }) => source), { signal })) {
    if (isUnscanned(event)) {
      const file = guard(event.file, event.file);
      problems.push({
        problem: `${event.source}: ${file}: ${event.reason.replaceAll(event.file, () => file)}`,
        mend: "nothing can be done from here",
      });
    } else if (event.backup) backups.set(event.source, (backups.get(event.source) ?? 0) + 1);
    else problems.push(...remainsOf(event, guard(event.path, event.path), programOf(module)));
  }
  for (const [source, count] of backups) {
    problems.push({
      problem: `${plural(count, "leftover backup")} of ${source}, which may hold what was removed from its history`,
      mend: `${programOf(module)} purge --source ${source}`,
    });
  }
  return {
    readable: readable.map(({ source }) => source.key),
    absent: states.filter(({ isDetected, isGranted }) => !isDetected && isGranted).map(({ source }) => source.key),
    denied: denied.map(({ source }) => source.key),
  };
}

/** What a command that was killed left beside a history, which is told as `shown`. */
function remainsOf({ path, source }: HistoryFile, shown: string, program: string): Trouble[] {
  const mend = `${program} undo --source ${source}`;
  if (hasLeftovers(path)) {
    return [{ problem: `beside ${shown} stands what a redaction left that was killed; it may hold secrets`, mend }];
  }
  if (!isHalfRestored(path)) return [];
  return [{ problem: `an undo or a purge of the backups of ${shown} was cut short`, mend }];
}

/** Agents that keep a file in every project would need the whole home; they are told apart from the others. */
function deniedTroubles(denied: readonly ResolvedSource[], host: Host): Trouble[] {
  const homes = [host.env.HOME, host.env.USERPROFILE];
  const [projects, stores] = [true, false].map((isHome) =>
    denied.filter(({ root }) => homes.includes(root) === isHome).map(({ key }) => key)
  ) as [string[], string[]];
  const paths = historyPaths({ host, history: new Map() }).filter((path) => accessTo(path) === "denied");
  return [
    ...(stores.length > 0
      ? [{
        problem: `the sandbox denies reading the histories of ${stores.join(", ")}: they count as not scanned`,
        mend: `add --allow-read=${paths.join(",")}`,
      }]
      : []),
    ...(projects.length > 0
      ? [{
        problem: `${projects.join(", ")} are looked for in the whole home, which the sandbox denies`,
        mend: `add --history ${projects[0]}=DIR with the folder of your projects, and allow to read DIR`,
      }]
      : []),
  ];
}

async function findQuarantines(
  { module, signal }: Context,
  folders: readonly string[],
  problems: Trouble[],
): Promise<void> {
  for (const folder of folders) {
    const path = resolve(folder);
    const mend = `${programOf(module)} sweep ${commandLine([path], Deno.build.os)} --delete`;
    try {
      const { finds, skipped } = await createReclaim(openRoots([path]), TARGETS).scan({ path }, { signal });
      for (const { path } of finds.filter(({ path }) => isQuarantineName(basename(path)))) {
        problems.push({ problem: `${path} is what an interrupted deletion left`, mend });
      }
      for (const { path, reason } of skipped.filter(({ path }) => isQuarantineName(basename(path)))) {
        problems.push({ problem: `${path}: ${reason}`, mend: "look at it and move it back by hand" });
      }
    } catch (error) {
      if (signal.aborted) throw error;
      const why = error instanceof Refusal ? error.message : errorCode(error);
      problems.push({
        problem: `${visible(folder)} could not be looked through: ${why}`,
        mend: "name a folder that can be read",
      });
    }
  }
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < LEAST_DENO[0] || (major === LEAST_DENO[0] && minor < LEAST_DENO[1]);
}
