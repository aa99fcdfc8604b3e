import { assert, assertEquals, assertThrows } from "@std/assert";
import { hostOf, type HostOs, readPaths, resolveSource, sourceByKey, SOURCES } from "../../src/history/mod.ts";
import { compileGlob } from "../../src/history/glob.ts";
import { placesOf } from "../../src/history/places.ts";
import { BUILDERS } from "../../tools/fixtures/mod.ts";
import { SYSTEMS } from "./_machine.ts";

/** The fixed sources with their default roots; a root that is the same everywhere below the home stands once. */
const CONTRACT: readonly [key: string, linux: string, darwin?: string, windows?: string][] = [
  ["claude-code", ".claude/projects"],
  ["codex", ".codex"],
  ["opencode", ".local/share/opencode", ".local/share/opencode", "AppData/Local/opencode"],
  ["cursor", "CFG/Cursor/User"],
  ["windsurf", "CFG/Windsurf/User"],
  ["aider", ""],
  ["cline", "CFG/Code/User/globalStorage/saoudrizwan.claude-dev"],
  ["kilo-code", "CFG/Code/User/globalStorage/kilocode.kilo-code"],
  ["roo-code", "CFG/Code/User/globalStorage/rooveterinaryinc.roo-cline"],
  ["pearai", "CFG/PearAI/User/globalStorage/PearAI.pearai-roo-cline"],
  ["trae", "CFG/Trae/User"],
  ["void", "CFG/Void/User"],
  ["gemini-cli", ".gemini"],
  ["qwen-code", ".qwen"],
  ["continue-vscode", ".continue"],
  ["open-interpreter", "CFG/open-interpreter", "CFG/open-interpreter", "AppData/Local/open-interpreter"],
  ["github-copilot-chat", "CFG/Code/User"],
  ["openclaw", ".openclaw"],
  ["hermes", ".hermes", ".hermes", "AppData/Local/hermes"],
  ["goose", ".local/share/goose", ".local/share/goose", "AppData/Roaming/Block/goose/data"],
  ["llm", "CFG/io.datasette.llm"],
  ["warp", ".local/state/warp-terminal", "CFG/dev.warp.Warp-Stable", "AppData/Local/warp/Warp/data"],
  ["crush", ""],
  ["grok-cli", ".grok"],
  ["kiro-cli", ".kiro"],
  ["zed", ".local/share/zed", "CFG/Zed", "AppData/Local/Zed"],
  ["codebuff", ".config/manicode"],
  ["plandex", "plandex-server"],
  ["junie", ".junie"],
  ["mentat", ".mentat"],
  ["jetbrains-ai", "CFG/JetBrains"],
];

const EXPERIMENTAL = new Set([
  "pearai",
  "trae",
  "void",
  "qwen-code",
  "warp",
  "crush",
  "grok-cli",
  "kiro-cli",
  "zed",
  "codebuff",
  "plandex",
  "junie",
  "mentat",
  "jetbrains-ai",
]);

const HOMES: Readonly<Record<HostOs, string>> = { linux: "/home/ada", darwin: "/Users/ada", windows: "C:\\Users\\ada" };
const CONFIG: Readonly<Record<HostOs, string>> = {
  linux: ".config",
  darwin: "Library/Application Support",
  windows: "AppData/Roaming",
};

function rootOf(key: string, os: HostOs, env: Record<string, string> = {}): string {
  const spec = sourceByKey(key);
  assert(spec, key);
  const home = os === "windows" ? { USERPROFILE: HOMES[os] } : { HOME: HOMES[os] };
  return resolveSource(spec, { os, env: { ...home, ...env } }).root;
}

Deno.test("the 31 fixed sources come first, in their order, and the rest are experimental", () => {
  assertEquals(SOURCES.slice(0, CONTRACT.length).map(({ key }) => key), CONTRACT.map(([key]) => key));
  for (const [index, { key, experimental }] of SOURCES.entries()) {
    assertEquals(experimental ?? false, index >= CONTRACT.length || EXPERIMENTAL.has(key), key);
  }
});

for (const os of SYSTEMS) {
  Deno.test(`default roots on ${os}`, () => {
    for (const [key, linux, darwin = linux, windows = linux] of CONTRACT) {
      const below = { linux, darwin, windows }[os].replace("CFG", CONFIG[os]);
      const parts = [HOMES[os], ...below.split("/").filter((part) => part !== "")];
      assertEquals(rootOf(key, os), parts.join(os === "windows" ? "\\" : "/"), key);
    }
  });
}

Deno.test("environment variables move roots, and an empty one counts as unset", () => {
  const cases: [key: string, os: HostOs, env: Record<string, string>, root: string][] = [
    ["claude-code", "linux", { CLAUDE_CONFIG_DIR: "/a, /b" }, "/a/projects"],
    ["claude-code", "linux", { CLAUDE_CONFIG_DIR: "" }, "/home/ada/.claude/projects"],
    ["claude-code", "windows", { CLAUDE_CONFIG_DIR: "D:\\claude\\" }, "D:\\claude\\projects"],
    ["codex", "linux", { CODEX_HOME: "~/work/codex" }, "/home/ada/work/codex"],
    ["codex", "linux", { CODEX_HOME: " " }, "/home/ada/.codex"],
    ["opencode", "linux", { XDG_DATA_HOME: "/data" }, "/data/opencode"],
    ["opencode", "windows", { XDG_DATA_HOME: "D:\\data" }, "D:\\data\\opencode"],
    ["opencode", "windows", { LOCALAPPDATA: "D:\\local" }, "D:\\local\\opencode"],
    ["cursor", "linux", { XDG_CONFIG_HOME: "/cfg" }, "/cfg/Cursor/User"],
    ["cursor", "darwin", { XDG_CONFIG_HOME: "/cfg" }, "/Users/ada/Library/Application Support/Cursor/User"],
    ["cursor", "windows", { APPDATA: "D:\\roaming" }, "D:\\roaming\\Cursor\\User"],
    ["gemini-cli", "linux", { GEMINI_CLI_HOME: "/g" }, "/g/.gemini"],
    ["qwen-code", "linux", { QWEN_HOME: "/q" }, "/q"],
    ["qwen-code", "linux", { QWEN_CODE_HOME: "/q" }, "/q/.qwen"],
    ["continue-vscode", "linux", { CONTINUE_GLOBAL_DIR: "/c" }, "/c"],
    ["openclaw", "linux", { OPENCLAW_STATE_DIR: "/o" }, "/o"],
    ["hermes", "windows", { HERMES_HOME: "D:\\h" }, "D:\\h"],
    ["goose", "linux", { GOOSE_PATH_ROOT: "/g" }, "/g/data"],
    ["llm", "darwin", { LLM_USER_PATH: "/l" }, "/l"],
    ["warp", "linux", { XDG_STATE_HOME: "/s" }, "/s/warp-terminal"],
    ["zed", "linux", { XDG_DATA_HOME: "/d" }, "/d/zed"],
    ["plandex", "linux", { PLANDEX_BASE_DIR: "/p" }, "/p"],
  ];
  assertEquals(cases.map(([key, os, env]) => rootOf(key, os, env)), cases.map(([, , , root]) => root));
});

Deno.test("the home is HOME, on Windows USERPROFILE, and one of them must be there", () => {
  assertEquals(placesOf({ os: "linux", env: { HOME: "/h", USERPROFILE: "/u" } }).home("x"), "/h/x");
  assertEquals(
    placesOf({ os: "windows", env: { HOME: "/h", USERPROFILE: "C:\\u" } }).home("x", "y/z"),
    "C:\\u\\x\\y\\z",
  );
  assertEquals(placesOf({ os: "linux", env: { HOME: "/" } }).home("x"), "/x");
  for (const env of [{}, { HOME: "" }]) assertThrows(() => placesOf({ os: "linux", env }), TypeError, "HOME");
});

Deno.test("hosts are known by Deno's names for them", () => {
  assertEquals(["linux", "freebsd", "darwin", "windows"].map((os) => hostOf(os, {}).os), [
    "linux",
    "linux",
    "darwin",
    "windows",
  ]);
});

Deno.test("each source is declared well: unique key, patterns that compile, absolute roots, a fixture", () => {
  assertEquals(new Set(SOURCES.map(({ key }) => key)).size, SOURCES.length);
  assertEquals(Object.keys(BUILDERS).sort(), SOURCES.map(({ key }) => key).sort());
  for (const os of SYSTEMS) {
    for (const spec of SOURCES) {
      assert(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(spec.key), spec.key);
      for (const { root, files, opaque = [] } of resolveSource(spec, hostOf(os, { HOME: HOMES[os] })).trees) {
        assert(root.startsWith(HOMES[os]), `${spec.key}: ${root}`);
        assert(files.length > 0, spec.key);
        for (const file of files) compileGlob(typeof file === "string" ? file : file.glob);
        for (const { glob, reason } of opaque) {
          compileGlob(glob);
          assert(reason.length > 10, spec.key);
        }
      }
    }
  }
});

Deno.test("roots begin with the default root, and the paths to allow cover them without nesting", () => {
  const all = SOURCES.map((spec) => resolveSource(spec, hostOf("linux", { HOME: "/home/ada" })));
  for (const { root, roots } of all) assertEquals(roots[0], root);
  const claude = all.filter(({ key }) => key === "claude-code");
  assertEquals(claude[0]?.roots.slice(0, 1), ["/home/ada/.claude/projects"]);
  assertEquals(readPaths(claude).sort(), [
    "/home/ada/.claude",
    "/home/ada/.claude.json",
    "/home/ada/.claude.json.backup",
    "/home/ada/.config/claude",
  ]);
  assertEquals(readPaths(all), ["/home/ada"]);
});

Deno.test("extensions are looked for in every build of VS Code and every editor made from it", () => {
  const spec = sourceByKey("cline");
  assert(spec);
  const { roots } = resolveSource(spec, hostOf("linux", { HOME: "/home/ada", VSCODE_PORTABLE: "/portable" }));
  const below = "globalStorage/saoudrizwan.claude-dev";
  for (
    const user of [
      "/home/ada/.config/Code - Insiders/User",
      "/home/ada/.config/VSCodium/User",
      "/home/ada/.config/Cursor/User",
      "/home/ada/.local/share/code-server/User",
      "/home/ada/.vscode-server/data/User",
      "/home/ada/.cursor-server/data/User",
      "/home/ada/.var/app/com.visualstudio.code/config/Code/User",
      "/portable/user-data/User",
    ]
  ) assert(roots.includes(`${user}/${below}`), user);
});
