/**
 * Where Claude Code keeps its files.
 *
 * @module
 */
import type { Places } from "../places.ts";
import type { Tree } from "../source.ts";

/** What Claude Code keeps in a profile beside its transcripts. */
const CLAUDE_PROFILE = [
  "history.jsonl",
  "settings.json",
  "settings.local.json",
  ".claude.json",
  ".claude.json.backup",
  ".config.json",
  "daemon.log",
  "remote-settings.json",
  "stats-cache.json",
  ...[
    "agent-memory",
    "backups",
    "bridge-spawn",
    "ccr",
    "daemon",
    "debug",
    "dump-prompts",
    "feedback",
    "feedback-bundles",
    "file-history",
    "file-transfers",
    "jobs",
    "logs",
    "memory",
    "paste-cache",
    "plans",
    "remote-control",
    "scratch",
    "session-env",
    "session-memory",
    "sessions",
    "shares",
    "shell-snapshots",
    "state",
    "tasks",
    "teams",
    "telemetry",
    "todos",
    "traces",
    "transcripts",
    "uploads",
    "usage-data",
  ].map((directory) => `${directory}/**`),
];

/** Transcripts of every profile, and what each profile keeps beside them. */
export function claudeCode(at: Places): Tree[] {
  const listed = at.listed("CLAUDE_CONFIG_DIR");
  const profiles = listed.length > 0 ? listed : [at.home(".claude"), at.home(".config/claude")];
  return [
    ...profiles.map((profile): Tree => ({
      root: at.join(profile, "projects"),
      files: ["**/*.{jsonl,json,txt,md}", "*/*/tool-results/**"],
    })),
    ...profiles.map((profile): Tree => ({ root: profile, files: CLAUDE_PROFILE })),
    { root: at.home(), files: [".claude.json", ".claude.json.backup"], narrow: true },
  ];
}
