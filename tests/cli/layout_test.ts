import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { clip, clipMiddle, type Column, table, widthOf, wrap } from "../../src/cli/layout.ts";

const ROWS = [
  { name: "alpha", path: "/home/somebody/with/a/rather/long/path/to/node_modules" },
  { name: "beta\x1b[31m\u202e", path: "/短い/路径/目录" },
];
const COLUMNS: Column<typeof ROWS[number]>[] = [
  { title: "Name", of: ({ name }) => name },
  { title: "Path", of: ({ path }) => path, isFlexible: true },
];

Deno.test("a table fits the terminal at any width, and escapes what would hide or colour", () => {
  for (const width of [20, 40, 41, 60, 80, 200]) {
    const text = table(ROWS, COLUMNS, width);
    for (const line of text.split("\n")) assertLessOrEqual(widthOf(line), width, `${width}: ${line}`);
    assert(!text.includes("\x1b") && !text.includes("\u202e"));
  }
});

Deno.test("nothing is cut where the output is no terminal", () => {
  const text = table(ROWS, COLUMNS, Infinity);
  for (const { path } of ROWS) assert(text.includes(path));
});

Deno.test("cutting keeps whole characters and both ends of a path", () => {
  assertEquals(clip("abcdef", 4), "abc…");
  assertEquals(clip("日本語", 5), "日本…");
  const cut = clipMiddle("/home/me/projects/shop/node_modules", 20);
  assertLessOrEqual(widthOf(cut), 20);
  assert(cut.startsWith("/home/") && cut.endsWith("node_modules"), cut);
  assertLessOrEqual(widthOf(clipMiddle("👨‍👩‍👧‍👦".repeat(20), 11)), 11);
});

Deno.test("paragraphs are wrapped between words", () => {
  const text = wrap("one two three four five six seven", 12, "  ");
  assertEquals(text.split("\n"), ["  one two", "  three four", "  five six", "  seven"]);
});
