import { assertEquals } from "@std/assert";
import type { StreamFormat } from "../../src/history/formats/reader.ts";
import { redactContent } from "../../src/redact/content.ts";
import { reachOf } from "../../src/redact/telling.ts";
import { ALNUM, HEX, LOWER_ALNUM, sample } from "../../src/secrets/sample.ts";
import { rulesIn } from "./_histories.ts";

const url = (password: string) => `postgres://app:${password}@db.corp.io/prod`;

function redacted(text: string, format: StreamFormat): string {
  const { bytes, left, problem } = redactContent(new TextEncoder().encode(text), format, () => true);
  assertEquals([left, problem, rulesIn(bytes)], [[], null, []]);
  return new TextDecoder().decode(bytes);
}

const WORDS = ["message", "assistant", "content", "uuid", "parentUuid", "tool_use", "sessions-2024", "1.0.85"];

for (const word of WORDS) {
  Deno.test(`a text that makes "${word}" a password takes the word out of texts, and not out of the records`, () => {
    const record = (text: string) =>
      JSON.stringify({ [word]: { role: word, type: "x", inner: JSON.stringify({ [word]: word }) }, text });
    const before = [record("hi"), record(url(word)), record(`the ${word} of it`)].join("\n");
    const after = redacted(before, "jsonl");
    const mark = "[REDACTED:db-url-with-password]";
    assertEquals(after, before.replace(url(word), url(mark)).replace(`the ${word} of it`, `the ${mark} of it`));
  });
}

Deno.test("in XML a word that a text makes a password goes from texts, and not from names and attributes", () => {
  const said = (word: string) => `${word} ${url(word)} ${word} &amp; ${url(word)}`;
  const chat = (text: string) => `<chat><message kind="message">${text}</message></chat>`;
  assertEquals(redacted(chat(said("message")), "xml"), chat(said("[REDACTED:db-url-with-password]")));
});

Deno.test("a pass phrase goes from all values, and the keys of objects stay", () => {
  const phrase = ["cache", "creation", "input", "tokens"].join("_");
  const before = [{ t: url(phrase) }, { [phrase]: 1, v: phrase, inner: JSON.stringify({ [phrase]: ` ${phrase}` }) }];
  const [, second = ""] = redacted(before.map((record) => JSON.stringify(record)).join("\n"), "jsonl").split("\n");
  const mark = "[REDACTED:db-url-with-password]";
  assertEquals(JSON.parse(second), { [phrase]: 1, v: mark, inner: JSON.stringify({ [phrase]: ` ${mark}` }) });
});

Deno.test("what is random has copies everywhere, a pass phrase in values, what may be a name in prose, times have none", () => {
  for (let seed = 1; seed < 200; seed++) {
    assertEquals([ALNUM, HEX].map((alphabet) => reachOf(sample(alphabet, 16, seed))), ["everywhere", "everywhere"]);
  }
  const everywhere = [
    "Zr4" + "q7Wx",
    "Summer" + "2024!",
    "918273" + "645546",
    sample(LOWER_ALNUM, 26),
    "xkq" + "jzvbnmw",
  ];
  const prose = ["message", "hunter" + "2", "2024-12-07", "192.168.1.10", "src/main.ts", "gpt-4o", "UTF-8"];
  const place = ["20241207", "2024-12-07T10:00:00.000Z", "abc"];
  assertEquals(everywhere.map(reachOf), everywhere.map(() => "everywhere"));
  assertEquals(prose.map(reachOf), prose.map(() => "prose"));
  assertEquals(place.map(reachOf), place.map(() => "place"));
  assertEquals(reachOf(["correct", "horse", "battery", "staple"].join("-")), "values");
});
