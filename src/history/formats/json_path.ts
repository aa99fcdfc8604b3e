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
  return {
    enter(key) {
      const level = tokens.depth() - 1;
      if (level < KEYPATH_LEVELS) keys[level] = key === undefined ? "*" : shownKey(key);
    },
    render(key) {
      const depth = tokens.depth();
      const levels = Math.min(depth, KEYPATH_LEVELS);
      let path = "";
      for (let level = 0; level < levels; level++) {
        const index = tokens.indexAt(level);
        if (index >= 0) path = step(path, index);
        else if (!key || level < depth - 1) path = step(path, keys[level] ?? "*");
      }
      if (depth > KEYPATH_LEVELS) path += "…";
      if (key) return path + "{key}";
      return path === "" ? "$" : path;
    },
  };
}
