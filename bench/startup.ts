/**
 * How long a client waits for the answer to `initialize`, against a bare server of the same SDK.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { offlineFlags } from "../tools/offline/flags.ts";
import { compare, line } from "./measure.ts";

const RUNS = 15;

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } },
});

/** Time from the start of the process to the first byte of its answer. */
async function answerTime(args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(`${INITIALIZE}\n`));
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const elapsed = performance.now() - began;
  await writer.close();
  while (!(await reader.read()).done);
  await child.status;
  if (!value || value.length === 0) throw new Error("the server did not answer");
  return elapsed;
}

/** Prints the comparison. */
export async function benchStartup(): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "agentsweep-bench-" }));
  const run = ["run", "--quiet", "--no-prompt", ...await offlineFlags()];
  const path = (relative: string) => fromFileUrl(new URL(relative, import.meta.url));
  const modules = ["../src", "../tools/offline/std"].map(path).join(",");
  const bare = () => answerTime([...run, path("./bare_server.ts")]);
  const server = (...flags: string[]) => () => answerTime([...run, ...flags, path("../main.ts"), "--root", root]);
  try {
    console.log("Start to the answer of initialize: ours, a bare server of the SDK, ratio");
    const exact = server(`--allow-read=${root},${modules}`, `--allow-write=${root}`);
    console.log(line("with exact flags (in place)", await compare(exact, bare, RUNS), 1.5));
    console.log(line("with -A (narrowed in a Worker)", await compare(server("-A"), bare, RUNS)));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
