/**
 * Where source code lives: GitHub, GitLab, Gitea, Forgejo, Sourcegraph, Gitter.
 *
 * @module
 */

import { hasBase62Checksum, isConsistentRoutableToken, withBase62Checksum, withRoutableSuffix } from "../checksums.ts";
import { behind } from "../parts.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64URL, DIGITS, HEX, LOWER_ALNUM } from "../sample.ts";
import { ANY_HEX, contextRule, either, make, oneOf, run, tokenRule, WORD } from "./_shape.ts";

const GITHUB_FORMAT =
  "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github";
const GITLAB_FORMAT = "https://docs.gitlab.com/security/tokens/#token-prefixes";
const GITLAB_ROUTABLE =
  "https://handbook.gitlab.com/handbook/engineering/architecture/design-documents/cells/routable_tokens/";

const checkedBase62 = { valid: hasBase62Checksum, seal: withBase62Checksum };

/** The JSON Web Token that newer installation tokens are, after the prefix and mostly the app's id. */
const STATELESS = ["eyJ", run(BASE64URL, 20, 160), ".eyJ", run(BASE64URL, 20, 600), ".", run(BASE64URL, 43, 400)];

/** Payload, version if any, and the payload's length with a checksum. */
const ROUTABLE_BODY = [
  run(BASE64URL, 27, 300),
  either([".", run(LOWER_ALNUM, 9)], [".01.", run(LOWER_ALNUM, 9)]),
];

/** A stand-in for a routable token with the right length and checksum. */
function routable(prefix: string, seed: number): string {
  return withRoutableSuffix(prefix + make([run(BASE64URL, 27)], seed));
}

/** Examples that differ from a good routable token in the checksum, the length, or the whole payload. */
function brokenRoutable(prefix: string): string[] {
  const good = routable(prefix, 9);
  return [`${good.slice(0, -2)}zz`, good.replace(".01.0r", ".01.0s"), `${prefix}${"x".repeat(27)}.${"x".repeat(9)}`];
}

/** Tokens of GitHub, GitLab and their kind. */
export const forgeRules: readonly Rule[] = [
  tokenRule({
    id: "github-pat",
    display: "GitHub personal access token",
    provider: "GitHub",
    shape: ["ghp_", run(ALNUM, 36)],
    ...checkedBase62,
    rotation: "Revoke it at https://github.com/settings/tokens and review https://github.com/settings/security-log",
    documentation: GITHUB_FORMAT,
    noMatch: () => [make(["ghp_", run(ALNUM, 36)])],
  }),
  tokenRule({
    id: "github-oauth",
    display: "GitHub OAuth access token",
    provider: "GitHub",
    shape: ["gho_", run(ALNUM, 36)],
    ...checkedBase62,
    rotation:
      "Revoke the app's access at https://github.com/settings/applications (for gh: `gh auth logout`, then log in)",
    documentation: GITHUB_FORMAT,
    noMatch: () => [make(["gho_", run(ALNUM, 36)])],
  }),
  tokenRule({
    id: "github-app",
    display: "GitHub App token",
    provider: "GitHub",
    shape: [
      oneOf("ghs", "ghu"),
      "_",
      either([run(ALNUM, 36)], [run(DIGITS, 1, 12), "_", ...STATELESS], STATELESS),
    ],
    keywords: ["ghs_", "ghu_"],
    valid: (secret) => secret.includes(".") || hasBase62Checksum(secret),
    seal: (made) => made.includes(".") ? made : withBase62Checksum(made),
    rotation:
      "Installation tokens expire after an hour; end one early with `gh api -X DELETE /installation/token`. Revoke a user token at https://github.com/settings/apps/authorizations",
    documentation: GITHUB_FORMAT,
  }),
  tokenRule({
    id: "github-refresh-token",
    display: "GitHub refresh token",
    provider: "GitHub",
    shape: ["ghr_", either([run(ALNUM, 36)], [run(ALNUM, 76)])],
    rotation: "Revoke the app's authorization at https://github.com/settings/apps/authorizations",
    documentation:
      "https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens",
  }),
  tokenRule({
    id: "github-fine-grained",
    display: "GitHub fine-grained personal access token",
    provider: "GitHub",
    shape: ["github_pat_", run(WORD, 82)],
    rotation: "Revoke it at https://github.com/settings/personal-access-tokens",
    documentation: GITHUB_FORMAT,
  }),
  tokenRule({
    id: "gitlab-pat",
    display: "GitLab personal access token",
    provider: "GitLab",
    shape: ["glpat-", run(BASE64URL, 20)],
    rotation: "Revoke it at https://gitlab.com/-/user_settings/personal_access_tokens (same path on your own instance)",
    documentation: GITLAB_FORMAT,
    noMatch: () => ["glpat-" + "X".repeat(11) + "-" + "X".repeat(8)],
  }),
  tokenRule({
    id: "gitlab-pat-routable",
    display: "GitLab personal access token (routable)",
    provider: "GitLab",
    shape: ["glpat-", ...ROUTABLE_BODY],
    entropy: 3.5,
    valid: isConsistentRoutableToken,
    seal: (made) => withRoutableSuffix(made.slice(0, made.indexOf("."))),
    rotation: "Revoke it at https://gitlab.com/-/user_settings/personal_access_tokens (same path on your own instance)",
    documentation: GITLAB_ROUTABLE,
    noMatch: () => brokenRoutable("glpat-"),
  }),
  tokenRule({
    id: "gitlab-runner-auth",
    display: "GitLab runner authentication token",
    provider: "GitLab",
    shape: [
      oneOf("glrt", "glrtr"),
      "-",
      either([run(BASE64URL, 20)], [oneOf("t1_", "t2_", "t3_"), run(BASE64URL, 20)]),
    ],
    keywords: ["glrt-", "glrtr-"],
    rotation: "Run `gitlab-runner reset-token --name NAME`, or POST /api/v4/runners/reset_authentication_token",
    documentation: "https://docs.gitlab.com/runner/register/#register-with-a-runner-authentication-token",
  }),
  tokenRule({
    id: "gitlab-runner-auth-routable",
    display: "GitLab runner authentication token (routable)",
    provider: "GitLab",
    shape: ["glrt-t", run(DIGITS, 1), "_", ...ROUTABLE_BODY],
    keywords: ["glrt-t"],
    entropy: 3.5,
    valid: isConsistentRoutableToken,
    seal: (made) => withRoutableSuffix(made.slice(0, made.indexOf("."))),
    rotation: "Run `gitlab-runner reset-token --name NAME`, or POST /api/v4/runners/reset_authentication_token",
    documentation: GITLAB_ROUTABLE,
    noMatch: () => brokenRoutable("glrt-t2_"),
  }),
  tokenRule({
    id: "gitlab-runner-registration",
    display: "GitLab runner registration token",
    provider: "GitLab",
    shape: ["GR1348941", run(BASE64URL, 20)],
    entropy: 3.5,
    rotation:
      "Reset it under Settings > CI/CD > Runners, or POST /api/v4/projects/:id/runners/reset_registration_token",
    documentation: "https://docs.gitlab.com/security/tokens/#runner-registration-tokens-deprecated",
    noMatch: () => ["GR1348941" + "123".repeat(6) + "12"],
  }),
  tokenRule({
    id: "gitlab-cicd-job-token",
    display: "GitLab CI/CD job token",
    provider: "GitLab",
    shape: ["glcbt-", run(ALNUM, 1, 5), "_", run(BASE64URL, 20)],
    rotation:
      "It dies with its job: cancel the job or pipeline, then review the job token allowlist under Settings > CI/CD",
    documentation: "https://docs.gitlab.com/ci/jobs/ci_job_token/",
  }),
  tokenRule({
    id: "gitlab-deploy-token",
    display: "GitLab deploy token",
    provider: "GitLab",
    shape: ["gldt-", run(BASE64URL, 20)],
    rotation: "Revoke it under the project's or group's Settings > Repository > Deploy tokens",
    documentation: "https://docs.gitlab.com/user/project/deploy_tokens/",
  }),
  tokenRule({
    id: "gitlab-feature-flag-client-token",
    display: "GitLab feature flag client token",
    provider: "GitLab",
    shape: ["glffct-", run(BASE64URL, 20)],
    rotation: "Regenerate the instance ID under Deploy > Feature flags > Configure",
    documentation: GITLAB_FORMAT,
  }),
  tokenRule({
    id: "gitlab-feed-token",
    display: "GitLab feed token",
    provider: "GitLab",
    shape: ["glft-", either([run(BASE64URL, 20)], [run(HEX, 64), "-", run(DIGITS, 1, 10)])],
    rotation: "Reset it at https://gitlab.com/-/user_settings/personal_access_tokens under Feed token",
    documentation: "https://docs.gitlab.com/security/tokens/#feed-token",
  }),
  tokenRule({
    id: "gitlab-incoming-mail-token",
    display: "GitLab incoming mail token",
    provider: "GitLab",
    shape: ["glimt-", run(BASE64URL, 25)],
    rotation: "Reset it at https://gitlab.com/-/user_settings/personal_access_tokens under Incoming email token",
    documentation: "https://docs.gitlab.com/security/tokens/#incoming-email-token",
  }),
  tokenRule({
    id: "gitlab-kubernetes-agent-token",
    display: "GitLab agent for Kubernetes token",
    provider: "GitLab",
    shape: ["glagent-", run(BASE64URL, 50)],
    rotation: "Revoke it under Operate > Kubernetes clusters > the agent > Access tokens",
    documentation: "https://docs.gitlab.com/user/clusters/agent/work_with_agent/#reset-the-agent-token",
  }),
  tokenRule({
    id: "gitlab-oauth-app-secret",
    display: "GitLab OAuth application secret",
    provider: "GitLab",
    shape: ["gloas-", run(BASE64URL, 64)],
    rotation: "Renew the secret at https://gitlab.com/-/user_settings/applications",
    documentation: "https://docs.gitlab.com/integration/oauth_provider/",
  }),
  tokenRule({
    id: "gitlab-pipeline-trigger",
    display: "GitLab pipeline trigger token",
    provider: "GitLab",
    shape: ["glptt-", either([run(HEX, 40)], [run(BASE64URL, 20)])],
    rotation: "Revoke it under the project's Settings > CI/CD > Pipeline trigger tokens",
    documentation: "https://docs.gitlab.com/ci/triggers/",
  }),
  tokenRule({
    id: "gitlab-scim",
    display: "GitLab SCIM token",
    provider: "GitLab",
    shape: ["glsoat-", run(BASE64URL, 20)],
    rotation: "Reset it under the group's Settings > SAML SSO > Generate a SCIM token",
    documentation: "https://docs.gitlab.com/user/group/saml_sso/scim_setup/",
  }),
  tokenRule({
    id: "gitlab-workspace-token",
    display: "GitLab workspace token",
    provider: "GitLab",
    shape: ["glwt-", run(BASE64URL, 20)],
    rotation: "Terminate the workspace it belongs to at https://gitlab.com/-/remote_development/workspaces",
    documentation: GITLAB_FORMAT,
  }),
  tokenRule({
    id: "gitlab-session-cookie",
    display: "GitLab session cookie",
    provider: "GitLab",
    shape: ["_gitlab_session=", run(LOWER_ALNUM, 32)],
    entropy: 3.5,
    part: behind("="),
    rotation: "Sign the session out at https://gitlab.com/-/user_settings/active_sessions",
    documentation: "https://docs.gitlab.com/user/profile/active_sessions/",
    match: () => ["Cookie: known_sign_in=abc; " + make(["_gitlab_session=", run(HEX, 32)], 9) + "; event_filter=all"],
  }),
  contextRule({
    id: "gitea-access-token",
    display: "Gitea access token",
    provider: "Gitea",
    names: ["gitea"],
    hints: ["token", "key", "secret", "pass"],
    shape: [run(HEX, 40)],
    rotation:
      "Delete it under your instance's user settings > Applications (https://gitea.com/user/settings/applications)",
    documentation: "https://docs.gitea.com/development/api-usage",
    noMatch: () => ["gitea commit " + make([run(HEX, 40)], 9)],
  }),
  contextRule({
    id: "forgejo-access-token",
    display: "Forgejo access token",
    provider: "Forgejo",
    names: ["forgejo", "codeberg"],
    hints: ["token", "key", "secret", "pass"],
    shape: [run(HEX, 40)],
    rotation:
      "Delete it under your instance's user settings > Applications (https://codeberg.org/user/settings/applications)",
    documentation: "https://forgejo.org/docs/latest/user/api-usage/",
    noMatch: () => ["forgejo commit " + make([run(HEX, 40)], 9)],
  }),
  tokenRule({
    id: "sourcegraph-access-token",
    display: "Sourcegraph access token",
    provider: "Sourcegraph",
    shape: ["sgp_", either([run(ANY_HEX, 40)], [either([run(ANY_HEX, 16)], ["local"]), "_", run(ANY_HEX, 40)])],
    rotation: "Delete it at https://sourcegraph.com/users/~/settings/tokens, or the same path on your own instance",
    documentation: "https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token",
    noMatch: () => ["sgp_local_" + make([run(ANY_HEX, 39)]) + "G"],
  }),
  contextRule({
    id: "sourcegraph-legacy-token",
    display: "Sourcegraph access token (without prefix)",
    provider: "Sourcegraph",
    names: ["sourcegraph", "src access"],
    hints: ["token", "key", "secret"],
    shape: [run(HEX, 40)],
    rotation: "Delete it at https://sourcegraph.com/users/~/settings/tokens, or the same path on your own instance",
    documentation: "https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token",
  }),
  contextRule({
    id: "gitter-access-token",
    display: "Gitter access token",
    provider: "Gitter",
    names: ["gitter"],
    shape: [run(BASE64URL, 40)],
    entropy: 3.5,
    rotation:
      "Revoke it in your Matrix account (Gitter moved to https://app.gitter.im: Settings > Sessions > Sign out)",
    documentation: "https://gitlab.com/gitterHQ/developer.gitter.im",
  }),
];
