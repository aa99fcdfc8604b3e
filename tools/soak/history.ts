/**
 * A history of several agents in copies of their own layouts, of any size, in every format that is read.
 *
 * @module
 */

import { dirname, join } from "@std/path";
import { openAuthor, type Planted } from "./author.ts";
import { writeDatabase } from "./databases.ts";
import {
  type Amount,
  type Store,
  writeJson,
  writeJsonl,
  writeLongLine,
  writePacked,
  writeText,
  writeXml,
} from "./files.ts";

/** A history of one agent, to be redacted with `--source` and `--root`. */
export interface History {
  /** Key of the source. */
  readonly source: string;
  /** Its root. */
  readonly root: string;
  /** Secrets in it. */
  readonly planted: readonly Planted[];
  /** Files that cannot be redacted, below the root. */
  readonly obstacles: readonly string[];
}

/** How histories are written. */
export interface HistoryOptions {
  /** Seed of every choice. */
  readonly seed: number;
  /** About how many bytes all sources of {@linkcode SOURCES} have together. */
  readonly bytes: number;
  /** Pieces without a secret for each piece with one. */
  readonly clean: number;
  /** Whether there are files that cannot be redacted, too. */
  readonly hasObstacles: boolean;
}

/** Writes the files of one source; `amount` says how much a share of the whole is. */
type Layout = (store: Store, amount: (share: number) => Amount) => void;

const LAYOUTS: Readonly<Record<string, Layout>> = {
  "claude-code": (store, amount) => {
    const folder = "projects/-work-api";
    writeJsonl(store, `${folder}/large.jsonl`, amount(0.2));
    writeJsonl(store, `${folder}/second.jsonl`, { ...amount(0.08), isUnended: true });
    writeLongLine(store, `${folder}/long-line.jsonl`, amount(0.08));
    writeJsonl(store, `${folder}/crlf.jsonl`, { ...amount(0.02), ending: "\r\n" });
    writeJsonl(store, `${folder}/mark.jsonl`, { ...amount(0.01), encoding: "utf-8-bom" });
    writeJsonl(store, `${folder}/little.jsonl`, { ...amount(0.006), encoding: "utf-16le", ending: "\r\n" });
    writeJsonl(store, `${folder}/big.jsonl`, { ...amount(0.006), encoding: "utf-16be", isUnended: true });
    writeJson(store, `${folder}/session/meta.json`, { ...amount(0.01), encoding: "utf-16le", indent: "\t" });
    writeText(store, `${folder}/session/tool-results/out.txt`, {
      ...amount(0.02),
      encoding: "utf-16le",
      ending: "\r\n",
    });
    writeText(store, `${folder}/notes.md`, { ...amount(0.02), ending: "\r\n", isUnended: true });
  },
  codex: (store, amount) => {
    writeJsonl(store, "sessions/2026/11/30/rollout-1.jsonl", amount(0.06));
    writePacked(store, "sessions/2026/01/01/rollout-0.jsonl.zst", amount(0.05));
    writeJsonl(store, "history.jsonl", amount(0.01));
    writeJson(store, "history.json", { ...amount(0.02), indent: "  " });
    writeText(store, "log/codex-tui.log", amount(0.02));
    writeDatabase(store, "state_5.sqlite", amount(0.04));
    writeDatabase(store, "logs_2.sqlite", { ...amount(0.02), isLive: true });
  },
  cursor: (store, amount) => {
    writeDatabase(store, "globalStorage/state.vscdb", amount(0.05));
    writeDatabase(store, "workspaceStorage/0123456789abcdef0123456789abcdef/state.vscdb", {
      ...amount(0.01),
      encoding: "UTF-16le",
      isLive: true,
    });
    writeJson(store, "workspaceStorage/0123456789abcdef0123456789abcdef/chatSessions/a.json", amount(0.02));
    writeJsonl(store, "workspaceStorage/0123456789abcdef0123456789abcdef/chatSessions/b.jsonl", amount(0.01));
  },
  zed: (store, amount) => {
    writeDatabase(store, "threads/threads.db", { ...amount(0.02), encoding: "UTF-16be" });
    writeJson(store, "conversations/Old - 1.zed.json", { ...amount(0.01), isUnended: true });
  },
  hermes: (store, amount) => {
    writeDatabase(store, "state.db", { ...amount(0.02), isLive: true });
    writeText(store, ".hermes_history", amount(0.005));
  },
  opencode: (store, amount) => {
    writeDatabase(store, "opencode.db", amount(0.02));
    for (let file = 0; file < 40; file++) {
      writeJson(store, `storage/part/m${file % 7}/p${file}.json`, { ...amount(0.0005), indent: "  " });
    }
  },
  "continue-vscode": (store, amount) => {
    writeJson(store, "sessions/0001.json", { ...amount(0.02), indent: "  " });
    writeJsonl(store, "dev_data/0.2.0/chatInteraction.jsonl", amount(0.01));
    writeDatabase(store, "index/autocompleteCache.sqlite", amount(0.005));
  },
  aider: (store, amount) => {
    writeText(store, "api/.aider.chat.history.md", amount(0.03));
    writeText(store, "web/.aider.chat.history.md", { ...amount(0.005), encoding: "utf-8-bom" });
    writeText(store, "web/.aider.input.history", amount(0.005));
  },
  "jetbrains-ai": (store, amount) => {
    writeXml(store, "IdeaIC2026.2/workspace/a.xml", amount(0.02));
    writeXml(store, "PyCharm2026.2/workspace/b.xml", { ...amount(0.005), ending: "\r\n", encoding: "utf-8-bom" });
  },
};

/** The sources that histories are written for. */
export const SOURCES: readonly string[] = Object.keys(LAYOUTS);

/** Writes what cannot be redacted: each must be left as it is, and named. */
function writeObstacles(store: Store): string[] {
  const amount = { bytes: 100_000, clean: 4 };
  writeDatabase(store, "sqlite/schema.sqlite", { ...amount, obstacle: "schema" });
  writeDatabase(store, "sqlite/blind.sqlite", { ...amount, obstacle: "index-without-text" });
  writePacked(store, "sessions/torn.jsonl.zst", amount);
  const packed = join(store.root, "sessions/torn.jsonl.zst");
  Deno.truncateSync(packed, Math.floor(Deno.statSync(packed).size * 0.8));
  writeJsonl(store, "sessions/linked.jsonl", amount);
  Deno.linkSync(join(store.root, "sessions/linked.jsonl"), `${store.root}-other-name`);
  return ["sqlite/schema.sqlite", "sqlite/blind.sqlite", "sessions/torn.jsonl.zst", "sessions/linked.jsonl"];
}

/** When every file was changed last, in seconds since 1970: long ago, so that no gate takes it for one in use. */
const LONG_AGO = 1_700_000_000;
const MODES = [0o600, 0o644, 0o640, 0o664] as const;

/** Gives every file below `folder` a time, a mode and, where that is possible, an owner of its own. */
function settle(folder: string, count = { files: 0 }): void {
  const stored = new Map<string, number>();
  const entries = [...Deno.readDirSync(folder)].sort((one, other) => one.name < other.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    const path = join(folder, name);
    if (isDirectory) settle(path, count);
    else {
      // What belongs to a database has its mode and owner, as SQLite gives them.
      const index = /-(?:wal|shm)$/.test(name) ? stored.get(path.replace(/-\w+$/, ""))! : count.files++;
      stored.set(path, index);
      if (Deno.build.os !== "windows") {
        if (Deno.uid() === 0) Deno.chownSync(path, index % 3 * 1000, index % 2 * 1000);
        Deno.chmodSync(path, MODES[index % MODES.length]!);
      }
      Deno.utimeSync(path, LONG_AGO + index, LONG_AGO + index + 0.25);
    }
  }
}

/** Writes the history of one source to `root`, which must not exist. */
export function writeHistory(source: string, root: string, options: HistoryOptions): History {
  const layout = LAYOUTS[source];
  if (!layout) throw new RangeError(`no history of ${source} is written here`);
  const { seed, bytes, clean } = options;
  const author = openAuthor(seed * 100 + SOURCES.indexOf(source), Math.min(4 << 20, Math.max(100_000, bytes / 20)));
  Deno.mkdirSync(dirname(root), { recursive: true });
  Deno.mkdirSync(root);
  const store = { root, author };
  layout(store, (share) => ({ bytes: Math.max(2_000, Math.round(share * bytes)), clean }));
  const obstacles = options.hasObstacles && source === "codex" ? writeObstacles(store) : [];
  settle(root);
  return { source, root, planted: author.planted, obstacles };
}
