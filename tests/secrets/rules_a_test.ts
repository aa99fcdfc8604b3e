import { assert, assertEquals } from "@std/assert";
import * as checks from "../../src/secrets/checks.ts";
import type { Rule } from "../../src/secrets/rule.ts";
import { assigned, nameKeywords } from "../../src/secrets/rules/_assigned.ts";
import { uuid } from "../../src/secrets/rules/_examples.ts";
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
import { ALNUM, BASE64, BASE64URL, HEX, LOWER_ALNUM, sample } from "../../src/secrets/sample.ts";

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

/** The rules of high confidence that find something in a text. */
function idsIn(text: string): string[] {
  return RULES.filter((rule) => rule.confidence !== "low" && find(rule, text) !== undefined).map(({ id }) => id);
}

Deno.test("an Anthropic, OpenRouter, Langfuse, Groq or Cerebras key is no OpenAI key", () => {
  const keys = {
    "anthropic": `sk-ant-api03-${sample(BASE64URL, 93, 1)}AA`,
    "anthropic-admin-key": `sk-ant-admin01-${sample(BASE64URL, 93, 2)}AA`,
    "openrouter-api-key": `sk-or-v1-${sample(HEX, 64, 3)}`,
    "langfuse-secret-key": `sk-lf-${uuid(4)}`,
    "groq-api-key": `gsk_${sample(ALNUM, 52, 5)}`,
    "cerebras-api-key": `csk-${sample(LOWER_ALNUM, 48, 6)}`,
    "openai": `sk-${sample(ALNUM, 48, 7)}`,
    "openai-compatible-api-key": `sk-${sample(HEX, 32, 8)}`,
  };
  for (const [id, key] of Object.entries(keys)) assertEquals(idsIn(`key: ${key}\n`), [id]);
});

Deno.test("hashes, UUIDs, lock files, base64 images and placeholders are no secrets", () => {
  const texts = [
    `commit ${sample(HEX, 40, 1)}`,
    `"resolved": "https://npm.example.org/a/-/a-1.0.0.tgz", "integrity": "sha512-${sample(BASE64, 86, 2)}=="`,
    `checksum = "${sample(HEX, 64, 3)}"`,
    `id: ${uuid(4)}`,
    `data:image/png;base64,iVBORw0KGgo${sample(BASE64, 4000, 5)}`,
    `datadog/agent@sha256:${sample(HEX, 64, 6)}`,
    `cloudflare-workers-types: commit ${sample(HEX, 40, 7)}`,
    "OPENAI_API_KEY=sk-your-api-key-here",
    "ANTHROPIC_API_KEY=<your-key>",
    "DATABASE_URL=postgres://user:password@localhost:5432/mydb",
    "Authorization: Bearer ${process.env.TOKEN}",
    "discord: https://discord.gg/abcdefgh",
  ];
  for (const text of texts) assertEquals(idsIn(text), [], text);
});

Deno.test("assigned: finds the value in every notation of an assignment", () => {
  const value = sample(HEX, 32);
  const pattern = assigned(["acme corp"], "[0-9a-f]{32}");
  for (
    const text of [
      `acmeCorpToken = "${value}"`,
      `ACME_CORP_TOKEN=${value}`,
      `{"acme-corp-token": "${value}"}`,
      `\\"acmecorp_key\\": \\"${value}\\"`,
      `<acmecorpToken>\n    ${value}\n</acmecorpToken>`,
      `var acmecorpToken string = "${value}"`,
      `const acmeCorpKey: string = "${value}"`,
      `System.setProperty("ACMECORP_TOKEN", "${value}")`,
      `"acmecorpToken" => "${value}"`,
      `ACMECORP_TOKEN ?= ${value}`,
      `{"name": "ACMECORP_KEY", "value": "${value}"}`,
      `- name: ACMECORP_KEY\n  value: ${value}`,
      `https://example.org/?acmecorp_key=${value}&page=1`,
      `process.env.ACMECORP_KEY || "${value}"`,
      `Acme Corp API key: ${value}`,
    ]
  ) {
    assertEquals(pattern.exec(text)?.groups?.["secret"], value, text);
  }
  for (
    const text of [`acmecorp_sha256: "${value}"`, `acmecorp: ${value}00`, `acmecorp/${value}`, `corp_key = ${value}`]
  ) {
    assert(!pattern.test(text), text);
  }
});

Deno.test("assigned: hints and whole words narrow what matches", () => {
  const value = sample(HEX, 32);
  const secretOnly = assigned(["acme"], "[0-9a-f]{32}", { hints: ["secret"] });
  assert(secretOnly.test(`ACME_CLIENT_SECRET=${value}`) && secretOnly.test(`--acme-secret ${value}`));
  assert(!secretOnly.test(`ACME_CLIENT_ID=${value}`));
  const wholeWord = assigned(["etsy"], "[0-9a-f]{32}", { wholeWord: true });
  assert(wholeWord.test(`MY_ETSY_KEY=${value}`) && wholeWord.test(`myEtsyKey=${value}`));
  assert(!wholeWord.test(`betsy_key=${value}`));
});

Deno.test("nameKeywords: names with each separator, in lower case", () => {
  assertEquals(nameKeywords(["New Relic", "ACME"]), [
    "newrelic",
    "new_relic",
    "new-relic",
    "new.relic",
    "new relic",
    "acme",
  ]);
});

Deno.test("a JSON Web Token has a JSON header, a payload, and a signature unless it says that it has none", () => {
  const part = (text: string) => btoa(text).replace(/=+$/, "");
  const payload = part('{"sub":"1"}');
  const signature = sample(BASE64URL, 43);
  assert(checks.isJwt(`${part('{"alg":"HS256"}')}.${payload}.${signature}`));
  assert(checks.isJwt(`${part('{"alg":"none"}')}.${payload}.`));
  assert(!checks.isJwt(`${part('{"alg":"HS256"}')}.${payload}.`));
  assert(!checks.isJwt(`${part('{"alg":')}.${payload}.${signature}`));
  assert(!checks.isJwt(`${part("no header")}.${payload}.${signature}`));
  assert(checks.isJwt(`${part('{"alg":"dir","enc":"A256GCM"}')}..${sample(BASE64URL, 16)}.${signature}.${signature}`));
  assert(checks.isEncodedJwt(btoa(`${part('{"alg":"HS256"}')}.${payload}.${signature}`)));
  assert(!checks.isEncodedJwt(btoa(`eyJ${sample(BASE64URL, 60)}`)));
});

Deno.test("passwords of documentation, variables and masks are none", () => {
  const placeholders = [
    "password",
    "your_password_here",
    "my-secret-pw",
    "Password123",
    "p%40ssword",
    "P@ssw0rd",
    "changeme",
    "postgres",
    "123456",
    "xxxxxxxx",
    "abababab",
    "********",
    "$PASSWORD",
    "${DB_PASSWORD}",
    "{{ password }}",
    "<password>",
    "%s",
    "abc",
  ];
  for (const text of placeholders) assert(!checks.isPlausiblePassword(text), text);
  for (const text of ["hunter2", "Kx9!vT2q", "correct-horse-battery", "8492011", "tr0ub4dor&3"]) {
    assert(checks.isPlausiblePassword(text), text);
  }
});

Deno.test("a credential needs a password that is not the user's name, or a key for the user", () => {
  assert(checks.isCredential("ops:Kx9!vT2q"));
  assert(checks.isCredential(`${sample(ALNUM, 32)}:`));
  for (const pair of ["ops", "ops:", "ops:ops", "user:password", "admin:$PASSWORD", ":"]) {
    assert(!checks.isCredential(pair), pair);
  }
  assert(checks.isBasicCredential(btoa("ops:Kx9!vT2q")));
  assert(!checks.isBasicCredential(btoa("user:password")));
  assert(!checks.isBasicCredential("authentication"));
  assert(!checks.isHeaderCredential(btoa("user:password")) && checks.isHeaderCredential(sample(ALNUM, 24)));
});

Deno.test("random text is told from words, names, digests and constants", () => {
  assert(checks.mixes("a1b2") && checks.mixes("aBcDeFgHiJkL"));
  assert(!checks.mixes("setFirmwareUpdateCallback") && !checks.mixes("123456"));
  assert(checks.mixesCases("aB3") && !checks.mixesCases("ab3") && !checks.mixesCases("AB3"));
  assert(!checks.isNotHex(sample(HEX, 40)) && checks.isNotHex("g0"));
  assert(checks.isRandomText(sample(BASE64URL, 40)) && !checks.isRandomText("a-name-of-several-words-v2"));
  assertEquals(checks.digitCount("a1b22"), 3);
});

Deno.test("a private key block without key material is none", () => {
  const label = `PRIVATE ${"KEY"}-----`;
  assert(checks.isPrivateKeyBlock(`-----BEGIN ${label}\n${sample(BASE64, 64)}\n-----END ${label}`));
  assert(!checks.isPrivateKeyBlock(`-----BEGIN ${label}\n${"A".repeat(64)}\n-----END ${label}`));
  assert(!checks.isPrivateKeyBlock(`-----BEGIN ${label}\n...\n-----END ${label}`));
});
