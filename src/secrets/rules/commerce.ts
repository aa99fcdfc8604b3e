/**
 * Credentials of payment, banking, trading, travel and shipping services.
 *
 * @module
 */

import { isNotHex, mixes } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64URL, HEX, LOWER_ALNUM, sample } from "../sample.ts";
import { assigned, nameKeywords } from "./_assigned.ts";
import { contextExamples } from "./_examples.ts";

/** EasyPost's live and test keys differ in the third letter of their prefix alone. */
function easyPost(id: string, display: string, prefix: string): Rule {
  return {
    id,
    display,
    provider: "EasyPost",
    keywords: [prefix.toLowerCase()],
    pattern: new RegExp(`(?<![A-Za-z0-9_+/])${prefix}[A-Za-z0-9]{54}(?![A-Za-z0-9_+/])`),
    entropy: 4,
    rotation: "Delete the key at https://app.easypost.com/account/settings?tab=api-keys and create another.",
    documentation: "https://docs.easypost.com/docs/authentication",
    examples: {
      match: () => [`EASYPOST_API_KEY=${prefix}${sample(ALNUM, 54, 1)}`, `?t=${prefix}${sample(ALNUM, 54, 2)}&q=1`],
      noMatch: () => [
        `${prefix}${"x".repeat(54)}`,
        `+${prefix}${sample(ALNUM, 54, 3)}`,
        `${prefix}${sample(ALNUM, 70, 4)}`,
      ],
    },
  };
}

const FLUTTERWAVE_ROTATION = "Regenerate the keys at https://app.flutterwave.com/dashboard/settings/apis.";
const FLUTTERWAVE_DOCUMENTATION = "https://developer.flutterwave.com/docs/authentication";

const ALPACA_NAMES = ["apca api secret key", "alpaca secret key", "alpaca api secret", "alpaca secret"];

/** Credentials of commerce and finance services. */
export const commerceRules: readonly Rule[] = [
  {
    id: "bittrex-secret-key",
    display: "Bittrex secret key",
    provider: "Bittrex",
    keywords: nameKeywords(["bittrex secret", "bittrex api secret"]),
    pattern: assigned(["bittrex secret", "bittrex api secret"], "[a-z0-9]{32}"),
    entropy: 3.1,
    valid: mixes,
    rotation:
      "Bittrex closed in 2023 (https://bittrex.com): its keys are void. Change the key wherever else it is used.",
    documentation: "https://bittrex.github.io/api/v3",
    examples: contextExamples("BITTREX_API_SECRET", (seed) => sample(LOWER_ALNUM, 32, seed)),
  },
  {
    id: "bittrex-access-key",
    display: "Bittrex access key",
    provider: "Bittrex",
    keywords: ["bittrex"],
    pattern: assigned(["bittrex"], "[a-z0-9]{32}", { hints: ["key", "token", "access"] }),
    entropy: 3.1,
    valid: mixes,
    rotation:
      "Bittrex closed in 2023 (https://bittrex.com): its keys are void. Change the key wherever else it is used.",
    documentation: "https://bittrex.github.io/api/v3",
    examples: contextExamples("BITTREX_API_KEY", (seed) => sample(LOWER_ALNUM, 32, seed)),
  },
  {
    id: "coinbase-access-token",
    display: "Coinbase access token",
    provider: "Coinbase",
    keywords: ["coinbase"],
    pattern: assigned(["coinbase"], "[\\w-]{64}"),
    entropy: 3.4,
    valid: mixes,
    rotation: "Delete the key at https://www.coinbase.com/settings/api (developer platform: " +
      "https://portal.cdp.coinbase.com/access/api) and create another.",
    documentation: "https://docs.cdp.coinbase.com/coinbase-app/authentication-authorization/api-key-authentication",
    examples: contextExamples("COINBASE_ACCESS_TOKEN", (seed) => sample(BASE64URL, 64, seed)),
  },
  {
    id: "duffel-api-token",
    display: "Duffel access token",
    provider: "Duffel",
    keywords: ["duffel_test_", "duffel_live_"],
    pattern: /(?<![A-Za-z0-9_])duffel_(?:test|live)_[\w=-]{43}(?![\w=-])/,
    entropy: 4,
    rotation: "Delete the token under Developers > Access tokens at https://app.duffel.com and create another.",
    documentation: "https://duffel.com/docs/api/overview/authentication",
    examples: {
      match: () => [
        `DUFFEL_TOKEN=duffel_live_${sample(BASE64URL, 43, 1)}`,
        `"duffel_test_${sample(BASE64URL, 43, 2)}"`,
      ],
      noMatch: () => [`duffel_test_${"x".repeat(43)}`, `duffel_live_${sample(BASE64URL, 20, 3)}`],
    },
  },
  easyPost("easypost-api-token", "EasyPost API key", "EZAK"),
  easyPost("easypost-test-api-token", "EasyPost test API key", "EZTK"),
  {
    id: "etsy-access-token",
    display: "Etsy API key",
    provider: "Etsy",
    keywords: ["etsy"],
    pattern: assigned(["etsy"], "[a-z0-9]{24}", { wholeWord: true }),
    entropy: 3.2,
    valid: (key) => isNotHex(key) && mixes(key),
    rotation: "Regenerate the key of the app at https://www.etsy.com/developers/your-apps.",
    documentation: "https://developers.etsy.com/documentation/essentials/authentication",
    examples: contextExamples("ETSY_API_KEY", (seed) => sample(LOWER_ALNUM, 24, seed)),
  },
  {
    id: "finicity-api-token",
    display: "Finicity app key",
    provider: "Mastercard",
    keywords: ["finicity"],
    pattern: assigned(["finicity"], "[0-9a-f]{32}"),
    entropy: 3,
    rotation: "Regenerate the app key of the project at https://developer.mastercard.com/dashboard.",
    documentation: "https://developer.mastercard.com/open-banking-us/documentation/quick-start-guide/",
    examples: contextExamples("FINICITY_APP_KEY", (seed) => sample(HEX, 32, seed)),
  },
  {
    id: "finicity-client-secret",
    display: "Finicity partner secret",
    provider: "Mastercard",
    keywords: ["finicity"],
    pattern: assigned(["finicity"], "[A-Za-z0-9]{20}"),
    entropy: 3.1,
    valid: mixes,
    rotation: "Regenerate the partner secret of the project at https://developer.mastercard.com/dashboard.",
    documentation: "https://developer.mastercard.com/open-banking-us/documentation/quick-start-guide/",
    examples: contextExamples("FINICITY_CLIENT_SECRET", (seed) => sample(ALNUM, 20, seed)),
  },
  {
    id: "finnhub-access-token",
    display: "Finnhub API key",
    provider: "Finnhub",
    keywords: ["finnhub"],
    pattern: assigned(["finnhub"], "[a-z0-9]{20}(?:[a-z0-9]{20})?"),
    entropy: 2.9,
    valid: mixes,
    rotation: "Regenerate the key at https://finnhub.io/dashboard.",
    documentation: "https://finnhub.io/docs/api/authentication",
    examples: contextExamples("FINNHUB_API_KEY", (seed) => sample(LOWER_ALNUM, 20, seed)),
  },
  {
    id: "flutterwave-encryption-key",
    display: "Flutterwave encryption key",
    provider: "Flutterwave",
    keywords: ["flwseck_test"],
    pattern: /(?<![A-Za-z0-9_])FLWSECK_TEST-?[a-h0-9]{12}(?![\w-])/,
    entropy: 2.5,
    rotation: FLUTTERWAVE_ROTATION,
    documentation: FLUTTERWAVE_DOCUMENTATION,
    examples: {
      match: () => [`FLW_ENC=FLWSECK_TEST-${sample(HEX, 12, 1)}`, `"FLWSECK_TEST${sample(HEX, 12, 2)}"`],
      noMatch: () => [`FLWSECK_TEST-${sample(HEX, 32, 3)}-X`, "FLWSECK_TEST-SANDBOXDEMOKEY-X"],
    },
  },
  {
    id: "flutterwave-public-key",
    display: "Flutterwave public key",
    provider: "Flutterwave",
    keywords: ["flwpubk"],
    pattern: /(?<![A-Za-z0-9_])FLWPUBK(?:_TEST)?-[a-h0-9]{32}-[Xx](?![\w-])/,
    entropy: 3,
    confidence: "low",
    rotation: FLUTTERWAVE_ROTATION,
    documentation: FLUTTERWAVE_DOCUMENTATION,
    examples: {
      match: () => [1, 2].map((seed) => `"FLWPUBK_TEST-${sample(HEX, 32, seed)}-X"`),
      noMatch: () => ["FLWPUBK_TEST-SANDBOXDEMOKEY-X", `FLWPUBK_TEST-${"0".repeat(32)}-X`],
    },
  },
  {
    id: "flutterwave-secret-key",
    display: "Flutterwave secret key",
    provider: "Flutterwave",
    keywords: ["flwseck"],
    pattern: /(?<![A-Za-z0-9_])FLWSECK(?:_TEST)?-[a-h0-9]{32}-(?:[a-z0-9]{8,16}-)?[Xx](?![\w-])/,
    entropy: 3,
    rotation: FLUTTERWAVE_ROTATION,
    documentation: FLUTTERWAVE_DOCUMENTATION,
    examples: {
      match: () => [`FLW=FLWSECK-${sample(HEX, 32, 1)}-X`, `"FLWSECK_TEST-${sample(HEX, 32, 2)}-X"`],
      noMatch: () => ["FLWSECK_TEST-SANDBOXDEMOKEY-X", `FLWSECK_TEST-${"0".repeat(32)}-X`],
    },
  },
  {
    id: "freshbooks-access-token",
    display: "FreshBooks access token",
    provider: "FreshBooks",
    keywords: ["freshbooks"],
    pattern: assigned(["freshbooks"], "[A-Za-z0-9]{64}"),
    entropy: 3.4,
    valid: mixes,
    rotation: "Revoke the app's access, or reset its client secret, at https://my.freshbooks.com/#/developer.",
    documentation: "https://www.freshbooks.com/api/authentication",
    examples: contextExamples("FRESHBOOKS_ACCESS_TOKEN", (seed) => sample(ALNUM, 64, seed)),
  },
  {
    id: "binance-api-key",
    display: "Binance API key or secret",
    provider: "Binance",
    keywords: ["binance"],
    pattern: assigned(["binance"], "[A-Za-z0-9]{64}", { hints: ["key", "secret"] }),
    entropy: 4.3,
    valid: (key) => isNotHex(key) && mixes(key),
    rotation: "Delete the key at https://www.binance.com/en/my/settings/api-management and create another.",
    documentation: "https://developers.binance.com/docs/binance-spot-api-docs/rest-api/request-security",
    examples: contextExamples("BINANCE_API_SECRET", (seed) => sample(ALNUM, 64, seed)),
  },
  {
    id: "alpaca-api-key",
    display: "Alpaca trading API secret",
    provider: "Alpaca",
    keywords: nameKeywords(ALPACA_NAMES),
    pattern: assigned(ALPACA_NAMES, "[A-Za-z0-9]{40}|[A-Za-z0-9]{43,44}"),
    entropy: 4,
    valid: (key) => isNotHex(key) && mixes(key),
    rotation: "Regenerate the key on the dashboard at https://app.alpaca.markets (API Keys).",
    documentation: "https://docs.alpaca.markets/docs/authentication",
    examples: contextExamples("APCA_API_SECRET_KEY", (seed) => sample(ALNUM, 40, seed)),
  },
];
