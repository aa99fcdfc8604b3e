/**
 * Making text from the disk harmless to show.
 *
 * @module
 */

/**
 * Characters that hide, reorder or break text: controls, line and paragraph separators, format characters (which hold
 * the bidirectional ones), all that Unicode lets a display ignore (zero-width ones, tags, variation selectors, fillers),
 * the blank Braille pattern, private use and lone surrogates.
 */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * `text` with every invisible character written as `\u{…}`, so that a reader sees what is there and nothing else.
 *
 * A backslash stays as it is: the result is for showing, not for turning back.
 *
 * @example
 * ```ts
 * import { visible } from "./visible.ts";
 *
 * visible("node\u202e_modules"); // "node\\u{202e}_modules"
 * ```
 */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** A copy of a JSON value in which every string, keys included, went through {@linkcode visible}. */
export function visibleValue<T>(value: T): T {
  return escape(value) as T;
}

function escape(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(escape);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [visible(key), escape(item)]));
}
