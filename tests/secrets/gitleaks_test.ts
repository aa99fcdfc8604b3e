import { assertEquals } from "@std/assert";
import cases from "../../fixtures/secrets/gitleaks.json" with { type: "json" };
import known from "../../fixtures/secrets/gitleaks_known.json" with { type: "json" };
import { decodeCase, encodeCase, scoreCases } from "../../tools/secrets/cases.ts";

Deno.test("gitleaks' own cases are answered as gitleaks does, but for the disagreements that are listed with a reason", () => {
  const { disagreements, uncovered } = scoreCases(cases, known.counterparts);
  const counted: Record<string, number> = {};
  for (const { rule, kind } of disagreements) counted[`${rule} ${kind}`] = (counted[`${rule} ${kind}`] ?? 0) + 1;
  const listed = Object.fromEntries(known.disagreements.map(({ rule, kind, count }) => [`${rule} ${kind}`, count]));
  assertEquals(counted, listed);
  assertEquals(uncovered, []);
});

Deno.test("a case comes out of the data file as it went in", () => {
  for (const text of ["", "plain", "ümläut \n 𝄞"]) assertEquals(decodeCase(encodeCase(text)), text);
});
