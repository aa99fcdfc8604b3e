import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { commandOf, runToEnd } from "../support/server.ts";
import { createWorkspace, stands, writeProject } from "../support/workspace.ts";

const NPM = Deno.build.os === "windows" ? "npm.cmd" : "npm";

Deno.test("the MCP Inspector's command line lists the tools and scans", async () => {
  await using workspace = await createWorkspace();
  const { base, root } = workspace;
  const modules = await writeProject(join(root, "shop"));
  // `npx` would leave the package in a cache of its own; installed here it goes with the workspace.
  const install = ["install", "--prefix", base, "--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
  const installed = await runToEnd([NPM, ...install, "@modelcontextprotocol/inspector"]);
  assertEquals(installed.code, 0, installed.stderr);

  const [command, ...args] = commandOf({ roots: [root] });
  const config = join(base, "mcp.json");
  await Deno.writeTextFile(config, JSON.stringify({ mcpServers: { agentsweep: { command, args } } }));
  const inspect = async (...request: string[]) => {
    const bin = join(base, "node_modules", ".bin", "mcp-inspector");
    const { code, stdout, stderr } = await runToEnd(
      [bin, "--cli", "--config", config, "--server", "agentsweep", ...request],
    );
    assertEquals(code, 0, stderr);
    return JSON.parse(stdout);
  };

  const { tools } = await inspect("--method", "tools/list");
  const names: string[] = tools.map(({ name }: { name: string }) => name);
  assertEquals(names.slice(0, 3), ["list_targets", "scan", "reclaim"]);
  const scan = await inspect("--method", "tools/call", "--tool-name", "scan", "--tool-arg", `path=${root}`);
  assertEquals(scan.structuredContent.finds.map(({ path }: { path: string }) => path), [modules]);
  assert(await stands(modules));
});
