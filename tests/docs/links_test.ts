import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { installLinks } from "../../tools/docs/setup.ts";
import { CHECKOUT, initialize, OFFLINE, rawServer } from "../support/server.ts";
import { createWorkspace } from "../support/workspace.ts";

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a link installs, read as its client reads it, and what stands in it for the folder. */
const READ: Readonly<Record<string, (link: string) => { entry: Entry; placeholder: string }>> = {
  "VS Code"(link) {
    const { origin, pathname, searchParams } = new URL(link);
    assertEquals([origin, pathname], ["https://insiders.vscode.dev", "/redirect"]);
    const [place, query = ""] = searchParams.get("url")!.split("?");
    assertEquals(place, "vscode:mcp/install");
    const { name, type, inputs, ...entry } = JSON.parse(decodeURIComponent(query));
    assertEquals([name, type, inputs.length, inputs[0].type], ["agentsweep", "stdio", 1, "promptString"]);
    assert(inputs[0].description.length > 0);
    return { entry, placeholder: `\${input:${inputs[0].id}}` };
  },
  Cursor(link) {
    const { origin, pathname, searchParams } = new URL(link);
    assertEquals([origin, pathname, searchParams.get("name")], ["https://cursor.com", "/en/install-mcp", "agentsweep"]);
    const entry = JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(searchParams.get("config")!)));
    // One of the few variables that Cursor fills in.
    return { entry, placeholder: "${userHome}/code" };
  },
};

for (const [client, link] of installLinks()) {
  Deno.test(`the README's link for ${client} installs what the README shows, and that starts`, async () => {
    const readme = await Deno.readTextFile(join(CHECKOUT, "README.md"));
    assert(readme.includes(`[${client}](${link})`), "deno task docs prints the link that the README is to have");
    const { entry, placeholder } = READ[client]!(link);
    const [, snippet = ""] = /```json\n([^`]+"mcpServers"[^`]+)```/.exec(readme) ?? [];
    const shown = JSON.parse(snippet).mcpServers.agentsweep;
    const filled = (text: string, folder: string) => text.replaceAll(placeholder, folder);
    assertEquals({ command: entry.command, args: entry.args.map((arg) => filled(arg, "/home/me/code")) }, shown);

    await using workspace = await createWorkspace();
    const { root } = workspace;
    const args = entry.args.map((arg) => filled(arg, root)).filter((arg) => arg !== "--no-config");
    assert(!args.some((arg) => arg.includes("${")), "nothing else is left to fill in");
    // The checkout stands for the package, which is not published where tests run.
    const at = args.indexOf("jsr:@agentsweep/mcp");
    const own = [...OFFLINE, ...args.slice(1, at), join(CHECKOUT, "main.ts"), ...args.slice(at + 1)];
    await using server = rawServer([Deno.execPath(), "run", ...own.map(withOwnModules)]);
    await initialize(server);
    const { roots, sandbox } = await server.call("list_targets", {});
    assertEquals([roots, sandbox], [[root], "process-flags"]);
  });
}

/** A checkout's workers must be able to read its own modules; those of a package load without. */
function withOwnModules(arg: string): string {
  const modules = [join(CHECKOUT, "src"), join(CHECKOUT, "tools", "offline", "std")];
  return arg.startsWith("--allow-read=") ? [arg, ...modules].join(",") : arg;
}
