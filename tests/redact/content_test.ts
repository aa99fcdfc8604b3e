import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import type { StreamFormat } from "../../src/history/formats/reader.ts";
import { redactContent } from "../../src/redact/content.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";
import { plaintextsIn, rulesIn, secret } from "./_histories.ts";

const MARK = "[REDACTED:gitlab-pat]";
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The text after redaction; fails where anything is left, or the form changed. */
function redacted(text: string, format: StreamFormat): string {
  const { bytes, left, problem } = redactContent(bytesOf(text), format, () => true);
  assertEquals([left, problem], [[], null]);
  assertEquals(rulesIn(bytes), []);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

const CASES: readonly [name: string, format: StreamFormat, before: (s: string) => string, after: string][] = [
  [
    "order of keys, spaces, numbers, escapes",
    "jsonl",
    (s) => `{"b" :1.0e+2,  "a":"\\u00e9 \\/ ${s} \\t"}`,
    `{"b" :1.0e+2,  "a":"\\u00e9 \\/ ${MARK} \\t"}`,
  ],
  [
    "CRLF, a byte order mark, no final newline",
    "jsonl",
    (s) => `\ufeff{"a":1}\r\n{"a":"${s}"}`,
    `\ufeff{"a":1}\r\n{"a":"${MARK}"}`,
  ],
  ["a line that is no JSON", "jsonl", (s) => `{"a":1}\n{"a":"${s}", torn`, `{"a":1}\n{"a":"${MARK}", torn`],
  ["behind an escaped line break", "jsonl", (s) => `{"a":"x\\n${s}\\ny"}`, `{"a":"x\\n${MARK}\\ny"}`],
  [
    "JSON inside JSON",
    "jsonl",
    (s) => JSON.stringify({ a: JSON.stringify({ b: `"${s}"\n` }) }),
    JSON.stringify({ a: JSON.stringify({ b: `"${MARK}"\n` }) }),
  ],
  ["a key", "json", (s) => `{"${s}": [1, 2]}`, `{"${MARK}": [1, 2]}`],
  ["an indented document", "json", (s) => `{\n\t"a": "${s}"\n}\n`, `{\n\t"a": "${MARK}"\n}\n`],
  ["a document that is no JSON", "json", (s) => `{"a": "${s}"`, `{"a": "${MARK}"`],
  ["text", "text", (s) => `export TOKEN=${s}\r\nls\r\n`, `export TOKEN=${MARK}\r\nls\r\n`],
  [
    "XML text, attribute and CDATA",
    "xml",
    (s) => `<a b="${s}">&lt;${s}<![CDATA[ ${s} ]]></a>`,
    `<a b="${MARK}">&lt;${MARK}<![CDATA[ ${MARK} ]]></a>`,
  ],
  [
    "every character as \\u",
    "jsonl",
    (s) => `{"t":"${s}","a":"${[...s].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"}`,
    `{"t":"${MARK}","a":"${MARK}"}`,
  ],
  [
    "percent-encoded",
    "jsonl",
    (s) => `{"t":"${s}","a":"x=${[...s].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("")}&"}`,
    `{"t":"${MARK}","a":"x=${MARK}&"}`,
  ],
  ["hexadecimal", "text", (s) => `${s} ${Buffer.from(s).toString("hex")}.`, `${MARK} ${MARK}.`],
];

for (const [name, format, before, after] of CASES) {
  Deno.test(`redacting ${format}, ${name}: nothing but the secret changes`, () => {
    assertEquals(redacted(before(secret(3)), format), after);
  });
}

Deno.test("a copy in the base64 of a longer text is removed, at each of its three places", () => {
  const token = secret(4);
  for (const lead of ["", "u", "us", "usr:"]) {
    const encoded = Buffer.from(`${lead}${token}:x`).toString("base64");
    for (const text of [encoded, encoded.replaceAll("+", "-").replaceAll("/", "_")]) {
      const after = redacted(`{"t":"${token}"}\n{"h":"${text}"}\n`, "jsonl");
      assert(after.includes(`"h":"`) && after.split(MARK).length === 3, after);
      assertEquals(plaintextsIn(bytesOf(after), [token]), []);
    }
  }
});

for (const [encoding, mark] of [["utf16le", [0xff, 0xfe]], ["utf16be", [0xfe, 0xff]]] as const) {
  Deno.test(`UTF-16 stays UTF-16 (${encoding})`, () => {
    const encode = (text: string) => {
      const bytes = Buffer.from(text, "utf16le");
      return new Uint8Array([...mark, ...(encoding === "utf16be" ? bytes.swap16() : bytes)]);
    };
    const line = (text: string) => `{"a":"é ${text}"}\r\n`;
    const { bytes, left, problem } = redactContent(encode(line(secret(5))), "jsonl", () => true);
    assertEquals([left, problem], [[], null]);
    assertEquals(bytes, encode(line(MARK)));
  });
}

Deno.test("bytes that are not UTF-8 stay as they are", () => {
  const parts = (text: string) => new Uint8Array([0x22, 0xff, 0xc3, ...bytesOf(text), 0x80, 0x22]);
  assertEquals(redactContent(parts(secret(6)), "json", () => true).bytes, parts(MARK));
});

Deno.test("a private key in text keeps its number of lines; in JSON it becomes one marker", () => {
  const body = Buffer.from(Array.from({ length: 240 }, (_, index) => index * 7 % 256)).toString("base64");
  const lines = body.match(/.{1,64}/g)!;
  const word = ["PRIVATE", "KEY"].join(" ");
  const key = [`-----BEGIN RSA ${word}-----`, ...lines, `-----END RSA ${word}-----`];
  const text = redacted(`a\n${key.join("\n")}\nb\n`, "text");
  assertEquals(text.split("\n").length, key.length + 3);
  assert(!lines.some((line) => text.includes(line)), text);
  const json = redacted(JSON.stringify({ k: key.join("\n") }), "jsonl");
  assert(/^\{"k":"\[REDACTED:[a-z-]+\](?:\\n)?"\}$/.test(json), json);
});

Deno.test("a short password elsewhere as a part of a longer word is no copy; as a word of its own it is", () => {
  const url = (password: string) => `postgres://app:${password}@db.corp.internal:5432/main`;
  const after = redacted(`{"u":"${url("Zr4q7Wx")}"}\n{"a":"xZr4q7Wxy","b":"pw Zr4q7Wx!"}\n`, "jsonl");
  assert(after.includes(`"a":"xZr4q7Wxy"`) && !after.includes("pw Zr4q7Wx!"), after);
});

Deno.test("a number that is a secret's copy becomes a string, and the record stays JSON", () => {
  const before = `{"password":"918273645546","id": 918273645546,"t":9182736455461}`;
  const { bytes, problem, replaced } = redactContent(bytesOf(before), "jsonl", () => true, [
    { secret: "918273645546", rule: "x" },
  ]);
  assertEquals(problem, null);
  assert(replaced >= 2);
  const record = JSON.parse(new TextDecoder().decode(bytes));
  assertEquals([record.id, record.t], ["[REDACTED:x]", 9182736455461]);
});

Deno.test("what is not wanted stays, and where nothing is wanted the bytes are the very same", () => {
  const before = bytesOf(`{"a":"${secret(7)}"}`);
  const result = redactContent(before, "jsonl", () => false);
  assert(result.bytes === before);
  assertEquals([result.replaced, result.left, result.problem], [0, [], null]);
});

Deno.test("random records with secrets under random escapes: valid JSON, equal but for the secrets", () => {
  let state = 12345;
  const random = (below: number) => (state = (state * 1103515245 + 12345) & 0x7fffffff) % below;
  const pieces = ["\n", "\\", '"', "é", "😀", "/", "\t", "%41", "&amp;", "C:\\new\\table", "{}", " "];
  for (let round = 0; round < 300; round++) {
    const token = secret(round);
    const around = () => Array.from({ length: random(4) }, () => pieces[random(pieces.length)]).join("");
    const [lead, tail] = [around(), around()];
    const make = (text: string) => {
      let value: unknown = `${lead} ${text} ${tail}`;
      for (let depth = random(3); depth > 0; depth--) value = JSON.stringify({ v: value, n: [1, "x"] });
      return JSON.stringify({ value });
    };
    const keep = state;
    const before = make(token);
    state = keep;
    const expected = make(MARK);
    assertEquals(redacted(before, "jsonl"), expected);
  }
});

Deno.test("an example of every rule is removed from JSON lines and from text, and nothing is found then", () => {
  const failed: string[] = [];
  for (const { id, examples } of RULES) {
    for (const example of examples.match()) {
      for (const format of ["jsonl", "text"] as const) {
        const before = bytesOf(
          format === "jsonl" ? JSON.stringify({ content: `a\n${example}\nb` }) + "\n" : `${example}\n`,
        );
        const { bytes, left, problem } = redactContent(before, format, () => true);
        if (left.length > 0 || problem !== null || rulesIn(bytes).length > 0) failed.push(`${id} ${format} ${problem}`);
      }
    }
  }
  assertEquals(failed, []);
});

Deno.test("two keys of an object that are secrets stay two keys, in JSON in a string, too, and beside an earlier marker", () => {
  const [one, two, three] = [secret(1), secret(2), secret(3)];
  const inner = JSON.stringify({ [one]: 1, [two]: 2 });
  const record = { "[REDACTED:gitlab-pat]": 0, [one]: 1, [two]: 2, inner, nested: [{ [two]: 3, [three]: one }] };
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  const { bytes: after, left, problem } = redactContent(bytes, "jsonl", () => true);
  assertEquals([left, problem], [[], null]);
  const mark = "[REDACTED:gitlab-pat]";
  assertEquals(JSON.parse(new TextDecoder().decode(after)), {
    [mark]: 0,
    [`${mark} (2)`]: 1,
    [`${mark} (3)`]: 2,
    inner: JSON.stringify({ [`${mark} (2)`]: 1, [`${mark} (3)`]: 2 }),
    nested: [{ [`${mark} (3)`]: 3, [`${mark} (4)`]: mark }],
  });
});
