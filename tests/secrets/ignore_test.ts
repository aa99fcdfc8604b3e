import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { fingerprint, isIgnored, parseIgnore } from "../../src/secrets/mod.ts";

const PLACE = { source: "codex", path: "sessions/2026/a.jsonl", line: 12, rule: "npm-token" };

function ignored(...entries: string[]): boolean {
  return isIgnored(parseIgnore(entries.join("\n")), PLACE, "the secret");
}

Deno.test("a fingerprint depends on source, path, line and rule, and on nothing else", () => {
  assertMatch(fingerprint(PLACE), /^[0-9a-f]{32}$/);
  assertEquals(fingerprint({ ...PLACE, path: "sessions\\2026\\a.jsonl" }), fingerprint(PLACE));
  for (const other of [{ source: "crush" }, { path: "sessions/2026/b.jsonl" }, { line: 13 }, { rule: "jwt" }]) {
    assertNotEquals(fingerprint({ ...PLACE, ...other }), fingerprint(PLACE));
  }
  assertNotEquals(fingerprint({ ...PLACE, source: "a", path: "b" }), fingerprint({ ...PLACE, source: "", path: "ab" }));
});

Deno.test("every kind of entry ignores what it names", () => {
  assertEquals(ignored("rule:npm-token"), true);
  assertEquals(ignored(fingerprint(PLACE)), true);
  assertEquals(ignored("sessions/2026/a.jsonl:12:npm-token"), true);
  assertEquals(ignored(`sha256:${createHash("sha256").update("the secret").digest("hex").toUpperCase()}`), true);
  assertEquals(ignored("  the secret  "), true);
  assertEquals(ignored("path:sessions/**"), true);
});

Deno.test("what is not named is not ignored", () => {
  const entries = [
    "rule:npm",
    "sessions/2026/a.jsonl:13:npm-token",
    "the",
    "path:other/**",
    "# the secret",
    "",
    "path:",
  ];
  assertEquals(ignored(...entries), false);
});

Deno.test("globs match as in other ignore files", () => {
  const cases: [string, boolean][] = [
    ["*.jsonl", true],
    ["a.jsonl", true],
    ["sessions", true],
    ["sessions/", true],
    ["./sessions/2026", true],
    ["sessions/*/a.jsonl", true],
    ["**/a.jsonl", true],
    ["sessions/**/a.jsonl", true],
    ["sessions\\2026\\*.jsonl", true],
    ["?.jsonl", true],
    ["sessions/*.jsonl", false],
    ["2026/a.jsonl", false],
    ["a", false],
    ["sessions/2026/a.json", false],
    ["sessions/2026/a+jsonl", false],
  ];
  for (const [glob, expected] of cases) assertEquals(ignored(`path:${glob}`), expected, glob);
});

Deno.test("attack: a glob written to backtrack for ever is matched in no time", () => {
  const deep = { ...PLACE, path: `${"a/".repeat(200)}y` };
  assertEquals(isIgnored(parseIgnore(`path:${"**/".repeat(60)}x`), deep, "the secret"), false);
  assertEquals(isIgnored(parseIgnore(`path:${"**/".repeat(60)}y`), deep, "the secret"), true);
  const long = { ...PLACE, path: "a".repeat(500) };
  assertEquals(isIgnored(parseIgnore(`path:${"*a".repeat(60)}b`), long, "the secret"), false);
  assertEquals(isIgnored(parseIgnore(`path:${"*a".repeat(60)}`), long, "the secret"), true);
});

Deno.test("entries come from several texts, with any line ends and a byte order mark", () => {
  const list = parseIgnore("\ufeffrule:jwt\r\n# comment\r\n", "rule:npm-token");
  assertEquals(isIgnored(list, PLACE, "x"), true);
  assertEquals(isIgnored(list, { ...PLACE, rule: "jwt" }, "x"), true);
});
