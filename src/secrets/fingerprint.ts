/**
 * Names for findings that stay the same from scan to scan and say nothing about the secret.
 *
 * @module
 */

import { createHash } from "node:crypto";

/** What a fingerprint is made of. */
export interface FindingPlace {
  /** Key of the source, e.g. `claude-code`. */
  readonly source: string;
  /** Path of the file, relative to the source's root; `\` and `/` are the same. */
  readonly path: string;
  /** Line, from 1. */
  readonly line: number;
  /** Id of the rule. */
  readonly rule: string;
}

const DIGITS = 32;

/**
 * A stable hash, of 32 hexadecimal digits, of where a finding is and of which kind; never of the secret.
 *
 * @example
 * ```ts
 * import { fingerprint } from "@agentsweep/mcp/secrets";
 *
 * console.log(fingerprint({ source: "codex", path: "sessions/a.jsonl", line: 3, rule: "npm-token" }));
 * ```
 */
export function fingerprint(place: FindingPlace): string {
  const { source, path, line, rule } = place;
  const text = JSON.stringify([source, path.replaceAll("\\", "/"), line, rule]);
  return createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
}
