/**
 * Product analytics and feature flags.
 *
 * @module
 */

import type { Rule } from "../rule.ts";
import { ALNUM, BASE64URL, HEX } from "../sample.ts";
import { contextRule, either, isMixed, make, oneOf, run, tokenRule, uuid } from "./_shape.ts";

/** `api-` and `sdk-` with the first digit after them: those words alone stand in every other line of code. */
const LAUNCHDARKLY_KEYWORDS = ["api-", "sdk-"].flatMap((kind) => [...HEX].map((digit) => kind + digit));

/** Tokens that know what users do and decide what they see. */
export const analyticsRules: readonly Rule[] = [
  tokenRule({
    id: "posthog-personal-api-key",
    display: "PostHog personal API key",
    provider: "PostHog",
    shape: [oneOf("phx_", "phs_"), run(BASE64URL, 41, 49)],
    keywords: ["phx_", "phs_"],
    entropy: 3.8,
    rotation: "Roll it at https://us.posthog.com/settings/user-api-keys (phs_: the project's settings)",
    documentation: "https://posthog.com/docs/api#personal-api-keys-recommended",
    noMatch: () => [make(["phc_", run(ALNUM, 43)])],
  }),
  tokenRule({
    id: "posthog-project-key",
    display: "PostHog project key (public)",
    provider: "PostHog",
    shape: ["phc_", run(BASE64URL, 41, 49)],
    entropy: 3.8,
    confidence: "low",
    rotation: "It is meant to be public; reset it in the project's settings at https://us.posthog.com if it is abused",
    documentation: "https://posthog.com/docs/api#project-api-key",
  }),
  contextRule({
    id: "launchdarkly-access-token",
    display: "LaunchDarkly access token",
    provider: "LaunchDarkly",
    names: ["launchdarkly", "launch darkly"],
    shape: [run(`${BASE64URL}=`, 40)],
    entropy: 3.2,
    rotation: "Reset it at https://app.launchdarkly.com/settings/authorization",
    documentation: "https://launchdarkly.com/docs/home/account/api",
  }),
  tokenRule({
    id: "launchdarkly-key",
    display: "LaunchDarkly API or SDK key",
    provider: "LaunchDarkly",
    shape: [oneOf("api-", "sdk-"), uuid(HEX)],
    keywords: LAUNCHDARKLY_KEYWORDS,
    entropy: 3.2,
    rotation: "Reset it at https://app.launchdarkly.com/settings/authorization (SDK keys: the environment's settings)",
    documentation: "https://launchdarkly.com/docs/home/account/api",
  }),
  contextRule({
    id: "mixpanel-secret",
    display: "Mixpanel secret",
    provider: "Mixpanel",
    names: ["mixpanel"],
    hints: ["secret"],
    shape: [either([run(HEX, 32)], [run(ALNUM, 32)])],
    rotation: "Rotate it in the project's or organization's settings at https://mixpanel.com/settings/",
    documentation: "https://developer.mixpanel.com/reference/service-accounts",
  }),
  contextRule({
    id: "segment-write-key",
    display: "Segment write key",
    provider: "Segment",
    names: ["segment write", "segment api", "segment source"],
    hints: ["key"],
    shape: [run(ALNUM, 32)],
    entropy: 3.8,
    rotation: "Rotate it on the source's Settings > API keys page at https://app.segment.com",
    documentation: "https://segment.com/docs/connections/find-writekey/",
  }),
  tokenRule({
    id: "segment-public-api-token",
    display: "Segment public API token",
    provider: "Segment",
    shape: ["sgp_", run(ALNUM, 64)],
    entropy: 4,
    rotation: "Revoke it at https://app.segment.com/goto-my-workspace/settings/access-management under Tokens",
    documentation: "https://docs.segmentapis.com/",
  }),
  tokenRule({
    id: "statsig-secret-key",
    display: "Statsig server secret",
    provider: "Statsig",
    shape: ["secret-", run(ALNUM, 40, 44)],
    entropy: 4,
    valid: isMixed,
    rotation: "Rotate it at https://console.statsig.com/api_keys",
    documentation: "https://docs.statsig.com/access-management/api-keys",
  }),
];
