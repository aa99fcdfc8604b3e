/**
 * What only its name says to be a secret. These rules are off unless asked for: they find what no other rule can, and
 * much that is none.
 *
 * @module
 */

import { digitCount, isPlausiblePassword, mixes } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64URL, sample } from "../sample.ts";
import { assigned, nameKeywords } from "./_assigned.ts";
import { contextExamples } from "./_examples.ts";

const KEY_NAMES = [
  "api key",
  "access token",
  "auth token",
  "access key",
  "client secret",
  "private key",
  "secret",
  "token",
  "creds",
  "auth",
];

const PASSWORD_NAMES = ["password", "passwd", "passphrase", "pwd"];

const ROTATION =
  "Find where the value is used (the name and the code around it say so), change it there, and keep it in a " +
  "secret store: https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html.";

const DOCUMENTATION = "https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html";

/** Rules of low confidence for values that are called a key, token, secret or password. */
export const genericRules: readonly Rule[] = [
  {
    id: "generic-api-key",
    display: "Value called a key, token or secret",
    provider: "Generic",
    keywords: nameKeywords(KEY_NAMES),
    pattern: assigned(KEY_NAMES, "[\\w.+/-]{16,150}={0,2}"),
    entropy: 3.5,
    valid: (value) =>
      digitCount(value) >= 3 && !/^[A-Z][A-Z0-9_.-]+$/.test(value) &&
      !/^[\w-]+(?:\.[A-Za-z_]\w*)+$|^\/|:\/\//.test(value),
    confidence: "low",
    generic: true,
    rotation: ROTATION,
    documentation: DOCUMENTATION,
    examples: contextExamples("SOME_API_KEY", (seed) => sample(ALNUM, 60, seed)),
  },
  {
    id: "generic-env-secret-key",
    display: "Environment variable called a secret key",
    provider: "Generic",
    keywords: ["_secret_key", "_private_key", "_api_secret", "_secret"],
    pattern:
      /(?<![A-Za-z0-9])[A-Z][A-Z0-9_]{1,40}_(?:SECRET_KEY|PRIVATE_KEY|API_SECRET|SECRET)=\\{0,2}["']?(?<secret>[^\s"'\\$<>{}]{12,200})/,
    entropy: 3.3,
    valid: (value) => mixes(value) && isPlausiblePassword(value),
    confidence: "low",
    generic: true,
    rotation: ROTATION,
    documentation: DOCUMENTATION,
    examples: {
      match: () => [1, 2].map((seed) => `ACME_SECRET_KEY=${sample(BASE64URL, 30, seed)}\n`),
      noMatch: () => ["ACME_SECRET_KEY=your-secret-key", "ACME_SECRET_KEY=$OTHER", "ACME_SECRET_KEY=\nNEXT=1"],
    },
  },
  {
    id: "generic-password",
    display: "Value called a password",
    provider: "Generic",
    keywords: PASSWORD_NAMES,
    pattern:
      /(?:[Pp]assw(?:or)?d|PASSW(?:OR)?D|[Pp]assphrase|PASSPHRASE|[Pp]wd|PWD)\\{0,2}["'\]]{0,2}[ \t]{0,4}(?::=|=>|[=:])[ \t]{0,4}\\{0,2}["'`]?(?<secret>[^\s"'`\\,;<>(){}[\]]{6,128})/,
    entropy: 2.5,
    valid: (value) =>
      isPlausiblePassword(value) && /\d|[^\w./:#-]/.test(value) && !/^[A-Za-z_]\w*(?:\.\w+)+$|^\/|^~\//.test(value),
    confidence: "low",
    generic: true,
    rotation: ROTATION,
    documentation: DOCUMENTATION,
    examples: {
      match: () => [`password = "${sample(ALNUM, 14, 1)}"`, `DB_PASSWORD=${sample(ALNUM, 12, 2)}`],
      noMatch: () => [
        "password = os.environ['DB_PASSWORD']",
        "password: changeme",
        'password="${PASSWORD}"',
        "password: string",
      ],
    },
  },
];
