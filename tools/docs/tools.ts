/**
 * `docs/tools.md`, from what a running server advertises.
 *
 * @module
 */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { fromFileUrl, join } from "@std/path";
import { offlineFlags } from "../offline/flags.ts";
import { table } from "./markdown.ts";

const CHECKOUT = fromFileUrl(new URL("../../", import.meta.url));

/** A JSON schema, as far as tools use it. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** A tool, as it is advertised. */
interface Advertised {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: boolean | undefined }
    | undefined;
}

/** Starts a server with every tool and asks what it has. */
async function advertised(): Promise<readonly Advertised[]> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    const client = new Client({ name: "docs", version: "1" });
    await client.connect(
      new StdioClientTransport({
        command: Deno.execPath(),
        args: ["run", "-A", "--quiet", ...await offlineFlags(), join(CHECKOUT, "main.ts"), "--root", folder],
        env: { ...Deno.env.toObject(), AGENTSWEEP_MCP_ALLOW_REDACT: "1" },
        stderr: "ignore",
      }),
    );
    const { tools } = await client.listTools();
    await client.close();
    return tools;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function typeOf(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(" or ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) {
    return schema.enum.length > 6
      ? `one of ${schema.enum.length} keys`
      : schema.enum.map((value) => `\`${value}\``).join(" or ");
  }
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  return Array.isArray(schema.type) ? schema.type.join(" or ") : `${schema.type ?? "any"}`;
}

/** Every property below a schema, by its path. */
function rowsOf(schema: Schema, path: string, needsRequired: boolean): string[][] {
  const inner = schema.items ?? schema;
  const parts = [inner, ...(inner.anyOf ?? []), ...(inner.oneOf ?? [])];
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([name, property]) => {
      const isRequired = part.required?.includes(name) ?? false;
      const notes = [
        ...(needsRequired && isRequired && property.default === undefined ? ["Required."] : []),
        ...(!needsRequired && !isRequired ? ["Optional."] : []),
        ...(property.description ? [property.description] : []),
        ...(property.default === undefined ? [] : [`Default: \`${JSON.stringify(property.default)}\`.`]),
      ];
      const suffix = property.items ? "[]" : "";
      return [
        [`\`${path}${name}${suffix}\``, typeOf(property), notes.join(" ")],
        ...rowsOf(property, `${path}${name}${suffix}.`, needsRequired),
      ];
    })
  );
}

function section({ name, title, description, inputSchema, outputSchema, annotations }: Advertised): string {
  const kind = annotations?.readOnlyHint ? "reads only" : annotations?.destructiveHint ? "destructive" : "writes";
  const input = rowsOf(inputSchema as Schema, "", true);
  const output = rowsOf(outputSchema as Schema, "", false);
  const head = (first: string) => [first, "type", "meaning"];
  return [
    `## \`${name}\`: ${title ?? ""} (${kind})`,
    description ?? "",
    input.length === 0 ? "It takes no arguments." : table(head("argument"), input),
    table(head("result"), output),
  ].join("\n\n");
}

/** The text of `docs/tools.md`. */
export async function toolsPage(): Promise<string> {
  const tools = await advertised();
  return [
    "# The tools",
    "Written by `tools/docs/tools.ts` from what a running server advertises; change it in `src/mcp/tools/`.",
    "Every tool refuses arguments that it does not know and gives its result twice: as structured content that keeps " +
    "to the advertised schema, and as text. A tool that destroys something asks the human first through clients " +
    "that can ask. `redact_source`, where it is listed, exists only if the server was started with " +
    "`AGENTSWEEP_MCP_ALLOW_REDACT=1`.",
    ...tools.map(section),
  ].join("\n\n") + "\n";
}
