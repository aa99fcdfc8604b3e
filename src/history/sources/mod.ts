/**
 * The registry of sources. A new one is one entry in `further.ts`, and nothing else.
 *
 * @module
 */
import type { SourceSpec } from "../source.ts";
import { FURTHER } from "./further.ts";
import { KNOWN } from "./known.ts";
import { RESEARCHED } from "./researched.ts";

/** Every source, in the order in which tools list them. */
export const SOURCES: readonly SourceSpec[] = [...KNOWN, ...RESEARCHED, ...FURTHER];

/**
 * The source with that key, or `undefined`.
 *
 * @example
 * ```ts
 * import { sourceByKey } from "@agentsweep/mcp/history";
 *
 * console.log(sourceByKey("codex")?.display, sourceByKey("none")); // the second is undefined
 * ```
 */
export function sourceByKey(key: string): SourceSpec | undefined {
  return SOURCES.find((source) => source.key === key);
}
