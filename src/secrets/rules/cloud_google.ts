/**
 * Credentials of Google: Cloud, Firebase, OAuth clients and reCAPTCHA.
 *
 * @module
 */

import { isPrivateKeyBlock, mixesCases } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64, BASE64URL, HEX, sample, UPPER_ALNUM } from "../sample.ts";
import { assigned, nameKeywords } from "./_assigned.ts";

/** Keys that Google itself publishes in the samples and tests of its client libraries, in lower case. */
const PUBLISHED_KEYS = [
  "abcdefghijklmnopqrstuvwxyz",
  "anla7nfelquw1tjfpx_eqcxox",
  "ckehvjf3pdurdt6d1ykomitru",
  "dmascliylx7f0npdeji1qmycg",
  "d3asb-2pezvqmkml6m9n6nhzr",
  "aydnsxibfmlxbie6mczdlqaqi",
  "ados2zb6ncsk1pcdz4-p6gbdi",
  "aswm6hmtmdywpgmnjrbjxcq9c",
  "anuvh9h9bsuccjsu2pcmekopj",
  "a5_ivawfq8abutznudcwerljv",
  "a4urcgxgwqftfai3no3t7lt1s",
  "dsb51jiicb6ojpwwmicsekrhh",
  "bf2rraim4a0mo64eshqfqfd2a",
  "bce-ooibhjyr83gm4r2mfcu4m",
  "b8qgxt4ec15vitgn44duc5ucx",
  "a8vmapnrhnfe0bapf4hoz11sr",
];

/** Credentials of Google. */
export const googleRules: readonly Rule[] = [
  {
    id: "google-api",
    display: "Google API key",
    provider: "Google",
    keywords: ["aiza"],
    pattern: /(?<![\w-])AIza[\w-]{35}(?![\w-])/,
    entropy: 4,
    valid: mixesCases,
    stopWords: PUBLISHED_KEYS,
    rotation:
      "Delete the key and create another, restricted one at https://console.cloud.google.com/apis/credentials " +
      "(Gemini keys: https://aistudio.google.com/apikey).",
    documentation: "https://cloud.google.com/docs/authentication/api-keys",
    examples: {
      match: () => [`GOOGLE_API_KEY=AIza${sample(BASE64URL, 35, 1)}`, `"apiKey": "AIza${sample(BASE64URL, 35, 2)}"`],
      noMatch: () => [
        `AIza${"a".repeat(35)}`,
        `AIza${sample(BASE64URL, 42, 3)}`,
        `AIZA${sample(UPPER_ALNUM, 35, 4)}`,
        `${sample(ALNUM, 9, 5)}AIza${sample(BASE64URL, 35, 6)}`,
      ],
    },
  },
  {
    id: "gcp-service-account-key",
    display: "Google Cloud service account key",
    provider: "Google",
    keywords: ["private_key_id"],
    pattern:
      /\\{0,3}"private_key_id\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"[0-9a-f]{40}\\{0,3}",\s{0,12}(?:\\{1,3}n\s{0,8}){0,2}\\{0,3}"private_key\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"(?<secret>-----BEGIN PRIVATE[ ]KEY-----[A-Za-z0-9+/=\\\s]{200,8000}-----END PRIVATE KEY-----)/,
    valid: isPrivateKeyBlock,
    rotation:
      "Delete the key and create another: gcloud iam service-accounts keys delete KEY_ID --iam-account ACCOUNT, or " +
      "https://console.cloud.google.com/iam-admin/serviceaccounts.",
    documentation: "https://cloud.google.com/iam/docs/keys-create-delete",
    examples: {
      match: () =>
        ["\n", "\\n"].map((newline, seed) => {
          const body = [1, 2, 3, 4, 5, 6].map((line) => sample(BASE64, 64, seed * 9 + line)).join(newline);
          return `{ "type": "service_account", "private_key_id": "${sample(HEX, 40, seed)}", "private_key": ` +
            `"-----BEGIN ${"PRIVATE"} KEY-----${newline}${body}${newline}-----END ${"PRIVATE"} KEY-----${newline}" }`;
        }),
      noMatch: () => [
        `"private_key_id": "${sample(HEX, 40, 3)}", "private_key": "-----BEGIN ${"PRIVATE"} KEY-----\\n...\\n"`,
        `"private_key_id": "<id>", "private_key": "<key>"`,
      ],
    },
  },
  {
    id: "google-oauth-client-secret",
    display: "Google OAuth client secret",
    provider: "Google",
    keywords: ["gocspx-"],
    pattern: /(?<![\w-])GOCSPX-[\w-]{28}(?![\w-])/,
    entropy: 3.8,
    rotation: "Add a new secret and disable the old one at https://console.cloud.google.com/auth/clients.",
    documentation: "https://developers.google.com/identity/protocols/oauth2",
    examples: {
      match: () => [`client_secret=GOCSPX-${sample(BASE64URL, 28, 1)}`, `"GOCSPX-${sample(BASE64URL, 28, 2)}"`],
      noMatch: () => [`GOCSPX-${"x".repeat(28)}`, `GOCSPX-${sample(BASE64URL, 12, 3)}`],
    },
  },
  {
    id: "google-oauth-access-token",
    display: "Google OAuth access token",
    provider: "Google",
    keywords: ["ya29."],
    pattern: /(?<![\w.-])ya29\.[\w-]{30,1000}(?![\w-])/,
    entropy: 4,
    valid: mixesCases,
    rotation:
      "Revoke the grant at https://myaccount.google.com/connections or with gcloud auth revoke; it ends by itself " +
      "after an hour.",
    documentation: "https://developers.google.com/identity/protocols/oauth2#expiration",
    examples: {
      match: () => [`Bearer ya29.${sample(BASE64URL, 180, 1)}`, `"access_token": "ya29.${sample(BASE64URL, 120, 2)}"`],
      noMatch: () => ["ya29.A0ARrdaM-...", `ya29.${"x".repeat(60)}`, "ya29.example"],
    },
  },
  {
    id: "google-oauth-refresh-token",
    display: "Google OAuth refresh token",
    provider: "Google",
    keywords: ["1//0"],
    pattern: /(?<![\w/.-])1\/\/0[\w-]{80,160}(?![\w-])/,
    entropy: 4,
    valid: mixesCases,
    rotation: "Revoke the grant at https://myaccount.google.com/connections or with curl -d token=TOKEN " +
      "https://oauth2.googleapis.com/revoke.",
    documentation: "https://developers.google.com/identity/protocols/oauth2#expiration",
    examples: {
      match: () => [`"refresh_token": "1//0${sample(BASE64URL, 98, 1)}"`, `TOKEN=1//0${sample(BASE64URL, 100, 2)}`],
      noMatch: () => ["1//0gxxxxxxxxxx", `http://10.0.0.1//0${sample(BASE64URL, 90, 3)}`, `1//0${"x".repeat(98)}`],
    },
  },
  {
    id: "google-cloud-hmac-key",
    display: "Google Cloud Storage HMAC access id",
    provider: "Google",
    keywords: ["goog1e"],
    pattern: /(?<![A-Za-z0-9_])GOOG1E[A-Z0-9]{55}(?![A-Za-z0-9_])/,
    entropy: 3.8,
    rotation:
      "Deactivate and delete the key: gcloud storage hmac update ACCESS_ID --deactivate, then gcloud storage hmac " +
      "delete ACCESS_ID.",
    documentation: "https://cloud.google.com/storage/docs/authentication/hmackeys",
    examples: {
      match: () => [`access_id=GOOG1E${sample(UPPER_ALNUM, 55, 1)}`, `"GOOG1E${sample(UPPER_ALNUM, 55, 2)}"`],
      noMatch: () => [`GOOG1E${"X".repeat(55)}`, `GOOG1E${sample(UPPER_ALNUM, 20, 3)}`],
    },
  },
  {
    id: "firebase-cloud-messaging-server-key",
    display: "Firebase Cloud Messaging server key",
    provider: "Google",
    keywords: [":apa91b"],
    pattern: /(?<![\w-])AAAA[\w-]{7}:APA91b[\w-]{134}(?![\w-])/,
    entropy: 4.5,
    rotation:
      "Delete the server key in the project's settings (Cloud Messaging) at https://console.firebase.google.com.",
    documentation: "https://firebase.google.com/docs/cloud-messaging/auth-server",
    examples: {
      match: () => [1, 2].map((seed) => `key=AAAA${sample(ALNUM, 7, seed)}:APA91b${sample(BASE64URL, 134, seed + 9)}`),
      noMatch: () => [`${sample(ALNUM, 22, 3)}:APA91b${sample(BASE64URL, 134, 4)}`, "AAAAxxxxxxx:APA91bxxxx"],
    },
  },
  {
    id: "recaptcha-secret-key",
    display: "reCAPTCHA secret key",
    provider: "Google",
    keywords: nameKeywords(["recaptcha secret", "recaptcha private", "captcha secret"]),
    pattern: assigned(["recaptcha secret", "recaptcha private", "captcha secret"], "6L[\\w-]{38}"),
    entropy: 3.8,
    // Google's keys for tests, which always pass.
    stopWords: ["6leixacuaaaaagg-vfi1tnrwxmznfuojj4wifjwe"],
    rotation: "Create new keys at https://www.google.com/recaptcha/admin and delete the old site.",
    documentation: "https://developers.google.com/recaptcha/docs/verify",
    examples: {
      match: () => [
        `RECAPTCHA_SECRET_KEY=6L${sample(BASE64URL, 38, 1)}`,
        `"recaptchaSecret": "6L${sample(BASE64URL, 38, 2)}"`,
      ],
      noMatch: () => [`RECAPTCHA_SITE_KEY=6L${sample(BASE64URL, 38, 3)}`, `RECAPTCHA_SECRET_KEY=6L${"x".repeat(38)}`],
    },
  },
];
