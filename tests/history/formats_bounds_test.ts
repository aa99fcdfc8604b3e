import { assert } from "@std/assert";

const READER = new URL("../../src/history/formats/reader.ts", import.meta.url).href;
const MIB = 1024 * 1024;

/** Reads an input that a process of its own makes up, and tells how much its memory grew and what it found. */
async function grow(format: string, head: string, body: string, tail: string, mib: number): Promise<[number, number]> {
  const code = `import { createReader } from ${JSON.stringify(READER)};
const encode = (text) => new TextEncoder().encode(text);
const [format, head, body, tail] = ${JSON.stringify([format, head, body, tail])};
const chunk = encode(body.repeat(Math.floor(${MIB / 4} / body.length)));
const base = Deno.memoryUsage().rss;
let [peak, found] = [base, 0];
const reader = createReader(format, () => found++);
reader.push(encode(head));
for (let size = 0; size < ${mib * MIB}; size += chunk.length) {
  reader.push(chunk);
  peak = Math.max(peak, Deno.memoryUsage().rss);
}
reader.push(encode(tail));
reader.end();
console.log(JSON.stringify([peak - base, found]));`;
  const program = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(program, code);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-config", "--no-check", "--quiet", program],
    }).output();
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(program);
  }
}

/** Far below the size of the inputs, and above what the garbage of a busy machine amounts to. */
const BOUND = 96 * MIB;

const CASES: readonly [name: string, ...input: Parameters<typeof grow>][] = [
  ["a single line of 200 MB", "jsonl", "[", '{"text":"' + "word ".repeat(400) + '","n":12345},', "0]\n", 200],
  ["a single line of 200 MB that is not JSON", "jsonl", "oops ", "word ".repeat(400), "\n", 200],
  ["one string of 200 MB", "jsonl", '{"a":"', "word\\n".repeat(400), '"}\n', 200],
  ["a document of 200 MB", "json", "[\n", '{"text":"' + "word ".repeat(400) + '"},\n', "0]\n", 200],
  ["a document that is one open string of 200 MB", "json", '{"a":"', "word ".repeat(400), "", 200],
  ["200 MB of opening brackets", "json", "", "[".repeat(1000), "", 200],
  ["30 MB of empty strings far down", "json", "[".repeat(64), '"",'.repeat(100), "", 30],
  ["200 MB of backslashes in a string", "jsonl", '"', "\\".repeat(1000), "\n", 200],
  ["200 MB of records", "jsonl", "", '{"text":"' + "word ".repeat(400) + '"}\n', "", 200],
  ["200 MB of text without a line break", "text", "", "word ".repeat(400), "", 200],
  ["an XML value of 200 MB", "xml", '<a b="', ("&amp;" + "word ".repeat(20)).repeat(20), '"/>', 200],
];

for (const [name, ...input] of CASES) {
  Deno.test(`memory stays bounded: ${name}`, async () => {
    const [grown, found] = await grow(...input);
    assert(found > 100);
    assert(grown < BOUND, `${Math.round(grown / MIB)} MiB`);
  });
}
