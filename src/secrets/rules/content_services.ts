/**
 * Credentials of services that keep or show people's content: documents, tasks, media, social networks, chat.
 *
 * @module
 */

import { isRandomText, mixes, mixesCases } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64URL, DIGITS, HEX, LOWER_ALNUM, sample } from "../sample.ts";
import { assigned, CREDENTIAL_HINTS, nameKeywords } from "./_assigned.ts";
import { contextExamples } from "./_examples.ts";

/** A bot token: base64 of the bot's number, of the time, and a signature. */
function discordBotToken(seed: number): string {
  const id = btoa(`1${sample(DIGITS, 17, seed)}`);
  return `${id}.G${sample(ALNUM, 5, seed)}.${sample(BASE64URL, 38, seed)}`;
}

/** What may stand between `token` and a Discord token: each is also a keyword, since the token has no literal. */
const TOKEN_ASSIGNMENTS = ["token=", "token =", "token:", "token':", ".login(", "uthorization: bot"];

const DISCORD_APPLICATIONS = "https://discord.com/developers/applications";

/** Credentials of content services. */
export const contentServiceRules: readonly Rule[] = [
  {
    id: "adobe-client-id",
    display: "Adobe OAuth client id",
    provider: "Adobe",
    keywords: ["adobe"],
    pattern: assigned(["adobe"], "[0-9a-f]{32}"),
    entropy: 3,
    rotation: "Delete the credential of the project at https://developer.adobe.com/console and create another.",
    documentation: "https://developer.adobe.com/developer-console/docs/guides/authentication/",
    examples: contextExamples("ADOBE_CLIENT_ID", (seed) => sample(HEX, 32, seed)),
  },
  {
    id: "adobe-client-secret",
    display: "Adobe client secret",
    provider: "Adobe",
    keywords: ["p8e-"],
    pattern: /(?<![\w-])p8e-[\w-]{32}(?![\w-])/,
    entropy: 3,
    valid: mixes,
    rotation: "Add a second client secret and delete the leaked one at https://developer.adobe.com/console.",
    documentation: "https://developer.adobe.com/developer-console/docs/guides/authentication/",
    examples: {
      match: () => [`CLIENT_SECRET=p8e-${sample(BASE64URL, 32, 1)}`, `"p8e-${sample(ALNUM, 32, 2)}"`],
      noMatch: () => [`p8e-${"x".repeat(32)}`, `p8e-${sample(ALNUM, 20, 3)}`, `mp8e-${sample(ALNUM, 32, 4)}`],
    },
  },
  {
    id: "airtable-api-key",
    display: "Airtable API key (legacy)",
    provider: "Airtable",
    keywords: ["airtable"],
    pattern: assigned(["airtable"], "[A-Za-z0-9]{17}", { hints: CREDENTIAL_HINTS, notBefore: "\\w.+/=-" }),
    entropy: 3,
    // Ids of bases, tables, views and records have the same length; a key starts with "key" or with no such mark.
    valid: (key) => mixes(key) && !/^(?:app|tbl|viw|rec|fld|usr|wsp|att|pag)/.test(key),
    rotation:
      "Airtable ended these keys in 2024; delete it at https://airtable.com/create/apikey and use a token from " +
      "https://airtable.com/create/tokens.",
    documentation: "https://airtable.com/developers/web/api/authentication",
    examples: contextExamples("AIRTABLE_API_KEY", (seed) => `key${sample(ALNUM, 14, seed)}`),
  },
  {
    id: "airtable-pat",
    display: "Airtable personal access token",
    provider: "Airtable",
    keywords: ["airtable", "=pat", "bearer pat"],
    pattern:
      /(?:(?:[Aa]ir[Tt]able|AIRTABLE)[^]{0,80}?(?<![A-Za-z0-9_])|=|[Bb]earer )(?<secret>pat[A-Za-z0-9]{14}\.[0-9a-f]{64})(?![A-Za-z0-9_])/,
    entropy: 3.8,
    rotation: "Delete the token at https://airtable.com/create/tokens and create another.",
    documentation: "https://airtable.com/developers/web/guides/personal-access-tokens",
    examples: {
      match: () => [1, 2].map((seed) => `AIRTABLE_TOKEN=pat${sample(ALNUM, 14, seed)}.${sample(HEX, 64, seed)}`),
      noMatch: () => [`pat${"x".repeat(14)}.${"0".repeat(64)}`, `pat${sample(ALNUM, 14, 3)}.${sample(HEX, 40, 4)}`],
    },
  },
  {
    id: "asana-client-id",
    display: "Asana client id",
    provider: "Asana",
    keywords: ["asana"],
    pattern: assigned(["asana"], "[0-9]{16}", { hints: ["client", "id", "key", "token"] }),
    entropy: 2.2,
    confidence: "low",
    rotation: "Delete the app at https://app.asana.com/0/my-apps and create another.",
    documentation: "https://developers.asana.com/docs/oauth",
    examples: contextExamples("ASANA_CLIENT_ID", (seed) => sample(DIGITS, 16, seed)),
  },
  {
    id: "asana-client-secret",
    display: "Asana client secret",
    provider: "Asana",
    keywords: ["asana"],
    pattern: assigned(["asana"], "[a-z0-9]{32}"),
    entropy: 3,
    valid: mixes,
    rotation: "Reset the client secret of the app at https://app.asana.com/0/my-apps.",
    documentation: "https://developers.asana.com/docs/oauth",
    examples: contextExamples("ASANA_CLIENT_SECRET", (seed) => sample(HEX, 32, seed)),
  },
  {
    id: "asana-personal-access-token",
    display: "Asana personal access token",
    provider: "Asana",
    keywords: ["asana"],
    pattern: assigned(["asana"], "[0-2]\\/[0-9]{14,18}(?:\\/[0-9]{14,18})?:[0-9a-f]{32}"),
    entropy: 3,
    rotation: "Deauthorize the token at https://app.asana.com/0/my-apps and create another.",
    documentation: "https://developers.asana.com/docs/personal-access-token",
    examples: contextExamples(
      "ASANA_ACCESS_TOKEN",
      (seed) => `2/${sample(DIGITS, 16, seed)}/${sample(DIGITS, 16, seed + 9)}:${sample(HEX, 32, seed)}`,
    ),
  },
  {
    id: "beamer-api-token",
    display: "Beamer API key",
    provider: "Beamer",
    keywords: ["beamer"],
    pattern: assigned(["beamer"], "b_[A-Za-z0-9=_+/-]{44}"),
    entropy: 3.8,
    valid: mixes,
    rotation: "Revoke the key under Settings > API at https://app.getbeamer.com/settings#api.",
    documentation: "https://www.getbeamer.com/api",
    examples: contextExamples("BEAMER_API_KEY", (seed) => `b_${sample(ALNUM, 44, seed)}`),
  },
  {
    id: "contentful-delivery-api-token",
    display: "Contentful delivery or preview API token",
    provider: "Contentful",
    keywords: ["contentful"],
    pattern: assigned(["contentful"], "[\\w=-]{43}"),
    entropy: 3.8,
    valid: isRandomText,
    rotation: "Delete the API key of the space (Settings > API keys) at https://app.contentful.com and create another.",
    documentation: "https://www.contentful.com/developers/docs/references/authentication/",
    examples: contextExamples("CONTENTFUL_ACCESS_TOKEN", (seed) => sample(BASE64URL, 43, seed)),
  },
  {
    id: "contentful-management-token",
    display: "Contentful personal access token",
    provider: "Contentful",
    keywords: ["cfpat-"],
    pattern: /(?<![\w-])CFPAT-[\w-]{43}(?![\w-])/,
    entropy: 4,
    rotation: "Revoke the token at https://app.contentful.com/account/profile/cma_tokens.",
    documentation: "https://www.contentful.com/developers/docs/references/authentication/",
    examples: {
      match: () => [1, 2].map((seed) => `CONTENTFUL_PAT=CFPAT-${sample(BASE64URL, 43, seed)}`),
      noMatch: () => [`CFPAT-${"x".repeat(43)}`, `CFPAT-${sample(BASE64URL, 20, 3)}`],
    },
  },
  {
    id: "discord-bot-token",
    display: "Discord bot token",
    provider: "Discord",
    keywords: ["discord", ...TOKEN_ASSIGNMENTS],
    pattern: new RegExp(
      `(?:(?:[Tt]oken|TOKEN)(?: ?=|'?:)|\\.login\\(|uthorization: Bot|(?:[Dd]iscord|DISCORD)[\\w .:="'\\\\-]{0,40}?)` +
        `\\s{0,4}\\\\{0,2}["'\`]?(?<![\\w-])(?<secret>[MNO][DTjz][A-Za-z0-9]{21,26}\\.[\\w-]{6,7}\\.[\\w-]{27,40})(?![\\w-])`,
    ),
    entropy: 4,
    rotation: `Reset the token on the Bot page of the application at ${DISCORD_APPLICATIONS}.`,
    documentation: "https://discord.com/developers/docs/reference#authentication",
    examples: {
      match: () => [
        `DISCORD_TOKEN=${discordBotToken(1)}`,
        `{ "discordToken": "${discordBotToken(2)}" }`,
        `client.login("${discordBotToken(3)}");`,
        `Authorization: Bot ${discordBotToken(4)}`,
      ],
      noMatch: () => ["DISCORD_TOKEN=your-bot-token-here", `token: ${sample(ALNUM, 24, 5)}`],
    },
  },
  {
    id: "discord-api-token",
    display: "Discord API token (64 hexadecimal digits)",
    provider: "Discord",
    keywords: ["discord"],
    pattern: assigned(["discord"], "[0-9a-f]{64}"),
    entropy: 3.3,
    confidence: "low",
    rotation: `Reset the key on the application's page at ${DISCORD_APPLICATIONS}.`,
    documentation: "https://discord.com/developers/docs/reference#authentication",
    examples: contextExamples("DISCORD_API_TOKEN", (seed) => sample(HEX, 64, seed)),
  },
  {
    id: "discord-client-id",
    display: "Discord client id",
    provider: "Discord",
    keywords: ["discord"],
    pattern: assigned(["discord"], "[0-9]{17,19}"),
    entropy: 2.2,
    confidence: "low",
    rotation: `The id is public; if the application must go, delete it at ${DISCORD_APPLICATIONS}.`,
    documentation: "https://discord.com/developers/docs/topics/oauth2",
    examples: contextExamples("DISCORD_CLIENT_ID", (seed) => sample(DIGITS, 18, seed)),
  },
  {
    id: "discord-client-secret",
    display: "Discord client secret",
    provider: "Discord",
    keywords: ["discord"],
    pattern: assigned(["discord"], "[\\w=-]{32}"),
    entropy: 3.6,
    valid: isRandomText,
    rotation: `Reset the secret on the OAuth2 page of the application at ${DISCORD_APPLICATIONS}.`,
    documentation: "https://discord.com/developers/docs/topics/oauth2",
    examples: contextExamples("DISCORD_CLIENT_SECRET", (seed) => sample(BASE64URL, 32, seed)),
  },
  {
    id: "dropbox-api-token",
    display: "Dropbox app key or secret",
    provider: "Dropbox",
    keywords: ["dropbox"],
    pattern: assigned(["dropbox"], "[a-z0-9]{15}"),
    entropy: 2.9,
    valid: mixes,
    rotation: "Reset the app secret at https://www.dropbox.com/developers/apps.",
    documentation: "https://developers.dropbox.com/oauth-guide",
    examples: contextExamples("DROPBOX_APP_SECRET", (seed) => sample(LOWER_ALNUM, 15, seed)),
  },
  {
    id: "dropbox-long-lived-api-token",
    display: "Dropbox long-lived access token",
    provider: "Dropbox",
    // The run of A is in half of all base64 texts: only the name tells where to look.
    keywords: ["dropbox"],
    pattern: /[Dd](?:ropbox|ROPBOX)[^\n]{0,60}?(?<![\w+/-])[A-Za-z0-9]{11}AAAAAAAAAA(?<secret>[\w=-]{43})(?![\w+/=-])/,
    entropy: 3.6,
    valid: mixesCases,
    rotation: "Revoke the app at https://www.dropbox.com/account/connected_apps or call /2/auth/token/revoke.",
    documentation: "https://developers.dropbox.com/oauth-guide",
    examples: {
      match: () => [1, 2].map((seed) => `DROPBOX=${sample(ALNUM, 11, seed)}AAAAAAAAAA${sample(BASE64URL, 43, seed)}`),
      noMatch: () => ["A".repeat(64), `${sample(ALNUM, 90, 3)}AAAAAAAAAA${sample(ALNUM, 90, 4)}`],
    },
  },
  {
    id: "dropbox-short-lived-api-token",
    display: "Dropbox short-lived access token",
    provider: "Dropbox",
    keywords: ["sl."],
    pattern: /(?<![\w.-])sl\.(?:u\.)?[\w=-]{130,1400}(?![\w=-])/,
    entropy: 4.5,
    valid: mixesCases,
    rotation: "It ends by itself after four hours; revoke the app at https://www.dropbox.com/account/connected_apps.",
    documentation: "https://developers.dropbox.com/oauth-guide",
    examples: {
      match: () => [`DROPBOX_TOKEN=sl.${sample(BASE64URL, 135, 1)}`, `"sl.u.${sample(BASE64URL, 900, 2)}"`],
      noMatch: () => [`sl.${"x".repeat(135)}`, `sl.${sample(BASE64URL, 40, 3)}`, `ssl.${sample(BASE64URL, 135, 4)}`],
    },
  },
  {
    id: "facebook-access-token",
    display: "Facebook app access token",
    provider: "Meta",
    keywords: ["facebook", "fb_", "access_token"],
    pattern:
      /(?:[Ff]acebook|FACEBOOK|\bfb_|\bFB_|access_token)[\w .:="'/?&-]{0,60}?(?<![\w.-])(?<secret>\d{15,16}(?:\||%7[Cc])[\w-]{27,40})(?![\w-])/,
    entropy: 3.8,
    valid: mixesCases,
    rotation: "Reset the app secret under Settings > Basic of the app at https://developers.facebook.com/apps.",
    documentation: "https://developers.facebook.com/docs/facebook-login/guides/access-tokens/#apptokens",
    examples: {
      match: () => [
        `facebook ${sample(DIGITS, 16, 1)}|${sample(BASE64URL, 27, 2)}`,
        `https://graph.facebook.com/me?access_token=${sample(DIGITS, 15, 3)}|${sample(BASE64URL, 27, 4)}`,
      ],
      noMatch: () => [
        `1699999999123456|${sample(BASE64URL, 27, 5)}`,
        `facebook 123456789012345|${"x".repeat(27)}`,
        `facebook ${sample(DIGITS, 15, 6)}|connection reset by the remote peer`,
      ],
    },
  },
  {
    id: "facebook-page-token",
    display: "Facebook page or user access token",
    provider: "Meta",
    keywords: [..."bcdefghijklmnopqrstuvwxyz"].map((letter) => `eaa${letter}`),
    pattern: /(?<![A-Za-z0-9_+/-])EAA[B-Zb-z][A-Za-z0-9]{100,400}(?![A-Za-z0-9_+/=-])/,
    entropy: 4.3,
    valid: mixesCases,
    rotation: "Remove the app at https://www.facebook.com/settings?tab=business_tools, or reset the app secret at " +
      "https://developers.facebook.com/apps, which ends every token of the app.",
    documentation: "https://developers.facebook.com/docs/facebook-login/guides/access-tokens/#pagetokens",
    examples: {
      match: () => [`FACEBOOK_TOKEN=EAAM${sample(ALNUM, 180, 1)}`, `"EAAC${sample(ALNUM, 120, 2)}ZD"`],
      noMatch: () => [`eaac${sample(HEX, 124, 3)}`, `EAAM${"A".repeat(150)}`, `xEAAM${sample(ALNUM, 150, 4)}`],
    },
  },
  {
    id: "facebook-secret",
    display: "Facebook app secret",
    provider: "Meta",
    keywords: ["facebook", ...nameKeywords(["fb app secret", "fb client secret", "fb secret"])],
    pattern: assigned(["facebook", "fb app secret", "fb client secret", "fb secret"], "[0-9a-f]{32}"),
    entropy: 3,
    rotation: "Reset the app secret under Settings > Basic of the app at https://developers.facebook.com/apps.",
    documentation: "https://developers.facebook.com/docs/development/create-an-app/app-dashboard/basic-settings/",
    examples: contextExamples("FACEBOOK_APP_SECRET", (seed) => sample(HEX, 32, seed)),
  },
  {
    id: "frameio-token",
    display: "Frame.io developer token",
    provider: "Frame.io",
    keywords: ["fio-u-"],
    pattern: /(?<![\w-])fio-u-[\w=-]{64}(?![\w=-])/,
    entropy: 4,
    rotation: "Delete the token at https://developer.frame.io/app/tokens and create another.",
    documentation: "https://developer.frame.io/docs/getting-started/authentication",
    examples: {
      match: () => [1, 2].map((seed) => `FRAMEIO_TOKEN=fio-u-${sample(BASE64URL, 64, seed)}`),
      noMatch: () => [`fio-u-${"x".repeat(64)}`, `fio-u-${sample(BASE64URL, 30, 3)}`],
    },
  },
];
