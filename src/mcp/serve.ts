/**
 * Serving over standard input and output.
 *
 * @module
 */

import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { buildServer, type ServerParts } from "./server.ts";

/**
 * Serves until the client's stream ends, then resolves.
 *
 * Standard output carries JSON-RPC and nothing else: what a library prints goes to standard error.
 *
 * @param onProblem Told in one line of what went wrong outside any request.
 */
export function serve(parts: ServerParts, onProblem: (line: string) => void): Promise<void> {
  console.log = console.info = console.debug = console.error;
  return new Promise((resolve) => {
    const transport = new StdioServerTransport();
    serveStdio(() => buildServer(parts), {
      transport,
      onerror: (error) => onProblem(error.name),
    });
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      resolve();
    };
  });
}
