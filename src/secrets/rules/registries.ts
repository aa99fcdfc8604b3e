/**
 * Package and image registries.
 *
 * @module
 */

import { hasBase62Checksum, withBase62Checksum } from "../checksums.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64, BASE64URL, HEX, LOWER_ALNUM, UPPER_ALNUM } from "../sample.ts";
import { contextRule, isMixed, make, oneOf, run, tokenRule } from "./_shape.ts";

/** A password in a NuGet configuration file; a variable between `%` signs is none. */
const NUGET_PASSWORD = /<add key="(?:ClearText)?Password"\s{1,4}value="(?<secret>(?!%[^"%]{1,80}%")[^"\r\n]{8,200})"/i;

/** Values that NuGet's own documentation shows. */
const NUGET_SAMPLES = ["33f!!lloppa", "hal+9ooo_da!sy"];

function nugetPassword(value: string, key = "ClearTextPassword"): string {
  return `<add key="${key}" value="${value}" />`;
}

/** Tokens that publish or pull packages and images. */
export const registryRules: readonly Rule[] = [
  tokenRule({
    id: "npm-token",
    display: "npm access token",
    provider: "npm",
    shape: ["npm_", run(ALNUM, 36)],
    valid: hasBase62Checksum,
    seal: withBase62Checksum,
    rotation: "Run `npm token revoke ID`, or delete it at https://www.npmjs.com/settings/~/tokens",
    documentation: "https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/",
    noMatch: () => [make(["npm_", run(ALNUM, 36)])],
  }),
  tokenRule({
    id: "pypi-token",
    display: "PyPI API token",
    provider: "PyPI",
    shape: ["pypi-", oneOf("AgEIcHlwaS5vcmc", "AgENdGVzdC5weXBpLm9yZ"), run(BASE64URL, 50, 600)],
    keywords: ["pypi-age"],
    entropy: 3.5,
    rotation: "Delete it at https://pypi.org/manage/account/token/ (https://test.pypi.org/manage/account/token/)",
    documentation: "https://pypi.org/help/#apitoken",
    noMatch: () => ["pypi-" + make([run(BASE64URL, 80)])],
  }),
  tokenRule({
    id: "rubygems-api-key",
    display: "RubyGems API key",
    provider: "RubyGems",
    shape: ["rubygems_", run(HEX, 48)],
    rotation: "Delete it at https://rubygems.org/profile/api_keys",
    documentation: "https://guides.rubygems.org/api-key-scopes/",
  }),
  tokenRule({
    id: "nuget-api-key",
    display: "NuGet API key",
    provider: "NuGet",
    likeBase64: true,
    shape: ["oy2", run(LOWER_ALNUM, 43)],
    entropy: 3.5,
    rotation: "Regenerate or delete it at https://www.nuget.org/account/apikeys",
    documentation: "https://learn.microsoft.com/en-us/nuget/nuget-org/scoped-api-keys",
    noMatch: () => ["oy2" + make([run(UPPER_ALNUM, 43)])],
  }),
  {
    id: "nuget-config-password",
    display: "Password in a NuGet configuration",
    provider: "NuGet",
    keywords: ["<add key="],
    pattern: NUGET_PASSWORD,
    entropy: 2.5,
    stopWords: NUGET_SAMPLES,
    rotation:
      "Change the feed's password or token, then `dotnet nuget update source NAME --username USER --password NEW`",
    documentation: "https://learn.microsoft.com/en-us/nuget/reference/nuget-config-file#packagesourcecredentials",
    examples: {
      match: () => [
        nugetPassword(make([run(ALNUM, 12)])),
        nugetPassword("Cleartext" + "Password1", "Password"),
        nugetPassword(make([run(ALNUM, 9)]) + "%"),
      ],
      noMatch: () => [
        nugetPassword("X".repeat(11)),
        nugetPassword("abc"),
        nugetPassword("%PASSWORD_OF_FEED%"),
        ...NUGET_SAMPLES.map((sample) => nugetPassword(sample)),
        `<add key="Username" value="${make([run(ALNUM, 12)])}" />`,
      ],
    },
  },
  tokenRule({
    id: "crates-io-token",
    display: "crates.io API token",
    provider: "crates.io",
    likeBase64: true,
    shape: ["cio", run(ALNUM, 32)],
    entropy: 4,
    valid: isMixed,
    rotation: "Revoke it at https://crates.io/settings/tokens, then `cargo logout`",
    documentation: "https://doc.rust-lang.org/cargo/reference/registry-authentication.html",
    noMatch: () => ["cio" + "ConcurrentInputOutputStreamHandler".slice(0, 32)],
  }),
  contextRule({
    id: "hex-api-key",
    display: "Hex API key",
    provider: "Hex",
    names: ["hex api", "hexpm"],
    hints: ["key", "token"],
    shape: [run(HEX, 32)],
    rotation: "Run `mix hex.user key revoke NAME`, or revoke it at https://hex.pm/dashboard/keys",
    documentation: "https://hexdocs.pm/hex/Mix.Tasks.Hex.User.html",
  }),
  tokenRule({
    id: "packagist-token",
    display: "Packagist organization token",
    provider: "Packagist",
    shape: ["packagist_", oneOf("ort", "out", "urt", "uut"), "_", run(HEX, 68)],
    rotation: "Revoke it in your organization's settings at https://packagist.com/orgs",
    documentation: "https://packagist.com/docs/composer-authentication",
  }),
  tokenRule({
    id: "packagist-api-secret",
    display: "Packagist API secret",
    provider: "Packagist",
    shape: ["packagist_acs_", run(HEX, 64, 96)],
    rotation: "Regenerate the API credentials in your organization's settings at https://packagist.com/orgs",
    documentation: "https://packagist.com/docs/api",
  }),
  tokenRule({
    id: "dockerhub-pat",
    display: "Docker Hub personal access token",
    provider: "Docker",
    shape: ["dckr_pat_", run(BASE64URL, 27)],
    rotation: "Delete it at https://app.docker.com/settings/personal-access-tokens, then `docker logout`",
    documentation: "https://docs.docker.com/security/access-tokens/",
  }),
  tokenRule({
    id: "dockerhub-org-token",
    display: "Docker Hub organization access token",
    provider: "Docker",
    shape: ["dckr_oat_", run(BASE64URL, 32)],
    rotation: "Delete it in the organization's settings at https://app.docker.com under Access tokens",
    documentation: "https://docs.docker.com/enterprise/security/access-tokens/",
  }),
  tokenRule({
    id: "docker-swarm-join-token",
    display: "Docker Swarm join token",
    provider: "Docker",
    shape: ["SWMTKN-1-", run(LOWER_ALNUM, 49, 51), "-", run(LOWER_ALNUM, 24, 26)],
    entropy: 3.5,
    rotation: "Run `docker swarm join-token --rotate worker` and the same for `manager`",
    documentation: "https://docs.docker.com/reference/cli/docker/swarm/join-token/",
  }),
  tokenRule({
    id: "docker-swarm-unlock-key",
    display: "Docker Swarm unlock key",
    provider: "Docker",
    shape: ["SWMKEY-1-", run(BASE64, 43)],
    rotation: "Run `docker swarm unlock-key --rotate`",
    documentation: "https://docs.docker.com/engine/swarm/swarm_manager_locking/",
  }),
  contextRule({
    id: "quay-robot-token",
    display: "Quay robot token",
    provider: "Quay",
    names: ["quay"],
    hints: ["token", "pass", "secret", "robot"],
    shape: [run(UPPER_ALNUM, 64)],
    entropy: 4,
    rotation: "Regenerate the robot account's token at https://quay.io under Account settings > Robot accounts",
    documentation: "https://docs.quay.io/glossary/robot-accounts.html",
  }),
  contextRule({
    id: "sonatype-user-token",
    display: "Sonatype (Maven Central) user token",
    provider: "Sonatype",
    names: ["sonatype", "ossrh", "maven central", "central portal"],
    hints: ["password", "token", "secret"],
    shape: [run(BASE64, 43, 44)],
    entropy: 4,
    rotation: "Revoke it at https://central.sonatype.com/usertoken",
    documentation: "https://central.sonatype.org/publish/generate-portal-token/",
  }),
  contextRule({
    id: "jfrog-api-key",
    display: "JFrog API key",
    provider: "JFrog",
    names: ["jfrog", "artifactory", "bintray", "xray"],
    shape: [run(ALNUM, 73)],
    entropy: 4,
    rotation: "Revoke it in your JFrog platform under Edit profile, or DELETE /artifactory/api/security/apiKey",
    documentation: "https://jfrog.com/help/r/jfrog-platform-administration-documentation/api-key",
  }),
  contextRule({
    id: "jfrog-identity-token",
    display: "JFrog identity token",
    provider: "JFrog",
    names: ["jfrog", "artifactory", "bintray", "xray"],
    shape: [run(ALNUM, 64)],
    entropy: 4,
    valid: (secret) => isMixed(secret) && /[g-z]/i.test(secret),
    rotation:
      "Revoke it in your JFrog platform under Edit profile > Identity tokens, or DELETE /access/api/v1/tokens/ID",
    documentation: "https://jfrog.com/help/r/jfrog-platform-administration-documentation/identity-token",
    noMatch: () => [`"artifactory": "${make([run(HEX, 64)], 9)}"`],
  }),
  tokenRule({
    id: "openvsx-token",
    display: "Open VSX access token",
    provider: "Open VSX",
    shape: ["ovsxp_", run(BASE64URL, 36, 48)],
    rotation: "Delete it at https://open-vsx.org/user-settings/tokens",
    documentation: "https://github.com/eclipse/openvsx/wiki/Publishing-Extensions",
  }),
  tokenRule({
    id: "thunderstore-token",
    display: "Thunderstore service account token",
    provider: "Thunderstore",
    shape: ["tss_", run(ALNUM, 36)],
    entropy: 4,
    valid: isMixed,
    rotation: "Delete the service account at https://thunderstore.io/settings/teams/",
    documentation: "https://thunderstore.io/api/docs/",
  }),
];
