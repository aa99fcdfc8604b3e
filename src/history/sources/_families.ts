/**
 * What agents that were made from one another have in common.
 *
 * @module
 */
import type { Places } from "../places.ts";
import type { OpaquePattern, Tree } from "../source.ts";

/** Why the snapshots that agents take of a workspace are not read. */
export const GIT_SNAPSHOTS = "snapshots of the workspace as compressed git objects: not read";

/** What OpenCode and its fork in Kilo Code keep in their data and state directories. */
export function openCode(at: Places, name: string, data: readonly string[]): Tree[] {
  return [
    ...data.map((root): Tree => ({
      root,
      files: [`${name}*.db`, "storage/**/*.json", "tool-output/**", "log/**"],
      opaque: [{ glob: "snapshot", reason: GIT_SNAPSHOTS }],
    })),
    { root: at.xdgState(name), files: ["*.jsonl", "*.json"] },
  ];
}

/** What Gemini CLI, and Qwen Code made from it, keep below `tmp`. */
export const GEMINI_FILES: readonly string[] = [
  "tmp/**/*.{jsonl,json,txt,md,log}",
  "tmp/*/shell_history",
  "tmp/*/{tool-outputs,checkpoints}/**",
];

/** The snapshots that both take before they edit files. */
export const GEMINI_OPAQUE: readonly OpaquePattern[] = [{ glob: "history", reason: GIT_SNAPSHOTS }];

/** Trees whose root an environment variable names instead, when it is set. */
export const orElse = (named: string | undefined, ...fallback: string[]): string[] =>
  named === undefined ? fallback : [named];
