/**
 * Completes the entry for the MCP registry: `registry.ts URL_PREFIX BUNDLE...` prints `server.json` with a package for each
 * bundle, its place and its hash.
 *
 * @module
 */

import { basename } from "@std/path";

const ENTRY = new URL("../../server.json", import.meta.url);

/** The registry's entry, complete: `prefix` is where the bundles can be downloaded from. */
export async function registryEntry(prefix: string, bundles: readonly string[]): Promise<Record<string, unknown>> {
  const entry = JSON.parse(await Deno.readTextFile(ENTRY));
  const packages = await Promise.all(bundles.map(async (bundle) => ({
    registryType: "mcpb",
    identifier: `${prefix}/${basename(bundle)}`,
    fileSha256: new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(bundle))).toHex(),
    transport: { type: "stdio" },
  })));
  return { ...entry, packages };
}

if (import.meta.main) {
  const [prefix, ...bundles] = Deno.args;
  if (prefix === undefined || bundles.length === 0) {
    console.error("usage: registry.ts URL_PREFIX BUNDLE...");
    Deno.exit(2);
  }
  console.log(JSON.stringify(await registryEntry(prefix, bundles), null, 2));
}
