/**
 * Credentials in HTTP: tokens, headers, commands that send them, and URLs.
 *
 * @module
 */

import {
  isBasicCredential,
  isCredential,
  isEncodedJwt,
  isHeaderCredential,
  isJwt,
  isPlausiblePassword,
} from "../checks.ts";
import { passwordInBase64, passwordOf } from "../parts.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64URL, HEX, sample } from "../sample.ts";
import { anyCase } from "./_assigned.ts";
import { password } from "./_examples.ts";

/** A signed token with a header and a payload of its own. */
function jwt(seed: number, header = '{"alg":"HS256","typ":"JWT"}', signature = sample(BASE64URL, 43, seed)): string {
  const payload = `{"sub":"${sample(HEX, 12, seed)}","exp":1893456000}`;
  return [btoa(header), btoa(payload)].map((part) => part.replace(/=+$/, "")).concat(signature).join(".");
}

/** Tokens that everybody has: the one on jwt.io, the keys of a local Supabase, the one of PyJWT's manual. */
const PUBLISHED_TOKENS = [
  "eyjzdwiioiixmjm0nty3odkwiiwibmftzsi6",
  "eyjpc3mioijzdxbhymfzzs1kzw1v",
  "eyjzb21lijoicgf5bg9hzcj9",
];

const TOKEN_ROTATION =
  "Revoke it where it was issued (the iss field names the place); if that cannot be done, rotate the " +
  "signing key, e.g. as https://auth0.com/docs/get-started/tenant-settings/signing-keys describes.";

/** Schemes of databases, brokers and directories. */
const DATABASES = [
  "postgres",
  "postgresql",
  "mysql",
  "mysql2",
  "mariadb",
  "mongodb",
  "redis",
  "rediss",
  "amqp",
  "amqps",
  "mssql",
  "sqlserver",
  "clickhouse",
  "cockroachdb",
  "oracle",
  "ldap",
  "ldaps",
  "neo4j",
  "bolt",
  "nats",
  "couchbase",
  "snowflake",
  "kafka",
  "memcached",
  "cassandra",
  "influxdb",
  "trino",
  "presto",
  "timescaledb",
];

const PASSWORD_ROTATION = "Change the account's password (e.g. ALTER ROLE name PASSWORD '...'; " +
  "https://www.postgresql.org/docs/current/sql-alterrole.html) and everything that uses it.";

/** Credentials in HTTP requests and URLs. The specific ones come first. */
export const httpCredentialRules: readonly Rule[] = [
  {
    id: "jwt",
    display: "JSON Web Token",
    provider: "JSON Web Tokens",
    keywords: ["eyj", "eyai"],
    pattern:
      /(?<![\w.-])eyJ[\w-]{10,3000}\.(?:e[yw][\w-]{8,8000}\.[\w-]{0,1500}|[\w-]{0,1200}\.[\w-]{10,40}\.[\w-]{10,8000}\.[\w-]{10,60})(?![\w-])/,
    entropy: 3,
    valid: isJwt,
    stopWords: PUBLISHED_TOKENS,
    rotation: TOKEN_ROTATION,
    documentation: "https://www.rfc-editor.org/rfc/rfc7519",
    examples: {
      match: () => [`token=${jwt(1)}`, `"${jwt(2, '{"alg":"RS256","kid":"a"}', sample(BASE64URL, 342, 2))}"`],
      noMatch: () => [
        `${jwt(3).split(".").slice(0, 2).join(".")}...`,
        `eyJ${sample(BASE64URL, 40, 4)}.eyJ${sample(BASE64URL, 40, 5)}.${sample(BASE64URL, 43, 6)}`,
        `data:image/png;base64,eyJ${sample(ALNUM, 300, 7)}`,
      ],
    },
  },
  {
    id: "jwt-base64",
    display: "JSON Web Token (base64-encoded)",
    provider: "JSON Web Tokens",
    keywords: ["zxlk"],
    pattern: /(?<![\w+/-])ZXlK[\w+/-]{60,12000}={0,2}(?![\w+/=-])/,
    entropy: 4,
    valid: isEncodedJwt,
    generic: true,
    rotation: TOKEN_ROTATION,
    documentation: "https://www.rfc-editor.org/rfc/rfc7519",
    examples: {
      match: () => [`token: ${btoa(jwt(1))}`, `"${btoa(jwt(2, '{"alg":"none","kid":"a"}')).replace(/=+$/, "")}"`],
      noMatch: () => [`ZXlK${sample(ALNUM, 200, 3)}`, btoa(`eyJhbGciOiJIUzI1NiJ9 ${"a".repeat(80)}`)],
    },
  },
  {
    id: "curl-auth-header",
    display: "Token in a header given to curl",
    provider: "HTTP",
    keywords: ["authorization:", "apikey:", "-key:", "token:"],
    pattern: new RegExp(
      `(?:-H|--header)(?:=|[ \\t]{0,5})\\\\{0,2}["'](?:(?:[Pp]roxy-)?${anyCase("authorization")}:[ \\t]{0,5}` +
        `(?:(?:${["basic", "bearer", "token", "apikey", "api-token"].map(anyCase).join("|")})[ \\t]{1,3})?` +
        `|(?:[A-Za-z]{1,20}-){0,3}(?:[A-Za-z]{0,12}?${anyCase("token")}|${anyCase("apikey")}|[A-Za-z]{1,20}-${
          anyCase("key")
        }):[ \\t]{0,5})` +
        `(?<secret>[\\w=~@.+/-]{8,3000})\\\\{0,2}["']`,
    ),
    entropy: 2.75,
    valid: isHeaderCredential,
    generic: true,
    part: passwordInBase64,
    rotation: "Revoke the token where the request went: the host in the command names the provider; see " +
      "https://curl.se/docs/manpage.html#-H for reading headers from a file instead.",
    documentation: "https://curl.se/docs/manpage.html#-H",
    examples: {
      match: () => [
        `curl -H 'Authorization: Bearer ${sample(HEX, 32, 1)}' https://example.org/`,
        `curl -X GET \\\n  --header "X-Api-Key: ${sample(ALNUM, 24, 2)}" https://example.org/`,
        `curl -H "Authorization: Basic ${btoa(`ops:${password(3)}`)}" https://example.org/`,
      ],
      noMatch: () => [
        `curl -H "Authorization: Bearer $TOKEN" https://example.org/`,
        `curl -H "Authorization: Bearer XXXXXXXXXXXXXXXX" https://example.org/`,
        `curl -H "Authorization: Basic ${btoa("username:password")}" https://example.org/`,
        `curl -H "Authorization: Bearer your-token-here" https://example.org/`,
      ],
    },
  },
  {
    id: "curl-auth-user",
    display: "Credential given to curl",
    provider: "HTTP",
    keywords: ["curl"],
    pattern:
      /(?<![\w-])curl(?=[ \t])(?:(?!curl )[^\n\\]|\\[^]){0,400}?[ \t\n](?:-u|--user)(?:=|[ \t]{0,5})["']?(?<secret>(?![-\s])[^\s"':]{0,80}["']?:["']?[^\s"']{0,100})["']?(?=[\s"'\\]|$)/,
    valid: isCredential,
    generic: true,
    part: passwordOf,
    rotation: "Change the password, or revoke the key, of the account at the host that the command names; see " +
      "https://curl.se/docs/manpage.html#-n for a .netrc file instead.",
    documentation: "https://curl.se/docs/manpage.html#-u",
    examples: {
      match: () => [
        `curl -u ops:${password(1)} https://example.org/`,
        `curl -s -X POST \\\n  --user "ops:${password(2)}" https://example.org/`,
        `curl -u '${sample(ALNUM, 32, 3)}:' https://example.org/`,
      ],
      noMatch: () => [
        `curl -u user:password https://example.org/`,
        'curl -u "${USERNAME}:${PASSWORD}" https://example.org/',
        "curl -u myusername https://example.org/",
        `docker run -u 1000:${password(4)}`,
      ],
    },
  },
  {
    id: "authorization-basic",
    display: "Credential in an Authorization: Basic header",
    provider: "HTTP",
    keywords: ["basic "],
    pattern: /(?<![\w-])[Bb]asic (?<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![\w+/=-])/,
    valid: isBasicCredential,
    // The client of RFC 6749.
    stopWords: ["czzcagrsa3f0mz"],
    generic: true,
    part: passwordInBase64,
    rotation:
      "Change the password of the account that the header names (it is base64 of user:password) at the host that " +
      "the request went to. " +
      "See https://www.rfc-editor.org/rfc/rfc7617.",
    documentation: "https://www.rfc-editor.org/rfc/rfc7617",
    examples: {
      match: () => [1, 2].map((seed) => `Authorization: Basic ${btoa(`ops:${password(seed)}`)}`),
      noMatch: () => ["Basic authentication", `Basic ${btoa("user:pass")}`, `Basic ${btoa("Aladdin:open sesame")}`],
    },
  },
  {
    id: "authorization-bearer",
    display: "Token in an Authorization: Bearer header",
    provider: "HTTP",
    keywords: ["bearer "],
    pattern: /(?<![\w-])[Bb]earer (?<secret>[\w.~+/-]{20,3000}={0,2})(?![\w.~+/=-])/,
    entropy: 3.4,
    valid: (token) => !token.startsWith("eyJ") && /\d[^\d]{0,40}\d/.test(token) && isHeaderCredential(token),
    stopWords: ["your", "token", "example"],
    generic: true,
    rotation:
      "Revoke the token where the request went: the host names the provider; what a bearer token is, and why it must " +
      "be revoked, is in https://www.rfc-editor.org/rfc/rfc6750.",
    documentation: "https://www.rfc-editor.org/rfc/rfc6750",
    examples: {
      match: () => [`Authorization: Bearer ${sample(ALNUM, 40, 1)}`, `"authorization": "Bearer ${sample(HEX, 48, 2)}"`],
      noMatch:
        () => ["Bearer YOUR_ACCESS_TOKEN_12345678", `Bearer ${"a1".repeat(20)}`, "Bearer authentication-scheme-name"],
    },
  },
  {
    id: "db-url-with-password",
    display: "Database URL with password",
    provider: "Databases",
    keywords: DATABASES.flatMap((scheme) => [`${scheme}://`, `${scheme}+`]),
    pattern: new RegExp(
      `(?<![A-Za-z0-9])(?:${DATABASES.join("|")})(?:\\+[a-z0-9]{1,20})?:\\/\\/[^\\s:/?#@"'\`<>\\\\]{0,100}:` +
        `(?<secret>[^\\s@/"'\`<>\\\\]{3,200})@(?=[\\w[])`,
    ),
    valid: isPlausiblePassword,
    generic: true,
    rotation: PASSWORD_ROTATION,
    documentation: "https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS",
    examples: {
      match: () => [
        `DATABASE_URL=postgres://app:${password(1)}@db.internal:5432/app`,
        `mongodb+srv://app:${password(2)}@cluster0.mongodb.net/test`,
        `postgresql+asyncpg://app:${password(3)}@localhost/app`,
      ],
      noMatch: () => [
        "postgres://user:password@localhost:5432/db",
        "postgresql://postgres:postgres@localhost/test",
        "mysql://root:${MYSQL_PASSWORD}@db/app",
        "redis://localhost:6379/0",
      ],
    },
  },
  {
    id: "basic-auth-url",
    display: "URL with user and password",
    provider: "HTTP",
    keywords: ["://"],
    pattern: /:\/\/[^\s:/?#@"'`<>\\{}$]{0,100}:(?<secret>[^\s@/"'`<>\\]{4,200})@(?!sha256)(?=[\w[])/,
    valid: isPlausiblePassword,
    generic: true,
    rotation:
      "Change the password, or revoke the token, of the account at the host that the URL names; credentials in URLs " +
      "are kept in logs and histories (https://www.rfc-editor.org/rfc/rfc3986#section-7.5).",
    documentation: "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1",
    examples: {
      match: () => [
        `git clone https://ops:${password(1)}@git.example.org/app.git`,
        `ftp://deploy:${password(2)}@ftp.example.org/`,
      ],
      noMatch: () => [
        "https://user:password@example.org/",
        "http://localhost:8080/@scope/name",
        "docker://nginx:1.25.3@sha256:",
        "https://$USER:$TOKEN@example.org/",
        "https://example.org:443/path?at=user@example.org",
      ],
    },
  },
];
