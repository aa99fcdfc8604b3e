/**
 * Histories for the demo: copies of three agents' own formats, with secrets that leaked into them.
 *
 * @module
 */

import { hostOf } from "../../src/history/resolve.ts";
import { withBase62Checksum } from "../../src/secrets/checksums.ts";
import { ALNUM, BASE32, sample } from "../../src/secrets/sample.ts";
import { buildHistories } from "../fixtures/mod.ts";

/** The agents of the demo: their histories are JSON lines, a JSON document and a database. */
export const AGENTS = ["claude-code", "cline", "opencode"];

/** One string in this many is a secret. */
const EVERY = 12;

/** Made up here and now, so that no scanner of this repository ever meets one. */
function madeUpSecrets(): string[] {
  const [token, live, password] = [3, 5, 7].map((seed) => sample(ALNUM, 40, seed)) as [string, string, string];
  return [
    "AKIA" + sample(BASE32, 16, 2),
    withBase62Checksum("ghp_" + token.slice(0, 36)),
    "sk_" + "live_" + live.slice(0, 24),
    `postgres://shop:${password.slice(0, 16)}@db.internal.shop.net/orders`,
  ];
}

/**
 * Writes the histories of a made-up user into `home`.
 *
 * @returns The secrets that were planted.
 */
export function plantHistories(home: string): string[] {
  const secrets = madeUpSecrets();
  const host = hostOf(Deno.build.os, { HOME: home, USERPROFILE: home });
  buildHistories(AGENTS, host, {
    plant: (place) => place % EVERY === 0 ? secrets[place / EVERY % secrets.length]! : `word${place}`,
  });
  return secrets;
}
