/**
 * Credentials of hosts, networks, data platforms and the services that watch them.
 *
 * @module
 */

import { isNotHex, isRandomText, mixes, mixesCases } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64, BASE64URL, HEX, sample, UPPER_ALNUM } from "../sample.ts";
import { assigned, CREDENTIAL_HINTS, nameKeywords } from "./_assigned.ts";
import { contextExamples } from "./_examples.ts";

/** A token whose prefix names the provider and the kind, as DigitalOcean's three do. */
function digitalOcean(id: string, display: string, prefix: string, page: string): Rule {
  return {
    id,
    display,
    provider: "DigitalOcean",
    keywords: [prefix],
    pattern: new RegExp(`(?<![\\w-])${prefix}[0-9a-f]{64}(?![\\w-])`),
    entropy: 3.3,
    rotation: `Revoke the token at ${page} and create another.`,
    documentation: "https://docs.digitalocean.com/reference/api/create-personal-access-token/",
    examples: {
      match: () => [`DIGITALOCEAN_TOKEN=${prefix}${sample(HEX, 64, 1)}`, `"${prefix}${sample(HEX, 64, 2)}"`],
      noMatch: () => [`${prefix}${"0".repeat(64)}`, `${prefix}${sample(HEX, 40, 3)}`, `${prefix}your_token_here`],
    },
  };
}

/** Credentials of infrastructure providers. */
export const infrastructureRules: readonly Rule[] = [
  {
    id: "cisco-meraki-api-key",
    display: "Cisco Meraki API key",
    provider: "Cisco",
    keywords: ["meraki"],
    pattern: assigned(["meraki"], "[0-9a-f]{40}", { wholeWord: true }),
    entropy: 3.3,
    rotation: "Revoke the key in your profile (API access) at https://dashboard.meraki.com.",
    documentation: "https://developer.cisco.com/meraki/api-v1/authorization/",
    examples: contextExamples("MERAKI_API_KEY", (seed) => sample(HEX, 40, seed)),
  },
  {
    id: "clickhouse-cloud-api-secret",
    display: "ClickHouse Cloud API secret",
    provider: "ClickHouse",
    keywords: ["4b1d"],
    pattern: /(?<![A-Za-z0-9_+/-])4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9_+/=-])/,
    entropy: 4,
    valid: mixesCases,
    rotation: "Delete the key under API Keys of the organization at https://console.clickhouse.cloud.",
    documentation: "https://clickhouse.com/docs/cloud/manage/openapi",
    examples: {
      match: () => [`CLICKHOUSE_KEY=4b1d${sample(ALNUM, 38, 1)}`, `"4b1d${sample(ALNUM, 38, 2)}"`],
      noMatch: () => [`4b1d${"X".repeat(38)}`, `adf4b1d${sample(ALNUM, 38, 3)}`, `4b1d${sample(HEX, 38, 4)}`],
    },
  },
  {
    id: "cloudflare-api-key",
    display: "Cloudflare API token",
    provider: "Cloudflare",
    keywords: ["cloudflare", "cf_api_token", "cf_token"],
    pattern: assigned(["cloudflare", "cf_api_token", "cf_token"], "[\\w-]{40}"),
    entropy: 3.8,
    valid: isRandomText,
    rotation: "Roll or delete the token at https://dash.cloudflare.com/profile/api-tokens.",
    documentation: "https://developers.cloudflare.com/fundamentals/api/get-started/create-token/",
    examples: contextExamples("CLOUDFLARE_API_TOKEN", (seed) => sample(ALNUM, 40, seed)),
  },
  {
    id: "cloudflare-global-api-key",
    display: "Cloudflare Global API Key",
    provider: "Cloudflare",
    keywords: ["cloudflare", "x-auth-key", "cf_api_key"],
    pattern: assigned(["cloudflare", "x-auth-key", "cf_api_key"], "[0-9a-f]{37}"),
    entropy: 3.1,
    rotation: "Change the Global API Key at https://dash.cloudflare.com/profile/api-tokens.",
    documentation: "https://developers.cloudflare.com/fundamentals/api/get-started/keys/",
    examples: contextExamples("CLOUDFLARE_API_KEY", (seed) => sample(HEX, 37, seed)),
  },
  {
    id: "cloudflare-origin-ca-key",
    display: "Cloudflare Origin CA key",
    provider: "Cloudflare",
    keywords: ["v1.0-"],
    pattern: /(?<![\w.-])v1\.0-[0-9a-f]{24}-[0-9a-f]{146}(?![\w-])/,
    entropy: 3.5,
    rotation: "Change the Origin CA Key at https://dash.cloudflare.com/profile/api-tokens.",
    documentation: "https://developers.cloudflare.com/fundamentals/api/get-started/ca-keys/",
    examples: {
      match: () =>
        [1, 2].map((seed) => `X-Auth-User-Service-Key: v1.0-${sample(HEX, 24, seed)}-${sample(HEX, 146, seed)}`),
      noMatch: () => [`v1.0-${"0".repeat(24)}-${"0".repeat(146)}`, `v1.0-${sample(HEX, 24, 3)}-${sample(HEX, 40, 4)}`],
    },
  },
  {
    id: "cloudflare-tunnel-token",
    display: "Cloudflare Tunnel token",
    provider: "Cloudflare",
    keywords: ["eyjhijoi"],
    pattern: /(?<![A-Za-z0-9+/_-])eyJhIjoi[A-Za-z0-9+/_-]{130,300}={0,2}(?![A-Za-z0-9+/=._-])/,
    entropy: 4.3,
    rotation:
      "Refresh the token of the tunnel at https://one.dash.cloudflare.com (Networks > Tunnels) or with the API's " +
      "PATCH of its tunnel_secret.",
    documentation: "https://developers.cloudflare.com/cloudflare-one/connections/connect-networks/configure-tunnels/",
    examples: {
      match: () =>
        [1, 2].map((seed) =>
          `cloudflared tunnel run --token ${
            btoa(`{"a":"${sample(HEX, 32, seed)}","t":"${sample(HEX, 36, seed)}","s":"${sample(ALNUM, 64, seed)}"}`)
          }`
        ),
      noMatch: () => ["eyJhIjoi...", `eyJhIjoi${"A".repeat(160)}`, `eyJhIjoi${sample(ALNUM, 30, 3)}.eyJh`],
    },
  },
  {
    id: "confluent-access-token",
    display: "Confluent Cloud API key",
    provider: "Confluent",
    keywords: ["confluent"],
    pattern: assigned(["confluent"], "[A-Z0-9]{16}|[a-z0-9]{16}", { hints: CREDENTIAL_HINTS }),
    entropy: 2.9,
    valid: mixes,
    rotation: "Delete the key: confluent api-key delete KEY, or https://confluent.cloud/settings/api-keys.",
    documentation:
      "https://docs.confluent.io/cloud/current/security/authenticate/workload-identities/service-accounts/" +
      "api-keys/overview.html",
    examples: contextExamples("CONFLUENT_API_KEY", (seed) => sample(UPPER_ALNUM, 16, seed)),
  },
  {
    id: "confluent-secret-key",
    display: "Confluent Cloud API secret",
    provider: "Confluent",
    keywords: ["confluent"],
    pattern: assigned(["confluent"], "[A-Za-z0-9+/]{64}", { hints: CREDENTIAL_HINTS }),
    entropy: 4,
    valid: (secret) => isNotHex(secret) && mixes(secret),
    rotation: "Delete the key: confluent api-key delete KEY, or https://confluent.cloud/settings/api-keys.",
    documentation:
      "https://docs.confluent.io/cloud/current/security/authenticate/workload-identities/service-accounts/" +
      "api-keys/overview.html",
    examples: contextExamples("CONFLUENT_API_SECRET", (seed) => sample(BASE64, 64, seed)),
  },
  {
    id: "datadog-access-token",
    display: "Datadog API or application key",
    provider: "Datadog",
    keywords: ["datadog", "dd_app", "dd_api", "dd-application", "dd-api"],
    pattern: assigned(["datadog", "dd_app", "dd_api", "dd-application", "dd-api"], "[A-Za-z0-9]{40}|[0-9a-f]{32}", {
      hints: ["key", "token", "secret"],
    }),
    entropy: 3,
    valid: mixes,
    rotation: "Revoke the key at https://app.datadoghq.com/organization-settings/api-keys (application keys: " +
      "https://app.datadoghq.com/organization-settings/application-keys).",
    documentation: "https://docs.datadoghq.com/account_management/api-app-keys/",
    examples: contextExamples("DATADOG_APP_KEY", (seed) => sample(HEX, 40, seed)),
  },
  {
    id: "defined-networking-api-token",
    display: "Defined Networking API token",
    provider: "Defined Networking",
    keywords: ["dnkey-"],
    pattern: /(?<![\w-])dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}(?![\w=-])/,
    entropy: 3.8,
    rotation: "Delete the key at https://admin.defined.net/settings/api-keys and create another.",
    documentation: "https://docs.defined.net/api/defined-networking-api/",
    examples: {
      match: () => [1, 2].map((seed) => `token: dnkey-${sample(ALNUM, 26, seed)}-${sample(ALNUM, 52, seed)}`),
      noMatch: () => [`dnkey-${"x".repeat(26)}-${"x".repeat(52)}`, `dnkey-${sample(ALNUM, 26, 3)}`],
    },
  },
  digitalOcean(
    "digitalocean-access-token",
    "DigitalOcean OAuth access token",
    "doo_v1_",
    "https://cloud.digitalocean.com/account/api/access",
  ),
  digitalOcean(
    "digitalocean-pat",
    "DigitalOcean personal access token",
    "dop_v1_",
    "https://cloud.digitalocean.com/account/api/tokens",
  ),
  digitalOcean(
    "digitalocean-refresh-token",
    "DigitalOcean OAuth refresh token",
    "dor_v1_",
    "https://cloud.digitalocean.com/account/api/access",
  ),
  {
    id: "dynatrace-api-token",
    display: "Dynatrace API token",
    provider: "Dynatrace",
    keywords: ["dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."],
    pattern: /(?<![\w.])dt0(?:c01|s01|s02|s16)\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}(?![\w.])/,
    entropy: 4,
    rotation: "Revoke the token under Access tokens of your environment (https://ENVIRONMENT.apps.dynatrace.com).",
    documentation: "https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients",
    examples: {
      match: () =>
        [1, 2].map((seed) => `Api-Token dt0c01.${sample(UPPER_ALNUM, 24, seed)}.${sample(UPPER_ALNUM, 64, seed)}`),
      noMatch: () => [`dt0c01.${"X".repeat(24)}.${"X".repeat(64)}`, `dt0c01.${sample(UPPER_ALNUM, 24, 3)}`],
    },
  },
  {
    id: "fastly-api-token",
    display: "Fastly API token",
    provider: "Fastly",
    keywords: ["fastly"],
    pattern: assigned(["fastly"], "[\\w=-]{32}"),
    entropy: 3.6,
    valid: isRandomText,
    rotation: "Revoke the token at https://manage.fastly.com/account/personal/tokens and create another.",
    documentation: "https://www.fastly.com/documentation/reference/api/auth-tokens/",
    examples: contextExamples("FASTLY_API_TOKEN", (seed) => sample(ALNUM, 32, seed)),
  },
  {
    id: "flyio-token",
    display: "Fly.io access token",
    provider: "Fly.io",
    keywords: ["fo1_", "fm1r_", "fm1a_", "fm2_"],
    pattern: /(?<![\w+/-])(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,1500}={0,3})(?![\w+/=-])/,
    entropy: 4,
    rotation:
      "Revoke the token: fly tokens revoke ID (fly tokens list shows them), or https://fly.io/user/personal_access_tokens.",
    documentation: "https://fly.io/docs/security/tokens/",
    examples: {
      match: () => [
        `FLY_API_TOKEN=fo1_${sample(BASE64URL, 43, 1)}`,
        `FLY_API_TOKEN="FlyV1 fm2_lJPE${sample(BASE64, 200, 2)}==,fm2_lJPE${sample(BASE64, 180, 3)}"`,
      ],
      noMatch: () => [`fo1_${"x".repeat(43)}`, `Fo1_${sample(BASE64URL, 43, 4)}`, `Nfm2_${sample(BASE64, 200, 5)}`],
    },
  },
  {
    id: "adafruit-api-key",
    display: "Adafruit IO key",
    provider: "Adafruit",
    keywords: nameKeywords(["adafruit", "aio key"]),
    pattern: assigned(["adafruit", "aio key"], "(?:aio_[A-Za-z0-9]{28}|[\\w-]{32})"),
    entropy: 3.4,
    valid: mixes,
    rotation: "Regenerate the key at https://io.adafruit.com (the yellow key icon).",
    documentation: "https://io.adafruit.com/api/docs/#authentication",
    examples: contextExamples("ADAFRUIT_IO_KEY", (seed) => `aio_${sample(ALNUM, 28, seed)}`),
  },
  {
    id: "algolia-api-key",
    display: "Algolia API key",
    provider: "Algolia",
    keywords: ["algolia"],
    pattern: assigned(["algolia"], "[A-Za-z0-9]{32}"),
    entropy: 3.1,
    valid: mixes,
    rotation:
      "Delete the key at https://dashboard.algolia.com/account/api-keys/all and create another (the Admin key can be " +
      "rotated there only).",
    documentation: "https://www.algolia.com/doc/guides/security/api-keys/",
    examples: contextExamples("ALGOLIA_ADMIN_KEY", (seed) => sample(HEX, 32, seed)),
  },
  {
    id: "elastic-api-key",
    display: "Elastic API key or Cloud service token",
    provider: "Elastic",
    keywords: ["essu_", "apikey "],
    pattern: /(?<![\w-])(?:essu_[\w+/-]{60,200}={0,2}|ApiKey (?<secret>[A-Za-z0-9]{50,70}={0,2}))(?![\w+/=-])/,
    entropy: 4,
    valid: mixesCases,
    rotation: "Invalidate the key: DELETE /_security/api_key, or API keys in Kibana (Cloud keys: " +
      "https://cloud.elastic.co/account/keys).",
    documentation: "https://www.elastic.co/docs/deploy-manage/api-keys",
    examples: {
      match: () => [`"essu_${sample(ALNUM, 90, 1)}=="`, `Authorization: ApiKey ${sample(ALNUM, 58, 2)}==`],
      noMatch:
        () => [`essu_${"x".repeat(90)}`, "Authorization: ApiKey ${ELASTIC_API_KEY}", `ApiKey ${sample(HEX, 64, 3)}`],
    },
  },
];
