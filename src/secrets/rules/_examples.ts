/**
 * Examples of context rules: the same value in the notations that histories quote most, and what must not match.
 *
 * @module
 */

import type { Rule } from "../rule.ts";

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
