import { assert, assertEquals } from "@std/assert";
import { mask } from "../../src/secrets/mask.ts";
import { ALNUM, sample } from "../../src/secrets/sample.ts";

Deno.test("a long secret shows its first six characters and its last four", () => {
  const secret = sample(ALNUM, 40);
  assertEquals(mask(secret), `${secret.slice(0, 6)}********${secret.slice(-4)}`);
});

Deno.test("never more than 40 % of a secret is shown, and nothing of a very short one", () => {
  for (let length = 0; length < 200; length++) {
    const secret = sample(ALNUM, length);
    const shown = mask(secret).replace("********", "");
    assert(shown.length <= length * 0.4);
    assert(mask(secret).includes("********"));
  }
  assertEquals(mask("ab"), "********");
});

Deno.test("of a key block only its kind is shown", () => {
  const block = `-----BEGIN ${"RSA"} PRIVATE KEY-----\n${sample(ALNUM, 64)}\n`;
  assertEquals(mask(block), "RSA PRIVATE KEY");
  assertEquals(mask(block.replaceAll("\n", "\\n")), "RSA PRIVATE KEY");
});

Deno.test("characters are not split, and what cannot be seen is not passed on", () => {
  assertEquals(mask("𝄞".repeat(30)), `${"𝄞".repeat(6)}********${"𝄞".repeat(4)}`);
  assertEquals(mask(`a\nb\u202ec\u200b${sample(ALNUM, 30)}`).startsWith("a?b?c?"), true);
});
