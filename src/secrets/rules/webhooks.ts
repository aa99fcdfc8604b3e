/**
 * URLs that let anyone who knows them post messages.
 *
 * @module
 */

import { mixes, mixesCases } from "../checks.ts";
import { behind } from "../parts.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64URL, DIGITS, HEX, LOWER_ALNUM, sample, UPPER_ALNUM } from "../sample.ts";
import { UUID } from "./_assigned.ts";
import { uuid } from "./_examples.ts";

const GUID = UUID.replaceAll("a-f", "a-z");

/** Webhook URLs. */
export const webhookRules: readonly Rule[] = [
  {
    id: "slack-webhook",
    display: "Slack webhook URL",
    provider: "Slack",
    keywords: ["hooks.slack.com/", "hooks.slack-gov.com/"],
    pattern:
      /(?:https?:\/\/)?hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/(?:[A-Z][A-Z0-9]{7,12}\/[A-Za-z0-9]{7,14}\/(?:[A-Za-z0-9]{10,20}\/)?[A-Za-z0-9]{20,40}|[A-Za-z0-9+/]{43,56})(?![A-Za-z0-9+/])/,
    entropy: 3.5,
    valid: (url) => !/\/T0{8,}|X{12,}|(.)\1{9,}/i.test(url),
    part: behind("/"),
    rotation:
      "Remove the webhook in the app's settings (Incoming Webhooks) at https://api.slack.com/apps and add another.",
    documentation: "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/",
    examples: {
      match: () => [
        `https://hooks.slack.com/services/T${sample(UPPER_ALNUM, 8, 1)}/B${sample(UPPER_ALNUM, 10, 2)}/${
          sample(ALNUM, 24, 3)
        }`,
        `"https://hooks.slack.com/workflows/T${sample(UPPER_ALNUM, 10, 4)}/A${sample(UPPER_ALNUM, 10, 5)}/` +
        `${sample(DIGITS, 18, 6)}/${sample(ALNUM, 24, 7)}"`,
      ],
      noMatch: () => [
        `https://hooks.slack.com/services/${"T00000000/B00000000"}/XXXXXXXXXXXXXXXXXXXXXXXX`,
        "https://hooks.slack.com/services/YOUR/WEBHOOK/URL",
      ],
    },
  },
  {
    id: "discord-webhook",
    display: "Discord webhook URL",
    provider: "Discord",
    keywords: ["/api/webhooks/", "/api/v"],
    pattern: /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{17,20}\/[\w-]{60,80}(?![\w-])/,
    entropy: 4,
    valid: mixesCases,
    part: behind("/"),
    rotation: "Delete the webhook under Server Settings > Integrations > Webhooks, or send DELETE to its URL " +
      "(https://discord.com/developers/docs/resources/webhook#delete-webhook).",
    documentation: "https://discord.com/developers/docs/resources/webhook",
    examples: {
      match: () => [
        `https://discord.com/api/webhooks/1${sample(DIGITS, 17, 1)}/${sample(BASE64URL, 68, 2)}`,
        `https://discordapp.com/api/v10/webhooks/1${sample(DIGITS, 18, 3)}/${sample(BASE64URL, 68, 4)}`,
      ],
      noMatch: () => [
        "https://discord.com/api/webhooks/123456789012345678/your-webhook-token",
        `https://discord.com/api/webhooks/${sample(DIGITS, 18, 5)}/${"x".repeat(68)}`,
      ],
    },
  },
  {
    id: "microsoft-teams-webhook",
    display: "Microsoft Teams webhook URL",
    provider: "Microsoft",
    keywords: ["/incomingwebhook/"],
    pattern: new RegExp(
      `https:\\/\\/[a-z0-9-]{1,60}\\.?(?:webhook\\.)?office\\.com\\/webhook(?:b2)?\\/${GUID}@${GUID}\\/IncomingWebhook\\/` +
        `[a-z0-9]{32}\\/${GUID}(?:\\/[\\w-]{20,80})?`,
    ),
    entropy: 3.5,
    part: behind("/IncomingWebhook/"),
    rotation:
      "Remove the connector, or the workflow, of the channel (Manage channel > Connectors or Workflows) and add another. " +
      "See https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook.",
    documentation:
      "https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook",
    examples: {
      match: () =>
        [1, 2].map((seed) =>
          `https://acme.webhook.office.com/webhookb2/${uuid(seed)}@${uuid(seed + 3)}/IncomingWebhook/` +
          `${sample(HEX, 32, seed)}/${uuid(seed + 6)}`
        ),
      noMatch: () => [
        "https://acme.webhook.office.com/webhookb2/<id>/IncomingWebhook/<key>",
        "https://outlook.office.com/webhook/...",
      ],
    },
  },
  {
    id: "mattermost-webhook",
    display: "Mattermost webhook URL",
    provider: "Mattermost",
    keywords: ["/hooks/"],
    pattern: /https?:\/\/[\w.-]{3,100}(?::\d{2,5})?\/(?:[\w-]{1,40}\/)?hooks\/(?<secret>[a-z0-9]{26})(?![\w/-])/,
    entropy: 3.6,
    valid: mixes,
    rotation: "Delete the webhook under Integrations > Incoming Webhooks of your Mattermost team and add another. " +
      "See https://developers.mattermost.com/integrate/webhooks/incoming/.",
    documentation: "https://developers.mattermost.com/integrate/webhooks/incoming/",
    examples: {
      match: () => [1, 2].map((seed) => `https://chat.example.org/hooks/${sample(LOWER_ALNUM, 26, seed)}`),
      noMatch: () => [
        "https://chat.example.org/hooks/xxxxxxxxxxxxxxxxxxxxxxxxxx",
        "https://react.dev/hooks/useimperativehandleexamples",
        `https://chat.example.org/hooks/${sample(LOWER_ALNUM, 30, 3)}`,
      ],
    },
  },
  {
    id: "rocketchat-webhook",
    display: "Rocket.Chat webhook URL",
    provider: "Rocket.Chat",
    keywords: ["/hooks/"],
    pattern: /https?:\/\/[\w.-]{3,100}(?::\d{2,5})?\/hooks\/[A-Za-z0-9]{17,24}\/(?<secret>[A-Za-z0-9]{43,64})(?![\w-])/,
    entropy: 4,
    valid: mixesCases,
    rotation: "Delete the integration under Workspace > Integrations of your Rocket.Chat server and add another. " +
      "See https://docs.rocket.chat/docs/integrations.",
    documentation: "https://docs.rocket.chat/docs/integrations",
    examples: {
      match: () =>
        [1, 2].map((seed) => `https://chat.example.org/hooks/${sample(ALNUM, 17, seed)}/${sample(ALNUM, 43, seed)}`),
      noMatch:
        () => [`https://chat.example.org/hooks/${sample(ALNUM, 17, 3)}/x`, "https://example.org/hooks/use-state"],
    },
  },
  {
    id: "google-chat-webhook",
    display: "Google Chat webhook URL",
    provider: "Google",
    keywords: ["chat.googleapis.com/v1/spaces/"],
    pattern:
      /https:\/\/chat\.googleapis\.com\/v1\/spaces\/[\w-]{6,20}\/messages\?key=[\w-]{30,50}&token=[\w%-]{30,90}(?![\w%-])/,
    entropy: 4,
    part: behind("?key="),
    rotation: "Delete the webhook under Apps & integrations of the space at https://chat.google.com and add another.",
    documentation: "https://developers.google.com/workspace/chat/quickstart/webhooks",
    examples: {
      match: () =>
        [1, 2].map((seed) =>
          `https://chat.googleapis.com/v1/spaces/AAAA${sample(ALNUM, 7, seed)}/messages?key=${
            sample(ALNUM, 39, seed)
          }` +
          `&token=${sample(BASE64URL, 43, seed)}`
        ),
      noMatch: () => [
        "https://chat.googleapis.com/v1/spaces/SPACE_ID/messages?key=KEY&token=TOKEN",
        "https://chat.google.com/",
      ],
    },
  },
  {
    id: "lark-webhook",
    display: "Lark or Feishu bot webhook URL",
    provider: "Lark",
    keywords: ["/open-apis/bot/"],
    pattern: new RegExp(
      `open\\.(?:feishu\\.cn|larksuite\\.com)\\/open-apis\\/bot\\/(?:v2\\/)?hook\\/${UUID}(?![\\w-])`,
    ),
    entropy: 3.5,
    part: behind("/"),
    rotation: "Remove the bot from the group's settings (Bots) and add another. " +
      "See https://open.larksuite.com/document/client-docs/bot-v3/add-custom-bot.",
    documentation: "https://open.larksuite.com/document/client-docs/bot-v3/add-custom-bot",
    examples: {
      match: () => [
        `https://open.feishu.cn/open-apis/bot/v2/hook/${uuid(1)}`,
        `https://open.larksuite.com/open-apis/bot/v2/hook/${uuid(2)}`,
      ],
      noMatch: () => ["https://open.feishu.cn/open-apis/bot/v2/hook/xxxxxxxx", "https://open.feishu.cn/document/"],
    },
  },
  {
    id: "dingtalk-webhook",
    display: "DingTalk robot webhook URL",
    provider: "DingTalk",
    keywords: ["oapi.dingtalk.com/robot/send"],
    pattern: /oapi\.dingtalk\.com\/robot\/send\?access_token=(?<secret>[0-9a-f]{64})(?![\w-])/,
    entropy: 3.3,
    rotation: "Delete the robot in the group's settings (Group Assistant) and add another. " +
      "See https://open.dingtalk.com/document/robots/custom-robot-access.",
    documentation: "https://open.dingtalk.com/document/robots/custom-robot-access",
    examples: {
      match: () => [1, 2].map((seed) => `https://oapi.dingtalk.com/robot/send?access_token=${sample(HEX, 64, seed)}`),
      noMatch:
        () => ["https://oapi.dingtalk.com/robot/send?access_token=XXXXXX", "https://oapi.dingtalk.com/robot/send"],
    },
  },
  {
    id: "wecom-webhook",
    display: "WeCom robot webhook URL",
    provider: "WeCom",
    keywords: ["/cgi-bin/webhook/send"],
    pattern: new RegExp(`qyapi\\.weixin\\.qq\\.com\\/cgi-bin\\/webhook\\/send\\?key=(?<secret>${UUID})(?![\\w-])`),
    entropy: 3,
    rotation: "Delete the robot in the group's settings and add another. " +
      "See https://developer.work.weixin.qq.com/document/path/91770.",
    documentation: "https://developer.work.weixin.qq.com/document/path/91770",
    examples: {
      match: () => [1, 2].map((seed) => `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${uuid(seed)}`),
      noMatch:
        () => ["https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=YOUR_KEY", "https://qyapi.weixin.qq.com/cgi-bin/"],
    },
  },
  {
    id: "ifttt-webhook",
    display: "IFTTT webhook key",
    provider: "IFTTT",
    keywords: ["maker.ifttt.com/"],
    pattern:
      /maker\.ifttt\.com\/(?:trigger\/[\w{}-]{1,80}\/(?:json\/)?with\/key|use)\/(?<secret>[\w-]{22,44})(?![\w-])/,
    entropy: 3.5,
    valid: mixesCases,
    rotation: "Regenerate the key at https://ifttt.com/maker_webhooks/settings.",
    documentation: "https://ifttt.com/maker_webhooks",
    examples: {
      match: () => [1, 2].map((seed) => `https://maker.ifttt.com/trigger/done/with/key/${sample(BASE64URL, 43, seed)}`),
      noMatch: () => [
        "https://maker.ifttt.com/trigger/{event}/with/key/{key}",
        "https://maker.ifttt.com/use/your-key-goes-here-now",
      ],
    },
  },
  {
    id: "make-webhook",
    display: "Make webhook URL",
    provider: "Make",
    keywords: [".make.com/", ".integromat.com/"],
    pattern: /hook\.(?:[a-z]{2}\d\.)?(?:make|integromat)\.com\/(?<secret>[a-z0-9]{32})(?![\w-])/,
    entropy: 3.6,
    valid: mixes,
    rotation: "Delete the webhook at https://www.make.com (Webhooks of the team) and add another.",
    documentation: "https://help.make.com/webhooks",
    examples: {
      match: () => [1, 2].map((seed) => `https://hook.eu1.make.com/${sample(LOWER_ALNUM, 32, seed)}`),
      noMatch:
        () => ["https://hook.eu1.make.com/your-webhook-id", `https://www.make.com/${sample(LOWER_ALNUM, 32, 3)}`],
    },
  },
];
