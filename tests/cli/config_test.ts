import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { type Client, CLIENTS, type Launch } from "../../src/cli/clients.ts";
import { initialize, rawServer, runToEnd } from "../support/server.ts";
import { createWorkspace } from "../support/workspace.ts";
import { environment, plantSecrets, program, withFolder } from "./_program.ts";

/** What a snippet tells a client to start, read as that client reads it. */
async function launchIn(client: Client, snippet: string): Promise<Launch> {
  if (client.format === "shell") return await launchInShell(snippet);
  // deno-lint-ignore no-explicit-any
  const read: Record<"json" | "toml" | "yaml", (text: string) => any> = {
    json: (text) => JSON.parse(text),
    toml: (text) => parseToml(text),
    yaml: (text) => parseYaml(text),
  };
  const config = read[client.format](snippet);
  switch (client.key) {
    case "vscode":
      return stdio(config.servers.agentsweep);
    case "zed":
      assertEquals(config.context_servers.agentsweep.source, "custom");
      return config.context_servers.agentsweep;
    case "codex":
      assertEquals(Object.keys(config.mcp_servers.agentsweep), ["command", "args"]);
      return config.mcp_servers.agentsweep;
    case "continue":
      assertEquals([config.name, config.schema], ["agentsweep", "v1"]);
      return stdio(config.mcpServers[0]);
    case "goose": {
      const { cmd, args, enabled, type } = config.extensions.agentsweep;
      assertEquals([enabled, type], [true, "stdio"]);
      return { command: cmd, args };
    }
    default:
      return config.mcpServers.agentsweep;
  }
}

function stdio(server: Launch & { type: string }): Launch {
  assertEquals(server.type, "stdio");
  return server;
}

/** Has a real shell read the command; a stand-in for the client's own program tells the words that it got. */
async function launchInShell(snippet: string): Promise<Launch> {
  const { stdout, code } = await runToEnd(["bash", "-c", `claude() { printf '%s\\0' "$@"; }\n${snippet}`]);
  assertEquals(code, 0);
  const words = stdout.split("\0").slice(0, -1);
  const at = words.indexOf("--");
  assertEquals(words.slice(0, at), ["mcp", "add", "--scope", "user", "agentsweep"]);
  const [command = "", ...args] = words.slice(at + 1);
  return { command, args };
}

for (const client of CLIENTS) {
  Deno.test(`${client.key}: the snippet starts a server that is held to exactly what it needs`, async () => {
    if (client.format === "shell" && Deno.build.os === "windows") return;
    await using workspace = await createWorkspace(`a root's name with "quotes" and \\ $HOME`);
    const { root, base } = workspace;
    const home = join(base, "home");
    plantSecrets(home, ["codex"]);
    const { code, stdout, stderr } = await program(["config", "--client", client.key, "--root", root], { home });
    assertEquals(code, 0, stderr);
    assertStringIncludes(stderr, client.display);
    const { command, args } = await launchIn(client, stdout);
    const reads = args.find((arg) => arg.startsWith("--allow-read="))!.slice("--allow-read=".length).split(",");
    assert(reads.includes(root) && reads.includes(join(home, ".codex")), "roots and what is there");
    assert(!reads.some((path) => path === home || path.includes(".claude")), "not what is not there");
    assert(
      args.includes(`--allow-write=${root}`) && !args.some((arg) => /^(-A|--allow-(all|net|run|sys|ffi))/.test(arg)),
    );
    await using server = rawServer([command, ...args], environment(home));
    const answer = await initialize(server);
    assertEquals(answer.result.serverInfo.name, "agentsweep");
    await server.said("sandbox: process-flags");
    const scan = await server.call("scan_history", { source: "codex" });
    assert(scan.summary.complete && scan.summary.findings > 0);
  });
}

/** What a link tells a client to start, read as that client reads it. */
const LAUNCH_OF: Readonly<Record<string, (link: string) => Launch>> = {
  cursor: (link) => packed(link, "cursor://anysphere.cursor-deeplink/mcp/install"),
  "lm-studio": (link) => packed(link, "lmstudio://add_mcp"),
  vscode(link) {
    const [place, query = ""] = link.split("?");
    assertEquals(place, "vscode:mcp/install");
    const { name, type, command, args } = JSON.parse(decodeURIComponent(query));
    assertEquals([name, type], ["agentsweep", "stdio"]);
    return { command, args };
  },
  goose(link) {
    const { protocol, host, searchParams } = new URL(link);
    assertEquals([protocol, host, searchParams.get("cmd")], ["goose:", "extension", "npx"]);
    for (const key of ["id", "name", "description"]) assert(searchParams.get(key), key);
    const [yes, deno, ...args] = searchParams.getAll("arg");
    // Goose refuses a link that hands npx a -c, and any program beside npx and a few others.
    assertEquals([yes, deno, args.includes("-c")], ["-y", `deno@${Deno.version.deno}`, false]);
    return { command: Deno.execPath(), args };
  },
};

function packed(link: string, place: string): Launch {
  const url = new URL(link);
  assertEquals([link.split("?")[0], url.searchParams.get("name")], [place, "agentsweep"]);
  return JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(url.searchParams.get("config")!)));
}

Deno.test("links hold the same as the snippet", async () => {
  await using workspace = await createWorkspace("root with ünicode & spaces + %20");
  const args = ["--root", workspace.root];
  const { command, args: wanted } = JSON.parse(
    (await program(["config", "--client", "cursor", "--json", ...args])).stdout,
  );
  assertEquals(Object.keys(LAUNCH_OF).sort(), CLIENTS.filter(({ link }) => link).map(({ key }) => key).sort());
  for (const [key, read] of Object.entries(LAUNCH_OF)) {
    const { code, stdout, stderr } = await program(["config", "--client", key, "--link", ...args]);
    assertEquals(code, 0, stderr);
    assertEquals(read(stdout.trim()), { command, args: wanted }, key);
  }
  const none = await program(["config", "--client", "zed", "--link", ...args]);
  assertEquals([none.code, none.stdout], [2, ""]);
  assertStringIncludes(none.stderr, "there are links for cursor, vscode, lm-studio, goose");
  const compiled = CLIENTS.find(({ key }) => key === "goose")!.link!({ command: "/opt/agentsweep", args: [] }, "linux");
  assertEquals(compiled, null, "of a compiled binary Goose takes no link");
});

Deno.test("config refuses what would not start", () =>
  withFolder(async (folder) => {
    const refused: [string[], string][] = [
      [["--root", folder], "needs --client NAME"],
      [["--client", "zedd", "--root", folder], "did you mean zed?"],
      [["--client", "zed"], "needs --root DIR"],
      [["--client", "zed", "--root", join(folder, "nowhere")], "does not exist"],
      [["--client", "zed", "--root", "/"], "whole disk"],
      [["--client", "zed", "--audit-only", "--root", folder], "--audit-only leaves out"],
      [["--client", "zed", "--audit-only", "--no-audit"], "nothing to serve"],
    ];
    for (const [args, expected] of refused) {
      const { code, stdout, stderr } = await program(["config", ...args]);
      assertEquals([code, stdout], [2, ""]);
      assertStringIncludes(stderr, expected);
    }
    const comma = join(folder, "a,b");
    await Deno.mkdir(comma);
    assertStringIncludes((await program(["config", "--client", "zed", "--root", comma])).stderr, "contains a comma");
  }));
