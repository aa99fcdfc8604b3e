import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join, toFileUrl } from "@std/path";
import { bundleProgram, copyCheckout, serveCheckout } from "../support/checkout.ts";
import { CHECKOUT, initialize, type Outcome, rawServer, runToEnd } from "../support/server.ts";
import { createWorkspace, stands, writeProject } from "../support/workspace.ts";
import { environment, plantSecrets } from "../cli/_program.ts";

const PACKAGE = "jsr:@agentsweep/mcp";
const PATH = [dirname(Deno.execPath()), Deno.env.get("PATH")].join(Deno.build.os === "windows" ? ";" : ":");

/** The words of the README's own line, with `module` in the place of the package. */
async function installLine(module: string, more: readonly string[] = []): Promise<string[]> {
  const readme = await Deno.readTextFile(join(CHECKOUT, "README.md"));
  const [line = ""] = /deno install .*$/m.exec(readme) ?? [];
  const words = line.trim().split(" ");
  assertEquals([words[0], words.at(-1)], ["deno", PACKAGE], "the README tells how to install it");
  return [Deno.execPath(), ...words.slice(1, -1), ...more, module];
}

/** Installs `module` as the README says, and uses it as people do: scan, sweep, delete, and as a server. */
async function tryInstalled(module: string, posture: string, more: readonly string[] = []): Promise<void> {
  await using workspace = await createWorkspace();
  const { base, root } = workspace;
  const home = join(base, "home");
  plantSecrets(home, ["codex"]);
  const bin = join(base, "installed", "bin");
  const env = { ...environment(home), PATH, DENO_INSTALL_ROOT: join(base, "installed") };
  const installed = await runToEnd(await installLine(module, more), env);
  assertEquals(installed.code, 0, installed.stderr);
  const command = join(bin, Deno.build.os === "windows" ? "agentsweep.cmd" : "agentsweep");
  const agentsweep = (...args: string[]): Promise<Outcome> => runToEnd([command, ...args], env);

  const scan = await agentsweep("scan", "--source", "codex", "--json");
  assertEquals(scan.code, 1, scan.stderr);
  assert(JSON.parse(scan.stdout).length > 0);
  assertEquals((await agentsweep("doctor", "--root", root)).code, 0);
  const modules = await writeProject(join(root, "shop"));
  const sweep = await agentsweep("sweep", root);
  assertEquals(sweep.code, 0, sweep.stderr);
  assertStringIncludes(sweep.stdout, "1 directory can be rebuilt");
  assertEquals((await agentsweep("sweep", root, "--delete", "--yes")).code, 0);
  assert(!await stands(modules));

  const config = await agentsweep("config", "--client", "claude-desktop", "--root", root);
  const { command: started, args } = JSON.parse(config.stdout).mcpServers.agentsweep;
  const starts: [string[], string][] = [[[command, "--root", root], posture], [[started, ...args], "process-flags"]];
  for (const [words, expected] of starts) {
    await using server = rawServer(words, env);
    await initialize(server);
    await server.said(`sandbox: ${expected}`);
    const { summary } = await server.call("scan_history", { source: "codex" });
    assert(summary.complete && summary.findings > 0);
  }
}

Deno.test("installed as the README says, from a server as JSR is one", async () => {
  await using served = await serveCheckout();
  await tryInstalled(served.main, "child-process");
});

Deno.test("installed as the README says, from the single-file bundle", async () => {
  await using bundle = await bundleProgram();
  await tryInstalled(bundle.main, "child-process");
});

Deno.test("installed from a checkout with its own configuration", async () => {
  await using copy = await copyCheckout();
  // Where jsr.io does not answer, the stand-ins take the place of its packages; an installed command cannot link them.
  const path = join(copy.folder, "deno.json");
  const config = JSON.parse(await Deno.readTextFile(path));
  for (const name of ["assert", "fs", "path"]) {
    config.imports[`@std/${name}`] = toFileUrl(join(copy.folder, "tools", "offline", "std", name, "mod.ts")).href;
  }
  await Deno.writeTextFile(path, JSON.stringify(config));
  await Deno.remove(join(copy.folder, "deno.offline.json")).catch(() => {});
  await tryInstalled(copy.main, "worker", ["--config", path]);
});
