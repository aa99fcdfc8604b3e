/**
 * The real command line in a process group of its own, watched or killed.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fromFileUrl } from "@std/path";
import { offlineFlags } from "../offline/flags.ts";

const MAIN = fromFileUrl(new URL("../../main.ts", import.meta.url));

/** What a run of the command line came to. */
export interface Run {
  /** Exit code; null where it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** Most memory that it held, in bytes; 0 where the system does not tell. */
  readonly peak: number;
}

/** A machine of its own: a home directory, and the flags that start the program. */
export interface Machine {
  /** Runs a command, once no agent of the source's name is running; where `killAfter` milliseconds are named, its process group is killed then. */
  run(args: readonly string[], killAfter?: number): Promise<Run>;
  /** The home directory. */
  readonly home: string;
}

const SAMPLE_MS = 20;

/** A machine whose home is `home`, which exists. */
export async function openMachine(home: string): Promise<Machine> {
  const flags = await offlineFlags();
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME") ?? ""}/.cache/deno`;
  const env = {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: home,
    USERPROFILE: home,
    DENO_DIR: cache,
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
  };
  const once = (args: readonly string[], killAfter?: number) =>
    new Promise<Run>((resolve, reject) => {
      const began = performance.now();
      const child = spawn(Deno.execPath(), ["run", "-A", "--quiet", ...flags, MAIN, ...args], {
        cwd: home,
        env,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const said = { stdout: "", stderr: "" };
      child.stdout.on("data", (piece) => said.stdout += piece);
      child.stderr.on("data", (piece) => said.stderr += piece);
      let peak = 0;
      const sampler = setInterval(() => peak = Math.max(peak, mostMemory(child)), SAMPLE_MS);
      const timer = killAfter === undefined ? undefined : setTimeout(() => killGroup(child), killAfter);
      child.on("error", reject);
      child.on("close", (code) => {
        clearInterval(sampler);
        clearTimeout(timer);
        resolve({ code, ...said, seconds: (performance.now() - began) / 1000, peak });
      });
    });
  const run = async (args: readonly string[], killAfter?: number) => {
    for (let attempt = 1;; attempt++) {
      const done = await once(args, killAfter);
      if (killAfter !== undefined || !BUSY.test(done.stderr) || attempt === MOST_ATTEMPTS) return done;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  return { run, home };
}

/** The agent itself, or another test, may run on the machine for a while. */
const BUSY = /the agent is running/;
const PAUSE_MS = 2000;
const MOST_ATTEMPTS = 30;

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function mostMemory({ pid }: ChildProcess): number {
  try {
    const [, kilobytes = "0"] = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
