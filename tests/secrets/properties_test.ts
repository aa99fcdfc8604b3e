import { assertEquals } from "@std/assert";
import { mask, scanText } from "../../src/secrets/mod.ts";
import { longestMatch, parsePattern } from "../../src/secrets/pattern.ts";
import { isSecret } from "../../src/secrets/placeholder.ts";
import type { Rule } from "../../src/secrets/rule.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";
import { randomFrom } from "../../src/secrets/sample.ts";
import { findingOf } from "../../src/secrets/scan.ts";
import type { Span } from "../../src/secrets/spans.ts";
import { generate } from "./_generator.ts";
import { joined, spansOf } from "./_samples.ts";

const LONGEST_TOKEN = 8000;
const FILLERS = [
  "the quick brown fox ",
  "\n",
  "    if (x) {\n",
  "größer — 𝄞 ",
  "0x1f, ",
  "<div>",
  "\t// what? ",
  "|---|\n",
  "{}[]();",
];

function filler(random: () => number, length: number): string {
  let text = "";
  while (text.length < length) text += FILLERS[Math.floor(random() * FILLERS.length)];
  return text;
}

/** Texts that hold a secret of the rule as far as its pattern and tests say: its examples, and made ones. */
function textsOf(rule: Rule, random: () => number): string[] {
  const tree = parsePattern(rule.pattern);
  // Blocks go on with whatever text looks like more of them.
  if (longestMatch(tree) > LONGEST_TOKEN) return [...rule.examples.match()];
  const made = Array.from({ length: 8 }, () => `\n${generate(tree, random)}\n`).filter((text) => {
    const match = new RegExp(rule.pattern.source, rule.pattern.flags).exec(text);
    return match !== null && isSecret(rule, match.groups?.secret ?? match[0]);
  });
  return [...rule.examples.match(), ...made.slice(0, 2)];
}

/** What of a secret no encoding changes: some hold escapes of their own, which deeper readings undo. */
function essence(secret: string): string {
  return secret.replace(/\\+[nrtbfu]/g, "").replace(/[^A-Za-z0-9]/g, "");
}

/** Rules are compiled once for each array of them. */
const ALONE = new Map(RULES.map((rule) => [rule, [rule]] as const));

function secretsIn(text: string, rule: Rule, cuts: readonly number[] = []): Span[] {
  return spansOf(joined(text), ALONE.get(rule) ?? [], cuts);
}

Deno.test("a secret of any rule is found in random text at random places, whatever the chunks and the escapes", () => {
  const random = randomFrom(2026);
  const missed: string[] = [];
  for (const rule of RULES) {
    for (const text of textsOf(rule, random)) {
      const expected = secretsIn(`\n${text}\n`, rule).map(({ secret }) => secret);
      if (expected.length === 0) missed.push(`${rule.id}: not found alone`);
      const plain = `${filler(random, random() * 900)}\n${text}\n${filler(random, random() * 900)}`;
      const once = JSON.stringify({ type: "user", text: plain });
      for (const [depth, embedded] of [plain, once, JSON.stringify({ once })].entries()) {
        const cuts = Array.from({ length: 3 }, () => Math.floor(random() * embedded.length)).sort((a, b) => a - b);
        const secrets = secretsIn(embedded, rule, cuts).map(({ secret }) => essence(secret));
        for (const secret of expected) {
          if (!secrets.includes(essence(secret))) missed.push(`${rule.id}, escaped ${depth} times: ${mask(secret)}`);
        }
      }
    }
  }
  assertEquals(missed, []);
});

Deno.test("a finding shows of a secret what its mask shows, and a mask or a marker is no secret", () => {
  const wrong: string[] = [];
  for (const rule of RULES) {
    for (const text of rule.examples.match()) {
      for (const span of secretsIn(text, rule)) {
        const { masked } = findingOf(span);
        if (masked !== mask(span.secret)) wrong.push(`${rule.id}: ${masked}`);
        const bytes = new TextEncoder().encode(text);
        const [before, behind] = [bytes.slice(0, span.start), bytes.slice(span.end)].map((part) =>
          new TextDecoder().decode(part)
        );
        for (const stand of [masked, `[REDACTED:${rule.id}]`]) {
          const alone = scanText(stand, { includeLowConfidence: true }).map(({ rule }) => rule);
          if (alone.length > 0) wrong.push(`${rule.id}: ${stand} is found as ${alone}`);
          const placed = secretsIn(`${before}${stand}${behind}`, rule).filter(({ start }) => start === span.start);
          if (placed.length > 0) wrong.push(`${rule.id}: ${stand} in its place is found again`);
        }
      }
    }
  }
  assertEquals(wrong, []);
});
