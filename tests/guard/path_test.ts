import { assert, assertEquals, assertThrows } from "@std/assert";
import { join, SEPARATOR } from "@std/path";
import { Refusal } from "../../src/guard/mod.ts";
import { checkedPath, isFileSystemRoot, isWithin, MAX_PATH_LENGTH } from "../../src/guard/path.ts";
import { unixTest } from "../support/system.ts";

const ABSOLUTE = Deno.build.os === "windows" ? "C:\\code\\app" : "/code/app";

function refusalOf(path: string): string {
  const { code, message } = assertThrows(() => checkedPath(path), Refusal);
  return `${code}: ${message}`;
}

Deno.test("an absolute path stays as it is", () => {
  assertEquals(checkedPath(ABSOLUTE), ABSOLUTE);
});

Deno.test("trailing and doubled separators and single dots are dropped", () => {
  assertEquals(checkedPath(ABSOLUTE + SEPARATOR), ABSOLUTE);
  assertEquals(checkedPath(ABSOLUTE + SEPARATOR.repeat(3)), ABSOLUTE);
  assertEquals(checkedPath(ABSOLUTE.replace("app", `.${SEPARATOR}${SEPARATOR}app`)), ABSOLUTE);
});

unixTest("the root of the file system keeps its separator", () => {
  for (const path of ["/", "//", "/./"]) assertEquals(checkedPath(path), "/");
});

Deno.test("every way to climb is refused, wherever it stands", () => {
  for (const tail of ["..", "../x", "a/../b", "a/..", "./../x", "a//../../b", "..//"]) {
    assert(refusalOf(join(ABSOLUTE) + SEPARATOR + tail).startsWith("bad-path:"), tail);
  }
});

Deno.test("names that only look like climbing are names", () => {
  for (const name of ["..a", "a..", "...", ". .", "%2e%2e", ".．", "‥"]) {
    assertEquals(checkedPath(ABSOLUTE + SEPARATOR + name), ABSOLUTE + SEPARATOR + name);
  }
});

Deno.test("empty, relative, NUL and overlong paths are refused with what to give instead", () => {
  assertEquals(refusalOf(""), "bad-path: the path is empty; give an absolute path");
  for (const path of ["code", "./code", "~/code", ".", "file:///code", " /code"]) {
    assert(refusalOf(path).includes("relative path; give an absolute one"), path);
  }
  assertEquals(refusalOf(`${ABSOLUTE}\0/etc`), "bad-path: the path contains a NUL character");
  const longest = ABSOLUTE + SEPARATOR + "a".repeat(MAX_PATH_LENGTH - ABSOLUTE.length - 1);
  assertEquals(checkedPath(longest), longest);
  assertEquals(refusalOf(`${longest}a`), "bad-path: the path is longer than 4096 characters");
});

Deno.test("a newline in a path is a character like any other", () => {
  assertEquals(checkedPath(`${ABSOLUTE}\n..x`), `${ABSOLUTE}\n..x`);
});

unixTest("only / is a whole file system", () => {
  assert(isFileSystemRoot("/"));
  assert(!isFileSystemRoot("/home"));
});

Deno.test("a directory holds itself and what lies below it", () => {
  assert(isWithin(ABSOLUTE, ABSOLUTE));
  assert(isWithin(ABSOLUTE, `${ABSOLUTE}${SEPARATOR}x`));
  assert(!isWithin(`${ABSOLUTE}${SEPARATOR}x`, ABSOLUTE));
});

Deno.test("a sibling that begins with the same letters is outside", () => {
  for (const tail of ["-evil", "2", ".", " ", "\n", "\0"]) assert(!isWithin(ABSOLUTE, ABSOLUTE + tail), tail);
});

unixTest("everything is inside /, and nothing of it twice", () => {
  assert(isWithin("/", "/etc"));
  assert(isWithin("/", "/"));
  assert(!isWithin("/etc", "/"));
});

Deno.test("aliases by case and Unicode normal form are outside", () => {
  const precomposed = `${ABSOLUTE}\u00e9`;
  assert(!isWithin(ABSOLUTE, ABSOLUTE.toUpperCase()));
  assert(!isWithin(precomposed, precomposed.normalize("NFD")));
});
