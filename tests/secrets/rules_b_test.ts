import { assert, assertEquals } from "@std/assert";
import { crc32, hasBase62Checksum, isConsistentRoutableToken } from "../../src/secrets/checksums.ts";
import type { Rule } from "../../src/secrets/rule.ts";
import { analyticsRules } from "../../src/secrets/rules/analytics.ts";
import { chatRules } from "../../src/secrets/rules/chat.ts";
import { dataApiRules } from "../../src/secrets/rules/data_apis.ts";
import { dataStoreRules } from "../../src/secrets/rules/data_stores.ts";
import { financeRules } from "../../src/secrets/rules/finance.ts";
import { forgeRules } from "../../src/secrets/rules/forges.ts";
import { hostingRules } from "../../src/secrets/rules/hosting.ts";
import { identityRules } from "../../src/secrets/rules/identity.ts";
import { mailRules } from "../../src/secrets/rules/mail.ts";
import { mediaRules } from "../../src/secrets/rules/media.ts";
import { monitoringRules } from "../../src/secrets/rules/monitoring.ts";
import { operationRules } from "../../src/secrets/rules/operations.ts";
import { paymentRules } from "../../src/secrets/rules/payments.ts";
import { pipelineRules } from "../../src/secrets/rules/pipelines.ts";
import { registryRules } from "../../src/secrets/rules/registries.ts";
import { telephonyRules } from "../../src/secrets/rules/telephony.ts";
import { workplaceRules } from "../../src/secrets/rules/workplace.ts";

const GROUPS: readonly (readonly Rule[])[] = [
  analyticsRules,
  chatRules,
  dataApiRules,
  dataStoreRules,
  financeRules,
  forgeRules,
  hostingRules,
  identityRules,
  mailRules,
  mediaRules,
  monitoringRules,
  operationRules,
  paymentRules,
  pipelineRules,
  registryRules,
  telephonyRules,
  workplaceRules,
];
const RULES = GROUPS.flat();

/** The ids of the reference rule set that belong to these groups. */
const REFERENCE = `
  github-app github-fine-grained github-oauth github-pat github-refresh-token gitlab-cicd-job-token
  gitlab-deploy-token gitlab-feature-flag-client-token gitlab-feed-token gitlab-incoming-mail-token
  gitlab-kubernetes-agent-token gitlab-oauth-app-secret gitlab-pat gitlab-pat-routable gitlab-pipeline-trigger
  gitlab-runner-auth gitlab-runner-auth-routable gitlab-runner-registration gitlab-scim gitlab-session-cookie
  gitter-access-token gocardless-api-token grafana-api-key grafana-cloud-token grafana-service-account harness
  heroku-api-key heroku-api-key-legacy hubspot-api-key infracost intercom-api-key intra42-client-secret jfrog-api-key
  jfrog-identity-token kraken-access-token kucoin-access-token kucoin-secret-key launchdarkly-access-token
  linear-api-key lob-api-key lob-pub-api-key mailchimp-api-key mailgun-private-token mailgun-public-key
  mailgun-signing-key mapbox-api-token mattermost-access-token maxmind-license-key messagebird-api-token
  messagebird-client-id netlify-access-token new-relic-browser-token new-relic-insert-key new-relic-user-key
  notion-api-token npm-token octopus-deploy-api-key openshift-user-token plaid-access-token planetscale-api-token
  planetscale-oauth-token planetscale-password postman-api-key prefect-api-key pulumi-access-token pypi-token
  readme-api-token rubygems-api-key scalingo-api-token sendbird-access-id sendgrid sendinblue-api-key
  sentry-org-token sentry-user-token settlemint-app-token settlemint-pat settlemint-sat shippo shopify-access-token
  shopify-custom-access-token shopify-private-app-token shopify-shared-secret sidekiq-secret sidekiq-sensitive-url
  slack-app-token slack-bot slack-config-access-token slack-config-refresh-token slack-legacy-token
  slack-legacy-workspace-token slack-user snyk sonar-api-token sourcegraph-access-token square-access-token
  squarespace-access-token stripe-live stripe-test telegram-bot-token terraform-api-token travisci-access-token
  twilio twitch-api-token twitter-access-secret twitter-access-token twitter-api-key twitter-api-secret
  twitter-bearer-token typeform-token vault-batch-token vault-service-token yandex-api-key yandex-aws-access-token
  yandex-oauth-access-token
`.trim().split(/\s+/);

/** Kinds that only gitleaks knows, under its ids. */
const GITLEAKS_ONLY = `
  hashicorp-tf-password linear-client-secret linkedin-client-id linkedin-client-secret looker-client-id
  looker-client-secret new-relic-user-api-id nuget-config-password nytimes-access-token okta-access-token
  plaid-client-id plaid-secret-key rapidapi-access-token sendbird-access-token sentry-access-token
  sumologic-access-id sumologic-access-token zendesk-secret-key
`.trim().split(/\s+/);

/** Shannon entropy in bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

/** The secrets that a rule finds in a text, as the engine decides it: pattern, keyword, entropy, stop words, checksum. */
function found(rule: Rule, text: string): string[] {
  return [...text.matchAll(new RegExp(rule.pattern, rule.pattern.flags + "g"))].flatMap((match) => {
    const secret = match.groups?.["secret"] ?? match[0];
    const lower = match[0].toLowerCase();
    const good = rule.keywords.some((keyword) => lower.includes(keyword)) &&
      entropyOf(secret) >= (rule.entropy ?? 0) &&
      !rule.stopWords?.some((word) => secret.toLowerCase().includes(word)) &&
      (rule.valid?.(secret) ?? true);
    return good ? [secret] : [];
  });
}

for (const rule of RULES) {
  Deno.test(`${rule.id} finds each of its examples and none of its near misses`, () => {
    const { match, noMatch } = rule.examples;
    assert(match().length >= 2 && noMatch().length >= 2, "two examples of each kind");
    for (const text of match()) assertEquals(found(rule, text).length, 1, `must match: ${text}`);
    for (const text of noMatch()) assertEquals(found(rule, text), [], `must not match: ${text}`);
  });
}

Deno.test("every id of the reference set and every further kind of gitleaks is there", () => {
  const ids = new Set(RULES.map((rule) => rule.id));
  assertEquals([...REFERENCE, ...GITLEAKS_ONLY].filter((id) => !ids.has(id)), []);
});

Deno.test("a key of one provider is not a key of its neighbour", () => {
  const starts = ["sk_live_", "sk_test_", "sgp_", "ghs_"];
  for (const rule of RULES.filter((rule) => rule.keywords.some((keyword) => starts.includes(keyword)))) {
    const others = RULES.filter((other) => other !== rule && other.keywords.some((it) => rule.keywords.includes(it)));
    for (const text of rule.examples.match()) {
      for (const other of others) assertEquals(found(other, text), [], `${other.id} must not match: ${text}`);
    }
  }
});

Deno.test("every row has a unique id, usable keywords, and real addresses", () => {
  const ids = RULES.map((rule) => rule.id);
  assertEquals(ids.filter((id, at) => ids.indexOf(id) !== at), []);
  for (const rule of RULES) {
    assert(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(rule.id), rule.id);
    assert(rule.keywords.length > 0, `${rule.id} has no keyword`);
    for (const keyword of rule.keywords) {
      assert(keyword.length >= 3 && keyword === keyword.toLowerCase(), `${rule.id}: ${keyword}`);
    }
    assert(rule.documentation.startsWith("https://"), rule.id);
    assert(rule.rotation.length > 20, rule.id);
    const bare = rule.pattern.source.replace(/\\./g, "").replace(/\[[^\]]*\]/g, "");
    assert(!/[+*]|\{\d+,\}/.test(bare), `${rule.id} has an unbounded repeat`);
  }
});

Deno.test("checksums of published, revoked sample tokens are recomputed", () => {
  assertEquals(crc32("123456789"), 0xcbf43926);
  assert(hasBase62Checksum(["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ" + "0mLq17"].join("_")));
  assert(hasBase62Checksum(["npm", "qkJaB6MffYVzZXWqmcoF49yrUxP3wf" + "0LsakP"].join("_")));
  assert(!hasBase62Checksum(["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ" + "0mLq18"].join("_")));
  assert(!isConsistentRoutableToken("glpat-" + "x".repeat(27) + "." + "0".repeat(9)));
});
