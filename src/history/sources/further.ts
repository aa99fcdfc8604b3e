/**
 * Sources that came after the fixed ones, in the order in which tools list them after those. All are experimental until
 * confirmed on a real install. Where a fact comes from is in `docs/sources.md`.
 *
 * @module
 */
import type { SourceSpec, Tree } from "../source.ts";
import { EDITOR_HOSTS, EDITOR_STATE, editorUsers, inEditors } from "./_editors.ts";

const LEVELDB = "a LevelDB store, whose blocks are compressed: not read";

/** The sources after the fixed ones; a new one is one entry at the end. */
export const FURTHER: readonly SourceSpec[] = [
  {
    key: "copilot-cli",
    display: "GitHub Copilot CLI",
    experimental: true,
    processes: ["copilot", "@github/copilot"],
    trees: (at) => [{
      root: at.named("COPILOT_HOME") ?? at.home(".copilot"),
      files: [
        "{session-state,history-session-state,jb,logs}/**",
        "command-history-state.json",
        "mcp-config.json",
        "*.db",
        "*.jsonl",
      ],
    }],
  },
  {
    key: "amazon-q",
    display: "Amazon Q Developer CLI",
    experimental: true,
    processes: ["q", "qchat", "amazon-q"],
    trees: (at) => [
      { root: at.data("amazon-q"), files: ["*.sqlite3", "history"] },
      { root: at.home(".aws/amazonq"), files: [".cli_bash_history", "history/**", "**/*.{jsonl,md}", "mcp.json"] },
    ],
  },
  {
    key: "factory-droid",
    display: "Factory Droid",
    experimental: true,
    processes: ["droid", "@factory/cli"],
    trees: (at) => [{
      root: at.named("FACTORY_HOME_OVERRIDE", ".factory") ?? at.home(".factory"),
      files: [
        "{sessions,logs,snapshots,specs,missions,missionsV2,artifacts,repl-runs,state}/**",
        "history.json",
        "mcp.json",
        "settings.json",
      ],
    }],
  },
  {
    key: "amp",
    display: "Amp",
    experimental: true,
    processes: ["amp", "@sourcegraph/amp", "@ampcode/cli"],
    trees: (at) => [
      { root: at.xdgData("amp"), files: ["threads/**/*.{json,jsonl}", "*.jsonl", "{file-changes,logs}/**"] },
      { root: at.xdgCache("amp"), files: ["logs/**"] },
    ],
  },
  {
    key: "augment",
    display: "Augment",
    experimental: true,
    processes: ["auggie", "@augmentcode/auggie"],
    hosts: EDITOR_HOSTS,
    trees: (at) => [
      {
        root: at.home(".augment"),
        files: ["sessions/**", "*.jsonl", "{logs,checkpoint-documents}/**", "settings.json"],
      },
      ...inEditors(
        at,
        editorUsers(at),
        "workspaceStorage",
        ["*/{Augment,augment}.vscode-augment/**/*.{json,jsonl,md,txt}"],
        [{ glob: "*/{Augment,augment}.vscode-augment/augment-kv-store", reason: LEVELDB }],
      ),
      ...inEditors(at, editorUsers(at), "globalStorage/augment.vscode-augment", ["**/*.{json,jsonl,md,txt}"]),
    ],
  },
  {
    key: "kimi-cli",
    display: "Kimi CLI",
    experimental: true,
    processes: ["kimi", "kimi-cli", "kimi-code"],
    trees: (at) =>
      [at.named("KIMI_SHARE_DIR") ?? at.home(".kimi"), at.home(".kimi-code")].map((root): Tree => ({
        root,
        files: ["{sessions,imported_sessions,user-history,logs,prompt-cache}/**", "kimi.json", "mcp.json"],
      })),
  },
  {
    key: "kiro-ide",
    display: "Kiro IDE",
    experimental: true,
    processes: ["Kiro", "kiro"],
    hosts: [".kiro-server/"],
    trees: (at) => [
      {
        root: at.config("Kiro/User"),
        files: [
          ...EDITOR_STATE,
          "globalStorage/kiro.kiroagent/**/*.{json,jsonl,chat,md,txt}",
          "globalStorage/kiro.kiroagent/*/*",
        ],
      },
      {
        root: at.home(".kiro-server/data/User"),
        files: [...EDITOR_STATE, "globalStorage/kiro.kiroagent/**/*.{json,chat}"],
      },
    ],
  },
  {
    key: "claude-desktop",
    display: "Claude Desktop",
    experimental: true,
    processes: ["Claude", "claude-desktop"],
    trees: (at) => [
      // The second is where the package from Microsoft's store keeps what it writes to the first.
      ...[at.config("Claude"), at.localAppData("Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude")]
        .slice(0, at.os === "windows" ? 2 : 1).map((root): Tree => ({
          root,
          files: [
            "logs/**",
            "claude_desktop_config.json",
            "{local-agent-mode-sessions,claude-code-sessions}/**/*.{json,jsonl,md,txt,log}",
          ],
          opaque: [{ glob: "{IndexedDB,Local Storage}/*", reason: LEVELDB }],
        })),
      ...(at.os === "darwin" ? [{ root: at.home("Library/Logs/Claude"), files: ["**"] }] : []),
    ],
  },
  {
    key: "cody",
    display: "Cody",
    experimental: true,
    processes: ["cody", "@sourcegraph/cody"],
    hosts: EDITOR_HOSTS,
    trees: (at) => [
      ...inEditors(at, editorUsers(at), "globalStorage/sourcegraph.cody-ai", ["**/*.{json,jsonl,txt,md,log}"]),
      {
        root: at.data(at.os === "linux" ? "cody-nodejs" : "Cody-nodejs"),
        files: ["**/*.{json,jsonl,log}", "**/*-globalState/**"],
      },
    ],
  },
  {
    key: "iflow-cli",
    display: "iFlow CLI",
    experimental: true,
    processes: ["iflow", "@iflow-ai/iflow-cli"],
    trees: (at) => [{
      root: at.home(".iflow"),
      files: [
        "projects/**/*.{jsonl,json,txt,md}",
        "tmp/**/*.{jsonl,json,txt,md,log}",
        "{log,logs,conversations}/**",
        "tmp/*/shell_history",
      ],
    }],
  },
  {
    key: "antigravity",
    display: "Antigravity",
    experimental: true,
    processes: ["Antigravity", "antigravity"],
    trees: (at) => [
      { root: at.config("Antigravity/User"), files: EDITOR_STATE },
      ...["antigravity", "antigravity-cli"].map((name): Tree => ({
        root: at.home(".gemini", name),
        files: ["{brain,annotations,knowledge,logs}/**", "**/*.{jsonl,db}", "mcp_config.json", "history.json"],
        opaque: ["conversations/*.pb", "implicit"].map((glob) => ({
          glob,
          reason: "encrypted by the agent: not readable without it",
        })),
      })),
    ],
  },
  {
    key: "shell-history",
    display: "Shell histories",
    experimental: true,
    processes: [],
    trees: (at) => [
      {
        root: at.home(),
        files: [".bash_history", ".zsh_history", ".zhistory", ".sh_history", ".python_history", ".node_repl_history"],
        narrow: true,
      },
      { root: at.xdgData("fish"), files: [{ glob: "*_history", format: "text" }] },
      { root: at.home(".zsh_sessions"), files: ["**"] },
      {
        root: at.os === "windows"
          ? at.appData("Microsoft/Windows/PowerShell/PSReadLine")
          : at.xdgData("powershell/PSReadLine"),
        files: ["*_history.txt"],
      },
    ],
  },
];
