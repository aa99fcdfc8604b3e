import { assert, assertEquals } from "@std/assert";
import { detect, type Problem, SOURCES, stringsOf } from "../../src/history/mod.ts";
import { buildHistories } from "../../tools/fixtures/mod.ts";
import { found, hostAt, resolved, SYSTEMS, withHome } from "./_machine.ts";

for (const os of SYSTEMS) {
  for (const { key } of SOURCES) {
    Deno.test(`${key} on ${os}: a string planted in every place is found, and nothing is left unread`, () =>
      withHome(async (home) => {
        const host = hostAt(home, os);
        const source = resolved(key, host);
        assertEquals(await detect([source]), new Set(), "nothing is detected before there is history");
        const planted = buildHistories([key], host, { plant: (place) => `planted-${key}-${place}-end` });
        assert(planted.length > 0);
        assertEquals(await detect([source]), new Set([key]));

        const { files, unscanned } = await found([source]);
        assertEquals(unscanned, []);
        const texts = new Map<string, string[]>();
        const problems: Problem[] = [];
        for (const file of files) {
          const strings: string[] = [];
          for await (const { text } of stringsOf(file, (problem) => problems.push(problem))) strings.push(text);
          texts.set(file.path, strings);
        }
        assertEquals(problems, []);
        const missed = planted.filter(({ file, text }) => !texts.get(file)?.some((string) => string.includes(text)));
        assertEquals(missed, []);
        assertEquals(files.length, new Set(files.map(({ path }) => path)).size, "no file is found twice");
        assert(files.every(({ backup, source, size }) => !backup && source === key && size > 0));
      }));
  }
}

Deno.test("histories of all agents in one home: each file is found by its own source", () =>
  withHome(async (home) => {
    const host = hostAt(home);
    const keys = SOURCES.map(({ key }) => key);
    const owners = new Map<string, string>();
    for (const key of keys) {
      for (const { file } of buildHistories([key], host, { plant: (place) => `${key}-${place}-` })) {
        if (!owners.has(file)) owners.set(file, key);
      }
    }
    const { files, unscanned } = await found(keys.map((key) => resolved(key, host)));
    assertEquals(unscanned, []);
    const bySource = new Set(files.map(({ source, path }) => `${source} ${path}`));
    assertEquals([...owners].filter(([file, key]) => !bySource.has(`${key} ${file}`)), []);
  }));

Deno.test("the same seed writes the same histories", () =>
  withHome((home) => {
    const [one, two] = [`${home}/one`, `${home}/two`];
    for (const directory of [one, two]) {
      buildHistories(["claude-code", "cursor", "aider"], hostAt(directory), { seed: 7 });
    }
    const list = (root: string): string[] => {
      const names: string[] = [];
      const visit = (path: string): void => {
        for (const entry of Deno.readDirSync(path)) {
          if (entry.isDirectory) visit(`${path}/${entry.name}`);
          else names.push(`${path}/${entry.name}`.slice(root.length));
        }
      };
      visit(root);
      return names.sort();
    };
    assertEquals(list(one), list(two));
    for (const name of list(one)) {
      if (!name.endsWith("vscdb")) assertEquals(Deno.readFileSync(one + name), Deno.readFileSync(two + name));
    }
  }));

Deno.test("histories of all agents, packed: each file is named as not read, or seen to be packed when it is read", () =>
  withHome(async (home) => {
    const host = hostAt(home);
    const keys = SOURCES.map(({ key }) => key);
    const owners = new Map<string, string>();
    for (const key of keys) {
      for (const { file } of buildHistories([key], host, { plant: (place) => `${key}-${place}-` })) {
        if (!owners.has(file)) owners.set(file, key);
      }
    }
    for (const file of owners.keys()) Deno.renameSync(file, `${file}.gz`);
    const { files, unscanned } = await found(keys.map((key) => resolved(key, host)));
    const named = new Set([
      ...files.map(({ source, path }) => `${source} ${path}`),
      ...unscanned.map(({ source, file }) => `${source} ${file}`),
    ]);
    assertEquals([...owners].filter(([file, key]) => !named.has(`${key} ${file}.gz`)), []);
    assert(unscanned.length > owners.size / 2, `${unscanned.length} of ${owners.size}`);
  }));
