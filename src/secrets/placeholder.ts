/**
 * Tells secrets from what only looks like one: examples in documentation, templates, masked values.
 *
 * @module
 */

import type { Rule } from "./rule.ts";

/** Words that are no accident in a secret of random characters, and that placeholders are made of. */
const WORDS = [
  "example",
  "placeholder",
  "changeme",
  "change_me",
  "change-me",
  "redacted",
  "dummy",
  "insert",
  "replace",
  "sample",
  "your_",
  "your-",
  "yourkey",
  "yourtoken",
  "yoursecret",
  "yourpassword",
  "yourapi",
  "my_secret",
  "my-secret",
  "mysecret",
  "my_token",
  "my-token",
  "my_api",
  "my-api",
  "fake",
  "xxxx",
  "...",
  "\u2026",
  "****",
  "deadbeef",
  "deadc0de",
  "00000000",
  "11111111",
];

/** `<your-key>`, `${VAR}`, `{{ var }}`, `$(command)`, `%VAR%`, `[REDACTED]`, `@Value`: something stands for the secret. */
const TEMPLATE =
  /\$\{|\{\{|<[A-Za-z_][^<>]{0,60}>|\$\(|^%\w{1,40}%$|^\$\w{1,60}$|^\[[^\[\]]{0,60}\]$|^process\.env|#\{/;

const LONGEST_REPEAT = 7;
const LONGEST_SEQUENCE = 8;

/** Shannon entropy of the characters of `text`, in bits a character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return text.length === 0 ? 0 : bits / text.length;
}

/** Whether `text` repeats one character, or counts up or down, for longer than chance would. */
function isRegular(text: string): boolean {
  let repeat = 1;
  let sequence = 1;
  let step = 0;
  for (let index = 1; index < text.length; index++) {
    const difference = text.charCodeAt(index) - text.charCodeAt(index - 1);
    repeat = difference === 0 ? repeat + 1 : 1;
    if (Math.abs(difference) !== 1) sequence = 1;
    else sequence = difference === step ? sequence + 1 : 2;
    step = difference;
    if (repeat > LONGEST_REPEAT || sequence > LONGEST_SEQUENCE) return true;
  }
  return false;
}

/** Whether a secret is one short piece over and over: `abcabcabc`, `1212121212`. */
function isPeriodic(text: string): boolean {
  if (text.length < 12) return false;
  for (let period = 1; period <= 4; period++) {
    let index = period;
    while (index < text.length && text[index] === text[index - period]) index++;
    if (index === text.length) return true;
  }
  return false;
}

/** Whether a text that a rule's pattern found is a secret, as far as the rule's other tests can tell. */
export function isSecret(rule: Pick<Rule, "entropy" | "valid" | "stopWords">, secret: string): boolean {
  if (secret.length === 0) return false;
  if (rule.entropy !== undefined && entropyOf(secret) < rule.entropy) return false;
  const lower = secret.toLowerCase();
  if (rule.stopWords?.some((word) => lower.includes(word))) return false;
  // In a key block of thousands of characters such words and runs are chance.
  if (secret.length <= 512) {
    if (WORDS.some((word) => lower.includes(word))) return false;
    if (TEMPLATE.test(secret) || isRegular(secret) || isPeriodic(secret)) return false;
  }
  return rule.valid === undefined || rule.valid(secret);
}
