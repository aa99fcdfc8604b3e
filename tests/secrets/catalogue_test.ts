import { assert, assertEquals, assertMatch } from "@std/assert";
import { findRule, rotationGuidance, ruleCatalogue, scanText } from "../../src/secrets/mod.ts";
import { reachOf } from "../../src/secrets/reach.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";

/** A key block, the longest thing that a pattern takes for a secret, with what stands around it. */
const LONGEST_MATCH = 17_000;

function found(text: string): string[] {
  return scanText(text, { includeLowConfidence: true }).map(({ rule }) => rule);
}

Deno.test("every rule states who, what, how to revoke and where it is documented", () => {
  for (const rule of RULES) {
    assertMatch(rule.id, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    for (const text of [rule.display, rule.provider, rule.rotation]) assert(text.trim().length > 1, rule.id);
    assertMatch(rule.documentation, /^https:\/\//, rule.id);
    assert(rule.examples.match().length >= 2, `${rule.id}: two examples that match`);
    assert(rule.examples.noMatch().length >= 2, `${rule.id}: two examples that do not`);
  }
  assertEquals(new Set(RULES.map(({ id }) => id)).size, RULES.length);
});

Deno.test("every keyword survives the escapes of JSON and is part of every match", () => {
  for (const rule of RULES) {
    for (const keyword of rule.keywords) {
      assertMatch(keyword, /^[^\x00-\x1f"\\?A-Z\x7f-\uffff]{3,}$/, `${rule.id}: ${keyword}`);
    }
    const { guaranteed, longest } = reachOf(rule);
    assert(guaranteed, `${rule.id}: a match without a keyword is possible`);
    assert(longest <= LONGEST_MATCH, `${rule.id}: a match may have ${longest} characters`);
  }
});

Deno.test("every rule finds its examples through the whole engine, all other rules running, raw and escaped", () => {
  const missed: string[] = [];
  for (const rule of RULES) {
    for (const [index, example] of rule.examples.match().entries()) {
      const once = JSON.stringify({ text: example });
      for (const [depth, text] of [example, once, JSON.stringify({ once })].entries()) {
        const rules = found(text);
        if (!rules.includes(rule.id)) missed.push(`${rule.id} ${index}, escaped ${depth} times: [${rules}]`);
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
