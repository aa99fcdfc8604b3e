/**
 * What makes words a seed phrase, and what is said about the two kinds.
 *
 * @module
 */

import { createHash, createHmac } from "node:crypto";
import type { RuleInfo } from "./rule.ts";

/** Words of a phrase, the most first: a long phrase may hold what passes for a short one. */
export const PHRASE_LENGTHS: readonly number[] = [24, 21, 18, 15, 12];

/** BIP-39 seed phrases. */
export const BIP39_RULE: RuleInfo = {
  id: "bip39-mnemonic",
  display: "Wallet seed phrase (BIP-39)",
  provider: "BIP-39",
  rotation:
    "Whoever saw the words owns the wallet and they cannot be changed: create a wallet with a new phrase on a " +
    "clean device and move every asset of every chain to it at once.",
  documentation: "https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki",
};

/** Electrum seed phrases. */
export const ELECTRUM_RULE: RuleInfo = {
  id: "electrum-seed",
  display: "Wallet seed phrase (Electrum)",
  provider: "Electrum",
  rotation:
    "Whoever saw the words owns the wallet and they cannot be changed: in Electrum choose File > New/Restore, " +
    "create a new seed on a clean device and send all funds to the new wallet.",
  documentation: "https://electrum.readthedocs.io/en/latest/seedphrase.html",
};

/** Bits of the word list's index. */
const INDEX_BITS = 11;
/** Beginnings of the digest for standard, segwit, two-factor and two-factor segwit wallets. */
const ELECTRUM_VERSIONS = ["01", "100", "101", "102"];

/** Whether the last bits that the words stand for are the checksum of the others. */
export function checksumHolds(indices: readonly number[]): boolean {
  const bits = indices.length * INDEX_BITS;
  const checksumBits = bits % 32;
  const bytes = new Uint8Array(Math.ceil(bits / 8));
  indices.forEach((index, word) => {
    for (let bit = 0; bit < INDEX_BITS; bit++) {
      if ((index >> (INDEX_BITS - 1 - bit) & 1) === 0) continue;
      const place = word * INDEX_BITS + bit;
      bytes[place >> 3] = (bytes[place >> 3] as number) | 0x80 >> (place & 7);
    }
  });
  const entropyBytes = (bits - checksumBits) / 8;
  const digest = createHash("sha256").update(bytes.subarray(0, entropyBytes)).digest();
  // The checksum has at most eight bits, and whole bytes precede it.
  return (digest[0] as number) >> (8 - checksumBits) === (bytes[entropyBytes] as number) >> (8 - checksumBits);
}

/** Whether Electrum's digest of the words names a kind of wallet. */
export function electrumVersionHolds(words: readonly string[]): boolean {
  const digest = createHmac("sha512", "Seed version").update(words.join(" ")).digest("hex");
  return ELECTRUM_VERSIONS.some((version) => digest.startsWith(version));
}
