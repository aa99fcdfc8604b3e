import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { createMatcher, irreplaceable, isNamed, isProven, listNames, markersOf } from "../../src/reclaim/match.ts";
import type { Target } from "../../src/reclaim/target.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";
import { unixTest } from "../support/system.ts";
import { command, plant, withDir } from "../support/tree.ts";

const SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55";

function target(parts: Partial<Target>): Target {
  const common = { key: "x", ecosystem: "x", matches: ["out"], marker: null, regenerateWith: "x", documentation: "x" };
  return { ...common, ...parts };
}

function proves(dir: string, parts: Partial<Target>, path: string, top: string = dir): boolean {
  return isProven(target(parts), join(dir, path), top, listNames);
}

Deno.test("a name is told by its exact letters", () => {
  const matcher = createMatcher(TARGETS);
  const keys = (name: string) => matcher.named(name, join("/code")).map(({ key }) => key);
  assertEquals(keys("node_modules")[0], "node-modules");
  for (const other of ["Node_Modules", "node_modules2", "xnode_modules", "node-modules", "node_modules ", ""]) {
    assert(!keys(other).includes("node-modules"), other);
  }
});

Deno.test("of two kinds with one name the catalogue's order is kept, and the marker tells them apart", () =>
  withDir((dir) => {
    const named = createMatcher(TARGETS).named("target", dir);
    assertEquals(named.slice(0, 2).map(({ key }) => key), ["rust-target", "maven-target"]);
    plant(dir, { "rust/Cargo.toml": "", "rust/target/": "", "maven/pom.xml": "", "maven/target/": "" });
    for (const [folder, key] of [["rust", "rust-target"], ["maven", "maven-target"]] as const) {
      const proven = named.filter((target) => isProven(target, join(dir, folder, "target"), dir, listNames));
      assertEquals(proven.map((target) => target.key), [key]);
    }
  }));

Deno.test("a name of several components fits only below the others, and its marker stands beside the first", () =>
  withDir((dir) => {
    const bundle = target({ matches: ["vendor/bundle"], marker: { beside: ["Gemfile"] } });
    const matcher = createMatcher([bundle]);
    assertEquals(matcher.named("bundle", join(dir, "vendor")), [bundle]);
    assertEquals(matcher.named("bundle", join(dir, "vendors")), []);
    assert(isNamed(bundle, join(dir, "vendor", "bundle")));
    assert(!isNamed(bundle, join(dir, "bundle")));
    plant(dir, { "vendor/bundle/": "", "vendor/Gemfile": "" });
    assert(!isProven(bundle, join(dir, "vendor", "bundle"), dir, listNames));
    plant(dir, { "Gemfile": "" });
    assert(isProven(bundle, join(dir, "vendor", "bundle"), dir, listNames));
  }));

Deno.test("a pure cache needs no proof, everything else does", () =>
  withDir((dir) => {
    plant(dir, { "out/a": "", "package.json5": "", "xpackage.json": "" });
    assert(proves(dir, {}, "out"));
    assert(!proves(dir, { marker: { beside: ["package.json"] } }, "out"));
    assert(!proves(dir, { marker: { inside: ["b", "a/b"] } }, "out"));
    assert(proves(dir, { marker: { inside: ["b", "a"] } }, "out"));
    assert(proves(dir, { marker: { beside: ["*.json"] } }, "out"));
  }));

Deno.test("a marker above the root proves nothing", () =>
  withDir((dir) => {
    plant(dir, { "package.json": "", "vendor/out/": "", "vendor/package.json": "" });
    const marker = { beside: ["package.json"] };
    const top = join(dir, "vendor");
    assert(!proves(dir, { matches: ["vendor/out"], marker }, "vendor/out", top));
    assert(proves(dir, { matches: ["vendor/out"], marker }, "vendor/out"));
    assert(proves(dir, { marker }, "vendor/out", top));
  }));

Deno.test("a path with stars inside proves, and a file where a folder should be does not", () =>
  withDir((dir) => {
    plant(dir, { "out/lib/python3.12/site.py": "", "out/file": "" });
    assert(proves(dir, { marker: { inside: ["lib/python*/site.py"] } }, "out"));
    assert(!proves(dir, { marker: { inside: ["file/site.py"] } }, "out"));
    assert(!proves(dir, { marker: { inside: ["lib/ruby*/site.py"] } }, "out"));
  }));

unixTest("a proof inside is not looked for through a link", () =>
  withDir((dir) => {
    plant(dir, { "out/": "", "elsewhere/proof": "" });
    Deno.symlinkSync("../elsewhere", join(dir, "out", "lib"));
    assert(!proves(dir, { marker: { inside: ["lib/proof"] } }, "out"));
    assertEquals(listNames(join(dir, "out", "lib")), null);
  }));

Deno.test("CACHEDIR.TAG proves with its signature at the very start and not otherwise", () =>
  withDir((dir) => {
    const marker = { inside: ["CACHEDIR.TAG"] };
    for (const [content, valid] of [[SIGNATURE, true], [`${SIGNATURE}\n# cache`, true], ["", false]] as const) {
      plant(dir, { "out/CACHEDIR.TAG": content });
      assertEquals(proves(dir, { marker }, "out"), valid, content);
    }
    for (const content of [` ${SIGNATURE}`, SIGNATURE.slice(0, -1), SIGNATURE.toUpperCase(), `\ufeff${SIGNATURE}`]) {
      plant(dir, { "out/CACHEDIR.TAG": content });
      assert(!proves(dir, { marker }, "out"), content);
    }
  }));

unixTest(
  "CACHEDIR.TAG as a pipe, a link, a directory or a device proves nothing and hangs nobody",
  () =>
    withDir((dir) => {
      plant(dir, { "out/": "", "tag": SIGNATURE });
      const tag = join(dir, "out", "CACHEDIR.TAG");
      const makers = [
        () => command("mkfifo", [tag]),
        () => Deno.symlinkSync(join(dir, "tag"), tag),
        () => Deno.symlinkSync("/dev/zero", tag),
        () => Deno.mkdirSync(tag),
      ];
      for (const make of makers) {
        make();
        assert(!proves(dir, { marker: { inside: ["CACHEDIR.TAG"] } }, "out"), make.toString());
        Deno.removeSync(tag);
      }
    }),
);

Deno.test("what does not come back is named", () =>
  withDir((dir) => {
    plant(dir, { "out/deploy/id-keypair.json": "", "out/deploy/x.so": "" });
    const guarded = target({ unless: ["*.key", "deploy/*-keypair.json"] });
    assertEquals(irreplaceable(guarded, join(dir, "out"), listNames), "deploy/*-keypair.json");
    Deno.removeSync(join(dir, "out", "deploy", "id-keypair.json"));
    assertEquals(irreplaceable(guarded, join(dir, "out"), listNames), null);
  }));

Deno.test("markers are listed for people, those inside with ./", () => {
  assertEquals(markersOf(target({})), null);
  assertEquals(markersOf(target({ marker: { beside: ["a"], inside: ["b/c"] } })), ["a", "./b/c"]);
});
