/**
 * What a JSON string token says.
 *
 * @module
 */

const SIMPLE: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Undoes the escapes of a string token's inside; one that JSON does not know is left as it stands. */
export function unescapeJson(inside: string): string {
  if (!inside.includes("\\")) return inside;
  try {
    return JSON.parse(`"${inside}"`);
  } catch {
    return unescapeLeniently(inside);
  }
}

/** The same for what is not quite JSON: raw control characters, unknown or cut escapes. */
function unescapeLeniently(inside: string): string {
  return inside.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (whole, code: string | undefined, letter: string) => {
    if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
    if (letter === '"' || letter === "\\" || letter === "/") return letter;
    return SIMPLE[letter] ?? whole;
  });
}
