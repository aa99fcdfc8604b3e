/**
 * Starting the server with no more permissions than it needs.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { ownWorker } from "../concurrency/own_worker.ts";
import { historyPaths } from "../engine/audit/service.ts";
import { openRoots } from "../guard/mod.ts";
import { sourceByKey } from "../history/sources/mod.ts";
import { repositoryFilesAbove } from "../reclaim/git.ts";
import type { AgentState } from "../redact/gates.ts";
import { dropUnneeded, excessOf, flagsFor, grantedOf, hasDenials, type Needs } from "../sandbox/needs.ts";
import type { Posture } from "../sandbox/posture.ts";
import { commandLine } from "../text/shell.ts";
import { type Environment, readEnvironment, variableNames } from "./environment.ts";
import { originOf } from "./origin.ts";
import type { ServeOptions } from "./options.ts";
import { report } from "./report.ts";
import type { ServePlan } from "./run.ts";
import { wideRootWarnings } from "./wide_roots.ts";
import type { Ended, Start } from "./worker.ts";

/**
 * Serves under `options`, narrowing first where this process was given more than the server needs.
 *
 * @param main URL of the main module.
 * @param args The command line, to be handed on.
 * @returns The exit code.
 * @throws {Refusal} When a root cannot be used, or there is no way to narrow.
 */
export async function start(options: ServeOptions, main: string, args: readonly string[]): Promise<number> {
  const roots = openRoots(options.roots).map(({ path }) => path);
  const origin = originOf(main);
  const environment = readEnvironment();
  if (!options.isNarrowed) wideRootWarnings(roots, environment.host).forEach(report);
  const histories = options.hasAudit && environment.host
    ? historyPaths({ host: environment.host, history: options.history })
    : [];
  const plan: ServePlan = { options, environment, workerModules: origin.kind === "local" ? origin.modules : null };
  const redacts = options.hasAudit && environment.allowsRedact;
  const redaction = redacts ? await neededToRedact(environment, options) : NOTHING;
  const needs: Needs = {
    read: [...roots, ...histories, ...redaction.write, ...roots.flatMap(repositoryFilesAbove), ...origin.modules],
    write: [...roots, ...redaction.write],
    env: options.hasAudit ? variableNames() : [],
    run: redaction.run,
  };
  const excess = excessOf(needs, elsewhere());
  if (excess.length === 0) {
    dropUnneeded(main, redacts);
    return await serveHere(plan, options.isNarrowed ? "child-process" : "process-flags");
  }
  if (options.allowUnsandboxed) {
    report(
      `WARNING: running with more permissions than needed (${excess.join(" ")}); only the guard protects the rest`,
    );
    return await serveHere(plan, "none");
  }
  const granted = grantedOf(needs);
  const isDenied = hasDenials(granted);
  // Neither a Worker nor a child can be told what a --deny flag took away inside of what is allowed.
  if (!isDenied && origin.kind === "local" && origin.modules.every((path) => granted.read.includes(path))) {
    return await serveInWorker(plan, granted);
  }
  const canRun = Deno.permissions.querySync({ name: "run" }).state === "granted";
  if (!isDenied && origin.kind === "remote" && canRun && !options.isNarrowed) {
    return await serveInChild(granted, main, args);
  }
  const command = commandLine(
    ["deno", "run", ...moduleFlags(main), ...flagsFor(needs), fileOf(main), ...args],
    Deno.build.os,
  );
  return refuse(excess, isDenied, command);
}

/** Says that the server does not start like this, and how it would: the command stands on a line of its own. */
function refuse(excess: readonly string[], isDenied: boolean, command: string): number {
  report(
    `started with more permissions than needed (${
      excess.join(" ")
    }) and without a way to drop them; start it as below` +
      (isDenied ? " and with your --deny flags" : "") + ", or add --allow-unsandboxed to trust the guard alone",
  );
  console.error(`\n  ${command}\n`);
  return 2;
}

const NOTHING = { write: [], run: [] };

/** What redaction needs beyond reading; its modules are loaded where a human made it possible, and nowhere else. */
async function neededToRedact(
  { host }: Environment,
  { history }: ServeOptions,
): Promise<Required<Pick<Needs, "write" | "run">>> {
  const { redactionPaths } = await import("../engine/redact/service.ts");
  const { PROCESS_LISTER } = await import("../redact/processes.ts");
  return { write: host ? redactionPaths(host, history) : [], run: [PROCESS_LISTER] };
}

/** Whether the agent of a source is running, as far as this thread may ask. */
async function agentStateOf(source: string): Promise<AgentState> {
  const { agentState } = await import("../redact/processes.ts");
  const { processes: names = [], hosts } = sourceByKey(source) ?? {};
  return await agentState({ names, hosts });
}

/** Places that a narrow process cannot see; which ones does not matter, only that nobody needs them. */
function elsewhere(): string[] {
  if (Deno.build.os === "windows") return ["C:\\Windows", "C:\\Users"];
  const names =
    "bin boot dev etc home lib media mnt opt private proc root run srv sys tmp usr var Applications Library " +
    "System Users Volumes";
  return names.split(" ").map((name) => `/${name}`);
}

/** Runs the server in this thread. What it is made of is loaded here: a thread that only starts another needs none of it. */
async function serveHere(plan: ServePlan, posture: Posture): Promise<number> {
  const { run } = await import("./run.ts");
  await run(plan, posture, agentStateOf);
  return 0;
}

/** Runs the server in a Worker that has `needs` and nothing else; this thread drops what it has. */
async function serveInWorker(plan: ServePlan, needs: Needs): Promise<number> {
  const { url, name } = ownWorker("server", new URL("./worker.ts", import.meta.url));
  const worker = new Worker(url, {
    type: "module",
    name,
    deno: {
      permissions: {
        read: [...needs.read],
        write: [...needs.write],
        net: false,
        env: false,
        run: false,
        ffi: false,
        sys: false,
        import: false,
      },
    },
  });
  const ended = new Promise<Ended>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<Ended>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      resolve({ problem: event.message });
    };
  });
  // The one question that the Worker may not answer itself: it names a source, and is told the process.
  const { port1: asked, port2: asking } = new MessageChannel();
  asked.onmessage = async ({ data }: MessageEvent<unknown>) => asked.postMessage(await agentStateOf(String(data)));
  worker.postMessage({ plan, asking } satisfies Start, [asking]);
  const { problem } = await ended;
  worker.terminate();
  asked.close();
  if (problem === null) return 0;
  report(problem);
  return 1;
}

/** Starts this program again with the exact flags; the child owns the client's streams. */
async function serveInChild(needs: Needs, main: string, args: readonly string[]): Promise<number> {
  const flags = ["--quiet", "--cached-only", ...moduleFlags(main), ...flagsFor(needs)];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, fileOf(main), ...args, "--narrowed"],
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT", "SIGBREAK"] : ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) {
    Deno.addSignalListener(signal, () => {
      try {
        child.kill(signal);
      } catch {
        // It has ended already.
      }
    });
  }
  const { code } = await child.status;
  return code;
}

/**
 * Flags that let the program load as it did, beside the permissions. Where it came from elsewhere, no `deno.json` of the
 * current folder, which an agent may have written, decides what its imports mean, and nothing is
 * imported from any other host.
 */
function moduleFlags(main: string): string[] {
  if (originOf(main).kind === "local") return [];
  const { protocol, host } = new URL(main);
  return ["--no-config", "--no-lock", ...(protocol === "file:" ? [] : [`--allow-import=${host}`])];
}

/** The main module as people write it. */
function fileOf(main: string): string {
  return main.startsWith("file:") ? fromFileUrl(main) : main;
}
