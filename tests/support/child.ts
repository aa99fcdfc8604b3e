/**
 * Child processes that use Reclaim: without the superuser's privileges, or to be killed.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { offlineFlags } from "../../tools/offline/flags.ts";
import type { Answer, Request } from "./child_main.ts";
import { IS_SUPERUSER } from "./system.ts";

const MAIN = fromFileUrl(new URL("./child_main.ts", import.meta.url));
let flags: Promise<string[]> | undefined;

/** Program and arguments that start a script of this project in a process of its own. */
export async function denoCommand(script: string, args: readonly string[]): Promise<[string, string[]]> {
  flags ??= offlineFlags();
  return [Deno.execPath(), ["run", "-A", "--quiet", ...await flags, script, ...args]];
}

/** Starts a child that does what `request` names with the directory `path` as its root. */
export async function startChild(request: Request, ...args: string[]): Promise<Deno.ChildProcess> {
  const [program, words] = await denoCommand(MAIN, [request, ...args]);
  return new Deno.Command(program, { args: words, stdin: "null", stdout: "piped", stderr: "inherit" }).spawn();
}

/** What a child without the superuser's privileges answers to `request`. */
export async function askUnprivileged(request: Request, ...args: string[]): Promise<Answer> {
  const [program, words] = await denoCommand(MAIN, [request, ...args]);
  // A superuser without capabilities is held to the modes of files like anybody else.
  const drop = ["--inh-caps=-all", "--bounding-set=-all", program];
  const { stdout, success } = await new Deno.Command(IS_SUPERUSER ? "setpriv" : program, {
    args: IS_SUPERUSER ? [...drop, ...words] : words,
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`the child failed at ${request}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
