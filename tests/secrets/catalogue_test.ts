import { assert, assertEquals, assertMatch } from "@std/assert";
import { findRule, rotationGuidance, ruleCatalogue, scanText } from "../../src/secrets/mod.ts";
import { reachOf } from "../../src/secrets/reach.ts";
import type { Rule, RuleInfo } from "../../src/secrets/rule.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";

/** A key block, the longest thing that a pattern takes for a secret, with what stands around it. */
const LONGEST_MATCH = 17_000;

/** Whether the other rule says less about a secret than this one: that of a provider tells more than any other. */
function isLesser(other: string, rule: Rule): boolean {
  const rank = ({ confidence, generic }: RuleInfo) => (confidence === "low" ? 0 : 2) + (generic ? 0 : 1);
  const found = RULES.find(({ id }) => id === other);
  if (found === undefined) return true;
  const strangers = !rule.generic && found.provider !== rule.provider;
  return rank(found) < rank(rule) || (rank(found) === rank(rule) && strangers);
}

Deno.test("every rule states who, what, how to revoke and where it is documented", () => {
  for (const rule of RULES) {
    assertMatch(rule.id, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    for (const text of [rule.display, rule.provider, rule.rotation]) assert(text.trim().length > 0, rule.id);
    assertMatch(rule.documentation, /^https:\/\//, rule.id);
    assert(rule.examples.match().length >= 2, `${rule.id}: two examples that match`);
    assert(rule.examples.noMatch().length >= 2, `${rule.id}: two examples that do not`);
  }
  assertEquals(new Set(RULES.map(({ id }) => id)).size, RULES.length);
});

Deno.test("every keyword can be looked for, and no rule's matches are longer than what is kept of a stream", () => {
  for (const rule of RULES) {
    for (const keyword of rule.keywords) assertMatch(keyword, /^[^A-Z\x7f-\uffff]{3,}$/, `${rule.id}: ${keyword}`);
    const { longest } = reachOf(rule);
    assert(longest <= LONGEST_MATCH, `${rule.id}: a match may have ${longest} characters`);
  }
});

Deno.test("every rule finds its examples through the whole engine, raw and escaped, and no lesser rule hides it", () => {
  const missed: string[] = [];
  for (const rule of RULES) {
    for (const [index, example] of rule.examples.match().entries()) {
      const once = JSON.stringify({ text: example });
      for (const [depth, text] of [example, once, JSON.stringify({ once })].entries()) {
        const alone = scanText(text, { rules: [rule.id] });
        const all = scanText(text, { includeLowConfidence: true });
        const winners = all.filter(({ start, end }) => alone.some((own) => own.start < end && start < own.end));
        if (alone.length > 0 && winners.some((winner) => winner.rule === rule.id || !isLesser(winner.rule, rule))) {
          continue;
        }
        missed.push(`${rule.id} ${index}, escaped ${depth} times: [${all.map(({ rule }) => rule)}]`);
      }
    }
  }
  assertEquals(missed, []);
});

Deno.test("no rule finds what it says it must not", () => {
  const wrong = RULES.flatMap((rule) =>
    rule.examples.noMatch().filter((text) => scanText(text, { rules: [rule.id] }).length > 0)
      .map((text) => `${rule.id}: ${text.length} characters`)
  );
  assertEquals(wrong, []);
});

Deno.test("the catalogue lists every rule, seed phrases among them, and no plaintext of theirs", () => {
  const ids = ruleCatalogue().map(({ id }) => id);
  assertEquals(ids, [...ids].sort());
  assertEquals(ids.length, RULES.length + 2);
  assertEquals(Object.keys(findRule("github-pat") ?? {}).sort(), [
    "confidence",
    "display",
    "documentation",
    "id",
    "provider",
    "rotation",
  ]);
  assertEquals(findRule("no-such-rule"), undefined);
});

Deno.test("guidance is given for the rules asked for, for all when none are, and unknown ids are named", () => {
  const { guidance, unknownRules } = rotationGuidance(["npm-token", "no-such-rule", "npm-token"]);
  assertEquals(guidance.map(({ rule }) => rule), ["npm-token"]);
  assertEquals(unknownRules, ["no-such-rule"]);
  assertEquals(rotationGuidance().guidance.length, RULES.length + 2);
});
