import { assertEquals } from "@std/assert";
import { compressionOf, formatOf, originalOf } from "../../src/history/mod.ts";

Deno.test("a file's format follows from the right-most extension that says one", () => {
  const expected: Record<string, string> = {
    "a.jsonl": "jsonl",
    "a.JSON": "json",
    "a.json.txt": "text",
    "rollout.jsonl.zst": "jsonl",
    "x.jsonl.deleted.2026-11-30T10-00-00.000Z": "jsonl",
    ".claude.json.backup.1780000000000": "json",
    "state.vscdb": "sqlite",
    "state.vscdb.backup": "sqlite",
    "data.sqlite3": "sqlite",
    "12ab@v1": "text",
    "workspace.xml": "xml",
    ".aider.chat.history.md": "text",
    "": "text",
  };
  assertEquals(Object.fromEntries(Object.keys(expected).map((name) => [name, formatOf(name)])), expected);
});

Deno.test("a backup's name tells whose copy it is", () => {
  assertEquals(
    ["a.jsonl.bak", "a.jsonl.bak.2", "a.bak-3", "a.BAK", "a.jsonl", "bak", ".bak", "a.bakery", "a.bak.txt"].map(
      originalOf,
    ),
    ["a.jsonl", "a.jsonl", "a", "a", undefined, undefined, undefined, undefined, undefined],
  );
});

Deno.test("compression is told by the last extension alone", () => {
  assertEquals(["a.jsonl.zst", "a.zstd", "a.jsonl", "zst", "a.zst.jsonl"].map(compressionOf), [
    "zstd",
    "zstd",
    undefined,
    undefined,
    undefined,
  ]);
});
