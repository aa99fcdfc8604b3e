/**
 * Payments, shops, exchanges and chains.
 *
 * @module
 */

import type { Rule } from "../rule.ts";
import { ALNUM, BASE64, BASE64URL, HEX, LOWER_ALNUM } from "../sample.ts";
import {
  ANY_HEX,
  contextRule,
  either,
  isMixed,
  make,
  oneOf,
  padding,
  run,
  tokenRule,
  uuid,
  variedEnd,
} from "./_shape.ts";

const LIVE = ["sk_live_", "rk_live_", "sk_prod_", "rk_prod_"];
const TEST = ["sk_test_", "rk_test_"];

/** The start of `key_` in base64: WorkOS and Highnote encode their keys. */
const ENCODED_KEY = "a2V5X";

/** Starts of the keys that Stripe's documentation showed for years. */
const STRIPE_SAMPLES = ["4ec39hqlyjwdarjt", "bqokikjovbii2hlw", "26phem9ahjzvu623", "tr3pybcvnzz796th"];

/**
 * Several providers start their keys with `sk_live_`: Paystack goes on with 40 hexadecimal digits, Clerk with about 42
 * letters and digits, WorkOS and Highnote with base64 of `key_`. Stripe's have 24 to 34, or about a hundred, and
 * start with the version 51 then.
 */
function isStripe(secret: string): boolean {
  const body = secret.slice("sk_live_".length);
  return !isPaystack(secret) && !isClerk(secret) && !body.startsWith(ENCODED_KEY) && new Set(body).size >= 8;
}

function isPaystack(secret: string): boolean {
  return /^[0-9a-f]{40}$/.test(secret.slice("sk_live_".length));
}

function isClerk(secret: string): boolean {
  const body = secret.slice("sk_live_".length);
  return body.length >= 40 && body.length <= 50 && !body.startsWith("51") && !isPaystack(secret);
}

const SQUARE_ROTATION = "Replace it on the application's Credentials page at https://developer.squareup.com/apps";
const SHOPIFY_FORMAT = "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens";
const SHOPIFY_ROTATION =
  "Uninstall the app or rotate its credentials in the Shopify admin under Settings > Apps and sales channels > Develop apps";
const PLAID_ROTATION = "Rotate it at https://dashboard.plaid.com/developers/keys";
const LOB_NAMES = ["lob api", "lob key", "lob token", "lob secret", "lob test", "lob live", "lob pub"];

/** Keys that move money, and those of shops. */
export const paymentRules: readonly Rule[] = [
  tokenRule({
    id: "stripe-live",
    display: "Stripe live secret or restricted key",
    provider: "Stripe",
    shape: [oneOf(...LIVE), either([run(ALNUM, 16, 34)], [run(ALNUM, 51, 247)], ["51", run(ALNUM, 38, 48)])],
    keywords: LIVE,
    entropy: 3.5,
    valid: isStripe,
    rotation: "Roll it at https://dashboard.stripe.com/apikeys and review https://dashboard.stripe.com/logs",
    documentation: "https://docs.stripe.com/keys",
    noMatch: () => [
      make(["sk_live_", run(HEX, 40)]),
      make(["sk_live_", run(ALNUM, 42)], 2),
      make(["pk_live_", run(ALNUM, 24)]),
    ],
  }),
  tokenRule({
    id: "stripe-test",
    display: "Stripe test secret or restricted key",
    provider: "Stripe",
    shape: [oneOf(...TEST), either([run(ALNUM, 16, 34)], [run(ALNUM, 51, 247)], ["51", run(ALNUM, 38, 48)])],
    keywords: TEST,
    entropy: 3.5,
    valid: isStripe,
    stopWords: STRIPE_SAMPLES,
    rotation: "Roll it at https://dashboard.stripe.com/test/apikeys",
    documentation: "https://docs.stripe.com/keys",
    noMatch: () => ["sk_test_" + "4eC39HqLyjWDarjt" + "T1zdp7dc", "task_test_" + make([run(ALNUM, 30)])],
  }),
  tokenRule({
    id: "webhook-signing-secret",
    display: "Webhook signing secret (Stripe, Svix, Clerk, Resend)",
    provider: "Stripe",
    shape: ["whsec_", run(BASE64, 24, 88), padding(2)],
    entropy: 3.5,
    rotation:
      "Roll it on the endpoint's page: https://dashboard.stripe.com/webhooks, or your Svix, Clerk or Resend dashboard",
    documentation: "https://docs.stripe.com/webhooks#roll-endpoint-secrets",
  }),
  tokenRule({
    id: "paystack-secret-key",
    display: "Paystack secret key",
    provider: "Paystack",
    shape: [oneOf("sk_live_", "sk_test_"), run(HEX, 40)],
    keywords: ["sk_live_", "sk_test_"],
    rotation: "Generate another at https://dashboard.paystack.com/#/settings/developers",
    documentation: "https://paystack.com/docs/api/authentication/",
  }),
  tokenRule({
    id: "clerk-secret-key",
    display: "Clerk secret key",
    provider: "Clerk",
    shape: [oneOf("sk_live_", "sk_test_"), run(ALNUM, 40, 50)],
    keywords: ["sk_live_", "sk_test_"],
    entropy: 4,
    valid: isClerk,
    rotation: "Delete it at https://dashboard.clerk.com/last-active?path=api-keys",
    documentation: "https://clerk.com/docs/guides/development/clerk-environment-variables",
    noMatch: () => [make(["sk_live_51", run(ALNUM, 40)]), make(["sk_live_", run(HEX, 40)])],
  }),
  tokenRule({
    id: "workos-api-key",
    display: "WorkOS or Highnote API key",
    provider: "WorkOS",
    shape: [oneOf("sk_live_", "sk_test_"), ENCODED_KEY, run(BASE64, 40, 90), padding(2)],
    keywords: ["sk_live_a2v5x", "sk_test_a2v5x"],
    entropy: 4,
    rotation: "Delete it at https://dashboard.workos.com/api-keys",
    documentation: "https://workos.com/docs/reference/api-keys",
  }),
  tokenRule({
    id: "square-access-token",
    display: "Square access token",
    provider: "Square",
    likeBase64: true,
    shape: [either(["EAAA", run(BASE64URL, 22, 60)], ["sq0atp-", run(BASE64URL, 22, 60)])],
    keywords: ["eaaa", "sq0atp-"],
    entropy: 3.5,
    valid: (secret) => isMixed(secret.slice("EAAA".length)),
    rotation: SQUARE_ROTATION,
    documentation: "https://developer.squareup.com/docs/build-basics/access-tokens",
    noMatch: () => ["sha256:" + "eaaa7b11777babe28e6133a8b19ff71cea687e0d7f05158dee95a71f76ce3d00"],
  }),
  tokenRule({
    id: "square-secret",
    display: "Square application secret",
    provider: "Square",
    shape: ["sq0csp-", run(BASE64URL, 43)],
    rotation: SQUARE_ROTATION,
    documentation: "https://developer.squareup.com/docs/oauth-api/overview",
  }),
  tokenRule({
    id: "shopify-access-token",
    display: "Shopify access token",
    provider: "Shopify",
    shape: ["shpat_", run(ANY_HEX, 32)],
    rotation: SHOPIFY_ROTATION,
    documentation: SHOPIFY_FORMAT,
  }),
  tokenRule({
    id: "shopify-custom-access-token",
    display: "Shopify custom app access token",
    provider: "Shopify",
    shape: ["shpca_", run(ANY_HEX, 32)],
    rotation: SHOPIFY_ROTATION,
    documentation: SHOPIFY_FORMAT,
  }),
  tokenRule({
    id: "shopify-private-app-token",
    display: "Shopify private app access token",
    provider: "Shopify",
    shape: ["shppa_", run(ANY_HEX, 32)],
    rotation: SHOPIFY_ROTATION,
    documentation: SHOPIFY_FORMAT,
  }),
  tokenRule({
    id: "shopify-shared-secret",
    display: "Shopify app secret",
    provider: "Shopify",
    shape: ["shpss_", run(ANY_HEX, 32)],
    rotation: "Rotate it on the app's page at https://partners.shopify.com under Client credentials",
    documentation:
      "https://shopify.dev/docs/apps/build/authentication-authorization/client-secrets/rotate-revoke-client-credentials",
  }),
  tokenRule({
    id: "shopify-cli-token",
    display: "Shopify user, theme or partner token",
    provider: "Shopify",
    shape: [oneOf("shptka_", "shpua_", "prtapi_", "shpit_"), run(ANY_HEX, 32)],
    keywords: ["shptka_", "shpua_", "prtapi_", "shpit_"],
    rotation:
      "Revoke it in the Theme Access app, or at https://partners.shopify.com under Settings > Partner API clients",
    documentation: "https://shopify.dev/docs/storefronts/themes/tools/theme-access",
  }),
  contextRule({
    id: "paypal-client-secret",
    display: "PayPal client secret",
    provider: "PayPal",
    names: ["paypal"],
    hints: ["secret", "key"],
    shape: ["E", run(BASE64URL, 79)],
    entropy: 4.2,
    rotation:
      "Generate another secret and disable this one at https://developer.paypal.com/dashboard/applications/live",
    documentation: "https://developer.paypal.com/api/rest/authentication/",
  }),
  tokenRule({
    id: "paypal-braintree-access-token",
    display: "PayPal Braintree access token",
    provider: "PayPal",
    shape: [oneOf("access_token$production$", "access_token$sandbox$"), run(LOWER_ALNUM, 16), "$", run(HEX, 32)],
    keywords: ["access_token$production$", "access_token$sandbox$"],
    valid: variedEnd(16),
    rotation: "Revoke it at https://www.braintreegateway.com under Settings > API",
    documentation: "https://developer.paypal.com/braintree/docs/guides/authorization/overview",
  }),
  contextRule({
    id: "braintree-private-key",
    display: "Braintree private key",
    provider: "PayPal",
    names: ["braintree", "bt private"],
    hints: ["private"],
    shape: [run(HEX, 32)],
    rotation: "Delete the API key at https://www.braintreegateway.com under Settings > API",
    documentation: "https://developer.paypal.com/braintree/articles/control-panel/important-gateway-credentials",
  }),
  tokenRule({
    id: "razorpay-key-id",
    display: "Razorpay key id",
    provider: "Razorpay",
    shape: [oneOf("rzp_live_", "rzp_test_"), run(ALNUM, 14)],
    keywords: ["rzp_live_", "rzp_test_"],
    rotation: "Regenerate the key at https://dashboard.razorpay.com/app/website-app-settings/api-keys",
    documentation: "https://razorpay.com/docs/api/authentication/",
  }),
  contextRule({
    id: "razorpay-key-secret",
    display: "Razorpay key secret",
    provider: "Razorpay",
    names: ["razorpay", "rzp"],
    hints: ["secret"],
    shape: [run(ALNUM, 24)],
    entropy: 3.5,
    rotation: "Regenerate the key at https://dashboard.razorpay.com/app/website-app-settings/api-keys",
    documentation: "https://razorpay.com/docs/api/authentication/",
  }),
  tokenRule({
    id: "adyen-api-key",
    display: "Adyen API key",
    provider: "Adyen",
    shape: [
      oneOf(
        "AQEy",
        "AQEx",
        "AQEz",
        "AQEp",
        "AQEq",
        "AQEr",
        "AQEj",
        "AQEk",
        "AQEn",
        "AQEo",
        "AQEl",
        "AQEm",
        "AQEh",
        "AQEi",
      ),
      "hm",
      run(BASE64, 60, 300),
      padding(2),
      "-",
      run(BASE64, 40, 60),
      padding(2),
      "-",
      run(`${ALNUM}<>^?;:,.#$%&*(){}[]|~_+!@/`, 8, 24),
    ],
    keywords: ["aqe"].flatMap((start) => [..."yxzpqrjknolmhi"].map((letter) => `${start}${letter}hm`)),
    entropy: 4.5,
    rotation:
      "Generate another key for the API credential at https://ca-live.adyen.com under Developers > API credentials",
    documentation: "https://docs.adyen.com/development-resources/api-credentials/",
  }),
  tokenRule({
    id: "plaid-access-token",
    display: "Plaid access token",
    provider: "Plaid",
    shape: [oneOf("access-sandbox-", "access-development-", "access-production-"), uuid(HEX)],
    keywords: ["access-sandbox-", "access-development-", "access-production-"],
    entropy: 3.5,
    valid: variedEnd(12),
    rotation: "POST /item/access_token/invalidate returns another (https://plaid.com/docs/api/items/)",
    documentation: "https://plaid.com/docs/quickstart/glossary/#access-token",
  }),
  contextRule({
    id: "plaid-client-id",
    display: "Plaid client id",
    provider: "Plaid",
    names: ["plaid"],
    shape: [run(ALNUM, 24)],
    entropy: 3.4,
    confidence: "low",
    rotation: PLAID_ROTATION,
    documentation: "https://plaid.com/docs/quickstart/glossary/#client_id",
  }),
  contextRule({
    id: "plaid-secret-key",
    display: "Plaid secret",
    provider: "Plaid",
    names: ["plaid"],
    shape: [run(ALNUM, 30)],
    entropy: 3.3,
    rotation: PLAID_ROTATION,
    documentation: "https://plaid.com/docs/quickstart/glossary/#api-key",
  }),
  contextRule({
    id: "gocardless-api-token",
    display: "GoCardless access token",
    provider: "GoCardless",
    names: ["gocardless", "gc access"],
    shape: [oneOf("live_", "sandbox_"), run(`${BASE64URL}=`, 40)],
    entropy: 3.8,
    rotation: "Delete it at https://manage.gocardless.com/developers/access-tokens",
    documentation: "https://developer.gocardless.com/api-reference/#api-usage-making-requests",
  }),
  tokenRule({
    id: "shippo",
    display: "Shippo API token",
    provider: "Shippo",
    shape: [oneOf("shippo_live_", "shippo_test_"), run(ANY_HEX, 40)],
    keywords: ["shippo_live_", "shippo_test_"],
    rotation: "Delete it at https://apps.goshippo.com/settings/api",
    documentation: "https://docs.goshippo.com/docs/guides_general/authentication/",
  }),
  contextRule({
    id: "lob-api-key",
    display: "Lob API key",
    provider: "Lob",
    names: LOB_NAMES,
    shape: [oneOf("live_", "test_"), run(HEX, 35)],
    rotation: "Roll it at https://dashboard.lob.com/settings/api-keys",
    documentation: "https://docs.lob.com/#tag/Authentication",
  }),
  contextRule({
    id: "lob-pub-api-key",
    display: "Lob publishable API key",
    provider: "Lob",
    names: LOB_NAMES,
    shape: [oneOf("live_pub_", "test_pub_"), run(HEX, 31)],
    confidence: "low",
    rotation: "It is meant to be public; roll it at https://dashboard.lob.com/settings/api-keys if it is abused",
    documentation: "https://docs.lob.com/#tag/Authentication",
  }),
  contextRule({
    id: "squarespace-access-token",
    display: "Squarespace API key",
    provider: "Squarespace",
    names: ["squarespace"],
    hints: ["key", "token", "secret"],
    shape: [uuid(ANY_HEX)],
    rotation: "Delete it on your site under Settings > Developer tools > API keys (https://account.squarespace.com)",
    documentation: "https://developers.squarespace.com/commerce-apis/authentication-and-permissions",
  }),
];
