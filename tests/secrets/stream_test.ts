import { assertEquals } from "@std/assert";
import { RULES } from "../../src/secrets/rules/mod.ts";
import { randomFrom } from "../../src/secrets/sample.ts";
import { joined, ruleNamed, secretOf, spansOf, utf16 } from "./_samples.ts";

const TOKEN = ruleNamed("github-pat");
const GITHUB = secretOf("github-pat");
const BLOCK = 1 << 20;

Deno.test("a secret at any place around the border of the scanner's blocks is found once", () => {
  // The overlap of neighbouring blocks is wider for rules whose matches are long, so the border is looked for.
  const rules = [TOKEN];
  for (let around = BLOCK - 40_000; around < BLOCK + 40_000; around += 4_000) {
    for (let shift = 0; shift < 60; shift += 17) {
      const input = joined(new Uint8Array(around + shift).fill(0x20), GITHUB, new Uint8Array(2 * BLOCK).fill(0x20));
      const found = spansOf(input, rules).map(({ start, end }) => [start, end]);
      assertEquals(found, [[around + shift, around + shift + GITHUB.length]]);
    }
  }
});

Deno.test("every secret of a long stream is found once, with its line and column, in ascending order", () => {
  const expected: [number, number, number][] = [];
  const parts: string[] = [];
  let offset = 0;
  let line = 1;
  const random = randomFrom(11);
  while (offset < 6 * BLOCK) {
    const filler = "x ".repeat(Math.floor(random() * 9000)) + (random() < 0.5 ? "\n" : "");
    parts.push(filler);
    offset += filler.length;
    if (filler.endsWith("\n")) line++;
    const column = filler.endsWith("\n") ? 1 : offset - parts.join("").lastIndexOf("\n");
    parts.push(`${GITHUB} `);
    expected.push([offset, line, column]);
    offset += GITHUB.length + 1;
  }
  const found = spansOf(joined(...parts), [TOKEN]).map(({ start, line, column }) => [start, line, column]);
  assertEquals(found, expected);
});

Deno.test("how the input is cut into chunks makes no difference", () => {
  const random = randomFrom(23);
  const examples = RULES.flatMap((rule) => rule.examples.match().slice(0, 1));
  const text = examples.map((example) => JSON.stringify({ text: example }) + "\n").join("");
  const input = joined(text, utf16(text.slice(0, 20_000)), text);
  const whole = spansOf(input, RULES);
  for (let round = 0; round < 5; round++) {
    const cuts = Array.from({ length: 40 }, () => Math.floor(random() * input.length)).sort((left, right) =>
      left - right
    );
    assertEquals(spansOf(input, RULES, cuts), whole);
  }
  assertEquals(
    spansOf(input.slice(0, 30_000), RULES, Array.from({ length: 30_000 }, (_, at) => at)),
    spansOf(input.slice(0, 30_000), RULES),
  );
});

Deno.test("secrets in UTF-16 are found on both sides of a block's border", () => {
  const filler = (length: number) => utf16("y ".repeat(length / 2));
  for (let around = BLOCK - 90_000; around < BLOCK + 90_000; around += 15_000) {
    const input = joined(filler(around / 2), utf16(`${GITHUB} `), filler(BLOCK));
    assertEquals(spansOf(input, [TOKEN]).map(({ start }) => start), [around]);
  }
});
