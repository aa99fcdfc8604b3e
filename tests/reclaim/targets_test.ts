import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Target } from "../../src/reclaim/target.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";
import { CAVEATS, LEFT_OUT } from "../../tools/docs/left_out.ts";
import { targetsPage } from "../../tools/docs/targets.ts";

/** The contract, typed from its document and not from the table: key, ecosystem, names, what stands beside, inside. */
const COMMON: readonly [string, string, string[], string[], string[]?][] = [
  ["node-modules", "javascript", ["node_modules"], ["package.json"]],
  ["next", "javascript", [".next"], ["package.json"]],
  ["nuxt", "javascript", [".nuxt", ".output"], ["nuxt.config.js", "nuxt.config.ts"]],
  ["turbo", "javascript", [".turbo"], ["package.json"]],
  ["parcel-cache", "javascript", [".parcel-cache"], []],
  ["vite-cache", "javascript", [".vite"], []],
  ["nyc-output", "javascript", [".nyc_output"], []],
  ["pycache", "python", ["__pycache__"], []],
  ["venv", "python", [".venv", "venv"], ["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg"], [
    "pyvenv.cfg",
  ]],
  ["python-build", "python", ["build", "dist", "*.egg-info"], ["pyproject.toml", "setup.py"]],
  ["tox", "python", [".tox", ".nox"], ["tox.ini", "noxfile.py", "pyproject.toml"]],
  ["pytest-cache", "python", [".pytest_cache"], []],
  ["mypy-cache", "python", [".mypy_cache", ".pytype", ".pyre"], []],
  ["ruff-cache", "python", [".ruff_cache"], []],
  ["coverage", "python", ["htmlcov"], []],
  ["notebook-checkpoints", "python", [".ipynb_checkpoints"], []],
  ["rust-target", "rust", ["target"], ["Cargo.toml"]],
  ["maven-target", "jvm", ["target"], ["pom.xml"]],
  ["gradle-build", "jvm", ["build", ".gradle"], [
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
  ]],
  ["dotnet-build", "dotnet", ["bin", "obj"], ["*.csproj", "*.fsproj", "*.vbproj", "*.sln"]],
  ["go-build-cache", "go", [".gocache"], []],
  ["cmake-build", "native", ["cmake-build-*"], ["CMakeLists.txt"]],
  ["terraform", "infra", [".terraform"], ["*.tf"]],
  ["gradle-wrapper-cache", "jvm", [".gradle-cache"], []],
];

/** Names that projects also give to sources, data or documents. */
const EVERYDAY_NAMES =
  ("bin book build buildtrees cache compiled cover coverage debug Debug deps dist docs downloads env lib Library obj " +
    "Obj out output packages Packages platforms Pods public release Release site target Temp temp tmp vendor work " +
    "_build _site .build .cache .esbuild .jest .npm").split(" ");

/** Left-out names that are targets as soon as a file proves them. */
const WITH_PROOF_ONLY = ["vendor", "dist", "build", "out", "lib", ".cache"];

const declaredCache = (target: Target): boolean => target.key === "cachedir-tag";
const beside = (target: Target): readonly string[] => target.marker?.beside ?? [];
const inside = (target: Target): readonly string[] => target.marker?.inside ?? [];

/** Whether the name or path fits the pattern, part by part. */
function fits(pattern: string, path: string): boolean {
  const source = pattern.split("*").map((part) => part.replace(/[.$+()[\]{}?^\\|]/g, "\\$&")).join("[^/]*");
  return new RegExp(`^${source}$`).test(path);
}

const kindsOf = (name: string): Target[] =>
  TARGETS.filter((target) => !declaredCache(target) && target.matches.some((pattern) => fits(pattern, name)));

function assertDistinct(texts: readonly string[]): void {
  assertEquals(texts.filter((text, index) => texts.indexOf(text) !== index), []);
}

Deno.test("the 24 common kinds come first, exactly as scripts know them", () => {
  const table = TARGETS.slice(0, COMMON.length).map((target) => [
    target.key,
    target.ecosystem,
    [...target.matches],
    [...beside(target)],
    ...(inside(target).length > 0 ? [[...inside(target)]] : []),
  ]);
  assertEquals(table, COMMON.map((row) => [...row]));
});

Deno.test("keys are unique and kebab-case", () => {
  assertDistinct(TARGETS.map((target) => target.key));
  for (const target of TARGETS) assertMatch(target.key, /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

Deno.test("every kind says its ecosystem, how it comes back and where that is documented", () => {
  for (const target of TARGETS) {
    assertMatch(target.ecosystem, /^[a-z]+$/, target.key);
    assertMatch(target.regenerateWith, /^.{3,40}$/, target.key);
    assertEquals(new URL(target.documentation).protocol, "https:", target.key);
    assert(target.matches.length > 0, target.key);
  }
});

Deno.test("a marker names at least one proof, so that an empty one cannot prove anything", () => {
  for (const target of TARGETS) {
    if (target.marker === null) continue;
    assert(beside(target).length + inside(target).length > 0, target.key);
  }
});

Deno.test("no two kinds share a name and a proof, so that the order decides nothing else", () => {
  assertDistinct(TARGETS.flatMap((target) => {
    const proofs = [
      ...beside(target).map((file) => `beside ${file}`),
      ...inside(target).map((file) => `inside ${file}`),
    ];
    return target.matches.flatMap((name) => (target.marker ? proofs : ["alone"]).map((proof) => `${name} ${proof}`));
  }));
});

Deno.test("patterns know only the star, and no pattern leaves its directory", () => {
  const part = String.raw`(?!\.{1,2}(?:/|$))[A-Za-z0-9._$*-]+`;
  const name = new RegExp(`^${part}$`);
  const path = new RegExp(`^${part}(?:/${part})*$`);
  for (const target of TARGETS) {
    for (const pattern of target.matches) assertMatch(pattern, path, target.key);
    for (const pattern of beside(target)) assertMatch(pattern, name, target.key);
    for (const pattern of inside(target)) assertMatch(pattern, path, target.key);
    for (const pattern of [...target.matches, ...beside(target), ...inside(target)]) {
      assert(!pattern.includes("**"), `${target.key}: ${pattern}`);
    }
  }
});

Deno.test("only a declared cache has any name, and it is the last resort", () => {
  assertEquals(TARGETS.filter((target) => target.matches.includes("*")).map((target) => target.key), ["cachedir-tag"]);
  assertEquals(TARGETS.at(-1)?.marker, { inside: ["CACHEDIR.TAG"] });
});

Deno.test("proofs are names of their own: nothing that almost any directory holds proves a kind", () => {
  const everywhere = ["README.md", "Makefile", ".gitignore", "LICENSE", "src", "index.html", "main.py", "Dockerfile"];
  for (const target of TARGETS) {
    for (const pattern of [...beside(target), ...inside(target)]) {
      assertEquals(everywhere.filter((name) => fits(pattern, name)), [], `${target.key}: ${pattern}`);
    }
  }
});

Deno.test("an everyday name is never proof enough", () => {
  for (const name of EVERYDAY_NAMES) {
    assertEquals(kindsOf(name).filter((target) => target.marker === null).map((target) => target.key), [], name);
  }
});

Deno.test("a name alone is enough only where it is hidden or unmistakable", () => {
  const unmistakable =
    /^(__pycache__|htmlcov|nimcache|pip-wheel-metadata|fable_modules|deno_cache\/(deps|gen|npm|remote)|_ReSharper\..*)$/;
  for (const target of TARGETS) {
    if (target.marker !== null) continue;
    for (const name of target.matches) {
      assert(name.startsWith(".") || unmistakable.test(name), `${target.key}: ${name}`);
    }
  }
});

Deno.test("the Library of a macOS home is not Unity's, whatever stands beside it", () => {
  assertEquals(kindsOf("Library").map((target) => target.key), ["unity-library"]);
  assertEquals(kindsOf("Library").flatMap(beside), []);
});

Deno.test("what holds state, secrets or work of its owner is no kind at all", () => {
  for (const name of LEFT_OUT.flatMap(({ names }) => names)) {
    const kinds = kindsOf(name);
    if (WITH_PROOF_ONLY.includes(name)) assert(kinds.every((target) => target.marker !== null), name);
    else assertEquals(kinds.map((target) => target.key), [], name);
  }
});

Deno.test("a warning is given only about kinds that exist", () => {
  for (const name of CAVEATS.flatMap(({ names }) => names)) assert(kindsOf(name).length > 0, name);
});

Deno.test("docs/targets.md is the table as it stands", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/targets.md", import.meta.url));
  assertEquals(page.replaceAll("\r\n", "\n"), targetsPage());
});
