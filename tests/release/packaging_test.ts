import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { VERSION } from "../../src/version.ts";
import { packBundle, PACKER } from "../../tools/release/mcpb.ts";
import { registryEntry } from "../../tools/release/registry.ts";
import { CHECKOUT, initialize, OFFLINE, rawServer, runToEnd } from "../support/server.ts";
import { createWorkspace } from "../support/workspace.ts";

Deno.test("a bundle for Claude Desktop is packed, and what its manifest starts is the server", async () => {
  if (Deno.build.os === "windows") return;
  await using workspace = await createWorkspace();
  const { base, root } = workspace;
  // Stands for the compiled binary, which takes long to make: it runs the same program.
  const binary = join(base, "agentsweep-test");
  const run = [Deno.execPath(), "run", "-A", "--quiet", ...OFFLINE, join(CHECKOUT, "main.ts")];
  await Deno.writeTextFile(binary, `#!/bin/sh\nexec ${run.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  const bundle = await packBundle(binary);

  const installed = join(base, "installed");
  const unpacked = await runToEnd(["npx", "-y", PACKER, "unpack", bundle, installed]);
  assertEquals(unpacked.code, 0, unpacked.stderr);
  const manifest = JSON.parse(await Deno.readTextFile(join(installed, "manifest.json")));
  assertEquals(manifest.version, VERSION);
  const filled = (text: string) => text.replace("${__dirname}", installed).replace("${user_config.root}", root);
  const { command, args } = manifest.server.mcp_config;
  await Deno.chmod(filled(command), 0o755); // what the client does when it installs
  await using server = rawServer([command, ...args].map(filled));
  await initialize(server);
  const { result } = await server.request("tools/list");
  assertEquals(
    manifest.tools.map(({ name }: { name: string }) => name),
    result.tools.map(({ name }: { name: string }) => name),
  );
  assertEquals((await server.call("list_targets", {})).sandbox, "worker");

  const { packages } = await registryEntry("https://example.com/v1", [bundle]) as {
    packages: Record<string, string>[];
  };
  assertEquals(packages[0]!.identifier, "https://example.com/v1/agentsweep-test.mcpb");
  assertMatch(packages[0]!.fileSha256!, /^[0-9a-f]{64}$/);
});

Deno.test("the registry's entry keeps to the registry's rules", async () => {
  const entry = JSON.parse(await Deno.readTextFile(join(CHECKOUT, "server.json")));
  assertEquals(entry.version, VERSION);
  assertMatch(entry.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert(entry.description.length <= 100 && entry.title.length <= 100);
  assertMatch(
    entry.$schema,
    /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/\d{4}-\d\d-\d\d\/server\.schema\.json$/,
  );
});
