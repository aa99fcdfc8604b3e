/**
 * Whether time grows in proportion to the input, for the worst text that is known of each rule:
 *
 *     deno run -A bench/secrets_dos.ts [KILOBYTES]
 *
 * Each text is doubled three times; printed are the slowest rules and those whose time more than doubles.
 *
 * @module
 */

import { RULES } from "../src/secrets/rules/mod.ts";
import { scanSpans } from "../src/secrets/spans.ts";
import { analyse } from "../tests/secrets/_analyser.ts";

const DOUBLINGS = 3;
/** A growth for which noise does not account. */
const SUSPICIOUS = 2.6;
const SHOWN = 10;

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
    "keyword=": `${keyword}="`,
    worst,
    "worst after a keyword": `${keyword}${worst}\\n`,
    almost: `${almost} `,
  };
}

function main(): void {
  const size = Number(Deno.args[0] ?? 32) * 1024;
  milliseconds(RULES.map((rule) => rule.examples.match()[0]).join("\n"));
  const measured = RULES.flatMap((rule) =>
    Object.entries(adversaries(rule)).map(([name, piece]) => {
      const times: number[] = [];
      for (let step = 0; step <= DOUBLINGS; step++) {
        times.push(milliseconds(piece.repeat(Math.ceil((size << step) / piece.length))));
      }
      const [last = 0, before = 0] = times.toReversed();
      return { name: `${rule.id}, ${name}`, rate: (size << DOUBLINGS) / 1e3 / last, growth: last / before, times };
    })
  ).sort((left, right) => left.rate - right.rate);
  console.log(`${measured.length} texts, ${size << DOUBLINGS} bytes at most`);
  for (const { name, rate, growth } of measured.slice(0, SHOWN)) {
    console.log(`${name}: ${rate.toFixed(2)} MB/s, ${growth.toFixed(2)} x for twice the text`);
  }
  const growing = measured.filter(({ growth, times }) =>
    growth > SUSPICIOUS && (times[1] ?? 0) / (times[0] ?? 1) > SUSPICIOUS
  );
  console.log(
    `growing faster than the text at every doubling: ${growing.map(({ name }) => name).join("; ") || "none"}`,
  );
}

main();
