import { assert, assertEquals } from "@std/assert";
import { globMatcher, matchesName } from "../../src/text/glob.ts";

/** Whether `glob` leaves out `relative` below the folder `/code`. */
function excludes(glob: string, relative: string): boolean {
  return globMatcher([glob])(`/code/${relative}`, relative);
}

Deno.test("stars stand for any characters of a name, question marks for one, all else for itself", () => {
  for (
    const [pattern, name] of [["*", ""], ["*", "a"], ["a*", "a"], ["*.js", ".js"], ["a*b*c", "a-b-b-c"], ["?", "x"]]
  ) {
    assert(matchesName(pattern!, name!), `${pattern} ${name}`);
  }
  for (const [pattern, name] of [["", "a"], ["a", ""], ["a*", "ba"], ["*.js", "a.jsx"], ["a?", "a"], ["a", "A"]]) {
    assert(!matchesName(pattern!, name!), `${pattern} ${name}`);
  }
});

Deno.test("characters that mean something to regular expressions mean nothing here", () => {
  for (const name of ["a.b", "[ab]", "(a|b)", "a+", "^a$", "a\\b", "{a,b}", "!a"]) {
    assert(matchesName(name, name), name);
  }
  assert(!matchesName("a.b", "axb"));
  assert(!matchesName("[ab]", "a"));
});

Deno.test("the matching agrees with a regular expression on random patterns and names", () => {
  let state = 1;
  const next = (below: number) => (state = (state * 48271) % 2147483647) % below;
  const word = (letters: string, length: number) =>
    Array.from({ length: next(length) }, () => letters[next(letters.length)]).join("");
  for (let round = 0; round < 20_000; round++) {
    const [pattern, name] = [word("ab*?", 7), word("ab", 8)];
    const expected = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(name);
    assertEquals(matchesName(pattern, name), expected, `${pattern} ${name}`);
  }
});

Deno.test("a glob without a slash is compared with the last name", () => {
  assert(excludes("dist", "a/b/dist"));
  assert(excludes("dist/", "dist"));
  assert(!excludes("dist", "dist/a"));
  assert(!excludes("dist", "distant"));
});

Deno.test("a glob with a slash is compared with the whole path below the folder", () => {
  assert(excludes("a/dist", "a/dist"));
  assert(!excludes("a/dist", "b/a/dist"));
  assert(excludes("**/dist", "dist"));
  assert(excludes("**/dist", "a/b/dist"));
  assert(excludes("a/**", "a/b/c"));
  assert(excludes("a/**/c", "a/c"));
  assert(excludes("a/*/c", "a/b/c"));
  assert(!excludes("a/*/c", "a/b/b/c"));
});

Deno.test("a glob that starts with a slash is compared with the absolute path", () => {
  assert(excludes("/code/a", "a"));
  assert(!excludes("/a", "a"));
  assert(excludes("/**/a", "b/a"));
});

Deno.test("no globs exclude nothing, and an empty glob neither", () => {
  assert(!globMatcher([])("/code/a", "a"));
  for (const glob of ["", "/", "//"]) assert(!excludes(glob, "a"), glob);
});

Deno.test("denial of service by stars: what would take longer than the universe comes to an end", () => {
  assert(!matchesName("*a".repeat(5000) + "b", "a".repeat(5000)));
  assert(!matchesName("*" + "a".repeat(4000) + "b", "a".repeat(10_000)));
  assert(!excludes(Array(2000).fill("**/a").join("/") + "/b", Array(2000).fill("a").join("/")));
  assert(!excludes("**/" + "*a*".repeat(1000) + "b", Array(100).fill("a".repeat(200)).join("/")));
});
