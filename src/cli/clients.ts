/**
 * The MCP clients and how each is told of a server: where it looks, and in which form.
 *
 * @module
 */

import { commandLine } from "../text/shell.ts";

/** How a server is started. */
export interface Launch {
  /** Program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
}

/** One MCP client. */
export interface Client {
  /** Key for `--client`. */
  readonly key: string;
  /** Human name. */
  readonly display: string;
  /** Form of the snippet. */
  readonly format: "json" | "toml" | "yaml" | "shell";
  /** Where the snippet goes, for people. */
  readonly place: string;
  /** Where the client documents it. */
  readonly documentation: string;
  /** The snippet. */
  snippet(launch: Launch, os: string): string;
  /** A link that installs it with one click; null where this launch cannot be put into one. @default none */
  link?(launch: Launch, os: string): string | null;
}

const NAME = "agentsweep";
const DESCRIPTION = "Frees disk space and finds leaked secrets, behind a guard";

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** What most clients read: servers by name under one key. */
function under(key: string, more: Readonly<Record<string, unknown>> = {}): Client["snippet"] {
  return ({ command, args }) => json({ [key]: { [NAME]: { ...more, command, args } } });
}

/** A string of TOML or of YAML in double quotes: both read what JSON writes, but for DEL, which TOML forbids. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}

/** What links of Cursor and of LM Studio carry: the server's entry as base64 of JSON. */
function packed({ command, args }: Launch): string {
  return encodeURIComponent(new TextEncoder().encode(JSON.stringify({ command, args })).toBase64());
}

function yamlArgs(args: readonly string[], indent: string): string {
  return args.map((arg) => `${indent}- ${quoted(arg)}`).join("\n");
}

/** Every client, in the order of the help. */
export const CLIENTS: readonly Client[] = [
  {
    key: "claude-code",
    display: "Claude Code",
    format: "shell",
    place: "run it in a terminal",
    documentation: "https://docs.claude.com/en/docs/claude-code/mcp",
    snippet: ({ command, args }, os) =>
      commandLine(["claude", "mcp", "add", "--scope", "user", NAME, "--", command, ...args], os),
  },
  {
    key: "claude-desktop",
    display: "Claude Desktop",
    format: "json",
    place: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    documentation: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
    snippet: under("mcpServers"),
  },
  {
    key: "cursor",
    display: "Cursor",
    format: "json",
    place: "~/.cursor/mcp.json, or .cursor/mcp.json in a project",
    documentation: "https://cursor.com/docs/context/mcp",
    snippet: under("mcpServers", { type: "stdio" }),
    link: (launch) => `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${packed(launch)}`,
  },
  {
    key: "vscode",
    display: "VS Code",
    format: "json",
    place: ".vscode/mcp.json in a project, or the user's one (MCP: Open User Configuration)",
    documentation: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
    snippet: under("servers", { type: "stdio" }),
    link: ({ command, args }) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, type: "stdio", command, args }))}`,
  },
  {
    key: "codex",
    display: "Codex",
    format: "toml",
    place: "~/.codex/config.toml",
    documentation: "https://developers.openai.com/codex/mcp",
    snippet: ({ command, args }) =>
      [
        `[mcp_servers.${NAME}]`,
        `command = ${quoted(command)}`,
        `args = [\n${args.map((arg) => `  ${quoted(arg)},\n`).join("")}]`,
      ].join("\n"),
  },
  {
    key: "zed",
    display: "Zed",
    format: "json",
    place: "settings.json (zed: open settings file)",
    documentation: "https://zed.dev/docs/ai/mcp",
    snippet: under("context_servers", { source: "custom" }),
  },
  {
    key: "gemini-cli",
    display: "Gemini CLI",
    format: "json",
    place: "~/.gemini/settings.json, or .gemini/settings.json in a project",
    documentation: "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
    snippet: under("mcpServers"),
  },
  {
    key: "windsurf",
    display: "Windsurf",
    format: "json",
    place: "~/.codeium/windsurf/mcp_config.json",
    documentation: "https://docs.windsurf.com/windsurf/cascade/mcp",
    snippet: under("mcpServers"),
  },
  {
    key: "lm-studio",
    display: "LM Studio",
    format: "json",
    place: "~/.lmstudio/mcp.json (Program, Install, Edit mcp.json)",
    documentation: "https://lmstudio.ai/docs/app/mcp",
    snippet: under("mcpServers"),
    link: (launch) => `lmstudio://add_mcp?name=${NAME}&config=${packed(launch)}`,
  },
  {
    key: "cline",
    display: "Cline",
    format: "json",
    place: "cline_mcp_settings.json (MCP Servers, Configure)",
    documentation: "https://docs.cline.bot/mcp/configuring-mcp-servers",
    snippet: under("mcpServers", { disabled: false }),
  },
  {
    key: "continue",
    display: "Continue",
    format: "yaml",
    place: ".continue/mcpServers/agentsweep.yaml in a project, or ~/.continue/mcpServers/agentsweep.yaml",
    documentation: "https://docs.continue.dev/customize/deep-dives/mcp",
    snippet: ({ command, args }) =>
      [
        `name: ${NAME}`,
        "version: 0.0.1",
        "schema: v1",
        "mcpServers:",
        `  - name: ${NAME}`,
        "    type: stdio",
        `    command: ${quoted(command)}`,
        "    args:",
        yamlArgs(args, "      "),
      ].join("\n"),
  },
  {
    key: "goose",
    display: "Goose",
    format: "yaml",
    place: "~/.config/goose/config.yaml, below the extensions that are there",
    documentation: "https://block.github.io/goose/docs/guides/config-files",
    snippet: ({ command, args }) =>
      [
        "extensions:",
        `  ${NAME}:`,
        `    name: ${NAME}`,
        `    description: ${DESCRIPTION}`,
        "    type: stdio",
        "    enabled: true",
        `    cmd: ${quoted(command)}`,
        "    args:",
        yamlArgs(args, "      "),
        "    envs: {}",
        "    timeout: 300",
      ].join("\n"),
    // Goose installs from links only what a few programs start: of these, npx brings Deno.
    link: ({ command, args }, os) => {
      if (!/(?:^|[\\/])deno(?:\.exe)?$/.test(command)) return null;
      const query = new URLSearchParams({ cmd: os === "windows" ? "npx.cmd" : "npx" });
      for (const arg of ["-y", `deno@${Deno.version.deno}`, ...args]) query.append("arg", arg);
      for (const [key, value] of [["id", NAME], ["name", NAME], ["description", DESCRIPTION]] as const) {
        query.append(key, value);
      }
      // Goose decodes %20, and takes + for itself.
      return `goose://extension?${query.toString().replaceAll("+", "%20")}`;
    },
  },
];
