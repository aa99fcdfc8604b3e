import { assert, assertEquals } from "@std/assert";
import type { Rule } from "../../src/secrets/rule.ts";
import { aiModelRules } from "../../src/secrets/rules/ai_models.ts";
import { aiServiceRules } from "../../src/secrets/rules/ai_services.ts";
import { aiToolRules } from "../../src/secrets/rules/ai_tools.ts";
import { awsRules } from "../../src/secrets/rules/cloud_aws.ts";
import { azureRules } from "../../src/secrets/rules/cloud_azure.ts";
import { googleRules } from "../../src/secrets/rules/cloud_google.ts";
import { commandLineRules } from "../../src/secrets/rules/command_line.ts";
import { commerceRules } from "../../src/secrets/rules/commerce.ts";
import { configFileRules } from "../../src/secrets/rules/config_files.ts";
import { contentServiceRules } from "../../src/secrets/rules/content_services.ts";
import { developerPlatformRules } from "../../src/secrets/rules/developer_platforms.ts";
import { frameworkRules } from "../../src/secrets/rules/frameworks.ts";
import { genericRules } from "../../src/secrets/rules/generic.ts";
import { httpCredentialRules } from "../../src/secrets/rules/http_credentials.ts";
import { infrastructureRules } from "../../src/secrets/rules/infrastructure.ts";
import { privateKeyRules } from "../../src/secrets/rules/private_keys.ts";
import { webhookRules } from "../../src/secrets/rules/webhooks.ts";

const RULES: readonly Rule[] = [
  ...aiModelRules,
  ...aiServiceRules,
  ...aiToolRules,
  ...awsRules,
  ...azureRules,
  ...googleRules,
  ...commandLineRules,
  ...commerceRules,
  ...configFileRules,
  ...contentServiceRules,
  ...developerPlatformRules,
  ...frameworkRules,
  ...genericRules,
  ...httpCredentialRules,
  ...infrastructureRules,
  ...privateKeyRules,
  ...webhookRules,
];

/** Shannon entropy of a text in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - count / text.length * Math.log2(count / text.length), 0);
}

/** The secret that a rule finds in a text: keyword, pattern, entropy floor and check, as the engine applies them. */
function find(rule: Rule, text: string): string | undefined {
  for (const match of text.matchAll(new RegExp(rule.pattern.source, `${rule.pattern.flags}g`))) {
    const secret = match.groups?.["secret"] ?? match[0];
    const lower = match[0].toLowerCase();
    assert(rule.keywords.some((keyword) => lower.includes(keyword)), `${rule.id}: no keyword in the match ${match[0]}`);
    if (entropy(secret) < (rule.entropy ?? 0)) continue;
    if (rule.stopWords?.some((word) => secret.toLowerCase().includes(word))) continue;
    if (rule.valid?.(secret) !== false) return secret;
  }
}

for (const rule of RULES) {
  Deno.test(`${rule.id}: finds its examples and nothing in what is not one`, () => {
    const matches = rule.examples.match();
    const others = rule.examples.noMatch();
    assert(matches.length >= 2 && others.length >= 2);
    for (const text of matches) assert(find(rule, text) !== undefined, `not found in ${text}`);
    for (const text of others) assertEquals(find(rule, text), undefined, `found in ${text}`);
  });
}

Deno.test("every rule states what it is, where its format is documented and how to rotate it", () => {
  const ids = new Set<string>();
  for (const rule of RULES) {
    assert(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(rule.id), rule.id);
    assert(!ids.has(rule.id), `${rule.id} twice`);
    ids.add(rule.id);
    assert(rule.display !== "" && rule.provider !== "", rule.id);
    assert(rule.documentation.startsWith("https://"), rule.id);
    assert(rule.rotation.length > 20, rule.id);
    assert(rule.keywords.length > 0, rule.id);
    for (const keyword of rule.keywords) {
      assert(keyword.length >= 3 && keyword === keyword.toLowerCase(), `${rule.id}: ${keyword}`);
    }
    assert(!/[gyiumsvd]/.test(rule.pattern.flags), `${rule.id}: flags ${rule.pattern.flags}`);
    assert(!/[*+](?![\]\w\-=/.])|\{\d+,\}/.test(rule.pattern.source.replace(/\\.|\[(?:\\.|[^\]])*\]/g, "c")), rule.id);
  }
});
