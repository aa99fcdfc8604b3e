import { assert, assertEquals } from "@std/assert";
import { scanBytes, scanText } from "../../src/secrets/mod.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";
import { randomFrom } from "../../src/secrets/sample.ts";
import { scanSpans } from "../../src/secrets/spans.ts";
import { wordTables } from "../../src/secrets/wordlists.ts";
import { analyse } from "./_analyser.ts";
import { joined } from "./_samples.ts";

const MEGABYTE = 1 << 20;

/** Characters that patterns were given for a text of about `size` bytes, made of one piece again and again. */
function charactersFor(piece: string, size: number): number {
  const scanner = scanSpans({ rules: RULES, mnemonics: true, onSpan: () => {} });
  scanner.push(joined(piece.repeat(Math.ceil(size / piece.length))));
  scanner.finish();
  return scanner.work.characters;
}

Deno.test("empty input, one byte, and every single byte value", () => {
  assertEquals(scanText(""), []);
  assertEquals(scanBytes(new Uint8Array(0)), []);
  for (let byte = 0; byte < 256; byte++) assertEquals(scanBytes(Uint8Array.of(byte)), []);
});

Deno.test("random bytes, and one character again and again, hold no secret", () => {
  const random = randomFrom(99);
  assertEquals(scanBytes(Uint8Array.from({ length: 4 * MEGABYTE }, () => Math.floor(random() * 256))), []);
  for (const character of ["\0", "a", " ", "\n", "\\", "%", "-", "é", "\ufffd"]) {
    assertEquals(scanText(character.repeat(3 * MEGABYTE)), [], JSON.stringify(character));
  }
});

Deno.test("lone surrogates are text like any other", () => {
  assertEquals(scanText("\ud800".repeat(5000) + "\udc00".repeat(5000)), []);
});

Deno.test("forty megabytes of one character, streamed, take no more memory than one block does", () => {
  const chunk = new Uint8Array(MEGABYTE).fill(0x61);
  const scanner = scanSpans({ rules: RULES, mnemonics: true, onSpan: () => {} });
  for (let pushed = 0; pushed < 10; pushed++) scanner.push(chunk);
  const before = Deno.memoryUsage().external + Deno.memoryUsage().heapUsed;
  for (let pushed = 0; pushed < 30; pushed++) scanner.push(chunk);
  assert(Deno.memoryUsage().external + Deno.memoryUsage().heapUsed - before < 32 * MEGABYTE);
  scanner.finish();
});

Deno.test("a megabyte of keywords, and of words of seed phrases, is read in one pass", () => {
  const keywords = [...new Set(RULES.flatMap((rule) => rule.keywords))];
  const words = [...(wordTables().indices[0]?.keys() ?? [])];
  const random = randomFrom(4);
  const shuffled = Array.from({ length: 20_000 }, () => words[Math.floor(random() * words.length)]).join(" ");
  scanText(shuffled.repeat(8));
  for (const glue of [" ", "", "=", '":"', "\\n"]) scanText(keywords.join(glue).repeat(3));
});

Deno.test("work grows in proportion to the input, whatever a rule's keywords and almost-matches are", () => {
  const [small, large] = [1 << 13, 1 << 14];
  const wrong: string[] = [];
  for (const rule of RULES) {
    const { worst } = analyse(rule.pattern);
    const [keyword = ""] = rule.keywords;
    for (const piece of [`${keyword}=`, `${worst}\\n`, `${rule.examples.match()[0]?.slice(0, -2)}\n`]) {
      const [once, twice] = [charactersFor(piece, small), charactersFor(piece, large)];
      if (twice > 2.3 * once + 5000) wrong.push(`${rule.id}: ${once}, then ${twice} characters`);
    }
  }
  assertEquals(wrong, []);
});
