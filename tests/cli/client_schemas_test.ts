import { assert, assertEquals } from "@std/assert";
import { configYamlSchema } from "@continuedev/config-yaml";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { CLIENTS } from "../../src/cli/clients.ts";

const LAUNCH = {
  command: "/usr/bin/deno",
  args: ["run", "--no-prompt", "jsr:@agentsweep/mcp", "--root", "/home/me/a b"],
};

const STRINGS = z.array(z.string());
const VARIABLES = z.record(z.string(), z.string());

/** What most clients took over from Claude Desktop: a program, its arguments, its variables. */
const PLAIN = z.strictObject({ command: z.string(), args: STRINGS.optional(), env: VARIABLES.optional() });

const under = (key: string, server: z.ZodType) => z.strictObject({ [key]: z.strictObject({ agentsweep: server }) });

/**
 * Which keys each client reads, with their types: what the client's own source or documentation says (July to November
 * 2026). What is not named is refused here, whether or not the client would let it pass.
 */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  // modelcontextprotocol.io, "Connect to local MCP servers".
  "claude-desktop": under("mcpServers", PLAIN),
  // cursor.com/docs/context/mcp, the table of fields of a stdio server: `type` is required there.
  cursor: under("mcpServers", PLAIN.extend({ type: z.literal("stdio"), envFile: z.string().optional() })),
  // microsoft/vscode, src/vs/workbench/contrib/mcp/common/mcpConfiguration.ts: additional properties are refused.
  vscode: z.strictObject({
    servers: z.strictObject({
      agentsweep: PLAIN.extend({
        type: z.literal("stdio").optional(),
        cwd: z.string().optional(),
        envFile: z.string().optional(),
      }),
    }),
    inputs: z.array(z.unknown()).optional(),
  }),
  // openai/codex, codex-rs/core/config.schema.json, RawMcpServerConfig: additional properties are refused.
  codex: under(
    "mcp_servers",
    PLAIN.extend({
      cwd: z.string().optional(),
      enabled: z.boolean().optional(),
      startup_timeout_sec: z.number().optional(),
      tool_timeout_sec: z.number().optional(),
    }),
  ),
  // zed-industries/zed, crates/settings_content/src/project.rs, ContextServerCommand. `source` was required until 2025.
  zed: under(
    "context_servers",
    PLAIN.extend({ source: z.literal("custom"), enabled: z.boolean().optional(), timeout: z.number().optional() }),
  ),
  // google-gemini/gemini-cli, schemas/settings.schema.json, MCPServerConfig.
  "gemini-cli": under(
    "mcpServers",
    PLAIN.extend({ cwd: z.string().optional(), timeout: z.number().optional(), trust: z.boolean().optional() }),
  ),
  // docs.windsurf.com/windsurf/cascade/mcp: the schema of Claude Desktop.
  windsurf: under("mcpServers", PLAIN),
  // lmstudio.ai/docs/app/mcp: the notation of Cursor.
  "lm-studio": under("mcpServers", PLAIN),
  // cline/cline, src/services/mcp/schemas.ts.
  cline: under(
    "mcpServers",
    PLAIN.extend({
      type: z.literal("stdio").optional(),
      disabled: z.boolean().optional(),
      timeout: z.number().optional(),
      autoApprove: STRINGS.optional(),
    }),
  ),
  // The client's own package.
  continue: configYamlSchema as unknown as z.ZodType,
  // block/goose, crates/goose/src/agents/extension.rs, ExtensionConfig::Stdio: its API schema requires `description`; and
  // crates/goose/src/config/extensions.rs, ExtensionEntry: `enabled` stands beside it.
  goose: under(
    "extensions",
    z.strictObject({
      enabled: z.boolean(),
      type: z.literal("stdio"),
      name: z.string(),
      description: z.string().min(1),
      cmd: z.string(),
      args: STRINGS,
      envs: VARIABLES.optional(),
      env_keys: STRINGS.optional(),
      timeout: z.number().int().nonnegative(),
      bundled: z.boolean().optional(),
    }),
  ),
};

const READ: Readonly<Record<string, (text: string) => unknown>> = {
  json: JSON.parse,
  toml: parseToml,
  yaml: parseYaml,
};

for (const { key, format, snippet } of CLIENTS) {
  if (format === "shell") continue;
  Deno.test(`${key}: the snippet has the keys and types that the client documents, and no others`, () => {
    const config = READ[format]!(snippet(LAUNCH, "linux"));
    const { success, error } = SCHEMAS[key]!.safeParse(config);
    assert(success, error?.message);
  });
}

Deno.test("the schemas are really asked", () => {
  assertEquals(
    Object.keys(SCHEMAS).sort(),
    CLIENTS.filter(({ format }) => format !== "shell").map(({ key }) => key).sort(),
  );
  const server = { name: "agentsweep", command: "deno", args: "run" };
  const config = { name: "agentsweep", version: "0.0.1", schema: "v1", mcpServers: [server] };
  assert(!SCHEMAS.continue!.safeParse(config).success);
  assert(!SCHEMAS.vscode!.safeParse({ mcpServers: {} }).success);
});
