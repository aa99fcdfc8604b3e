import { assertEquals } from "@std/assert";
import { compileGlob, literals, start, step } from "../../src/history/glob.ts";

/** Whether a glob matches a path, by taking one step a name as a walk does. */
function matches(glob: string, path: string): boolean {
  const compiled = compileGlob(glob);
  const names = path.split("/");
  let positions = start(compiled);
  for (const name of names.slice(0, -1)) positions = step(compiled, positions, name).inside;
  return step(compiled, positions, names.at(-1) ?? "").matches;
}

const CASES: readonly [glob: string, yes: string[], no: string[]][] = [
  ["a.json", ["a.json", "A.JSON"], ["b.json", "x/a.json", "a.json/x", "aXjson"]],
  ["*.json", ["a.json", ".json"], ["a.jsonl", "x/a.json"]],
  ["**/*.jsonl", ["a.jsonl", "x/a.jsonl", "x/y/a.jsonl", "x.jsonl/a.jsonl"], ["a.json", "x/a.jsonl/b"]],
  ["tmp/**", ["tmp/a", "tmp/x/y/a"], ["tmp", "a", "x/tmp/a"]],
  ["tmp/**/chats/**/*.{json,jsonl}", ["tmp/chats/a.json", "tmp/p/chats/s/a.jsonl"], [
    "tmp/p/a.json",
    "tmp/p/chats/a.txt",
  ]],
  ["{a,b}/?.md", ["a/x.md", "b/y.md"], ["c/x.md", "a/xy.md"]],
  ["*/workspace/*.xml", ["Idea/workspace/a.xml"], ["workspace/a.xml", "a/b/workspace/a.xml"]],
  ["a+(b)[c]/$.txt", ["a+(b)[c]/$.txt"], ["aab/$.txt"]],
];

for (const [glob, yes, no] of CASES) {
  Deno.test(`glob ${glob}`, () => {
    assertEquals(yes.filter((path) => !matches(glob, path)), []);
    assertEquals(no.filter((path) => matches(glob, path)), []);
  });
}

Deno.test("a glob leads only into directories that can still match", () => {
  const glob = compileGlob("tasks/*/api.json");
  assertEquals(step(glob, start(glob), "cache"), { inside: [], matches: false });
  assertEquals(step(glob, start(glob), "tasks").inside.length, 1);
});

Deno.test("names to ask for are known where every position is literal", () => {
  const glob = compileGlob("threads/threads.db");
  assertEquals(literals(glob, start(glob)), ["threads"]);
  assertEquals(literals(glob, step(glob, start(glob), "threads").inside), ["threads.db"]);
  const any = compileGlob("**/a");
  assertEquals(literals(any, start(any)), undefined);
});
