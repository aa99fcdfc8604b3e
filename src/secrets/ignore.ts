/**
 * `.agentsweepignore`: which findings a human has looked at and does not want to see again.
 *
 * One entry a line: `rule:<id>`, `path:<glob>`, a fingerprint (the hash, or `<path>:<line>:<rule>`), `sha256:<hex>` of
 * a value, or a literal value. Empty lines and lines that begin with `#` say nothing.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { matchesSegments } from "../text/glob.ts";
import { type FindingPlace, fingerprint } from "./fingerprint.ts";

/** The entries of ignore files. */
export interface IgnoreList {
  /** Ids of rules. */
  readonly rules: ReadonlySet<string>;
  /** Globs of paths, by segment. */
  readonly paths: readonly (readonly string[])[];
  /** Fingerprints, as hashes and as `<path>:<line>:<rule>`. */
  readonly fingerprints: ReadonlySet<string>;
  /** SHA-256 of values, in lower-case hexadecimal. */
  readonly digests: ReadonlySet<string>;
  /** Values themselves. */
  readonly values: ReadonlySet<string>;
}

const HASH = /^[0-9a-f]{32}$/;
const PLACE = /^(.{1,4096}):(\d{1,15}):([a-z0-9-]{1,100})$/;

/**
 * The entries of any number of ignore files' texts together.
 *
 * @example
 * ```ts
 * import { isIgnored, parseIgnore } from "@agentsweep/mcp/secrets";
 *
 * const list = parseIgnore("# looked at\npath:sessions/old/**");
 * const place = { source: "codex", path: "sessions/old/a.jsonl", line: 3, rule: "npm-token" };
 * console.log(isIgnored(list, place, "the secret itself")); // true
 * ```
 */
export function parseIgnore(...texts: readonly string[]): IgnoreList {
  const rules = new Set<string>();
  const paths: string[][] = [];
  const fingerprints = new Set<string>();
  const digests = new Set<string>();
  const values = new Set<string>();
  for (const raw of texts.flatMap((text) => text.split(/\r?\n/))) {
    const entry = raw.replace(/^\ufeff/, "").trim();
    const place = PLACE.exec(entry);
    if (entry === "" || entry.startsWith("#")) continue;
    if (entry.startsWith("rule:")) rules.add(entry.slice(5).trim());
    else if (entry.startsWith("path:")) paths.push(globSegments(entry.slice(5).trim()));
    else if (entry.startsWith("sha256:")) digests.add(entry.slice(7).trim().toLowerCase());
    else if (HASH.test(entry)) fingerprints.add(entry);
    else if (place !== null) fingerprints.add(`${slashed(place[1] ?? "")}:${Number(place[2])}:${place[3]}`);
    else values.add(entry);
  }
  return { rules, paths, fingerprints, digests, values };
}

/**
 * Whether a finding is to be ignored. `secret` is its plaintext, so this runs where that is known.
 *
 * @example
 * ```ts
 * import { isIgnored, parseIgnore } from "@agentsweep/mcp/secrets";
 *
 * const place = { source: "codex", path: "a.jsonl", line: 3, rule: "npm-token" };
 * console.log(isIgnored(parseIgnore("rule:npm-token"), place, "the secret itself")); // true
 * ```
 */
export function isIgnored(list: IgnoreList, place: FindingPlace, secret: string): boolean {
  const path = slashed(place.path);
  const segments = path.split("/");
  return list.rules.has(place.rule) ||
    list.values.has(secret) ||
    list.paths.some((glob) => matchesSegments(glob, segments)) ||
    list.fingerprints.has(`${path}:${place.line}:${place.rule}`) ||
    list.fingerprints.has(fingerprint(place)) ||
    list.digests.size > 0 && list.digests.has(createHash("sha256").update(secret).digest("hex"));
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

/**
 * The segments of a glob: `*` and `?` stay within a name, `**` is any number of folders. Without a slash it is the name of
 * a file or directory anywhere; what is below a directory is ignored with it.
 */
function globSegments(glob: string): string[] {
  const path = slashed(glob).replace(/^\.?\/+/, "").replace(/\/+$/, "");
  if (path === "") return [];
  return [...(path.includes("/") ? [] : ["**"]), ...path.split("/"), "**"];
}
