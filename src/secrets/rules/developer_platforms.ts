/**
 * Credentials of places where code is kept, built, packaged, measured and configured.
 *
 * @module
 */

import { isNotHex, mixes, mixesCases } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64URL, DIGITS, HEX, LOWER_ALNUM, sample, UPPER_ALNUM } from "../sample.ts";
import { assigned, CREDENTIAL_HINTS, nameKeywords } from "./_assigned.ts";
import { contextExamples } from "./_examples.ts";

/** Credentials of developer platforms. */
export const developerPlatformRules: readonly Rule[] = [
  {
    id: "1password-secret-key",
    display: "1Password Secret Key",
    provider: "1Password",
    keywords: ["a3-"],
    pattern: /(?<![\w-])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{6}-[A-Z0-9]{5}|[A-Z0-9]{11})(?:-[A-Z0-9]{5}){3}(?![\w-])/,
    entropy: 3.5,
    valid: mixes,
    rotation: "Regenerate it under Manage account > Regenerate Secret Key at https://my.1password.com/profile.",
    documentation: "https://support.1password.com/secret-key-security/",
    examples: {
      match: () => [
        `Secret Key: A3-${[6, 6, 5, 5, 5, 5].map((length, i) => sample(UPPER_ALNUM, length, i + 1)).join("-")}`,
        `"A3-${[6, 11, 5, 5, 5].map((length, i) => sample(UPPER_ALNUM, length, i + 9)).join("-")}"`,
      ],
      noMatch: () => ["A3-XXXXXX-XXXXXX-XXXXX-XXXXX-XXXXX-XXXXX", "A3-xXXXXX-XXXXXX-XXXXX-XXXXX-XXXXX-XXXXX"],
    },
  },
  {
    id: "1password-service-account-token",
    display: "1Password service account token",
    provider: "1Password",
    keywords: ["ops_eyj"],
    pattern: /(?<![\w-])ops_eyJ[A-Za-z0-9+/_-]{250,2000}={0,3}/,
    entropy: 4,
    rotation: "Rotate the token under Developer > Infrastructure Secrets > the service account at " +
      "https://my.1password.com/developer-tools/directory.",
    documentation: "https://developer.1password.com/docs/service-accounts/security",
    examples: {
      match: () => [
        `OP_SERVICE_ACCOUNT_TOKEN=ops_eyJ${sample(ALNUM, 600, 1)}`,
        `"ops_eyJ${sample(ALNUM, 800, 2)}=="`,
      ],
      noMatch: () => ["ops_eyJzaWduSW5B..[Redacted]", `ops_eyJ${"x".repeat(300)}`, `ops_eyJ${sample(ALNUM, 90, 3)}`],
    },
  },
  {
    id: "artifactory-api-key",
    display: "JFrog Artifactory API key",
    provider: "JFrog",
    keywords: ["akcp"],
    pattern: /(?<![\w-])AKCp[A-Za-z0-9]{69}(?![A-Za-z0-9_])/,
    entropy: 4.3,
    rotation:
      "Revoke the API key in the user's profile (Edit Profile > Authentication Settings) of your JFrog platform. " +
      "See https://jfrog.com/help/r/jfrog-platform-administration-documentation/api-key.",
    documentation: "https://jfrog.com/help/r/jfrog-platform-administration-documentation/api-key",
    examples: {
      match: () => [`X-JFrog-Art-Api: AKCp${sample(ALNUM, 69, 1)}`, `"AKCp${sample(ALNUM, 69, 2)}"`],
      noMatch: () => [`AKCp${"X".repeat(69)}`, `AkCp${sample(ALNUM, 69, 3)}`, `gYnkgAKCp${sample(ALNUM, 75, 4)}`],
    },
  },
  {
    id: "artifactory-reference-token",
    display: "JFrog Artifactory reference token",
    provider: "JFrog",
    keywords: ["cmvmd"],
    pattern: /(?<![A-Za-z0-9_+/])cmVmd[A-Za-z0-9]{59}(?![A-Za-z0-9_+/=])/,
    entropy: 4.3,
    valid: mixesCases,
    rotation: "Revoke the token under Administration > User Management > Access Tokens of your JFrog platform. " +
      "See https://jfrog.com/help/r/jfrog-platform-administration-documentation/reference-tokens.",
    documentation: "https://jfrog.com/help/r/jfrog-platform-administration-documentation/reference-tokens",
    examples: {
      match: () => [`ARTIFACTORY_TOKEN=cmVmd${sample(ALNUM, 59, 1)}`, `"cmVmd${sample(ALNUM, 59, 2)}"`],
      noMatch: () => [`cmVmd${"X".repeat(59)}`, `cmVMd${sample(ALNUM, 59, 3)}`, `abcmVmd${sample(ALNUM, 70, 4)}`],
    },
  },
  {
    id: "atlassian-api-token",
    display: "Atlassian API token",
    provider: "Atlassian",
    keywords: ["atatt3"],
    pattern: /(?<![\w-])ATATT3[\w=-]{186}(?![\w=-])/,
    entropy: 4,
    rotation: "Revoke the token at https://id.atlassian.com/manage-profile/security/api-tokens and create another.",
    documentation: "https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/",
    examples: {
      match: () => [
        `JIRA_API_TOKEN=ATATT3xFfGF0${sample(BASE64URL, 171, 1)}=${sample(HEX, 8, 2).toUpperCase()}`,
        `"ATATT3xFfGF0${sample(BASE64URL, 171, 3)}=${sample(HEX, 8, 4).toUpperCase()}"`,
      ],
      noMatch: () => [`ATATT3${"x".repeat(186)}`, `ATATT3xFfGF0${sample(BASE64URL, 60, 5)}`],
    },
  },
  {
    id: "atlassian-api-token-legacy",
    display: "Atlassian API token (24 characters)",
    provider: "Atlassian",
    keywords: ["atlassian", "confluence", "jira"],
    pattern: assigned(["atlassian", "confluence", "jira"], "[A-Za-z0-9]{20}[A-Fa-f0-9]{4}", {
      hints: ["token", "key", "pass", "secret"],
    }),
    entropy: 3.4,
    valid: (token) => isNotHex(token) && mixes(token),
    rotation: "Revoke the token at https://id.atlassian.com/manage-profile/security/api-tokens and create another.",
    documentation: "https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/",
    examples: contextExamples("JIRA_API_TOKEN", (seed) => sample(ALNUM, 20, seed) + sample(HEX, 4, seed + 9)),
  },
  {
    id: "atlassian-app-password",
    display: "Bitbucket app password or Atlassian scoped token",
    provider: "Atlassian",
    keywords: ["atbb", "atctt3", "atsto3"],
    pattern: /(?<![\w-])(?:ATBB[A-Za-z0-9]{32}|AT(?:CTT|STO)3[\w=-]{180,200})(?![\w=-])/,
    entropy: 3.8,
    valid: mixes,
    rotation:
      "Revoke it at https://bitbucket.org/account/settings/app-passwords/ or in the repository's or workspace's " +
      "access tokens.",
    documentation: "https://support.atlassian.com/bitbucket-cloud/docs/app-passwords/",
    examples: {
      match: () => [
        `BITBUCKET_APP_PASSWORD=ATBB${sample(ALNUM, 24, 1)}${sample(HEX, 8, 2).toUpperCase()}`,
        `"ATCTT3xFfGN0${sample(BASE64URL, 171, 3)}=${sample(HEX, 8, 4).toUpperCase()}"`,
      ],
      noMatch: () => [`ATBB${"x".repeat(32)}`, `ATBB${sample(ALNUM, 20, 5)}`, `FLATBB${sample(ALNUM, 32, 6)}`],
    },
  },
  {
    id: "authress-service-client-key",
    display: "Authress service client access key",
    provider: "Authress",
    keywords: [".acc_", ".acc-"],
    pattern:
      /(?<![\w.-])(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[\w+/=-]{30,120}(?![\w+/=-])/,
    entropy: 4,
    rotation: "Delete the access key of the service client at https://authress.io/app/#/settings?focus=clients.",
    documentation:
      "https://authress.io/knowledge-base/docs/authorization/service-clients/secrets-scanning/#1-detection",
    examples: {
      match: () =>
        [1, 2].map((seed) =>
          `AUTHRESS_KEY=sc_${sample(ALNUM, 10, seed)}.${sample(ALNUM, 4, seed + 5)}.acc_${
            sample(LOWER_ALNUM, 10, seed)
          }` +
          `.${sample(ALNUM, 64, seed + 9)}`
        ),
      noMatch: () => ["sc_clientid.key1.acc_account.privatekey", `obj.acc_total.${sample(ALNUM, 64, 3)}`],
    },
  },
  {
    id: "bitbucket-client-id",
    display: "Bitbucket OAuth client id",
    provider: "Atlassian",
    keywords: ["bitbucket"],
    pattern: assigned(["bitbucket"], "[A-Za-z0-9]{32}"),
    entropy: 3.2,
    valid: mixes,
    rotation: "Delete the OAuth consumer in the workspace's settings at https://bitbucket.org/account/settings/api.",
    documentation: "https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/",
    examples: contextExamples("BITBUCKET_CLIENT_ID", (seed) => sample(LOWER_ALNUM, 32, seed)),
  },
  {
    id: "bitbucket-client-secret",
    display: "Bitbucket OAuth client secret",
    provider: "Atlassian",
    keywords: ["bitbucket"],
    pattern: assigned(["bitbucket"], "[\\w=-]{64}"),
    entropy: 3.8,
    valid: (secret) => isNotHex(secret) && mixes(secret),
    rotation: "Delete the OAuth consumer in the workspace's settings at https://bitbucket.org/account/settings/api.",
    documentation: "https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/",
    examples: contextExamples("BITBUCKET_CLIENT_SECRET", (seed) => sample(ALNUM, 64, seed)),
  },
  {
    id: "clojars-api-token",
    display: "Clojars deploy token",
    provider: "Clojars",
    keywords: ["clojars_"],
    pattern: /(?<![\w-])[Cc][Ll][Oo][Jj][Aa][Rr][Ss]_[A-Za-z0-9]{60}(?![A-Za-z0-9_])/,
    entropy: 3.3,
    valid: mixes,
    rotation: "Disable the token at https://clojars.org/tokens and create another.",
    documentation: "https://github.com/clojars/clojars-web/wiki/Deploy-Tokens",
    examples: {
      match: () => [`password: CLOJARS_${sample(HEX, 60, 1)}`, `"CLOJARS_${sample(HEX, 60, 2)}"`],
      noMatch: () => [`CLOJARS_${"0".repeat(60)}`, `CLOJARS_${sample(HEX, 40, 3)}`, "CLOJARS_USERNAME"],
    },
  },
  {
    id: "codecov-access-token",
    display: "Codecov access token",
    provider: "Codecov",
    keywords: ["codecov"],
    pattern: assigned(["codecov"], "[A-Za-z0-9]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", {
      hints: ["token", "key", "secret"],
    }),
    entropy: 3,
    valid: mixes,
    rotation:
      "Regenerate the repository's upload token at https://app.codecov.io (Configuration > General); API tokens: " +
      "https://app.codecov.io/account/github/USER/access.",
    documentation: "https://docs.codecov.com/docs/codecov-tokens",
    examples: contextExamples("CODECOV_TOKEN", (seed) => sample(LOWER_ALNUM, 32, seed)),
  },
  {
    id: "databricks-api-token",
    display: "Databricks access token",
    provider: "Databricks",
    keywords: ["dapi", "dose", "dkea"],
    pattern: /(?<![\w-])(?:dapi|dose|dkea)[0-9a-f]{32}(?:-\d{1,2})?(?![\w-])/,
    entropy: 3.1,
    rotation:
      "Revoke the token: databricks tokens delete TOKEN_ID, or Settings > Developer > Access tokens of the workspace.",
    documentation: "https://docs.databricks.com/aws/en/dev-tools/auth/pat",
    examples: {
      match: () => [`DATABRICKS_TOKEN=dapi${sample(HEX, 32, 1)}`, `token = dapi${sample(HEX, 32, 2)}-2`],
      noMatch: () => [`dapi${"0".repeat(32)}`, `dapi${sample(HEX, 28, 3)}defg`, `xdapi${sample(HEX, 32, 4)}`],
    },
  },
  {
    id: "doppler-api-token",
    display: "Doppler token",
    provider: "Doppler",
    keywords: ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.", "dp.said."],
    pattern: /(?<![\w.-])dp\.(?:(?:pt|ct|sa|scim|audit|said)|st(?:\.[a-z0-9_-]{2,35})?)\.[A-Za-z0-9]{40,44}(?![\w.-])/,
    entropy: 3.8,
    rotation: "Revoke the token at https://dashboard.doppler.com (Tokens of the user, or Access of the config).",
    documentation: "https://docs.doppler.com/reference/auth-token-formats",
    examples: {
      match: () => [
        `DOPPLER_TOKEN=dp.pt.${sample(ALNUM, 43, 1)}`,
        `"dp.st.prd.${sample(ALNUM, 43, 2)}"`,
        `dp.st.${sample(ALNUM, 40, 3)}`,
      ],
      noMatch: () => [`dp.pt.${"x".repeat(43)}`, `dp.pt.${sample(ALNUM, 20, 4)}`, `udp.pt.${sample(ALNUM, 43, 5)}`],
    },
  },
  {
    id: "droneci-access-token",
    display: "Drone CI access token",
    provider: "Drone",
    keywords: nameKeywords(["drone ci", "drone token", "drone rpc secret"]),
    pattern: assigned(["drone ci", "drone token", "drone rpc secret"], "[A-Za-z0-9]{32}"),
    entropy: 3.2,
    valid: mixes,
    rotation:
      "Generate another token in the account settings of your Drone server, or replace DRONE_RPC_SECRET on the " +
      "server and its runners. " +
      "See https://docs.drone.io/cli/configure/.",
    documentation: "https://docs.drone.io/cli/configure/",
    examples: contextExamples("DRONECI_TOKEN", (seed) => sample(LOWER_ALNUM, 32, seed)),
  },
  {
    id: "deno-deploy-token",
    display: "Deno Deploy access token",
    provider: "Deno",
    keywords: ["ddp_", "ddo_"],
    pattern: /(?<![\w-])dd[po]_[A-Za-z0-9]{36}(?![\w-])/,
    entropy: 3.8,
    valid: mixes,
    rotation: "Revoke the token at https://dash.deno.com/account#access-tokens and create another.",
    documentation: "https://docs.deno.com/subhosting/api/authentication/",
    examples: {
      match: () => [`DENO_DEPLOY_TOKEN=ddp_${sample(ALNUM, 36, 1)}`, `"ddo_${sample(ALNUM, 36, 2)}"`],
      noMatch: () => [`ddp_${"x".repeat(36)}`, `ddp_${sample(ALNUM, 20, 3)}`, `addp_${sample(ALNUM, 36, 4)}`],
    },
  },
  {
    id: "flickr-access-token",
    display: "Flickr API key",
    provider: "Flickr",
    keywords: ["flickr"],
    pattern: assigned(["flickr"], "[A-Za-z0-9]{32}", { hints: CREDENTIAL_HINTS }),
    entropy: 3.1,
    valid: mixes,
    rotation: "Delete the app at https://www.flickr.com/services/apps/ and create another.",
    documentation: "https://www.flickr.com/services/api/misc.api_keys.html",
    examples: contextExamples("FLICKR_API_KEY", (seed) => sample(HEX, 32, seed)),
  },
  {
    id: "freemius-secret-key",
    display: "Freemius secret key",
    provider: "Freemius",
    keywords: ["secret_key"],
    pattern: /["'][Ss][Ee][Cc][Rr][Ee][Tt]_[Kk][Ee][Yy]["']\s{0,8}=>\s{0,8}["'](?<secret>sk_[^\s"']{29})["']/,
    entropy: 3.5,
    rotation: "Regenerate the keys under Settings > Keys of the product at https://dashboard.freemius.com.",
    documentation: "https://freemius.com/help/documentation/wordpress-sdk/integrating-freemius-sdk/",
    examples: {
      match: () => [1, 2].map((seed) => `"secret_key" => "sk_${sample(`${ALNUM}#@&*$`, 29, seed)}",`),
      noMatch: () => [`secret_key => "sk_${sample(ALNUM, 29, 3)}"`, `"secret_key" => "sk_${DIGITS}",`],
    },
  },
];
