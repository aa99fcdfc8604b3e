import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { CHECKOUT, initialize, OFFLINE, rawServer, runToEnd } from "../support/server.ts";
import { writeProject } from "../support/workspace.ts";
import { environment, plantSecrets, withFolder } from "./_program.ts";

const RUN = [Deno.execPath(), "run", "--quiet", "--no-config", "--no-lock", "--no-prompt"];

Deno.test("the bundle is one file that scans, sweeps and serves, away from the checkout and without any registry", () =>
  withFolder(async (folder) => {
    const bundle = join(folder, "alone", "agentsweep.js");
    await Deno.mkdir(join(folder, "alone"));
    const made = await runToEnd(
      [Deno.execPath(), "bundle", "--quiet", ...OFFLINE, "--output", bundle, join(CHECKOUT, "main.ts")],
    );
    assertEquals(made.code, 0, made.stderr);
    const home = join(folder, "home");
    plantSecrets(home, ["codex"]);
    const env = environment(home);

    const wide = await runToEnd([...RUN, "-A", bundle, "scan", "--source", "codex", "--json"], env);
    const findings = JSON.parse(wide.stdout);
    assert(wide.code === 1 && findings.length > 0, wide.stderr);
    const reads = [join(home, ".codex"), bundle];
    const exact = [`--allow-read=${reads.join(",")}`, "--allow-env=HOME,USERPROFILE"];
    const narrow = await runToEnd([...RUN, ...exact, bundle, "scan", "--source", "codex", "--json"], env);
    assertEquals([JSON.parse(narrow.stdout), narrow.stderr], [findings, ""]);

    const root = join(folder, "root");
    await Deno.mkdir(root);
    await writeProject(join(root, "shop"));
    assertStringIncludes((await runToEnd([...RUN, "-A", bundle, "sweep", root], env)).stdout, "1 directory can be");

    const config = await runToEnd([...RUN, "-A", bundle, "config", "--client", "claude-desktop", "--root", root], env);
    const { command, args } = JSON.parse(config.stdout).mcpServers.agentsweep;
    const starts: [string[], string][] = [
      [[command, ...args], "process-flags"],
      [[...RUN, "-A", bundle, "--root", root], "child-process"],
    ];
    for (const [words, posture] of starts) {
      await using server = rawServer(words, env);
      await initialize(server);
      await server.said(`sandbox: ${posture}`);
      const scan = await server.call("scan_history", { source: "codex" });
      assertEquals([scan.summary.findings, scan.summary.complete], [findings.length, true]);
    }
  }));
