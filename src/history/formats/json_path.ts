/**
 * The keypath of the string that a tokenizer is at.
 *
 * @module
 */
import type { JsonTokenizer } from "./json_tokens.ts";
import { KEYPATH_LEVELS, shownKey, step } from "./keypath.ts";

/** Follows a tokenizer. */
export interface JsonPath {
  /** Notes the key of the member that comes next in the innermost object; undefined for one too long to show. */
  enter(key: string | undefined): void;
  /** Renders the keypath of a value, or of a key, at the tokenizer's place. */
  render(key: boolean): string;
}

/** Creates the keypath of a tokenizer. */
export function createJsonPath(tokens: JsonTokenizer): JsonPath {
  const keys: string[] = [];
  // The step of each level when it was last rendered, and the path up to it: most of it stays from string to string.
  const steps: (string | number)[] = [];
  const paths: string[] = [];

  function pathTo(levels: number): string {
    let same = true;
    for (let level = 0; level < levels; level++) {
      const index = tokens.indexAt(level);
      const next = index >= 0 ? index : keys[level] ?? "*";
      same &&= steps[level] === next;
      if (same) continue;
      steps[level] = next;
      paths[level] = step(level === 0 ? "" : paths[level - 1] as string, next);
      steps.length = level + 1;
    }
    return levels === 0 ? "" : paths[levels - 1] as string;
  }

  return {
    enter(key) {
      const level = tokens.depth() - 1;
      if (level < KEYPATH_LEVELS) keys[level] = key === undefined ? "*" : shownKey(key);
    },
    render(key) {
      const depth = tokens.depth();
      const path = pathTo(Math.min(key ? depth - 1 : depth, KEYPATH_LEVELS)) + (depth > KEYPATH_LEVELS ? "…" : "");
      if (key) return `${path}{key}`;
      return path === "" ? "$" : path;
    },
  };
}
