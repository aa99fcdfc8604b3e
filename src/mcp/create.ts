/**
 * The server as others embed it. The SDK is loaded when it is connected: nothing else that this program does needs it.
 *
 * @module
 */

import type { AuditService } from "../engine/audit/service.ts";
import type { ReclaimService } from "../engine/reclaim.ts";
import type { Posture } from "../sandbox/posture.ts";

/** What a server serves. */
export interface ServerParts {
  /** Reclaim, or null where only Audit is served. */
  readonly reclaim: ReclaimService | null;
  /** Audit, or null where only Reclaim is served. @default null */
  readonly audit?: AuditService | null | undefined;
  /** How Deno's sandbox holds this process. */
  readonly posture: Posture;
  /** Whether destructive calls need the human's own yes through the client. @default false */
  readonly requireHuman?: boolean | undefined;
}

/** A server that can be connected: the part of the SDK's `McpServer` that a caller needs. */
export interface Server {
  /** Attaches the server to a transport of the MCP SDK and starts it. */
  connect(transport: ServerTransport): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/** What a transport of the MCP SDK has. */
export interface ServerTransport {
  /** Begins to read messages. */
  start(): Promise<void>;
  /** Sends one message. */
  send(message: unknown): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/**
 * Makes an MCP server with the tools of `parts`. Connect it to any transport of the SDK.
 *
 * @example
 * ```ts
 * import { createReclaim, createServer, openRoots, TARGETS } from "@agentsweep/mcp";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * const server = createServer({ reclaim: createReclaim(openRoots([root]), TARGETS), posture: "none" });
 * // await server.connect(new StdioServerTransport());
 * await server.close();
 * ```
 */
export function createServer(parts: ServerParts): Server {
  let server: Promise<Server> | undefined;
  const load = async () => (await import("./server.ts")).buildServer(parts) as Server;
  return {
    connect: async (transport) => await (await (server ??= load())).connect(transport),
    close: async () => await (await server)?.close(),
  };
}
