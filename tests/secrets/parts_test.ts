import { assert, assertEquals } from "@std/assert";
import { redactContent, spansOf } from "../../src/redact/content.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";
import { decodeBase64 } from "../../src/secrets/checks.ts";
import { isIgnored, mask, parseIgnore, scanText } from "../../src/secrets/mod.ts";
import { ALNUM, DIGITS, LOWER_ALNUM, sample } from "../../src/secrets/sample.ts";
import { isSecret } from "../../src/secrets/placeholder.ts";
import { plaintextsOf } from "../../src/secrets/spans.ts";

const short = ["q7", "Rz"].join("");

Deno.test("a mask shows of `user:password` no more than the share of the password", () => {
  const cases: readonly [text: string, password: string][] = [
    [`curl -u ci-bot.production@corp.io:${short} https://x.io`, short],
    [`curl -u "ci-bot.production@corp.io:X${short}" https://x.io`, `X${short}`],
    [`curl --user 'ops':'k9${short}' https://x.io`, `k9${short}`],
    [`Authorization: Basic ${btoa(`ci-bot.production@corp.io:${short}`)}`, short],
    [`curl -H "Authorization: Basic ${btoa(`ci-bot.production@corp.io:${short}`)}" https://x.io`, short],
    [`{"auths": {"r.io": {"auth": "${btoa(`ci-bot.production@corp.io:${short}`)}"}}}`, short],
    [`//r.io/:_auth=${btoa(`ci-bot.production@corp.io:${short}`)}`, short],
  ];
  for (const [text, password] of cases) {
    assertEquals(scanText(text).map(({ masked }) => masked), [mask(password)], text);
  }
});

Deno.test("a mask shows of an address no more than the share of its key", () => {
  const key = sample(LOWER_ALNUM, 6, 3);
  const hook = `https://hooks.zapier.com/hooks/catch/${sample(DIGITS, 6)}/${key}`;
  assertEquals(scanText(hook).map(({ masked }) => masked), [mask(key)]);
});

for (const rule of RULES.filter(({ part }) => part !== undefined)) {
  Deno.test(`${rule.id}: the secret part of each example is a part of it, and a secret of some length`, () => {
    for (const example of rule.examples.match()) {
      const match = new RegExp(rule.pattern).exec(example);
      const whole = match?.groups?.secret ?? match?.[0] ?? "";
      const part = rule.part!(whole);
      assert(isSecret(rule, whole), example);
      const decoded = [whole, decodeBase64(whole) ?? ""];
      assert(part.length >= 4 && decoded.some((text) => text.includes(part)), example);
    }
  });
}

for (
  const [name, before] of [
    ["given to curl", (user: string, password: string) => `curl -u ${user}:${password} https://x.io`],
    ["in a Basic header", (user: string, password: string) => `Authorization: Basic ${btoa(`${user}:${password}`)}`],
  ] as const
) {
  Deno.test(`a password ${name} is removed where it stands alone, too, and in another Basic header`, () => {
    const password = sample(ALNUM, 16, 5);
    const lines = [before("ops", password), `the password is ${password}.`, btoa(`root:${password}`)];
    const content = new TextEncoder().encode(lines.map((t) => `${JSON.stringify({ t })}\n`).join(""));
    const { bytes, left, problem } = redactContent(content, "jsonl", () => true);
    assertEquals([left, problem], [[], null]);
    const after = new TextDecoder().decode(bytes);
    assert(!after.includes(password) && after.split("[REDACTED:").length === 4, after);
  });
}

Deno.test("an ignored value is ignored as the whole and as its secret part", () => {
  const password = sample(ALNUM, 16, 6);
  const [span] = spansOf(new TextEncoder().encode(`curl -u ops:${password} https://x.io`));
  assert(span !== undefined);
  const place = { source: "codex", path: "a.jsonl", line: 1, rule: span.rule.id };
  for (const entry of [password, `ops:${password}`]) {
    assert(plaintextsOf(span).some((text) => isIgnored(parseIgnore(entry), place, text)), entry);
  }
});
