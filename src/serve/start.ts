/**
 * Starting the server with no more permissions than it needs.
 *
 * @module
 */

import { redactionPaths } from "../engine/redact/service.ts";
import { sourceByKey } from "../history/sources/mod.ts";
import { agentState, PROCESS_LISTER } from "../redact/processes.ts";
import { ownWorker } from "../concurrency/own_worker.ts";
import { openRoots, Refusal } from "../guard/mod.ts";
import { excessOf, flagsFor, type Needs } from "../sandbox/needs.ts";
import { commandLine } from "../text/shell.ts";
import { historyPaths } from "../engine/audit/service.ts";
import type { AgentState } from "../redact/gates.ts";
import { readEnvironment, variableNames } from "./environment.ts";
import { originOf } from "./origin.ts";
import { report, run, type ServePlan } from "./run.ts";
import type { ServeOptions } from "./options.ts";
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
  const histories = options.hasAudit && environment.host
    ? historyPaths({ host: environment.host, history: options.history })
    : [];
  const plan: ServePlan = { options, environment, workerModules: origin.kind === "local" ? origin.modules : null };
  const redacts = options.hasAudit && environment.allowsRedact;
  const written = redacts && environment.host ? redactionPaths(environment.host, options.history) : [];
  const needs: Needs = {
    read: [...roots, ...histories, ...written, ...origin.modules],
    write: [...roots, ...written],
    env: options.hasAudit ? variableNames() : [],
    run: redacts ? [PROCESS_LISTER] : [],
  };
  const excess = excessOf(needs, elsewhere());
  if (excess.length === 0) {
    await run(plan, options.isNarrowed ? "child-process" : "process-flags", agentStateOf);
    return 0;
  }
  if (options.allowUnsandboxed) {
    report(
      `WARNING: running with more permissions than needed (${excess.join(" ")}); only the guard protects the rest`,
    );
    await run(plan, "none", agentStateOf);
    return 0;
  }
  if (origin.kind === "local") return await serveInWorker(plan, needs);
  if (Deno.permissions.querySync({ name: "run" }).state === "granted") return await serveInChild(needs, main, args);
  throw new Refusal(
    "argument",
    `started with more permissions than needed (${
      excess.join(" ")
    }) and without a way to drop them; start it as\n\n  ` +
      `${commandLine(["deno", "run", ...flagsFor(needs), main, ...args], Deno.build.os)}\n\n` +
      "or add --allow-unsandboxed to trust the guard alone",
  );
}

/** Whether the agent of a source is running, as far as this thread may ask. */
function agentStateOf(source: string): Promise<AgentState> {
  return agentState(sourceByKey(source)?.processes ?? []);
}

/** Places that a narrow process cannot see; which ones does not matter, only that nobody needs them. */
function elsewhere(): string[] {
  if (Deno.build.os === "windows") return ["C:\\Windows", "C:\\Users"];
  return ["/etc", "/usr", "/var", "/home", "/root", "/Users"];
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
  // The one question that the Worker may not answer itself: it names a source, and gets one word.
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
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...childFlags(main), ...flagsFor(needs), main, ...args, "--narrowed"],
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
 * Flags beside the permissions: nothing is fetched, since the modules are cached by now, and no `deno.json` of the
 * current folder, which an agent may have written, decides what the program's imports mean.
 */
function childFlags(main: string): string[] {
  const { protocol, host } = new URL(main);
  const flags = ["--quiet", "--cached-only", "--no-config", "--no-lock"];
  return protocol === "file:" ? flags : [...flags, `--allow-import=${host}`];
}
