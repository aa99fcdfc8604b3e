/**
 * The sources that every release names and whose storage was found by research alone. Their order is fixed. Where a fact
 * comes from is in `docs/sources.md`.
 *
 * @module
 */
import type { Places } from "../places.ts";
import type { SourceSpec, Tree } from "../source.ts";
import { orElse } from "./_families.ts";

/** The last 10 of the fixed sources, in their order. */
export const RESEARCHED: readonly SourceSpec[] = [
  {
    key: "warp",
    display: "Warp",
    experimental: true,
    processes: ["warp", "Warp", "warp-terminal"],
    trees: (at) => {
      const stores: Readonly<Record<Places["os"], readonly string[]>> = {
        windows: ["Warp", "Warp Preview", "WarpOss"].map((name) => at.localAppData("warp", name, "data")),
        darwin: ["dev.warp.Warp-Stable", "dev.warp.Warp-Preview", "dev.warp.WarpOss"].flatMap((name) => [
          at.config(name),
          at.home("Library/Group Containers/2BBY89MBSN.dev.warp/Library/Application Support", name),
        ]),
        linux: ["warp-terminal", "warp-terminal-preview", "warp-oss"].map((name) => at.xdgState(name)),
      };
      return stores[at.os].map((root) => ({
        root,
        files: ["warp.sqlite", "tui/warp.sqlite", "*.log"],
      }));
    },
  },
  {
    key: "crush",
    display: "Crush",
    experimental: true,
    processes: ["crush"],
    trees: (at) => [
      { root: at.home(), files: ["**/.crush/crush.db", "**/.crush/logs/*.log"], walk: "home" },
      ...orElse(
        at.named("CRUSH_GLOBAL_DATA"),
        at.os === "windows" ? at.localAppData("crush") : at.xdgData("crush"),
      ).map((root): Tree => ({ root, files: ["**/crush.db", "**/logs/*.log"] })),
    ],
  },
  {
    key: "grok-cli",
    display: "Grok CLI",
    experimental: true,
    processes: ["grok", "@vibe-kit/grok-cli", "grok-dev"],
    trees: (at) => [{
      root: at.home(".grok"),
      files: ["*.db", "*.jsonl", "{delegations,sessions,schedules,logs}/**"],
    }],
  },
  {
    key: "kiro-cli",
    display: "Kiro CLI",
    experimental: true,
    processes: ["kiro-cli", "kiro-cli-chat"],
    trees: (at) => [
      {
        root: at.home(".kiro"),
        files: [
          "**/*.{db,sqlite3}",
          { glob: "sessions/**/*.history", format: "text" },
          "sessions/**/*.{json,jsonl,md,txt}",
          ".cli_bash_history",
        ],
      },
      { root: at.data("kiro-cli"), files: ["*.{sqlite3,db}", "history"] },
    ],
  },
  {
    key: "zed",
    display: "Zed",
    experimental: true,
    processes: ["zed", "Zed", "zed-editor"],
    trees: (at) => [
      ...[at.data(at.os === "linux" ? "zed" : "Zed"), ...orElse(at.named("FLATPAK_XDG_DATA_HOME", "zed"))].map((
        root,
      ): Tree => ({
        root,
        files: ["threads/threads.db", "conversations/**/*.json", "db/*/*.sqlite"],
      })),
      ...(at.os === "darwin" ? [{ root: at.home(".config/zed"), files: ["conversations/**/*.json"] }] : []),
    ],
  },
  {
    key: "codebuff",
    display: "Codebuff",
    experimental: true,
    processes: ["codebuff", "freebuff", "manicode"],
    trees: (at) => [{
      root: at.home(".config/manicode"),
      files: ["**/chat-messages.json", "projects/**/*.{json,jsonl,log}", "*history*.json"],
    }],
  },
  {
    key: "plandex",
    display: "Plandex",
    experimental: true,
    processes: ["plandex", "plandex-server"],
    trees: (at) => [{
      root: at.named("PLANDEX_BASE_DIR") ?? at.home("plandex-server"),
      files: [
        "orgs/*/plans/*/{conversation,results,descriptions,applies}/**",
        "orgs/*/plans/*/context/*.meta",
        { glob: "orgs/*/plans/*/context/*.{body,map-parts}", format: "text" },
      ],
      opaque: [{
        glob: "orgs/*/plans/*/.git",
        reason: "earlier versions of the plan as compressed git objects: not read",
      }],
    }],
  },
  {
    key: "junie",
    display: "Junie",
    experimental: true,
    processes: ["junie"],
    trees: (at) => [{ root: at.home(".junie"), files: ["sessions/**/*.{json,jsonl,md,txt,log}", "logs/**"] }],
  },
  {
    key: "mentat",
    display: "Mentat",
    experimental: true,
    processes: ["mentat"],
    trees: (at) => [{
      root: at.home(".mentat"),
      files: [
        { glob: "logs/transcript_*.log", format: "jsonl" },
        "logs/*.log",
        "prompt_history",
        "context.json",
        "samples/**/*.json",
      ],
    }],
  },
  {
    key: "jetbrains-ai",
    display: "JetBrains AI Assistant",
    experimental: true,
    processes: ["idea", "pycharm", "webstorm", "goland", "clion", "rider", "phpstorm", "rubymine", "rustrover"],
    trees: (at) =>
      ["JetBrains", "Google"].map((vendor) => ({
        root: at.config(vendor),
        files: ["*/workspace/*.xml"],
        opaque: ["*/aia-task-history", "*/workspace/aia-task-history"].map((glob) => ({
          glob,
          reason: "event logs whose records are encoded in Base64: not decoded",
        })),
      })),
  },
];
