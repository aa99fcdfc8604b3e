/**
 * Checksums that GitHub, npm and GitLab put at the end of their tokens, to check one and to build examples that pass.
 *
 * @module
 */

import { ALNUM, DIGITS, LOWER_ALNUM } from "./sample.ts";

/** The digits of base 62 in the order that GitHub and npm use: upper case before lower case. */
const BASE62 = DIGITS + ALNUM.slice(36) + LOWER_ALNUM.slice(10);

/** Length of the base 62 checksum of GitHub and npm. */
const BASE62_LENGTH = 6;

/** Length of the base 36 checksum at the end of GitLab's routable tokens, after two digits for the payload's length. */
const BASE36_LENGTH = 7;

/** CRC-32 (ISO 3309) of ASCII text, as an unsigned number. */
export function crc32(text: string): number {
  let crc = ~0;
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

function base62(value: number): string {
  let digits = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) digits = (BASE62[rest % 62] ?? "") + digits;
  return digits.padStart(BASE62_LENGTH, "0");
}

/** The text between a token's prefix, which ends with the first `_`, and its last six characters. */
function bodyOf(token: string): string {
  return token.slice(token.indexOf("_") + 1, -BASE62_LENGTH);
}

/** Whether a token of the form `abc_…` ends with the base 62 CRC-32 of what stands between, as GitHub and npm make it. */
export function hasBase62Checksum(token: string): boolean {
  return token.endsWith(base62(crc32(bodyOf(token))));
}

/** The same token with the last six characters replaced by the checksum that {@linkcode hasBase62Checksum} wants. */
export function withBase62Checksum(token: string): string {
  return token.slice(0, -BASE62_LENGTH) + base62(crc32(bodyOf(token)));
}

/** The checksum of one text in the form of GitLab's routable tokens. */
function base36(text: string): string {
  return crc32(text).toString(36).padStart(BASE36_LENGTH, "0");
}

/**
 * Whether a GitLab routable token is consistent: `prefix-payload.length+crc` or `prefix-payload.version.length+crc`,
 * the length being that of the base64 payload in two digits of base 36.
 *
 * Tokens of runners carry a `t2_` between prefix and payload, and the checksum was computed before one of the two was
 * put in front; so the declared length must fit the payload with or without it, and only versioned tokens, whose
 * generator is public, must also fit their checksum with or without the prefixes.
 */
export function isConsistentRoutableToken(token: string): boolean {
  const dot = token.indexOf(".");
  const payloadStarts = routableStarts(token.slice(0, dot));
  const declared = parseInt(token.slice(-BASE36_LENGTH - 2, -BASE36_LENGTH), 36);
  if (!payloadStarts.some((start) => dot - start === declared)) return false;
  const versioned = token.indexOf(".", dot + 1) > 0;
  const sealed = token.slice(0, -BASE36_LENGTH);
  return !versioned || [0, ...payloadStarts].some((start) => token.endsWith(base36(sealed.slice(start))));
}

/** Where the payload may start in what stands before the first dot: after `glpat-`, and after `t2_` where there is one. */
function routableStarts(head: string): number[] {
  const first = head.indexOf("-") + 1;
  const type = /^t\d_/.exec(head.slice(first));
  return type === null ? [first] : [first, first + type[0].length];
}

/** `head` (prefix and payload) completed to a consistent versioned routable token. */
export function withRoutableSuffix(head: string): string {
  const start = routableStarts(head).at(-1) ?? 0;
  const sealed = `${head}.01.${(head.length - start).toString(36).padStart(2, "0")}`;
  return sealed + base36(sealed);
}
