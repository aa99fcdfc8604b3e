/**
 * Where editors of the VS Code family keep what extensions and built-in agents store.
 *
 * @module
 */
import type { Places } from "../places.ts";
import type { OpaquePattern, Tree } from "../source.ts";

/** Builds of VS Code itself, by the name of their configuration directory. */
const CODE = ["Code", "Code - Insiders", "VSCodium", "VSCodium - Insiders", "Code - OSS"] as const;

/** Editors made from VS Code, which run its extensions. */
const FORKS = [
  "Cursor",
  "Windsurf",
  "Windsurf - Next",
  "Trae",
  "Trae CN",
  "Void",
  "PearAI",
  "Kiro",
  "Antigravity",
  "Positron",
] as const;

/** Servers that keep the data of remote windows below the home directory of the remote machine. */
const CODE_SERVERS = [".vscode-server", ".vscode-server-insiders", ".vscodium-server", ".vscode-remote"] as const;
const FORK_SERVERS = [
  ".cursor-server",
  ".windsurf-server",
  ".trae-server",
  ".kiro-server",
  ".positron-server",
] as const;

/** What runs where VS Code does, on each system and on the remote machine of a window. */
export const CODE_HOSTS: readonly string[] = [
  "code",
  "code-insiders",
  "code-oss",
  "codium",
  "codium-insiders",
  "code-server/",
  ...["Visual Studio Code", "Visual Studio Code - Insiders", ...CODE.slice(1)],
  ...CODE_SERVERS.map((name) => `${name}/`),
];

/** What runs where VS Code or an editor made from it does. */
export const EDITOR_HOSTS: readonly string[] = [
  ...CODE_HOSTS,
  ...FORKS,
  "windsurf-next",
  "trae-cn",
  ...FORK_SERVERS.map((name) => `${name}/`),
];

/** `User` directories of VS Code, Insiders, VSCodium, code-server, portable and Flatpak builds, and remote servers. */
export function codeUsers(at: Places): string[] {
  const portable = at.named("VSCODE_PORTABLE", "user-data/User");
  return [
    ...CODE.map((name) => at.config(name, "User")),
    ...(portable === undefined ? [] : [portable]),
    at.xdgData("code-server/User"),
    ...CODE_SERVERS.map((name) => at.home(name, "data/User")),
    ...(at.os !== "linux" ? [] : [
      at.home(".var/app/com.visualstudio.code/config/Code/User"),
      at.home(".var/app/com.vscodium.codium/config/VSCodium/User"),
    ]),
  ];
}

/** `User` directories of VS Code and of every editor made from it. */
export function editorUsers(at: Places): string[] {
  return [
    ...codeUsers(at),
    ...FORKS.map((name) => at.config(name, "User")),
    ...FORK_SERVERS.map((name) => at.home(name, "data/User")),
  ];
}

/** The same files below a directory of every editor's `User` directory. */
export function inEditors(
  at: Places,
  users: readonly string[],
  directory: string,
  files: Tree["files"],
  opaque: readonly OpaquePattern[] = [],
): Tree[] {
  return users.map((user) => ({ root: at.join(user, directory), files, opaque }));
}

/** What an editor with an agent of its own keeps: its state databases, and chats in files as VS Code writes them. */
export const EDITOR_STATE: readonly string[] = [
  "**/*.vscdb",
  "**/*.vscdb.backup",
  "workspaceStorage/*/chatSessions/**/*.{json,jsonl}",
  "workspaceStorage/*/chatEditingSessions/**",
  "globalStorage/emptyWindowChatSessions/**/*.{json,jsonl}",
];

/** What Cline and the extensions made from it keep below their storage directory. */
export const CLINE_FILES: readonly string[] = [
  "tasks/**/*.{json,jsonl,txt,md,log}",
  "state/**/*.json",
  "settings/*.json",
];

/** The task snapshots of Cline and its kin. */
export const CLINE_OPAQUE: readonly OpaquePattern[] = [
  { glob: "checkpoints", reason: "snapshots of the workspace as compressed git objects: not read" },
  { glob: "tasks/*/checkpoints", reason: "snapshots of the workspace as compressed git objects: not read" },
];
