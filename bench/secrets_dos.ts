/**
 * Whether time grows in proportion to the input, for the worst texts that are known of each rule:
 *
 *     deno run -A bench/secrets_dos.ts [KILOBYTES]
 *
 * Every text is scanned once; those that take longest are then doubled, and printed with how their time grows.
 *
 * @module
 */

import { RULES } from "../src/secrets/rules/mod.ts";
import { scanSpans } from "../src/secrets/spans.ts";
import { analyse } from "../tests/secrets/_analyser.ts";

const DOUBLINGS = 3;
/** Texts that are doubled. */
const SLOWEST = 30;
const ROUNDS = 2;

function milliseconds(text: string): number {
  const bytes = new TextEncoder().encode(text);
  const started = performance.now();
  const scanner = scanSpans({ rules: RULES, mnemonics: true, onSpan: () => {} });
  scanner.push(bytes);
  scanner.finish();
  return performance.now() - started;
}

/** Texts that make a rule work: keywords alone, the text with the most ways through the pattern, almost a match. */
function adversaries(rule: (typeof RULES)[number]): Record<string, string> {
  const { worst } = analyse(rule.pattern);
  const [keyword = ""] = rule.keywords;
  const almost = rule.examples.match()[0]?.slice(0, -2) ?? "";
  return {
    keyword,
    "worst after a keyword": `${keyword}${worst}\\n`,
    almost: `${almost} `,
  };
}

function main(): void {
  const size = Number(Deno.args[0] ?? 32) * 1024;
  const grown = (piece: string, doublings: number) => piece.repeat(Math.ceil((size << doublings) / piece.length));
  milliseconds(RULES.map((rule) => rule.examples.match()[0]).join("\n"));
  const texts = RULES.flatMap((rule) =>
    Object.entries(adversaries(rule)).map(([name, piece]) => {
      return { name: `${rule.id}, ${name}`, piece, first: milliseconds(grown(piece, 0)) };
    })
  ).sort((left, right) => right.first - left.first);
  console.log(`${texts.length} texts; the slowest, from ${size} bytes on, doubled ${DOUBLINGS} times:`);
  for (const { name, piece } of texts.slice(0, SLOWEST)) {
    const times = Array.from({ length: DOUBLINGS + 1 }, (_, doublings) => {
      const rounds = Array.from({ length: ROUNDS }, () => milliseconds(grown(piece, doublings)));
      return Math.min(...rounds);
    });
    const rate = (size << DOUBLINGS) / 1e3 / (times.at(-1) ?? 0);
    console.log(`${rate.toFixed(2)} MB/s, ${times.map((time) => time.toFixed(0)).join(", ")} ms: ${name}`);
  }
}

main();
