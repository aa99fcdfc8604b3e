/**
 * Builders of examples that several tables share.
 *
 * @module
 */

import type { Rule } from "../rule.ts";
import { ALNUM, HEX, sample } from "../sample.ts";

/**
 * Examples for a rule built by `assigned`. `identifier` is a constant's name such as `ACME_API_KEY`; `value` makes
 * another secret for each seed.
 */
export function contextExamples(identifier: string, value: (seed: number) => string): Rule["examples"] {
  const camel = identifier.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return {
    match: () => [
      `export ${identifier}=${value(1)}\n`,
      `const ${camel} = "${value(2)}";`,
      `{ "${identifier.toLowerCase()}": "${value(3)}" }`,
    ],
    noMatch: () => [
      `export ${identifier}=${value(1).replace(/[A-Za-z0-9]/g, "x")}\n`,
      `const ${camel} = "${value(2)}${value(3)}${value(1)}";`,
      `{ "other_value": "${value(3)}" }`,
      `${identifier}=\n${identifier}_FILE=/run/secrets/${identifier.toLowerCase()}\n`,
    ],
  };
}

/** A UUID. */
export function uuid(seed: number): string {
  const hex = sample(HEX, 32, seed);
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([start, end]) => hex.slice(start, end)).join("-");
}

/** A password in which no check sees a word. */
export function password(seed: number): string {
  return sample(ALNUM.replace(/[aeiou]/g, ""), 16, seed);
}
