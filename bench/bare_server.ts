/**
 * The least server that the SDK allows: one tool that does nothing. What `startup.ts` compares with.
 *
 * @module
 */

import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1.0.0" });
  server.registerTool("nothing", { inputSchema: z.strictObject({}) }, () => ({ content: [] }));
  return server;
});
