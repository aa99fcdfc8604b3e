/**
 * A corpus that looks like what agents write down: JSONL records of prompts, answers, tool calls and their results,
 * holding prose, source code, diffs, logs, listings, lock files and base64, and no secret unless one is planted.
 *
 * @module
 */

import { ALNUM, BASE64, DIGITS, HEX, randomFrom } from "../src/secrets/sample.ts";

/** A line of JSONL for every call. */
export type RecordMaker = () => string;

const WORDS =
  ("the of to and a in is it for that this with on be as are not can we will have by an if you from or at " +
    "which use file test error function when should has new value type but code do data all return one need change run " +
    "build line now would there was so using only add first string also list name path some user call other then its " +
    "problem let check set they because make default after output response request server client message table index " +
    "directory version package import module update branch commit project object result array parameter before option " +
    "configuration database connection query field schema handler session process thread memory buffer stream timeout " +
    "exception stack trace warning deprecated cache token environment variable secret access key password account region " +
    "cluster container image deploy service network endpoint github docker google azure amazon openai anthropic npm node " +
    "python rust typescript react component render state hook effect style layout button page route template").split(
      " ",
    );
const TYPES = [
  "string",
  "number",
  "boolean",
  "Promise<void>",
  "Uint8Array",
  "readonly string[]",
  "Map<string, number>",
];
const FOLDERS = [
  "src",
  "lib",
  "tests",
  "packages/core",
  "node_modules/@types/node",
  "cmd/server",
  "internal/api",
  "docs",
];
const EXTENSIONS = ["ts", "tsx", "py", "rs", "go", "md", "json", "yaml", "css", "sh"];
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** A maker of records; the same seed gives the same corpus. */
export function recordMaker(seed = 1): RecordMaker {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  // Squared, so that early words are frequent, as in any language.
  const word = () => WORDS[Math.floor(random() * random() * WORDS.length)] as string;
  const many = (count: number, make: () => string, glue: string) => Array.from({ length: count }, make).join(glue);
  const chars = (alphabet: string, length: number) =>
    many(length, () => alphabet[below(alphabet.length)] as string, "");
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  const camel = () => word() + capital(word()) + (random() < 0.4 ? capital(word()) : "");
  const snake = () => many(2 + below(2), word, "_");
  const path = () => `${pick(FOLDERS)}/${many(1 + below(2), word, "/")}/${snake()}.${pick(EXTENSIONS)}`;
  const uuid = () => [8, 4, 4, 4, 12].map((length) => chars(HEX, length)).join("-");
  const sentence = () => {
    const code = random() < 0.3 ? ` \`${camel()}\`` : "";
    return `${capital(many(6 + below(14), word, " "))}${code}${pick([".", ",", ":", ".", ". It's"])}`;
  };
  const prose = () => many(2 + below(6), sentence, " ");
  const statement = (depth: number): string => {
    const pad = "  ".repeat(depth);
    const kind = below(6);
    if (kind === 0) return `${pad}const ${camel()} = await ${camel()}.${word()}(${camel()}, "${word()} ${word()}");`;
    if (kind === 1 && depth < 4) return `${pad}if (${camel()} === ${below(100)}) {\n${statement(depth + 1)}\n${pad}}`;
    if (kind === 2) return `${pad}// ${sentence()}`;
    if (kind === 3) return `${pad}return { ${camel()}: ${camel()}, ${word()}: '${snake()}' };`;
    if (kind === 4) return `${pad}self.${snake()} = ${snake()}[${below(10)}] if ${word()} else None`;
    return `${pad}export function ${camel()}(${word()}: ${pick(TYPES)}): ${pick(TYPES)} {\n${
      statement(depth + 1)
    }\n${pad}}`;
  };
  const code = () => many(8 + below(30), () => statement(below(3)), "\n");
  const numbered = () => {
    let line = below(200);
    return many(10 + below(40), () => `${String(++line).padStart(6)}\t${statement(1)}`, "\n");
  };
  const diff = () => {
    const hunk = () => pick(["+", "-", " ", " "]) + statement(1).replaceAll("\n", "\n ");
    const [file, blobs] = [path(), `${chars(HEX, 7)}..${chars(HEX, 7)}`];
    const header = `diff --git a/${file} b/${file}\nindex ${blobs} 100644\n@@ -${below(90)},7 +${below(90)},9 @@\n`;
    return header + many(6 + below(20), hunk, "\n");
  };
  const log = () => {
    const stamp = () => `${pick(MONTHS)} ${1 + below(28)} ${10 + below(13)}:${10 + below(49)}:${10 + below(49)}`;
    const level = () => pick(["INFO", "DEBUG", "WARN", "ERROR"]);
    const entry = () =>
      `${stamp()} ${level()} [${snake()}] ${many(4 + below(6), word, " ")} id=${uuid()} ms=${below(9999)}`;
    return many(10 + below(30), entry, "\n");
  };
  const listing = () => many(15 + below(60), () => `./${path()}:${below(900)}:  ${camel()}(${word()})`, "\n");
  const lock = () =>
    many(
      5 + below(10),
      () => `"${word()}-${word()}@^${below(9)}.${below(20)}.${below(9)}":\n  integrity sha512-${chars(BASE64, 86)}==`,
      "\n",
    );
  const image = () => `data:image/png;base64,iVBORw0KGgo${chars(BASE64, 2000 + below(6000))}`;
  const results = [code, numbered, numbered, numbered, diff, log, listing, listing, code, numbered, lock];
  const tool = () => random() < 0.02 ? image() : pick(results)();

  return () => {
    const base = {
      parentUuid: uuid(),
      sessionId: uuid(),
      cwd: `/home/dev/${word()}-${word()}`,
      gitBranch: `feature/${word()}`,
      timestamp: `2026-0${1 + below(9)}-1${below(10)}T1${below(10)}:4${below(10)}:1${below(10)}.${chars(DIGITS, 3)}Z`,
    };
    const kind = random();
    const id = `toolu_01${chars(ALNUM, 22)}`;
    if (kind < 0.15) return JSON.stringify({ ...base, type: "user", message: { role: "user", content: prose() } });
    if (kind < 0.35) {
      const content = [{ type: "text", text: `${prose()}\n\n\`\`\`ts\n${code()}\n\`\`\`\n\n${prose()}` }];
      return JSON.stringify({ ...base, type: "assistant", message: { role: "assistant", content } });
    }
    if (kind < 0.55) {
      const input = random() < 0.5
        ? { command: `cd ${path()} && npm run ${word()} -- --${word()}` }
        : { file_path: path(), old_string: code(), new_string: code() };
      const content = [{ type: "tool_use", id, name: pick(["Bash", "Edit", "Read", "Grep"]), input }];
      return JSON.stringify({ ...base, type: "assistant", message: { role: "assistant", content } });
    }
    const text = tool();
    const content = [{ tool_use_id: id, type: "tool_result", content: text, is_error: false }];
    // Agents keep the raw result beside the message; some as JSON inside a string.
    const toolUseResult = random() < 0.3 ? JSON.stringify({ stdout: text, stderr: "", interrupted: false }) : undefined;
    return JSON.stringify({ ...base, type: "user", message: { role: "user", content }, toolUseResult });
  };
}

/** `size` bytes of records or slightly fewer, each line complete. */
export function corpus(size: number, seed = 1): Uint8Array {
  const make = recordMaker(seed);
  const bytes = new Uint8Array(size);
  const encoder = new TextEncoder();
  let used = 0;
  while (true) {
    const line = `${make()}\n`;
    const { written, read } = encoder.encodeInto(line, bytes.subarray(used));
    if (read < line.length) return bytes.subarray(0, used);
    used += written;
  }
}

/** Writes `size` bytes of records to `path`, a distinct piece at least every 16 MB. Needs write permission. */
export async function writeCorpus(path: string, size: number, seed = 1): Promise<void> {
  const piece = Math.min(size, 16 << 20);
  const file = await Deno.open(path, { write: true, create: true, truncate: true });
  const writer = file.writable.getWriter();
  for (let written = 0, part = 0; written < size; part++) {
    const bytes = corpus(Math.min(piece, size - written + 1024), seed + part);
    await writer.write(bytes);
    written += bytes.length;
    if (bytes.length === 0) break;
  }
  await writer.close();
}
