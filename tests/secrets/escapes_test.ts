import { assert, assertEquals } from "@std/assert";
import { redactContent } from "../../src/redact/content.ts";
import { chooseRules } from "../../src/secrets/catalogue.ts";
import { scanText } from "../../src/secrets/mod.ts";
import { ALNUM, sample } from "../../src/secrets/sample.ts";

const gson = (text: string) =>
  JSON.stringify(text).replace(/[=&<>']/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
const php = (text: string) => gson(text).replaceAll('\\"', "\\u0022");
const mustache = (text: string) =>
  html("&quot;", "&#39;")(text).replaceAll("/", "&#x2F;").replaceAll("`", "&#x60;").replaceAll("=", "&#x3D;");
const html = (double: string, single: string) => (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', double).replaceAll("'", single).replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

const ENCODINGS: readonly [name: string, encode: (text: string) => string][] = [
  ["\\u003d and \\u0026 of Gson", gson],
  ["Gson's escapes in a string of JSON", (text) => JSON.stringify(gson(text))],
  ["PHP's escapes, also of quotes", php],
  ["Mustache's references", (text) => JSON.stringify(mustache(text))],
  ["HTML's references", (text) => JSON.stringify(html("&quot;", "&#39;")(text))],
  ["HTML's references as numbers", (text) => JSON.stringify(html("&#34;", "&#x27;")(text))],
  ["percent-encoding", encodeURIComponent],
];

for (const [name, encode] of ENCODINGS) {
  Deno.test(`${name} hide no rule's examples`, () => {
    const missed = chooseRules({}).rules.filter(({ examples }) =>
      examples.match().some((example) => scanText(encode(example)).length === 0)
    );
    assertEquals(missed.map(({ id }) => id), []);
  });

  Deno.test(`a connection string under ${name} is redacted in its place, and the record stays JSON`, () => {
    const password = sample(ALNUM, 16, 3);
    const secret = `Server=db.corp.io;User Id=app;Password=${password};`;
    const text = encode(secret);
    const record = text.startsWith('"') ? `{"t":${text},"n":1}` : JSON.stringify({ t: text, n: 1 });
    const { bytes, left, problem } = redactContent(new TextEncoder().encode(record), "jsonl", () => true);
    assertEquals([left, problem], [[], null]);
    const after = new TextDecoder().decode(bytes);
    const marker = /\[REDACTED:[a-z-]+\]/.exec(after)?.[0] ?? "none";
    assertEquals(after, record.replace(password, marker));
    assert(JSON.parse(after).n === 1);
  });
}
