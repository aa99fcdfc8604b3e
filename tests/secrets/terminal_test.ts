/** What terminals print: a colour around a token ends in a letter, which is no part of the token. */

import { assertEquals } from "@std/assert";
import { scanText } from "../../src/secrets/mod.ts";
import { ALNUM, sample } from "../../src/secrets/sample.ts";
import { token } from "../support/audit.ts";

const key = token(7);
const secret = sample(ALNUM, 40, 7);
const inBytes = (text: string) => scanText(text).map(({ rule, start, end }) => [rule, text.slice(start, end)]);

for (
  const [name, before, after] of [
    ["a colour", "\x1b[32m", "\x1b[0m"],
    ["many attributes", "\x1b[1;38;2;255;100;0m", "\x1b[39;49m"],
    ["two sequences, as grep writes them", "\x1b[01;31m\x1b[K", "\x1b[m\x1b[K"],
  ] as const
) {
  Deno.test(`a token in ${name} is found at its place`, () => {
    for (const text of [`${before}${key}${after}`, `id ${before}${key}${after} and more`]) {
      assertEquals(inBytes(text), [["aws-access-key", key]]);
    }
  });

  Deno.test(`a token in ${name} is found in JSON, and in JSON in JSON`, () => {
    const once = JSON.stringify(`key: ${before}${key}${after}`);
    for (const text of [once, JSON.stringify(once)]) assertEquals(inBytes(text), [["aws-access-key", key]]);
  });

  Deno.test(`a variable of which the name and the value are in ${name} is found`, () => {
    const text = `${before}AWS_SECRET_ACCESS_KEY${after}=${before}${secret}${after}\n`;
    assertEquals(inBytes(text).map(([, found]) => found), [secret]);
    assertEquals(inBytes(JSON.stringify(text)).map(([, found]) => found), [secret]);
  });
}

Deno.test("a token behind a letter or an index is no token for having a bracket near it", () => {
  for (const text of [`[m${key}`, `a[0]m${key}`, `x[32m${key}`]) assertEquals(inBytes(text), []);
});
