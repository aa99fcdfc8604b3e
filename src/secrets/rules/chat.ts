/**
 * Chat, and messages inside other products.
 *
 * @module
 */

import type { Rule } from "../rule.ts";
import { ALNUM, BASE64, BASE64URL, DIGITS, HEX, LOWER_ALNUM, UPPER_ALNUM } from "../sample.ts";
import { ANY_HEX, contextRule, either, isMixed, make, oneOf, padding, run, tokenRule, uuid } from "./_shape.ts";

const SLACK_FORMAT = "https://docs.slack.dev/authentication/tokens";
const SLACK_APP_ROTATION =
  "Reinstall the app or revoke its tokens at https://api.slack.com/apps under OAuth & Permissions";
const SLACK_REVOKE = "Call https://slack.com/api/auth.revoke with it, then replace it by a token of an app";
const SLACK_CONFIG_ROTATION = "Revoke it at https://api.slack.com/apps under Your app configuration tokens";
const SLACK_SESSION_ROTATION = "Sign out of all sessions at https://my.slack.com/account/settings";

const TELEGRAM_TOKEN = [run(DIGITS, 5, 16), ":A", run(BASE64URL, 34)];

/** Tokens that read and send messages. */
export const chatRules: readonly Rule[] = [
  tokenRule({
    id: "slack-bot",
    display: "Slack bot token",
    provider: "Slack",
    shape: ["xoxb-", run(DIGITS, 8, 14), "-", run(`${ALNUM}-`, 18, 60)],
    entropy: 3.3,
    rotation: SLACK_APP_ROTATION,
    documentation: `${SLACK_FORMAT}#bot`,
    noMatch: () => ["xoxb-" + "12345-abcd234", "xoxb-xoxb-my-bot-token", `xoxb-${"x".repeat(11)}-${"x".repeat(24)}`],
  }),
  tokenRule({
    id: "slack-user",
    display: "Slack user token",
    provider: "Slack",
    shape: [
      oneOf("xoxp-", "xoxe-"),
      run(DIGITS, 10, 13),
      "-",
      run(DIGITS, 10, 13),
      "-",
      run(DIGITS, 10, 13),
      "-",
      run(ALNUM, 28, 34),
    ],
    keywords: ["xoxp-", "xoxe-"],
    entropy: 3.2,
    rotation: SLACK_APP_ROTATION,
    documentation: `${SLACK_FORMAT}#user`,
    noMatch: () => [`xoxp-${"1234-".repeat(3)}${make([run(HEX, 32)])}`],
  }),
  tokenRule({
    id: "slack-app-token",
    display: "Slack app-level token",
    provider: "Slack",
    shape: [
      "xapp-",
      run("123456789", 1),
      "-",
      run(UPPER_ALNUM, 8, 14),
      "-",
      run(DIGITS, 10, 15),
      "-",
      run(LOWER_ALNUM, 32, 80),
    ],
    entropy: 3.5,
    rotation: "Revoke it at https://api.slack.com/apps under Basic information > App-level tokens",
    documentation: `${SLACK_FORMAT}#app-level`,
  }),
  tokenRule({
    id: "slack-config-access-token",
    display: "Slack configuration access token",
    provider: "Slack",
    shape: [oneOf("xoxe.xoxp-", "xoxe.xoxb-"), run("123456789", 1), "-", run(ALNUM, 160, 170)],
    keywords: ["xoxe.xox"],
    entropy: 4,
    rotation: SLACK_CONFIG_ROTATION,
    documentation: `${SLACK_FORMAT}#config`,
  }),
  tokenRule({
    id: "slack-config-refresh-token",
    display: "Slack configuration refresh token",
    provider: "Slack",
    shape: ["xoxe-", run("123456789", 1), "-", run(ALNUM, 144, 150)],
    entropy: 4,
    rotation: SLACK_CONFIG_ROTATION,
    documentation: `${SLACK_FORMAT}#config`,
  }),
  tokenRule({
    id: "slack-legacy-token",
    display: "Slack legacy token",
    provider: "Slack",
    shape: [
      oneOf("xoxs-", "xoxo-"),
      run(DIGITS, 6, 14),
      "-",
      run(DIGITS, 6, 14),
      "-",
      run(DIGITS, 6, 14),
      "-",
      run(ANY_HEX, 10, 128),
    ],
    keywords: ["xoxs-", "xoxo-"],
    rotation: SLACK_REVOKE,
    documentation: SLACK_FORMAT,
  }),
  tokenRule({
    id: "slack-legacy-workspace-token",
    display: "Slack legacy workspace token",
    provider: "Slack",
    shape: [oneOf("xoxa-", "xoxr-"), run(`${ALNUM}-`, 12, 80)],
    keywords: ["xoxa-", "xoxr-"],
    entropy: 3.2,
    valid: (secret) => /[0-9A-Z]/.test(secret),
    rotation: SLACK_REVOKE,
    documentation: SLACK_FORMAT,
    noMatch: () => ["xoxa-" + "your-faketoken-goes-here"],
  }),
  tokenRule({
    id: "slack-session-token",
    display: "Slack client session token",
    provider: "Slack",
    shape: ["xoxc-", run(DIGITS, 9, 15), "-", run(DIGITS, 9, 15), "-", run(DIGITS, 9, 15), "-", run(HEX, 64)],
    rotation: SLACK_SESSION_ROTATION,
    documentation: SLACK_FORMAT,
  }),
  tokenRule({
    id: "slack-session-cookie",
    display: "Slack session cookie",
    provider: "Slack",
    shape: ["xoxd-", run(`${BASE64URL}+/`, 100, 400), padding(2)],
    entropy: 4,
    rotation: SLACK_SESSION_ROTATION,
    documentation: "https://slack.com/help/articles/214613347-Sign-out-of-Slack",
  }),
  contextRule({
    id: "slack-app-secret",
    display: "Slack signing or client secret",
    provider: "Slack",
    names: ["slack signing", "slack client", "slack verification", "slack app"],
    hints: ["secret", "token"],
    shape: [run(HEX, 32)],
    rotation: "Regenerate it at https://api.slack.com/apps under Basic information > App credentials",
    documentation: "https://docs.slack.dev/authentication/verifying-requests-from-slack",
  }),
  {
    ...tokenRule({
      id: "telegram-bot-token",
      display: "Telegram bot token",
      provider: "Telegram",
      shape: TELEGRAM_TOKEN,
      keywords: [...DIGITS].map((digit) => `${digit}:a`),
      entropy: 4,
      rotation: "Send /revoke to https://t.me/BotFather",
      documentation: "https://core.telegram.org/bots/api#authorizing-your-bot",
      match: () => [`https://api.telegram.org/bot${make(TELEGRAM_TOKEN, 9)}/sendMessage`],
      noMatch: () => [
        make([run(DIGITS, 4), ...TELEGRAM_TOKEN.slice(1)]),
        'type="clm54217:AgencyIdentificationCodeContentType"',
      ],
    }),
    // The address of the API puts the word `bot` right before the number.
    pattern: /(?:(?<![\w-])|(?<=bot)|(?<=\\[nrt]))\d{5,16}:A[\w-]{34}(?![\w-])/,
  },
  contextRule({
    id: "mattermost-access-token",
    display: "Mattermost access token",
    provider: "Mattermost",
    names: ["mattermost"],
    hints: ["token", "key", "pass", "secret", "auth"],
    shape: [run(LOWER_ALNUM, 26)],
    entropy: 3.5,
    rotation: "Delete it on your Mattermost under Profile > Security > Personal access tokens",
    documentation: "https://developers.mattermost.com/integrate/reference/personal-access-token/",
  }),
  contextRule({
    id: "sendbird-access-token",
    display: "Sendbird API token",
    provider: "Sendbird",
    names: ["sendbird"],
    shape: [run(HEX, 40)],
    rotation: "Revoke it at https://dashboard.sendbird.com under Settings > Application > API tokens",
    documentation: "https://sendbird.com/docs/chat/platform-api/v3/prepare-to-use-api",
  }),
  contextRule({
    id: "sendbird-access-id",
    display: "Sendbird application id",
    provider: "Sendbird",
    names: ["sendbird"],
    shape: [uuid(ANY_HEX)],
    confidence: "low",
    rotation:
      "It is no secret alone; require session tokens at https://dashboard.sendbird.com under Settings > Security",
    documentation: "https://sendbird.com/docs/chat/platform-api/v3/prepare-to-use-api",
  }),
  contextRule({
    id: "line-channel-secret",
    display: "LINE channel secret or access token",
    provider: "LINE",
    names: ["line channel", "line bot", "line messaging", "line notify"],
    hints: ["secret", "token"],
    shape: [either([run(HEX, 32)], [run(ALNUM, 43)], [run(BASE64, 170, 174), "="])],
    entropy: 3.2,
    rotation: "Reissue it on the channel's page at https://developers.line.biz/console/",
    documentation: "https://developers.line.biz/en/docs/basics/channel-access-token/",
    match: () => [`LINE_CHANNEL_SECRET: ${make([run(HEX, 32)], 11)}`],
  }),
  contextRule({
    id: "lark-app-secret",
    display: "Lark (Feishu) app secret",
    provider: "Lark",
    names: ["lark app", "lark secret", "larksuite", "feishu"],
    hints: ["secret"],
    shape: [run(ALNUM, 32)],
    entropy: 3.8,
    rotation: "Reset it on the app's credentials page at https://open.larksuite.com/app",
    documentation:
      "https://open.larksuite.com/document/server-docs/getting-started/api-access-token/app-access-token-development-guide",
  }),
  contextRule({
    id: "webex-access-token",
    display: "Webex bot token",
    provider: "Cisco",
    names: ["webex"],
    hints: ["token", "key", "secret"],
    shape: [run(BASE64, 64), "_", oneOf("PF84_", "PE93_", "P0A1_", "PC75_"), uuid(HEX)],
    entropy: 4,
    rotation: "Regenerate it on the bot's page at https://developer.webex.com/my-apps",
    documentation: "https://developer.webex.com/docs/bots",
  }),
  contextRule({
    id: "getstream-secret",
    display: "Stream API secret",
    provider: "Stream",
    names: ["getstream", "stream api", "stream chat"],
    hints: ["secret"],
    shape: [run(LOWER_ALNUM, 64)],
    entropy: 4,
    valid: (secret) => isMixed(secret) && /[g-z]/.test(secret),
    rotation: "Generate another secret at https://dashboard.getstream.io and delete the old one",
    documentation: "https://getstream.io/chat/docs/node/tokens_and_authentication/",
  }),
];
