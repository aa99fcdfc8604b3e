/**
 * The server as a child process, and the ways to talk with it: raw lines, and the real clients of both eras.
 *
 * @module
 */

import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { offlineFlags } from "../../tools/offline/flags.ts";

/** Folder of this checkout. */
export const CHECKOUT: string = fromFileUrl(new URL("../../", import.meta.url)).slice(0, -1);
/** What `deno run` needs to resolve the project's imports on this machine. */
export const OFFLINE: readonly string[] = await offlineFlags();
/** The revision of the protocol that the modern client is held to. */
export const MODERN = "2026-07-28";
/** How long a test waits for an answer that must come, in milliseconds. */
const PATIENCE_MS = 30_000;

/** How a server is started. Everything has a default but the roots. */
export interface Start {
  /** Roots, given as `--root` each. */
  readonly roots: readonly string[];
  /** Permission flags. @default the exact ones */
  readonly permissions?: readonly string[];
  /** Further flags of `serve`. @default none */
  readonly args?: readonly string[];
  /** Main module. @default this checkout's */
  readonly main?: string;
  /** Flags of `deno run` that make its imports resolve. @default those of this machine */
  readonly config?: readonly string[];
  /** Environment of the process, beside its own. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** Program and arguments put before `deno`, such as a tracer. @default none */
  readonly before?: readonly string[];
}

/** The permissions that a server from a checkout needs. */
export function exactPermissions(roots: readonly string[], checkout: string = CHECKOUT): string[] {
  const modules = [join(checkout, "src"), join(checkout, "tools", "offline", "std")];
  return ["--no-prompt", `--allow-read=${[...roots, ...modules].join(",")}`, `--allow-write=${roots.join(",")}`];
}

/** The command line that starts a server: program first. */
export function commandOf(start: Start): string[] {
  const {
    roots,
    permissions = exactPermissions(roots),
    args = [],
    main = join(CHECKOUT, "main.ts"),
    config = OFFLINE,
    before = [],
  } = start;
  return [
    ...before,
    Deno.execPath(),
    "run",
    "--quiet",
    ...config,
    ...permissions,
    main,
    ...roots.flatMap((root) => ["--root", root]),
    ...args,
  ];
}

/** A JSON-RPC message, as loosely as a test needs it. */
export interface Message {
  /** Protocol. */
  readonly jsonrpc: string;
  /** Id of a request or of the answer to it. */
  readonly id?: number | string | null;
  /** Name of a request or notification. */
  readonly method?: string;
  /** Arguments. */
  readonly params?: Record<string, unknown>;
  /** What a request brought. */
  // deno-lint-ignore no-explicit-any
  readonly result?: any;
  /** Why it failed. */
  readonly error?: { readonly code: number; readonly message: string };
}

/** How a process ended and what it said. */
export interface Outcome {
  /** Exit code. */
  readonly code: number;
  /** Signal that ended it, or null. */
  readonly signal: Deno.Signal | null;
  /** Its standard error. */
  readonly stderr: string;
  /** Its standard output. */
  readonly stdout: string;
}

/** A server that is talked with in lines. */
export interface RawServer extends AsyncDisposable {
  /** Process id. */
  readonly pid: number;
  /** Every message so far, in order. */
  readonly messages: readonly Message[];
  /** Standard error so far. */
  stderr(): string;
  /** Writes one message as a line. */
  send(message: unknown): Promise<void>;
  /** Writes bytes as they are. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Sends a request and waits for its answer. */
  request(method: string, params?: unknown, id?: number | string): Promise<Message>;
  /** The first message that fits, past or to come. */
  awaited(fits: (message: Message) => boolean): Promise<Message>;
  /** Waits until standard error holds `text`. */
  said(text: string): Promise<void>;
  /** Calls a tool and gives its structured result; fails on an error. */
  // deno-lint-ignore no-explicit-any
  call(name: string, args: unknown): Promise<any>;
  /** Sends a signal. */
  kill(signal: Deno.Signal): void;
  /** Resolves when the process is over. Fails if standard output carried anything but JSON-RPC. */
  readonly ended: Promise<Outcome>;
  /** Ends the client's stream and waits for the process. */
  end(): Promise<Outcome>;
}

/** Starts a server for raw lines. */
export function startRaw(start: Start): RawServer {
  return rawServer(commandOf(start), start.env);
}

/** Talks in lines with the server that `command` starts. */
export function rawServer(command: readonly string[], env: Readonly<Record<string, string>> = {}): RawServer {
  const [program, ...args] = command as [string, ...string[]];
  const child = new Deno.Command(program, { args, env, stdin: "piped", stdout: "piped", stderr: "piped" }).spawn();
  const writer = child.stdin.getWriter();
  const encoder = new TextEncoder();
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let [stdout, stderr, next, isOver] = ["", "", 1, false];
  const wake = () => waiting.forEach((look) => look());
  const reading = Promise.all([
    readText(child.stdout, (text) => {
      const complete = stdout.lastIndexOf("\n") + 1;
      stdout += text;
      for (const line of stdout.slice(complete).split("\n").slice(0, -1)) messages.push(messageOf(line));
      wake();
    }),
    readText(child.stderr, (text) => {
      stderr += text;
      wake();
    }),
  ]);
  const ended = (async () => {
    const { code, signal } = await child.status;
    await reading;
    isOver = true;
    wake();
    await writer.abort().catch(() => {});
    const lines = stdout.split("\n").filter((line) => line !== "");
    assertEquals(lines.filter((line) => messageOf(line).jsonrpc !== "2.0"), [], "lines that are no JSON-RPC");
    return { code, signal, stderr, stdout };
  })();
  ended.catch(() => {});

  function until<T>(what: string, look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer);
        waiting.delete(attempt);
        settle();
      };
      const attempt = () => {
        const found = look();
        if (found !== undefined) done(() => resolve(found));
        else if (isOver) done(() => reject(new Error(`the server ended before ${what}; it said: ${stderr}`)));
      };
      const timer = setTimeout(
        () => done(() => reject(new Error(`waited in vain for ${what}; stderr: ${stderr}`))),
        PATIENCE_MS,
      );
      waiting.add(attempt);
      attempt();
    });
  }

  const server: RawServer = {
    pid: child.pid,
    messages,
    stderr: () => stderr,
    send: (message) => server.write(JSON.stringify(message) + "\n"),
    write: (bytes) => writer.write(typeof bytes === "string" ? encoder.encode(bytes) : bytes),
    async request(method, params = {}, id = next++) {
      await server.send({ jsonrpc: "2.0", id, method, params });
      return server.awaited((message) => message.id === id && message.method === undefined);
    },
    awaited: (fits) => until("an answer", () => messages.find(fits)),
    said: async (text) => {
      await until(text, () => stderr.includes(text) || undefined);
    },
    async call(name, args) {
      const { result, error } = await server.request("tools/call", { name, arguments: args });
      if (error || result.isError) throw new Error(error?.message ?? result.content[0].text);
      return result.structuredContent;
    },
    kill: (signal) => child.kill(signal),
    ended,
    async end() {
      await writer.close().catch(() => {});
      return await ended;
    },
    async [Symbol.asyncDispose]() {
      await server.end();
    },
  };
  return server;
}

async function readText(stream: ReadableStream<Uint8Array<ArrayBuffer>>, take: (text: string) => void): Promise<void> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) take(text);
}

/** A line as a message; one that is no JSON shows in its `jsonrpc`. */
function messageOf(line: string): Message {
  try {
    return JSON.parse(line);
  } catch {
    return { jsonrpc: `not JSON: ${line}` };
  }
}

/** Begins a session of the 2025 era. */
export async function initialize(server: RawServer, capabilities: unknown = {}): Promise<Message> {
  const answer = await server.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities,
    clientInfo: { name: "test", version: "1" },
  }, "initialize");
  await server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return answer;
}

/** Runs a server that is expected to refuse its start, or any command, to its end. */
export async function runToEnd(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const [program, ...args] = command as [string, ...string[]];
  const output = await new Deno.Command(program, { args, env, stdin: "null" }).output();
  const decoder = new TextDecoder();
  return {
    code: output.code,
    signal: output.signal,
    stdout: decoder.decode(output.stdout),
    stderr: decoder.decode(output.stderr),
  };
}

/** What the human does when asked. */
export type Human = (message: string) => "accept" | "decline" | "cancel";

/** The result of a tool, as loosely as a test needs it. */
export interface Result {
  /** The same as text. */
  readonly content: { readonly type: string; readonly text?: string }[];
  /** The result. */
  // deno-lint-ignore no-explicit-any
  readonly structuredContent?: any;
  /** Whether it is an error. */
  readonly isError?: boolean;
}

/** A tool as it is advertised. */
export interface AdvertisedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown> | undefined;
  readonly annotations?: Record<string, unknown> | undefined;
}

/** A real client of either era, connected. */
export interface Connected extends AsyncDisposable {
  /** Calls a tool. */
  call(name: string, args: Record<string, unknown>): Promise<Result>;
  /** What the server advertises. */
  tools(): Promise<AdvertisedTool[]>;
  /** What the server says of itself. */
  version(): string | undefined;
}

/** The eras of the protocol. */
export type Era = "legacy" | "modern";

/** Both eras, for tests that hold in each. */
export const ERAS: readonly Era[] = ["legacy", "modern"];

/** Connects the real client of an era. Without a human it does not declare elicitation. */
export function connect(era: Era, start: Start, human?: Human): Promise<Connected> {
  return era === "legacy" ? connectLegacy(start, human) : connectModern(start, human);
}

function environmentOf({ env }: Start): { env?: Record<string, string> } {
  return env === undefined ? {} : { env: { ...env } };
}

async function connectLegacy(start: Start, human?: Human): Promise<Connected> {
  const client = new LegacyClient(
    { name: "test", version: "1" },
    { capabilities: human ? { elicitation: {} } : {} },
  );
  if (human) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }: { params: { message: string } }) => {
      const action = human(params.message);
      return action === "accept" ? { action, content: {} } : { action };
    });
  }
  const [command, ...args] = commandOf(start) as [string, ...string[]];
  await client.connect(new LegacyTransport({ command, args, stderr: "ignore", ...environmentOf(start) }));
  return {
    call: async (name, args) => await client.callTool({ name, arguments: args }) as Result,
    tools: async () => (await client.listTools()).tools,
    version: () => client.getServerVersion()?.version,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function connectModern(start: Start, human?: Human): Promise<Connected> {
  const client = new ModernClient(
    { name: "test", version: "1" },
    { capabilities: human ? { elicitation: {} } : {}, versionNegotiation: { mode: { pin: MODERN } } },
  );
  if (human) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const action = human(params.message);
      return action === "accept" ? { action, content: {} } : { action };
    });
  }
  const [command, ...args] = commandOf(start) as [string, ...string[]];
  await client.connect(new ModernTransport({ command, args, stderr: "ignore", ...environmentOf(start) }));
  return {
    call: async (name, args) => await client.callTool({ name, arguments: args }) as Result,
    tools: async () => (await client.listTools()).tools,
    version: () => client.getServerVersion()?.version,
    [Symbol.asyncDispose]: () => client.close(),
  };
}
