import { assert, assertEquals } from "@std/assert";
import { RULES } from "../../src/secrets/rules/mod.ts";
import { analyse } from "./_analyser.ts";

/** Steps from one place: a few for each character of the longest texts that rules match. */
const MOST_STEPS = 10_000;

Deno.test("the analyser rejects quantifiers without bound and nested ones", () => {
  assertEquals(analyse(/a+b/).problems, ["a quantifier without bound"]);
  assertEquals(analyse(/(?:a{1,5}){1,5}b/).problems, ["a repeated part that can be divided in more than one way"]);
  assertEquals(analyse(/(?:a{0,5}){1,5}b/).problems.includes("a repeated part that may be empty"), true);
});

Deno.test("the analyser finds the text that neighbours with one alphabet divide in many ways", () => {
  const { steps, worst } = analyse(/a{0,40}[ab]{0,40}a{0,40}c/);
  assert(steps > 50_000);
  assertEquals(/^a{80,}$/.test(worst), true);
  assert(analyse(/a{0,40}=b{0,40}=c{0,40}/).steps < 200);
});

Deno.test("no rule's pattern can be made to backtrack beyond its length", () => {
  const bad = RULES.map((rule) => ({ id: rule.id, ...analyse(rule.pattern) }))
    .filter(({ problems, steps }) => problems.length > 0 || steps > MOST_STEPS)
    .map(({ id, problems, steps }) => `${id}: ${problems.join(", ") || `${steps} steps`}`);
  assertEquals(bad, []);
});
