/**
 * Serving over standard input and output.
 *
 * @module
 */

import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import process from "node:process";
import { errorCode } from "../guard/mod.ts";
import { buildServer, type OwnParts } from "./server.ts";

/** Longest message accepted, in bytes: far more than any call needs. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/**
 * Serves until the client's stream ends, then resolves.
 *
 * Standard output carries JSON-RPC and nothing else: what a library prints goes to standard error.
 *
 * @param onProblem Told in one line of what went wrong outside any request.
 */
export function serve(parts: OwnParts, onProblem: (line: string) => void): Promise<void> {
  console.log = console.info = console.debug = console.error;
  return new Promise((resolve) => {
    const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
    serveStdio(() => buildServer(parts), {
      transport,
      onerror: (error) => onProblem(problemOf(error)),
    });
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      resolve();
    };
  });
}

/** Says what went wrong without a word of the SDK's message, which may quote what the client sent. */
function problemOf(error: Error): string {
  if (error.name === "ZodError") return "a line that is no JSON-RPC message was ignored";
  if (error.message.includes("exceeded maximum size")) return "a message is longer than 10 MiB; the connection ends";
  return `a message could not be handled (${errorCode(error)})`;
}
