/**
 * Keys with which web frameworks sign sessions and encrypt data.
 *
 * @module
 */

import { digitCount, isNotHex, mixes } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64, HEX, sample } from "../sample.ts";
import { assigned, nameKeywords } from "./_assigned.ts";
import { contextExamples } from "./_examples.ts";

const DJANGO_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)";

const SIGNING_NAMES = [
  "jwt secret",
  "session secret",
  "cookie secret",
  "auth secret",
  "nextauth secret",
  "signing secret",
  "encryption key",
  "jwt key",
  "app secret",
  "csrf secret",
  "hash salt",
];

/** Keys of web frameworks. */
export const frameworkRules: readonly Rule[] = [
  {
    id: "django-secret-key",
    display: "Django SECRET_KEY",
    provider: "Django",
    keywords: ["secret_key", "django-insecure-"],
    pattern:
      /(?:SECRET_KEY[^\n]{0,40}?["'](?:django-insecure-)?|django-insecure-)(?<secret>[a-z0-9!@#$%^&*(\-_=+)]{50})(?![\w!@#$%^&*=+])/,
    entropy: 4,
    valid: (key) => mixes(key) && isNotHex(key),
    rotation: "Set a new key (django.core.management.utils.get_random_secret_key makes one) with the old one in " +
      "SECRET_KEY_FALLBACKS for a while: https://docs.djangoproject.com/en/stable/ref/settings/#secret-key-fallbacks.",
    documentation: "https://docs.djangoproject.com/en/stable/ref/settings/#secret-key",
    examples: {
      match: () => [
        `SECRET_KEY = 'django-insecure-${sample(DJANGO_ALPHABET, 50, 1)}'`,
        `SECRET_KEY = os.environ.get("KEY", "${sample(DJANGO_ALPHABET, 50, 2)}")`,
      ],
      noMatch: () => [
        "SECRET_KEY = os.environ['SECRET_KEY']",
        `SECRET_KEY = '${"x".repeat(50)}'`,
        "django-insecure-change-me",
      ],
    },
  },
  {
    id: "rails-master-key",
    display: "Rails master key or secret_key_base",
    provider: "Ruby on Rails",
    keywords: nameKeywords(["rails master key", "secret key base", "secret token"]),
    pattern: assigned(["rails master key", "secret key base", "secret token"], "[0-9a-f]{128}|[0-9a-f]{32}"),
    entropy: 3,
    rotation: "Write new credentials: remove config/credentials.yml.enc and config/master.key, then bin/rails " +
      "credentials:edit (https://guides.rubyonrails.org/security.html#custom-credentials).",
    documentation: "https://guides.rubyonrails.org/security.html#environmental-security",
    examples: contextExamples("SECRET_KEY_BASE", (seed) => sample(HEX, 128, seed)),
  },
  {
    id: "laravel-app-key",
    display: "Laravel APP_KEY",
    provider: "Laravel",
    keywords: ["app_key", "base64:"],
    pattern: /APP_KEY["']?[ \t]{0,4}[=:,][ \t]{0,4}["']?base64:(?<secret>[A-Za-z0-9+/]{43}=)(?![A-Za-z0-9+/=])/,
    entropy: 4.2,
    rotation: "Make a new key with php artisan key:generate, with the old one in APP_PREVIOUS_KEYS for a while: " +
      "https://laravel.com/docs/encryption#gracefully-rotating-encryption-keys.",
    documentation: "https://laravel.com/docs/encryption",
    examples: {
      match: () => [1, 2].map((seed) => `APP_KEY=base64:${sample(BASE64, 43, seed)}=`),
      noMatch: () => ["APP_KEY=base64:", "APP_KEY=base64:your-key", `APP_KEY=base64:${"A".repeat(43)}=`],
    },
  },
  {
    id: "wordpress-salt",
    display: "WordPress key or salt",
    provider: "WordPress",
    keywords: ["auth_key", "auth_salt", "logged_in_key", "logged_in_salt", "nonce_key", "nonce_salt"],
    pattern: /(?:AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)["'],[ \t]{1,10}["'](?<secret>[!-&(-~ ]{64})["']/,
    entropy: 4.5,
    rotation:
      "Replace all eight lines of wp-config.php by new ones from https://api.wordpress.org/secret-key/1.1/salt/.",
    documentation: "https://developer.wordpress.org/advanced-administration/wordpress/wp-config/#security-keys",
    examples: {
      match: () =>
        [1, 2].map((seed) => `define('SECURE_AUTH_KEY',  '${sample(`${ALNUM}!@#%^*(){}|;:,.<>/?`, 64, seed)}');`),
      noMatch:
        () => ["define('AUTH_KEY', 'put your unique phrase here');", `define('AUTH_KEY', '${sample(ALNUM, 20, 3)}');`],
    },
  },
  {
    id: "aspnet-machine-key",
    display: "ASP.NET machine key",
    provider: "Microsoft",
    keywords: ["validationkey=", "decryptionkey="],
    pattern: /(?:validation|decryption)Key=["'](?<secret>[0-9A-Fa-f]{48,128})["']/,
    entropy: 3.2,
    rotation: "Generate new keys on the Machine Key page of IIS Manager for every site that shares them. " +
      "See https://learn.microsoft.com/dotnet/api/system.web.configuration.machinekeysection.",
    documentation: "https://learn.microsoft.com/dotnet/api/system.web.configuration.machinekeysection",
    examples: {
      match: () => [1, 2].map((seed) => `<machineKey validationKey="${sample(HEX, 128, seed).toUpperCase()}" />`),
      noMatch: () => ['<machineKey validationKey="AutoGenerate,IsolateApps" />', `validationKey="${"0".repeat(64)}"`],
    },
  },
  {
    id: "app-signing-secret",
    display: "Secret with which an application signs or encrypts",
    provider: "Applications",
    keywords: nameKeywords(SIGNING_NAMES),
    pattern: assigned(SIGNING_NAMES, "[\\w+/-]{32,128}={0,2}"),
    entropy: 3.2,
    valid: (secret) =>
      mixes(secret) && digitCount(secret) >= 3 &&
      // A name, or the id of a session.
      !/^[A-Z0-9_]+$|^[a-z]+(?:[_-][a-z0-9]+)+$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(secret),
    stopWords: ["secret", "change", "your", "example", "key", "test", "dev", "jwt", "prod"],
    generic: true,
    rotation:
      "Make a new one (openssl rand -base64 32), set it in every instance, and let sessions and tokens signed with the " +
      "old one end.",
    documentation: "https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html",
    examples: contextExamples("JWT_SECRET", (seed) => sample(HEX, 64, seed)),
  },
];
