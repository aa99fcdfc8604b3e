/**
 * How fast histories are read, and how much memory that takes at most. Inputs of 1 GiB are made while they are read;
 * each measurement runs in a process of its own.
 *
 *     deno run -A bench/history.ts [--mib N] [NAME ...]
 *
 * @module
 */
import { createJsonTokenizer } from "../src/history/formats/json_tokens.ts";
import { createLocator } from "../src/history/formats/locate.ts";
import { createReader, type StreamFormat } from "../src/history/formats/reader.ts";
import { readStrings } from "../src/history/read.ts";
import { DatabaseSync } from "node:sqlite";

const MIB = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const encode = (text: string) => new TextEncoder().encode(text);

/** One record of an agent's history, like most of them: prose, code, a tool call. */
function record(accent: string): string {
  const prose = `The function now checks the "path" first${accent},\nand returns early when it is empty. `;
  return JSON.stringify({
    type: "assistant",
    uuid: "00000000-0000-4000-8000-000000000000",
    timestamp: "2026-01-01T00:00:00.000Z",
    cwd: "/home/someone/project",
    message: {
      role: "assistant",
      content: [
        { type: "text", text: prose.repeat(6) },
        { type: "tool_use", id: "call_1", name: "Bash", input: { command: "ls -la src", timeout: 120000 } },
        { type: "tool_result", content: "const answer = 42;\n".repeat(40), is_error: false },
      ],
      usage: { input_tokens: 1234, output_tokens: 567 },
    },
  });
}

/** What is pushed: a beginning, a middle again and again up to the size, and an end. */
interface Input {
  readonly head: string;
  readonly body: string;
  readonly tail: string;
}

const LINES: Input = { head: "", body: record("") + "\n", tail: "" };
const INPUTS: Readonly<Record<string, readonly [StreamFormat, Input]>> = {
  "jsonl": ["jsonl", LINES],
  "jsonl, not ASCII": ["jsonl", { head: "", body: record(" é") + "\n", tail: "" }],
  "jsonl, one line": ["jsonl", { head: "[", body: record("") + ",", tail: "0]\n" }],
  "jsonl, one string": ["jsonl", { head: '{"a":"', body: "some text\\n of a long string ", tail: '"}\n' }],
  "json": ["json", { head: "[\n", body: record("") + ",\n", tail: "0]\n" }],
  "text": ["text", { head: "", body: "A line of a long log file, which says nothing.\n", tail: "" }],
  "xml": ["xml", { head: "<a>", body: '<option name="content" value="some &quot;text&quot;&#10;" />\n', tail: "</a>" }],
};

/** Calls `push` with chunks of an input of about this size and returns its size. */
function pump({ head, body, tail }: Input, bytes: number, push: (chunk: Uint8Array) => void): number {
  const middle = encode(body.repeat(Math.max(1, Math.floor(CHUNK_BYTES / body.length))));
  push(encode(head));
  let size = head.length + tail.length;
  for (; size < bytes; size += middle.length) {
    push(middle);
    noteMemory();
  }
  push(encode(tail));
  return size;
}

let peak = 0;
function noteMemory(): void {
  peak = Math.max(peak, Deno.memoryUsage().rss);
}

/** Reads a database with rows of JSON that fill this many bytes. */
async function readDatabase(bytes: number): Promise<number> {
  const dir = await Deno.makeTempDir();
  try {
    const path = `${dir}/history.db`;
    const database = new DatabaseSync(path);
    database.exec("PRAGMA journal_mode=WAL; CREATE TABLE messages(id INTEGER PRIMARY KEY, data TEXT); BEGIN");
    const insert = database.prepare("INSERT INTO messages(data) VALUES(?)");
    for (let size = 0; size < bytes; size += LINES.body.length) insert.run(LINES.body);
    database.exec("COMMIT");
    database.close();
    const { size } = await Deno.stat(path);
    begin();
    let count = 0;
    for await (const _ of readStrings(path, "sqlite", ({ reason }) => console.error(reason))) {
      if (count++ % 1000 === 0) noteMemory();
    }
    return size;
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

let [started, base] = [0, 0];
function begin(): void {
  peak = base = Deno.memoryUsage().rss;
  started = performance.now();
}

/** Every measurement: it calls {@linkcode begin} and returns how many bytes were read. */
const MEASUREMENTS: Readonly<Record<string, (bytes: number) => number | Promise<number>>> = {
  "spans of jsonl": (bytes) => {
    const tokens = createJsonTokenizer(() => {});
    begin();
    return pump(LINES, bytes, (chunk) => {
      for (let from = 0, to = 0; (to = chunk.indexOf(0x0a, from)) >= 0; from = to + 1) {
        tokens.reset();
        if (tokens.feed(chunk, from, to, 0) !== to) throw new Error("not JSON");
      }
    });
  },
  "locate in jsonl": (bytes) => {
    const locator = createLocator("jsonl", Array.from({ length: 100 }, (_, index) => index * bytes / 100));
    begin();
    const size = pump(LINES, bytes, locator.push);
    locator.end();
    return size;
  },
  ...Object.fromEntries(
    Object.entries(INPUTS).map(([name, [format, input]]) => [`strings of ${name}`, (bytes: number) => {
      const reader = createReader(format, () => {});
      begin();
      const size = pump(input, bytes, reader.push);
      reader.end();
      return size;
    }]),
  ),
  "strings of sqlite": readDatabase,
};

async function main(args: string[]): Promise<void> {
  const mib = args[0] === "--mib" ? Number(args.splice(0, 2)[1]) : 1024;
  const [name] = args;
  const measure = name === undefined ? undefined : MEASUREMENTS[name];
  if (measure !== undefined) {
    const size = await measure(mib * MIB);
    noteMemory();
    const speed = size / 1e6 / ((performance.now() - started) / 1000);
    console.log(
      `${name?.padEnd(28)} ${speed.toFixed(0).padStart(5)} MB/s ${((peak - base) / MIB).toFixed(0).padStart(5)} MiB`,
    );
    return;
  }
  console.log(`${mib} MiB each; memory above that of the process before`);
  for (const each of Object.keys(MEASUREMENTS)) {
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-config", import.meta.filename ?? "", "--mib", String(mib), each],
      stdout: "inherit",
      stderr: "inherit",
    }).output();
    if (code !== 0) Deno.exit(code);
  }
}

if (import.meta.main) await main([...Deno.args]);
