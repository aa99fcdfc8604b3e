/**
 * Packs a compiled binary as a bundle for Claude Desktop: `mcpb.ts BINARY` writes `BINARY.mcpb` beside it.
 *
 * Needs Node.js, whose `npx` brings the packer.
 *
 * @module
 */

import { basename, fromFileUrl, join } from "@std/path";

const MANIFEST = fromFileUrl(new URL("../../packaging/mcpb/manifest.json", import.meta.url));
/** The packer, as `npx` names it. */
export const PACKER = "@anthropic-ai/mcpb@2.1.2";

/**
 * Packs `binary`; the path of the bundle.
 *
 * @throws {Error} When the packer refuses the manifest or cannot be run.
 */
export async function packBundle(binary: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const isWindows = binary.endsWith(".exe");
    await Deno.mkdir(join(folder, "server"));
    const copy = join(folder, "server", isWindows ? "agentsweep.exe" : "agentsweep");
    await Deno.copyFile(binary, copy);
    if (Deno.build.os !== "windows") await Deno.chmod(copy, 0o755);
    const manifest = JSON.parse(await Deno.readTextFile(MANIFEST));
    if (isWindows) manifest.server.entry_point += ".exe";
    manifest.compatibility.platforms = [platformOf(basename(binary))];
    await Deno.writeTextFile(join(folder, "manifest.json"), JSON.stringify(manifest, null, 2));
    const bundle = `${binary.replace(/\.exe$/, "")}.mcpb`;
    const { success } = await new Deno.Command(Deno.build.os === "windows" ? "npx.cmd" : "npx", {
      args: ["-y", PACKER, "pack", folder, bundle],
      stdout: "null",
    }).output();
    if (!success) throw new Error(`${basename(binary)} could not be packed`);
    return bundle;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The platform that a binary is for, by the name that `deno task compile` gives it; else this one. */
function platformOf(name: string): string {
  const [, system = ""] = /-(linux|macos|windows)-/.exec(name) ?? [];
  const known: Readonly<Record<string, string>> = { linux: "linux", macos: "darwin", windows: "win32" };
  return known[system] ?? (Deno.build.os === "windows" ? "win32" : Deno.build.os);
}

if (import.meta.main) {
  const [binary] = Deno.args;
  if (binary === undefined) {
    console.error("usage: mcpb.ts BINARY");
    Deno.exit(2);
  }
  console.log(await packBundle(binary));
}
