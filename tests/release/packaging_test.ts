import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { z } from "zod";
import { VERSION } from "../../src/version.ts";
import { packBundle, PACKER } from "../../tools/release/mcpb.ts";
import { registryEntry } from "../../tools/release/registry.ts";
import { CHECKOUT, initialize, OFFLINE, rawServer, runToEnd } from "../support/server.ts";
import { createWorkspace } from "../support/workspace.ts";

/** What Claude Desktop starts for a manifest: the packer's own package says how the folders that a human picks go in. */
async function startedFor(folder: string, installed: string, roots: readonly string[]): Promise<string[]> {
  const npm = [Deno.build.os === "windows" ? "npm.cmd" : "npm", "install", "--prefix", folder, "--silent"];
  const got = await runToEnd([...npm, "--no-audit", "--no-fund", "--ignore-scripts", PACKER]);
  assertEquals(got.code, 0, got.stderr);
  const script = `import { readFileSync } from "node:fs";
    import { getMcpConfigForManifest, v0_3 } from "@anthropic-ai/mcpb/browser";
    const manifest = v0_3.McpbManifestSchema.parse(JSON.parse(readFileSync(${
    JSON.stringify(`${installed}/manifest.json`)
  })));
    const given = { manifest, extensionPath: ${JSON.stringify(installed)}, systemDirs: {}, pathSeparator: "/" };
    const none = await getMcpConfigForManifest({ ...given, userConfig: { roots: [] } });
    if (none !== undefined) throw new Error("it would start without any folder");
    const { command, args } = await getMcpConfigForManifest({ ...given, userConfig: { roots: ${
    JSON.stringify(roots)
  } } });
    console.log(JSON.stringify([command, ...args]));`;
  await Deno.writeTextFile(join(folder, "start.mjs"), script);
  const { code, stdout, stderr } = await runToEnd(["node", join(folder, "start.mjs")]);
  assertEquals(code, 0, stderr);
  return JSON.parse(stdout);
}

Deno.test("a bundle for Claude Desktop is packed, and what its manifest starts serves every folder picked", async () => {
  if (Deno.build.os === "windows") return;
  await using workspace = await createWorkspace("first root");
  const { base, root, outside } = workspace;
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
  assertEquals(manifest.compatibility.platforms, [Deno.build.os], "a binary is for one system");
  const words = await startedFor(join(base, "npm"), installed, [root, outside]);
  await Deno.chmod(words[0]!, 0o755); // what the client does when it installs
  await using server = rawServer(words);
  await initialize(server);
  const { result } = await server.request("tools/list");
  assertEquals(
    manifest.tools.map(({ name }: { name: string }) => name),
    result.tools.map(({ name }: { name: string }) => name),
  );
  const { sandbox, roots } = await server.call("list_targets", {});
  assertEquals([sandbox, roots], ["worker", [root, outside]]);

  const { packages } = await registryEntry("https://example.com/v1", [bundle]) as {
    packages: Record<string, string>[];
  };
  assertEquals(packages[0]!.identifier, "https://example.com/v1/agentsweep-test.mcpb");
  assertMatch(packages[0]!.fileSha256!, /^[0-9a-f]{64}$/);
});

/**
 * What the registry's schema of 2025-12-11 demands of an entry (modelcontextprotocol/registry, docs/reference/server-json):
 * of a package of type mcpb a place to download from, a hash, and no version, which its place tells.
 */
const ENTRY = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z.string().min(3).max(200).regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255).regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/),
  repository: z.strictObject({ url: z.url({ protocol: /^https$/ }), source: z.literal("github") }),
  websiteUrl: z.url({ protocol: /^https$/ }),
  packages: z.array(z.strictObject({
    registryType: z.literal("mcpb"),
    identifier: z.url({ protocol: /^https$/ }).regex(/^https:\/\/github\.com\/[^?]+\/releases\/download\/[^?]+\.mcpb$/),
    fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
    transport: z.strictObject({ type: z.literal("stdio") }),
  })).min(1),
});

Deno.test("the registry's entry keeps to the registry's rules", async () => {
  const bundle = await Deno.makeTempFile({ suffix: ".mcpb" });
  try {
    const { repository } = JSON.parse(await Deno.readTextFile(join(CHECKOUT, "server.json")));
    const entry = await registryEntry(`${repository.url}/releases/download/v${VERSION}`, [bundle]);
    const { success, error, data } = ENTRY.safeParse(entry);
    assert(success, error?.message);
    assertEquals(data!.version, VERSION);
  } finally {
    await Deno.remove(bundle);
  }
});
