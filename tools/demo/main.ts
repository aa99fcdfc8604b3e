/**
 * The demo: a real client drives a real server, with exact permissions, over a throwaway workspace. Leaves nothing
 * behind.
 *
 * @module
 */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { fromFileUrl, join } from "@std/path";
import type { DeletionReport, DryRunReport, ScanReport, TargetReport } from "../../main.ts";
import type { AuditReport, SourceReport } from "../../src/engine/audit/report.ts";
import { historyPaths } from "../../src/engine/audit/service.ts";
import { hostOf } from "../../src/history/resolve.ts";
import { variableNames } from "../../src/serve/environment.ts";
import { formatBytes } from "../../src/text/units.ts";
import { offlineFlags } from "../offline/flags.ts";
import { plantHistories } from "./histories.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

const MAIN = fromFileUrl(new URL("../../main.ts", import.meta.url));
const MODULES = [new URL("../../src", import.meta.url), new URL("../offline/std", import.meta.url)].map(fromFileUrl);
const BOLD = Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR") ? ["\x1b[1m", "\x1b[0m"] : ["", ""];

function heading(text: string): void {
  console.log(`\n${BOLD[0]}${text}${BOLD[1]}`);
}

function say(text: string): void {
  console.log(`  ${text}`);
}

/** The flags that hold the server to its workspace: the same that a client's config has. */
async function serverFlags(root: string): Promise<string[]> {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    ...await offlineFlags(),
    `--allow-read=${[root, ...MODULES].join(",")}`,
    `--allow-write=${root}`,
  ];
}

/** A result that is no error, as its own type. */
async function call<Result>(client: Client, name: string, args: Record<string, unknown>): Promise<Result> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
  return result.structuredContent as Result;
}

/** What a call that must fail was told. */
async function refusalOf(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content as { text?: string }[];
  const refused = (result.structuredContent as DeletionReport | undefined)?.refused[0]?.reason;
  if (!result.isError && refused === undefined) throw new Error(`${name} was not refused`);
  return refused ?? content?.text ?? "";
}

async function tour(client: Client, { root, precious }: Workspace): Promise<void> {
  heading("1. What the server may do (list_targets)");
  const listed = await call<{ roots: string[]; sandbox: string; targets: TargetReport[] }>(client, "list_targets", {});
  say(`roots: ${listed.roots.join(", ")}`);
  say(`sandbox: ${listed.sandbox}; ${listed.targets.length} kinds of regenerable directory`);

  heading("2. What could be deleted (scan)");
  const scanned = await call<ScanReport>(client, "scan", { path: root });
  for (const { id, size, path, regenerate_with } of scanned.finds) {
    say(`${id}  ${size.padStart(9)}  ${path.slice(root.length + 1).padEnd(24)} back by ${regenerate_with}`);
  }
  say(`${scanned.total_size} in ${scanned.found} finds; deleting them frees ${formatBytes(scanned.reclaimable_bytes)}`);
  for (const { path, reason } of scanned.skipped) say(`left alone: ${path.slice(root.length + 1)}: ${reason}`);

  heading("3. A dry run (reclaim without confirm)");
  const ids = scanned.finds.map(({ id }) => id);
  const plan = await call<DryRunReport>(client, "reclaim", { ids });
  say(`would delete ${plan.would_delete.length} directories and free ${plan.would_reclaim}; nothing was deleted`);

  heading("4. Attempts to get out");
  say(`scan of ${precious}\n    refused: ${await refusalOf(client, "scan", { path: precious })}`);
  const dots = `${root}/../photos`;
  say(`scan of ${dots}\n    refused: ${await refusalOf(client, "scan", { path: dots })}`);
  const guessed = await refusalOf(client, "reclaim", { ids: ["f-0123456789ab"], confirm: "delete" });
  say(`reclaim of an id that was never issued\n    refused: ${guessed}`);
  const target = scanned.finds.find(({ target }) => target === "rust-target")!;
  await Deno.rename(target.path, `${target.path}-moved`);
  await Deno.symlink(precious, target.path);
  const swapped = await refusalOf(client, "reclaim", { ids: [target.id], confirm: "delete" });
  say(`reclaim of a directory that was swapped for a link to the photos\n    refused: ${swapped}`);
  await Deno.remove(target.path);
  await Deno.rename(`${target.path}-moved`, target.path);
  say(
    `the same with the guard out of the way, held by Deno's sandbox alone\n    refused: ${await sandboxAlone(
      root,
      precious,
    )}`,
  );

  heading('5. Deletion (reclaim with confirm: "delete")');
  const done = await call<DeletionReport>(client, "reclaim", { ids, confirm: "delete" });
  for (const { path, size } of done.deleted) say(`deleted ${size.padStart(9)}  ${path.slice(root.length + 1)}`);
  say(`freed ${done.reclaimed}`);
}

/** A program with the server's very permissions and no guard at all tries to delete the photos. */
async function sandboxAlone(root: string, precious: string): Promise<string> {
  const flags = (await serverFlags(root)).filter((flag) => flag !== "run");
  const program = `try { Deno.removeSync(${JSON.stringify(precious)}, { recursive: true }); console.log("DELETED"); }
    catch (error) { console.log(error.message); }`;
  const child = new Deno.Command(Deno.execPath(), { args: ["run", ...flags, "-"], stdin: "piped", stdout: "piped" })
    .spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(program));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout).trim();
}

/** The same server on the histories of a made-up user: it finds what leaked, and shows none of it. */
async function audit(home: string): Promise<void> {
  const secrets = plantHistories(home);
  const env = { HOME: home, USERPROFILE: home, DENO_DIR: await denoDirectory() };
  const host = hostOf(Deno.build.os, env);
  const args = [
    ...["run", "--quiet", "--no-prompt", ...await offlineFlags()],
    `--allow-read=${[...historyPaths({ host, history: new Map() }), ...MODULES].join(",")}`,
    `--allow-env=${variableNames().join(",")}`,
    MAIN,
    "--audit-only",
  ];
  const client = new Client({ name: "demo", version: "1.0.0" }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  await client.connect(new StdioClientTransport({ command: Deno.execPath(), args, env, stderr: "ignore" }));
  try {
    heading("7. What leaked into agents' histories (list_sources, scan_history)");
    const { sources } = await call<{ sources: SourceReport[] }>(client, "list_sources", { detected_only: true });
    say(`histories found: ${sources.map(({ display }) => display).join(", ")} (planted by this demo)`);
    const request = { all_sources: true, include_blast_radius: true };
    const result = await client.callTool({ name: "scan_history", arguments: request });
    const { summary, blast_radius = [], findings } = result.structuredContent as unknown as AuditReport;
    say(
      `${summary.findings} findings in ${summary.files_scanned} files; first: line ${findings[0]?.line} of a ${
        findings[0]?.source
      } file`,
    );
    for (const { display, masked, occurrences, rotation } of blast_radius) {
      say(`${masked.padEnd(22)} ${display}, ${occurrences} times\n    ${rotation}`);
    }
    const told = JSON.stringify(result);
    const leaked = secrets.filter((secret) => told.includes(secret));
    if (leaked.length > 0 || blast_radius.length < secrets.length) throw new Error("the audit missed or told a secret");
    say("none of the planted secrets is anywhere in what the server said: checked");
  } finally {
    await client.close();
  }
}

/** Where Deno keeps its cache: a moved home must not move it. */
async function denoDirectory(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"], stdout: "piped" }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

/** What is left must be the sources, the committed build, the plans and the photos. */
async function verify({ root, precious }: Workspace): Promise<void> {
  const kept = [
    join(root, "web-shop", "index.js"),
    join(root, "notebooks", "study.py"),
    join(root, "rust-tool", "src", "main.rs"),
    join(root, "library", "dist", "library-1.0.js"),
    join(root, "notes", "build", "shed-plans.txt"),
    join(precious, "wedding.raw"),
  ];
  for (const path of kept) await Deno.lstat(path);
  for (const gone of ["web-shop/node_modules", "web-shop/.next", "notebooks/.venv", "rust-tool/target"]) {
    if (await Deno.lstat(join(root, gone)).then(() => true, () => false)) throw new Error(`${gone} is still there`);
  }
  heading("6. What is left");
  say("every source file, the committed dist, the folder that is merely called build, and the photos: checked");
}

async function demo(): Promise<void> {
  heading("A throwaway workspace");
  const workspace = await createWorkspace();
  try {
    say(
      `${workspace.root}, with a node_modules ${workspace.isRealInstall ? "from a real install" : "made up (offline)"}`,
    );
    const args = [...await serverFlags(workspace.root), MAIN, "--root", workspace.root];
    say(`server: deno ${args.map((arg) => arg.replaceAll(workspace.root, "<root>")).join(" ")}`);
    const client = new Client({ name: "demo", version: "1.0.0" }, {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    });
    await client.connect(new StdioClientTransport({ command: Deno.execPath(), args, stderr: "ignore" }));
    try {
      await tour(client, workspace);
      await verify(workspace);
    } finally {
      await client.close();
    }
    await audit(join(workspace.home, "someone"));
  } finally {
    await Deno.remove(workspace.home, { recursive: true });
  }
  heading("Done; the workspace is gone");
}

if (import.meta.main) await demo();
