import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { dirname, join, relative } from "@std/path";
import { VERSION } from "../../src/version.ts";
import { CHECKOUT } from "../support/server.ts";

const SRC = join(CHECKOUT, "src");

/** The areas of the source and what each may import beside itself. Leaves import nothing. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  cli: ["serve", "mcp", "engine", "reclaim", "history", "redact", "secrets", "guard", "sandbox", "text", "concurrency"],
  serve: ["mcp", "engine", "reclaim", "history", "redact", "secrets", "guard", "sandbox", "text", "concurrency"],
  mcp: ["engine", "reclaim", "history", "redact", "secrets", "guard", "sandbox", "text", "concurrency"],
  engine: ["reclaim", "history", "redact", "secrets", "guard", "text", "concurrency"],
  reclaim: ["guard", "text", "concurrency"],
  history: ["secrets", "guard", "text", "concurrency"],
  redact: ["history", "secrets", "guard", "text", "concurrency"],
  sandbox: ["guard", "text"],
  secrets: ["text", "concurrency"],
  guard: ["text"],
  text: [],
  concurrency: [],
};

/** Where a package from outside may be imported. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@modelcontextprotocol/server": ["mcp"],
  "zod": ["mcp"],
};

interface Source {
  readonly name: string;
  readonly area: string;
  readonly text: string;
  readonly code: string;
}

async function sources(folder: string = SRC): Promise<Source[]> {
  const found: Source[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) found.push(...await sources(path));
    else if (name.endsWith(".ts")) {
      const text = await Deno.readTextFile(path);
      const below = relative(SRC, path).replaceAll("\\", "/");
      const code = text.split("\n").filter((line) => !/^\s*(\/\/|\/?\*)/.test(line)).join("\n");
      found.push({ name: below, area: below.includes("/") ? below.split("/")[0]! : "", text, code });
    }
  }
  return found;
}

function importsOf({ code }: Source): string[] {
  return Array.from(
    code.matchAll(/(?:^import |^export |^\} )[^"']*?from "([^"]+)"|^import "([^"]+)"/gm),
    ([, one, other]) => one ?? other!,
  );
}

Deno.test("imports point one way, from what speaks with people and models to what decides", async () => {
  const all = await sources();
  assert(all.length > 40);
  let checked = 0;
  for (const source of all) {
    for (const specifier of importsOf(source)) {
      if (specifier.startsWith(".")) {
        const target = relative(SRC, join(SRC, dirname(source.name), specifier)).replaceAll("\\", "/");
        assert(!target.startsWith(".."), `${source.name} imports ${specifier} from outside of src`);
        const area = target.includes("/") ? target.split("/")[0]! : "";
        if (area === source.area || area === "") continue;
        const allowed = MAY_IMPORT[source.area];
        assert(allowed, `${source.area} is an area without a place in the order`);
        assert(allowed.includes(area), `${source.name} must not import ${area} (${specifier})`);
        checked++;
      } else {
        const name = Object.keys(PACKAGES).find((name) => specifier === name || specifier.startsWith(`${name}/`));
        if (name) assert(PACKAGES[name]!.includes(source.area), `${source.name} must not import ${specifier}`);
      }
    }
  }
  assert(checked > 50);
});

Deno.test("the guard knows of no protocol", async () => {
  for (const { name, code } of (await sources()).filter(({ area }) => area === "guard")) {
    assert(!/modelcontextprotocol|zod|json-?rpc|\bmcp\b/i.test(code), name);
  }
});

Deno.test("only the command line prints on standard output", async () => {
  for (const { name, area, code } of await sources()) {
    if (area === "cli") continue;
    const prints = code.match(/console\.(log|info|debug|table|dir)\(|Deno\.stdout|process\.stdout\.write/g) ?? [];
    assertEquals(prints, [], name);
  }
});

Deno.test("only one file of Reclaim removes anything", async () => {
  const removing = (await sources()).filter(({ area, code }) =>
    ["cli", "serve", "mcp", "engine", "reclaim", "guard", "sandbox"].includes(area) &&
    /\b(Deno\.(remove|removeSync|truncate\w*|writeFile\w*|writeTextFile\w*|rmdir)|unlink|rmSync|rmdirSync)\b/.test(code)
  );
  assertEquals(removing.map(({ name }) => name), ["reclaim/remove.ts"]);
});

Deno.test("no source file needs banners to be read", async () => {
  for (const { name, text } of await sources()) assertLessOrEqual(text.split("\n").length, 500, name);
});

Deno.test("the version is the one of deno.json", async () => {
  const { version, unstable } = JSON.parse(await Deno.readTextFile(join(CHECKOUT, "deno.json")));
  assertEquals(VERSION, version);
  assertEquals(unstable, ["worker-options"], "without it a checkout cannot narrow itself");
});

/** The modules and packages that are loaded with `modules` and the root export. */
async function loadedWith(...modules: string[]): Promise<{ files: string[]; packages: string[] }> {
  const all = new Map((await sources()).map((source) => [source.name, source]));
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const follow = (text: string, folder: string) => {
    // An import of types alone loads nothing.
    const code = text.replaceAll(/^(?:import|export) type [^;]*;$/gm, "");
    for (const specifier of importsOf({ name: "", area: "", text, code })) {
      if (!specifier.startsWith(".")) packages.add(specifier);
      else load(relative(SRC, join(folder, specifier)).replaceAll("\\", "/"));
    }
  };
  const load = (name: string) => {
    if (files.has(name)) return;
    files.add(name);
    follow(all.get(name)!.code, join(SRC, dirname(name)));
  };
  follow(await Deno.readTextFile(join(CHECKOUT, "main.ts")), CHECKOUT);
  modules.forEach(load);
  return { files: [...files], packages: [...packages] };
}

Deno.test("a server is started without what only scanning histories and redacting need", async () => {
  const { files, packages } = await loadedWith("serve/options.ts", "serve/start.ts", "serve/run.ts");
  assert(files.includes("mcp/tools/scan_history.ts") && files.includes("history/sources/mod.ts"));
  assertEquals(files.filter((name) => /^(?:redact|secrets|history\/formats|engine\/redact\/service)/.test(name)), []);
  assertEquals(packages.filter((name) => /^node:(?:fs|zlib|sqlite|stream|buffer)$/.test(name)), []);
});

Deno.test("a thread that only starts another, a command and a library that serves nothing load no SDK", async () => {
  const { files, packages } = await loadedWith("serve/options.ts", "serve/start.ts", "cli/run.ts");
  assert(files.includes("mcp/create.ts"));
  assertEquals(packages.filter((name) => /^@modelcontextprotocol|^zod$/.test(name)), []);
});
