import { assertEquals, assertThrows } from "@std/assert";
import { codesOf, longestMatch, lookAroundReach, parsePattern, setOf } from "../../src/secrets/pattern.ts";
import { reachOf } from "../../src/secrets/reach.ts";

Deno.test("the longest match of a pattern is the sum of its parts, the longest branch, the most repetitions", () => {
  assertEquals(longestMatch(parsePattern(/ab[cd]{2,5}(?:x|yyy)?/)), 10);
  assertEquals(longestMatch(parsePattern(/(?<secret>\w{3})(?=zzzz)/)), 3);
  assertEquals(longestMatch(parsePattern(/a+/)), Infinity);
});

Deno.test("what look-arounds see is known", () => {
  assertEquals(lookAroundReach(parsePattern(/(?<![a-z]{2})a\b(?!b{7})/)), 7);
});

Deno.test("classes are parsed as JavaScript reads them", () => {
  for (
    const source of ["[a-c_.-]", "[^\\s\"']", "[\\w+/=]", "\\x41", "\\u0041", "\\.", "[\\]\\\\]", ".", "[\\b-\\n]"]
  ) {
    const tree = parsePattern(new RegExp(source));
    const expected = Array.from({ length: 128 }, (_, code) => code)
      .filter((code) =>
        new RegExp(`^${source}$`, "s").test(String.fromCharCode(code)) &&
        !(source === "." && (code === 10 || code === 13))
      );
    assertEquals(tree.kind === "set" ? codesOf(tree.set).filter((code) => code < 128) : [], expected, source);
  }
});

Deno.test("the flag i and its group widen sets to both cases", () => {
  const both = { kind: "set", set: setOf("aA") };
  assertEquals(parsePattern(/a/i), both as ReturnType<typeof parsePattern>);
  assertEquals(parsePattern(new RegExp("(?i:a)")), both as ReturnType<typeof parsePattern>);
});

Deno.test("syntax that rules may not use is refused", () => {
  assertThrows(() => parsePattern(/(a)\1/), SyntaxError);
});

Deno.test("a token's pattern has nothing in front of its keyword", () => {
  const { before, longest, guaranteed } = reachOf({ pattern: /gh[po]_[A-Za-z0-9]{36}/, keywords: ["ghp_", "gho_"] });
  assertEquals([before, longest, guaranteed], [0, 40, true]);
});

Deno.test("what stands in front of a keyword counts, over every branch", () => {
  const { before, guaranteed } = reachOf({
    pattern: /[\w.-]{0,40}(?:acme|x{3}corp)[=:](?<secret>[a-f0-9]{32})/i,
    keywords: ["acme", "corp"],
  });
  assertEquals([before, guaranteed], [43, true]);
});

Deno.test("a pattern with a branch that holds no keyword is found out", () => {
  const { guaranteed, before, longest } = reachOf({ pattern: /(?:acme|other)_\d{4}/, keywords: ["acme"] });
  assertEquals([guaranteed, before], [false, longest]);
});

Deno.test("what may not stand in front of a match is known, also where one of several things may", () => {
  const banned = (pattern: RegExp) => codesOf(reachOf({ pattern, keywords: ["abc"] }).notBehind);
  assertEquals(banned(/(?<![xy])abc/), codesOf(setOf("xy")));
  assertEquals(banned(/(?:(?<![w-z])|(?<=\\[xq]|\dy))abc/), codesOf(setOf("wz")));
  assertEquals(banned(/abc/), []);
  assertEquals(banned(/(?:(?<![xy])|x)abc/), []);
  assertEquals(banned(/(?<=[xy])abc/).includes(120), false);
});
