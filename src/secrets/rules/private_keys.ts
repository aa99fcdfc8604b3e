/**
 * Private keys in every wrapping that they are quoted in.
 *
 * @module
 */

import { decodeBase64, isPrivateKeyBlock, mixesCases } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { BASE64, BASE64URL, HEX, sample, UPPER_ALNUM } from "../sample.ts";
import { assigned, nameKeywords } from "./_assigned.ts";
import { contextExamples } from "./_examples.ts";

/** Lines of base64 as in a PEM block. */
function lines(count: number, seed: number, newline = "\n"): string {
  return Array.from({ length: count }, (_, line) => sample(BASE64, 64, seed * 50 + line)).join(newline);
}

/** A PEM block; the words of its header are put together here, so that no file holds a whole one. */
function pem(kind: string, seed: number, newline = "\n", count = 6): string {
  const label = `${kind}PRIVATE${" KEY"}${kind.startsWith("PGP") ? " BLOCK" : ""}`;
  return `-----BEGIN ${label}-----${newline}${lines(count, seed, newline)}${newline}-----END ${label}-----`;
}

/** The kinds of PEM private keys whose base64 is searched for. */
const ENCODED_KINDS = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "PGP "];

/** The first characters of the base64 of a PEM header that depend on nothing behind it. */
function encodedHeader(kind: string): string {
  const header = `-----BEGIN ${kind}PRIVATE${" KEY"}`;
  return btoa(header.slice(0, header.length - header.length % 3));
}

const encodedHeaders = ENCODED_KINDS.map(encodedHeader);

const BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";

/** Private keys of the first accounts of Hardhat and Anvil, the same for everybody. */
const DEVELOPMENT_ACCOUNTS = [
  "ac0974bec39a17e3",
  "59c6995e998f97a5",
  "5de4111afa1a4b94",
  "7c852118294e51e6",
  "47e179ec19748859",
  "8b3a350cf5c34c91",
  "92db14e403b83dfe",
  "4bbbf85ce3377467",
  "dbda1821b80551c9",
  "2a871d0798f97d79",
];

const WALLET_NAMES = ["private key", "deployer key", "wallet key", "signer key"];

const KEY_ROTATION =
  "Make a new key pair (ssh-keygen -t ed25519, openssl genpkey), replace the public key wherever it is " +
  "trusted, and have certificates on it revoked (https://letsencrypt.org/docs/revoking/).";

/** Private keys. */
export const privateKeyRules: readonly Rule[] = [
  {
    id: "private-key-pem",
    display: "Private key (PEM block)",
    provider: "Private keys",
    keywords: ["private key-", "private key -", "private key block"],
    pattern:
      /-{4,5} ?BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:(?:[^-]|-(?!---)){64,16000}-{4,5} ?END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}|(?:(?:[\s>|#]|\\{1,3}[nr])[\s>|#]{0,10}[A-Za-z0-9+/=]{40,80}){1,160})/,
    valid: isPrivateKeyBlock,
    generic: true,
    rotation: KEY_ROTATION,
    documentation: "https://www.rfc-editor.org/rfc/rfc7468",
    examples: {
      match: () => [
        pem("", 1),
        pem("RSA ", 2, "\\n"),
        pem("EC ", 3, "\n", 3),
        pem("OPENSSH ", 4, "\r\n"),
        pem("PGP ", 5),
        pem("ENCRYPTED ", 6, "\\\\n"),
        pem("DSA ", 7).split("-----END")[0] ?? "",
      ],
      noMatch: () => [
        pem("", 8).replace(/[A-Za-z0-9+/=]{64}/g, "..."),
        `-----BEGIN OPENSSH PRIVATE${" KEY"}----------END OPENSSH PRIVATE${" KEY"}-----`,
        `text.replace("-----BEGIN PRIVATE${" KEY"}-----", "").replace(/\\s+/g, "").trim().split("-----END PRIVATE${" KEY"}-----")`,
        `-----BEGIN PUBLIC KEY-----\n${lines(4, 9)}\n-----END PUBLIC KEY-----`,
      ],
    },
  },
  {
    id: "private-key-base64",
    display: "Private key (base64 of a PEM block)",
    provider: "Private keys",
    keywords: encodedHeaders.map((header) => header.toLowerCase()),
    pattern: new RegExp(`(?:${encodedHeaders.join("|")})[A-Za-z0-9+/_\\s-]{100,16000}={0,2}`),
    valid: (text) => isPrivateKeyBlock(decodeBase64(text.replace(/\s/g, "").slice(0, 400)) ?? ""),
    generic: true,
    rotation: KEY_ROTATION,
    documentation: "https://www.rfc-editor.org/rfc/rfc7468",
    examples: {
      match: () => [`client-key-data: ${btoa(`${pem("RSA ", 1)}\n`)}`, `"${btoa(pem("", 2))}"`, btoa(pem("EC ", 3))],
      noMatch: () => [
        btoa(`-----BEGIN CERTIFICATE-----\n${lines(6, 4)}\n-----END CERTIFICATE-----`),
        `${encodedHeader("RSA ")}...`,
      ],
    },
  },
  {
    id: "putty-private-key",
    display: "PuTTY private key (.ppk)",
    provider: "Private keys",
    keywords: ["private-lines:"],
    pattern: /Private-Lines: \d{1,3}(?<secret>(?:(?:\s|\\{1,3}[nr]){1,4}[A-Za-z0-9+/=]{24,64}){1,200})/,
    entropy: 4,
    rotation: KEY_ROTATION,
    documentation: "https://tartarus.org/~simon/putty-snapshots/htmldoc/AppendixC.html",
    examples: {
      match: () =>
        ["\n", "\\n"].map((newline, seed) =>
          ["PuTTY-User-Key-File-3: ssh-rsa", "Encryption: none", "Private-Lines: 4", lines(4, seed, newline)].join(
            newline,
          )
        ),
      noMatch: () => ["Private-Lines: 14\n...", `Public-Lines: 4\n${lines(4, 3)}`],
    },
  },
  {
    id: "pkcs12-file",
    display: "PKCS #12 bundle (base64 of a .p12 or .pfx file)",
    provider: "Private keys",
    keywords: ["ibazcc"],
    pattern: /(?<![A-Za-z0-9+/])MII[A-Za-z0-9+/]{2}[AQgw]IBAzCC[A-Za-z0-9+/\s]{300,16000}={0,2}/,
    entropy: 4.5,
    rotation:
      "Have the certificate inside revoked by its issuer, make a new key pair (openssl pkcs12 -export makes the " +
      "bundle), and replace the bundle wherever it is used.",
    documentation: "https://www.rfc-editor.org/rfc/rfc7292",
    examples: {
      match: () => [1, 2].map((seed) => `P12_BASE64=MIIKEgIBAzCCCd4${sample(BASE64, 2000, seed)}==`),
      noMatch: () => [`MIIEvQIBADANBgkqhkiG9w0BAQEF${sample(BASE64, 800, 3)}`, "MIIKEgIBAzCC..."],
    },
  },
  {
    id: "age-secret-key",
    display: "age secret key",
    provider: "age",
    keywords: ["age-secret-key-"],
    pattern: /AGE-SECRET-KEY-(?:PQ-)?1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58,80}(?![A-Za-z0-9])/,
    entropy: 3.5,
    rotation: "Make a new identity with age-keygen, re-encrypt every file for its recipient, and delete the old one.",
    documentation: "https://github.com/FiloSottile/age/blob/main/README.md",
    examples: {
      match: () => [1, 2].map((seed) => `# key\nAGE-SECRET-KEY-1${sample(BECH32, 58, seed)}\n`),
      noMatch: () => [`AGE-SECRET-KEY-1${"Q".repeat(58)}`, `AGE-SECRET-KEY-1${sample(UPPER_ALNUM, 30, 3)}`, "age1qqqq"],
    },
  },
  {
    id: "jwk-private-key",
    display: "Private JSON Web Key",
    provider: "Private keys",
    keywords: ["kty"],
    pattern:
      /"kty\\{0,2}"\s{0,3}:\s{0,3}\\{0,2}"(?:EC|RSA|OKP|oct)\\{0,2}"(?:(?!"kty")[^{}]){0,1200}?"[dk]\\{0,2}"\s{0,3}:\s{0,3}\\{0,2}"(?<secret>[\w-]{32,700})\\{0,2}"/,
    entropy: 4,
    rotation:
      "Make a new key, publish its public half in the key set (JWKS), and remove the old key once tokens have expired. " +
      "See https://www.rfc-editor.org/rfc/rfc7517.",
    documentation: "https://www.rfc-editor.org/rfc/rfc7517",
    examples: {
      match: () =>
        [1, 2].map((seed) =>
          `{"kty":"EC","crv":"P-256","x":"${sample(BASE64URL, 43, seed)}","d":"${sample(BASE64URL, 43, seed + 9)}"}`
        ),
      noMatch: () => [
        `{"kty":"EC","crv":"P-256","x":"${sample(BASE64URL, 43, 3)}","y":"${sample(BASE64URL, 43, 4)}"}`,
        `{"kty":"oct","k":"..."}`,
      ],
    },
  },
  {
    id: "wireguard-private-key",
    display: "WireGuard private or preshared key",
    provider: "WireGuard",
    keywords: ["privatekey", "presharedkey"],
    pattern:
      /(?:PrivateKey|PresharedKey)[ \t]{0,4}=[ \t]{0,4}(?<secret>[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)(?![A-Za-z0-9+/=])/,
    entropy: 4.2,
    rotation: "Make a new key (wg genkey), and give its public key to every peer (wg set wg0 peer ...).",
    documentation: "https://www.wireguard.com/quickstart/",
    examples: {
      match: () => [`[Interface]\nPrivateKey = ${sample(BASE64, 42, 1)}E=`, `PresharedKey=${sample(BASE64, 42, 2)}A=`],
      noMatch:
        () => [`PublicKey = ${sample(BASE64, 42, 3)}E=`, `PrivateKey = ${"A".repeat(43)}=`, "PrivateKey = <key>"],
    },
  },
  {
    id: "wallet-private-key",
    display: "Private key of a cryptocurrency wallet (64 hexadecimal digits)",
    provider: "Private keys",
    keywords: nameKeywords(WALLET_NAMES),
    pattern: assigned(WALLET_NAMES, "(?:0x)?[0-9a-fA-F]{64}"),
    entropy: 3.3,
    stopWords: DEVELOPMENT_ACCOUNTS,
    rotation:
      "Make a new account and move everything from the old one to it at once; an account's key cannot be changed " +
      "(https://ethereum.org/en/security/).",
    documentation: "https://ethereum.org/en/developers/docs/accounts/",
    examples: contextExamples("DEPLOYER_PRIVATE_KEY", (seed) => `0x${sample(HEX, 64, seed)}`),
  },
  {
    id: "wallet-extended-private-key",
    display: "Extended private key of a wallet (BIP-32)",
    provider: "Private keys",
    keywords: ["xprv", "yprv", "zprv", "tprv"],
    pattern: /(?<![A-Za-z0-9])[xyzt]prv[1-9A-HJ-NP-Za-km-z]{107}(?![A-Za-z0-9])/,
    entropy: 4.8,
    valid: mixesCases,
    rotation: "Make a new wallet and move everything from the old one to it at once; its keys cannot be changed. " +
      "See https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki.",
    documentation: "https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki",
    examples: {
      match: () => [1, 2].map((seed) => `xprv9${sample(BASE64.replace(/[+/0OIl]/g, ""), 106, seed)}`),
      noMatch: () => [`xpub6${sample(BASE64.replace(/[+/0OIl]/g, ""), 106, 3)}`, `xprv9${"s".repeat(106)}`],
    },
  },
];
