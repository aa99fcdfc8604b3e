/**
 * Prints how our rules answer to gitleaks' own cases, and every disagreement:
 *
 *     deno run -A tools/secrets/score.ts
 *
 * @module
 */

import { decodeCase, scoreCases } from "./cases.ts";
import cases from "../../fixtures/secrets/gitleaks.json" with { type: "json" };
import known from "../../fixtures/secrets/gitleaks_known.json" with { type: "json" };

const SHOWN = 160;

const score = scoreCases(cases, known.counterparts);
for (const { rule, kind, index, findings } of score.disagreements) {
  const texts = cases.rules[rule as keyof typeof cases.rules];
  const text = decodeCase((kind === "missed" ? texts.match : texts.noMatch)[index] ?? "");
  console.log(`${kind} ${rule} ${index}: ${JSON.stringify(text.slice(0, SHOWN))} ${findings.join("; ")}`);
}
console.log(`without counterpart: ${score.uncovered.join(" ")}`);
for (const [name, { agreed, total }] of Object.entries({ match: score.match, noMatch: score.noMatch })) {
  console.log(`${name}: ${agreed} of ${total}, ${(100 * agreed / total).toFixed(1)} %`);
}
