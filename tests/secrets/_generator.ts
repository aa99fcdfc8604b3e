/** Random texts that a pattern matches, but for its look-arounds. */

import { codesOf, type Pattern } from "../../src/secrets/pattern.ts";

/** Characters that are taken where a set has them, so that a made secret looks random rather than odd. */
const USUAL = /[A-Za-z0-9]/;

/** A text that the pattern matches if its look-arounds allow. */
export function generate(pattern: Pattern, random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit);
  switch (pattern.kind) {
    case "set": {
      const characters = codesOf(pattern.set).filter((code) => code < 128).map((code) => String.fromCharCode(code));
      const usual = characters.filter((character) => USUAL.test(character));
      const from = usual.length > 0 && random() < 0.95 ? usual : characters;
      return from[below(from.length)] ?? "é";
    }
    case "sequence":
      return pattern.items.map((item) => generate(item, random)).join("");
    case "choice":
      return generate(pattern.branches[below(pattern.branches.length)] as Pattern, random);
    case "repeat": {
      // Short ones more often, lest every optional part be there.
      const count = pattern.min +
        Math.floor(random() * random() * (Math.min(pattern.max, pattern.min + 400) - pattern.min + 1));
      return Array.from({ length: count }, () => generate(pattern.body, random)).join("");
    }
    default:
      return "";
  }
}
