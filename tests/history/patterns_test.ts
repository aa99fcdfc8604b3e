import { assert, assertEquals } from "@std/assert";
import { formatOf, SOURCES } from "../../src/history/mod.ts";
import { found, hostAt, put, resolved, SYSTEMS, withHome } from "./_machine.ts";

/** A path that a glob matches. */
function example(glob: string): string {
  return glob.replace(/\{([^,}]*)[^}]*\}/g, "$1").replaceAll("**", "x/y").replaceAll("*", "x").replaceAll("?", "x");
}

for (const os of SYSTEMS) {
  Deno.test(`on ${os} every declared pattern finds a file, with its format, and a leftover backup of it`, async () => {
    for (const { key } of SOURCES) {
      await withHome(async (home) => {
        const source = resolved(key, hostAt(home, os));
        const expected = new Map<string, string>();
        for (const { root, files } of source.trees) {
          for (const file of files) {
            const { glob, format } = typeof file === "string" ? { glob: file, format: undefined } : file;
            const path = `${root}/${example(glob)}`;
            for (const suffix of ["", ".bak"]) {
              put(path + suffix);
              expected.set(path + suffix, `${format ?? formatOf(path.replace(/^.*\//, ""))} ${suffix !== ""}`);
            }
          }
        }
        const { files, unscanned } = await found([source]);
        assertEquals(unscanned, [], key);
        const seen = new Map(files.map(({ path, format, backup }) => [path, `${format} ${backup}`]));
        const missed = [...expected].filter(([path, what]) => seen.get(path) !== what);
        assertEquals(missed, [], key);
      });
    }
  });
}

Deno.test("every store that cannot be read is reported, and nothing in it is taken for history", async () => {
  for (const { key } of SOURCES) {
    await withHome(async (home) => {
      const source = resolved(key, hostAt(home));
      const expected = new Set<string>();
      for (const { root, opaque = [] } of source.trees) {
        for (const { glob } of opaque) {
          const path = `${root}/${example(glob)}`;
          if (path.endsWith(".pb")) put(path, "\u0000");
          else put(`${path}/objects/a.json`);
          expected.add(path);
        }
      }
      const { files, unscanned } = await found([source]);
      assertEquals(files, [], key);
      assertEquals(new Set(unscanned.map(({ file }) => file)), expected, key);
      assert(unscanned.every(({ reason }) => !reason.includes("sandbox")));
    });
  }
});
