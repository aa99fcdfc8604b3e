/**
 * The sources that every release names, up to those whose storage was found by research alone. Their order is fixed.
 * Where a fact comes from is in `docs/sources.md`.
 *
 * @module
 */
import type { SourceSpec, Tree } from "../source.ts";
import { claudeCode } from "./_claude_code.ts";
import {
  CLINE_FILES,
  CLINE_OPAQUE,
  CODE_HOSTS,
  codeUsers,
  EDITOR_HOSTS,
  EDITOR_STATE,
  editorUsers,
  inEditors,
} from "./_editors.ts";
import { GEMINI_FILES, GEMINI_OPAQUE, openCode, orElse } from "./_families.ts";

/** The first 21 of the fixed sources, in their order. */
export const KNOWN: readonly SourceSpec[] = [
  {
    key: "claude-code",
    display: "Claude Code",
    processes: ["claude", "@anthropic-ai/claude-code"],
    trees: claudeCode,
  },
  {
    key: "codex",
    display: "Codex",
    processes: ["codex", "@openai/codex"],
    trees: (at) => [
      ...orElse(at.named("CODEX_HOME"), at.home(".codex")).map((root): Tree => ({
        root,
        files: [
          "**/*.jsonl",
          "**/*.jsonl.zst",
          "history.json",
          "config.toml",
          "*.config.toml",
          "*.log",
          "log/**",
          "logs/**",
          "shell_snapshots/**",
          "memories/**",
          "*.sqlite",
          "sqlite/**/*.sqlite",
        ],
      })),
      ...orElse(at.named("CODEX_SQLITE_HOME")).map((root): Tree => ({ root, files: ["*.sqlite"] })),
    ],
  },
  {
    key: "opencode",
    display: "OpenCode",
    processes: ["opencode", "opencode-ai"],
    trees: (at) =>
      openCode(
        at,
        "opencode",
        at.os === "windows" && at.named("XDG_DATA_HOME") === undefined
          ? [at.localAppData("opencode"), at.xdgData("opencode")]
          : [at.xdgData("opencode")],
      ),
  },
  {
    key: "cursor",
    display: "Cursor IDE",
    processes: ["Cursor", "cursor-agent"],
    hosts: [".cursor-server/"],
    trees: (at) => [
      { root: at.config("Cursor/User"), files: EDITOR_STATE },
      { root: at.home(".cursor/projects"), files: ["**/*.{jsonl,json,txt,md,log}"] },
      ...[at.home(".cursor"), ...orElse(at.named("CURSOR_CONFIG_DIR"))].map((root): Tree => ({
        root,
        files: [
          "chats/**/*.{db,json}",
          "ai-tracking/**/*.db",
          "{agent-sessions,conversations,sessions}/**/*.{jsonl,json}",
          "{plans,snapshots}/**/*.{md,json,txt}",
          "prompt_history.json",
          "mcp.json",
        ],
      })),
      { root: at.home(".cursor-server/data/User"), files: EDITOR_STATE },
    ],
  },
  {
    key: "windsurf",
    display: "Windsurf IDE",
    processes: ["Windsurf", "windsurf"],
    hosts: ["windsurf-next", "Windsurf - Next", ".windsurf-server/"],
    trees: (at) => [
      { root: at.config("Windsurf/User"), files: EDITOR_STATE },
      { root: at.config("Windsurf - Next/User"), files: EDITOR_STATE },
      ...["windsurf", "windsurf-next"].map((name): Tree => ({
        root: at.home(".codeium", name),
        files: ["memories/**/*.md", "mcp_config.json", "global_workflows/**/*.md"],
        opaque: ["cascade", "implicit", "memories/*.pb"].map((glob) => ({
          glob,
          reason: "encrypted by the agent: not readable without it",
        })),
      })),
      { root: at.home(".windsurf-server/data/User"), files: EDITOR_STATE },
    ],
  },
  {
    key: "aider",
    display: "Aider CLI",
    processes: ["aider"],
    trees: (at) => [
      {
        root: at.home(),
        files: ["**/.aider.chat.history.md", "**/.aider.input.history", "**/.aider.llm.history"],
        walk: "home",
      },
      ...["AIDER_CHAT_HISTORY_FILE", "AIDER_INPUT_HISTORY_FILE", "AIDER_LLM_HISTORY_FILE"].flatMap((variable) => {
        const [, root, name] = at.named(variable)?.match(/^(.+)[/\\]([^/\\]+)$/) ?? [];
        return root === undefined || name === undefined ? [] : [{ root, files: [name], narrow: true }];
      }),
    ],
  },
  {
    key: "cline",
    display: "Cline",
    processes: ["cline"],
    hosts: EDITOR_HOSTS,
    trees: (at) => [
      ...inEditors(at, editorUsers(at), "globalStorage/saoudrizwan.claude-dev", CLINE_FILES, CLINE_OPAQUE),
      ...orElse(at.named("CLINE_DATA_DIR") ?? at.named("CLINE_DIR", "data"), at.home(".cline/data")).map((
        root,
      ): Tree => ({
        root,
        files: [
          ...CLINE_FILES,
          "sessions/**/*.{json,jsonl}",
          "db/*.db",
          "teams/**/*.{json,jsonl,db}",
          "logs/**",
          "provider-request-captures/**",
          "workspaces/**/*.json",
        ],
        opaque: CLINE_OPAQUE,
      })),
    ],
  },
  {
    key: "kilo-code",
    display: "Kilo Code",
    processes: ["kilo", "kilocode", "@kilocode/cli"],
    hosts: EDITOR_HOSTS,
    trees: (at) => [
      ...inEditors(at, editorUsers(at), "globalStorage/kilocode.kilo-code", CLINE_FILES, CLINE_OPAQUE),
      ...openCode(at, "kilo", [at.xdgData("kilo")]),
      { root: at.home(".kilocode/cli"), files: ["**/*.{json,jsonl,txt,md,log}"] },
    ],
  },
  {
    key: "roo-code",
    display: "Roo Code",
    processes: ["roo"],
    hosts: EDITOR_HOSTS,
    trees: (at) => [
      ...inEditors(at, editorUsers(at), "globalStorage/rooveterinaryinc.roo-cline", CLINE_FILES, CLINE_OPAQUE),
      { root: at.home(".vscode-mock/global-storage"), files: CLINE_FILES, opaque: CLINE_OPAQUE },
    ],
  },
  {
    key: "pearai",
    display: "PearAI",
    experimental: true,
    processes: ["PearAI", "pearai"],
    trees: (at) => [
      {
        root: at.config("PearAI/User/globalStorage/PearAI.pearai-roo-cline"),
        files: CLINE_FILES,
        opaque: CLINE_OPAQUE,
      },
      {
        root: at.config("PearAI/User/globalStorage/pearai.pearai-roo-cline"),
        files: CLINE_FILES,
        opaque: CLINE_OPAQUE,
      },
      { root: at.config("PearAI/User"), files: EDITOR_STATE },
      { root: at.home(".pearai"), files: ["sessions/*.json", "dev_data/**/*.{jsonl,sqlite}", "logs/**"] },
    ],
  },
  {
    key: "trae",
    display: "Trae",
    experimental: true,
    processes: ["Trae", "trae"],
    hosts: ["trae-cn", "Trae CN", "TRAE SOLO CN", ".trae-server/"],
    trees: (at) => [
      ...["Trae", "Trae CN", "TRAE SOLO CN"].flatMap((name): Tree[] => [
        { root: at.config(name, "User"), files: EDITOR_STATE },
        { root: at.config(name, "ModularData"), files: ["**/*.db"] },
      ]),
      { root: at.home(".trae/cli"), files: ["{sessions,archived_sessions}/**/*.{jsonl,jsonl.zst}"] },
    ],
  },
  {
    key: "void",
    display: "Void",
    experimental: true,
    processes: ["Void", "void-editor"],
    trees: (at) => [{ root: at.config("Void/User"), files: EDITOR_STATE }],
  },
  {
    key: "gemini-cli",
    display: "Gemini CLI",
    processes: ["gemini", "@google/gemini-cli"],
    trees: (at) =>
      orElse(at.named("GEMINI_CLI_HOME", ".gemini"), at.home(".gemini")).map((root) => ({
        root,
        files: GEMINI_FILES,
        opaque: GEMINI_OPAQUE,
      })),
  },
  {
    key: "qwen-code",
    display: "Qwen Code",
    experimental: true,
    processes: ["qwen", "@qwen-code/qwen-code"],
    trees: (at) =>
      [
        ...orElse(at.named("QWEN_HOME") ?? at.named("QWEN_CODE_HOME", ".qwen"), at.home(".qwen")),
        ...orElse(at.named("QWEN_RUNTIME_DIR")),
      ].map((root) => ({
        root,
        files: [
          ...GEMINI_FILES,
          "projects/**/*.{jsonl,json,txt,md}",
          "{debug,todos,plans,insights,file-history,tasks}/**",
          "arena/**/*.{json,jsonl,md}",
        ],
        opaque: GEMINI_OPAQUE,
      })),
  },
  {
    key: "continue-vscode",
    display: "Continue",
    processes: ["cn", "@continuedev/cli"],
    hosts: EDITOR_HOSTS,
    trees: (at) =>
      orElse(at.named("CONTINUE_GLOBAL_DIR"), at.home(".continue")).map((root) => ({
        root,
        files: ["sessions/*.json", "dev_data/**/*.{jsonl,sqlite}", "logs/**", "index/**/*.sqlite"],
      })),
  },
  {
    key: "open-interpreter",
    display: "Open Interpreter",
    processes: ["interpreter", "open-interpreter"],
    trees: (at) =>
      [
        at.os === "windows" ? at.localAppData("open-interpreter") : at.config("open-interpreter"),
        ...(at.os === "windows" ? [at.localAppData("open-interpreter/open-interpreter")] : []),
      ].map((root) => ({ root, files: ["conversations/*.json"] })),
  },
  {
    key: "github-copilot-chat",
    display: "GitHub Copilot Chat",
    processes: ["code", "code-insiders", "codium"],
    hosts: CODE_HOSTS,
    trees: (at) =>
      codeUsers(at).map((root) => ({
        root,
        files: [
          "workspaceStorage/**/chatSessions/**/*.{json,jsonl}",
          "workspaceStorage/*/chatEditingSessions/**",
          "workspaceStorage/*/{GitHub,github}.copilot-chat/**/*.{json,jsonl,md,txt,log}",
          "workspaceStorage/*/state.vscdb",
          "workspaceStorage/*/state.vscdb.backup",
          "globalStorage/emptyWindowChatSessions/**/*.{json,jsonl}",
          "globalStorage/{GitHub,github}.copilot-chat/**/*.{json,jsonl,md,txt,log,db}",
          "globalStorage/{state.vscdb,state.vscdb.backup}",
        ],
      })),
  },
  {
    key: "openclaw",
    display: "OpenClaw",
    processes: ["openclaw", "clawdbot", "moltbot"],
    trees: (at) =>
      [
        ...orElse(
          at.named("OPENCLAW_STATE_DIR") ?? at.named("CLAWDBOT_STATE_DIR") ?? at.named("OPENCLAW_HOME", ".openclaw"),
          at.home(".openclaw"),
          at.home(".clawdbot"),
          at.home(".moltbot"),
          at.home(".moldbot"),
        ),
      ].map((root) => ({
        root,
        files: [
          "**/*.jsonl",
          "**/*.jsonl.*",
          "**/sessions.json",
          "{agents,state,memory,logbook}/**/*.{sqlite,db}",
          "{memory,workspace}/**/*.md",
          "logs/**",
        ],
      })),
  },
  {
    key: "hermes",
    display: "Hermes Agent",
    processes: ["hermes", "hermes-agent"],
    trees: (at) =>
      orElse(
        at.named("HERMES_HOME"),
        ...(at.os === "windows" ? [at.localAppData("hermes"), at.appData("hermes")] : [at.home(".hermes")]),
      ).map((root) => ({
        root,
        files: [
          "state.db",
          "profiles/*/state.db",
          "**/*.jsonl",
          "{sessions,memories,logs}/**",
          "profiles/*/{sessions,memories,logs}/**",
          ".hermes_history",
        ],
      })),
  },
  {
    key: "goose",
    display: "Goose",
    processes: ["goose", "goosed"],
    trees: (at) => {
      const root = at.named("GOOSE_PATH_ROOT");
      const windows = at.os === "windows";
      const data = root === undefined
        ? [windows ? at.appData("Block/goose/data") : at.home(".local/share/goose"), at.xdgData("goose")]
        : [at.join(root, "data"), root];
      const others = root === undefined
        ? [
          windows ? at.appData("Block/goose/config") : at.home(".config/goose"),
          ...(windows ? [] : [at.xdgState("goose")]),
          ...(at.os === "darwin" ? [at.config("Block/goose"), at.config("Block.goose")] : []),
        ]
        : [at.join(root, "state"), at.join(root, "config")];
      return [
        ...data.map((path): Tree => ({
          root: path,
          files: ["sessions/*.db", "sessions/*.jsonl", "logs/**", "history.txt"],
        })),
        ...others.map((path): Tree => ({
          root: path,
          files: ["sessions/*.db", "sessions/*.jsonl", "logs/**", "history.txt", "memory/**"],
        })),
        { root: at.home(".goose"), files: ["sessions/*.jsonl", "logs/**"] },
      ];
    },
  },
  {
    key: "llm",
    display: "llm (Datasette)",
    processes: ["llm"],
    trees: (at) =>
      orElse(at.named("LLM_USER_PATH"), at.config("io.datasette.llm")).map((root) => ({ root, files: ["*.db"] })),
  },
];
