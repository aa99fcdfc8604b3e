import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { pages } from "../../tools/docs/main.ts";
import { CACHE } from "../support/audit.ts";
import { CHECKOUT, OFFLINE, runToEnd } from "../support/server.ts";

Deno.test("the pages that are made from the program are as the program is (deno task docs)", async () => {
  for (const [path, text] of Object.entries(await pages())) {
    assertEquals(await Deno.readTextFile(join(CHECKOUT, path)), text, `${path} is stale: run deno task docs`);
  }
});

/** Every Markdown file that people read. */
async function markdown(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const folder of ["", "docs"]) {
    for await (const { name, isFile } of Deno.readDir(join(CHECKOUT, folder))) {
      if (isFile && name.endsWith(".md")) {
        found[join(folder, name)] = await Deno.readTextFile(join(CHECKOUT, folder, name));
      }
    }
  }
  return found;
}

Deno.test("links between pages lead somewhere", async () => {
  for (const [page, text] of Object.entries(await markdown())) {
    for (const [, target = ""] of text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const path = join(CHECKOUT, dirname(page), target);
      assert(await Deno.lstat(path).then(() => true, () => false), `${page} links to ${target}`);
    }
  }
});

/** What the package exports: files by names that begin with a dot. */
const EXPORTS: Readonly<Record<string, string>> =
  JSON.parse(await Deno.readTextFile(join(CHECKOUT, "deno.json"))).exports;

Deno.test("the TypeScript in README and docs is right by the types of this very version", async () => {
  const folder = await Deno.makeTempDir({ dir: CHECKOUT, prefix: ".docs-" });
  try {
    let blocks = 0;
    for (const [page, text] of Object.entries(await markdown())) {
      for (const [, code = ""] of text.matchAll(/^```ts\n(.*?)^```$/gms)) {
        if (!code.includes("import ")) continue; // a piece of a table, not a program
        const local = Object.entries(EXPORTS).reduce(
          (text, [name, file]) => text.replaceAll(`"${name.replace(".", "jsr:@agentsweep/mcp")}"`, `".${file}"`),
          code,
        );
        await Deno.writeTextFile(join(folder, `${page.replaceAll(/\W/g, "_")}_${blocks++}.ts`), local);
      }
    }
    assert(blocks > 0);
    const { code, stderr } = await runToEnd([Deno.execPath(), "check", "--quiet", ...OFFLINE, folder]);
    assertEquals(code, 0, stderr);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

interface Documented {
  readonly nodes: Record<string, {
    symbols: { name: string; declarations: { kind: string; jsDoc?: { tags?: { kind: string }[] } }[] }[];
  }>;
}

Deno.test("every function that the package exports has an example, and every example runs", async () => {
  const files = Object.values(EXPORTS).map((path) => join(CHECKOUT, path));
  const documented = await runToEnd([Deno.execPath(), "doc", "--json", ...OFFLINE, ...files]);
  const { nodes }: Documented = JSON.parse(documented.stdout);
  const functions = Object.values(nodes).flatMap(({ symbols }) => symbols)
    .flatMap(({ name, declarations }) => declarations.map((declaration) => ({ name, ...declaration })))
    .filter(({ kind }) => kind === "function");
  assert(functions.length > 40);
  const without = functions.filter(({ jsDoc }) => !jsDoc?.tags?.some(({ kind }) => kind === "example"));
  assertEquals(without.map(({ name }) => name), []);

  const home = await Deno.makeTempDir();
  try {
    const sources = [join(CHECKOUT, "main.ts"), join(CHECKOUT, "src")];
    const { code, stdout, stderr } = await runToEnd(
      [Deno.execPath(), "test", "--doc", "-A", ...OFFLINE, ...sources],
      { HOME: home, TMPDIR: home, DENO_DIR: CACHE, NO_COLOR: "1" },
    );
    assertEquals(code, 0, stderr + stdout);
    const passed = Number(/(\d+) passed/.exec(stdout)?.[1]);
    assert(passed >= functions.length, `${passed} examples ran`);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
