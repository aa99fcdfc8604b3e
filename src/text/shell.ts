/**
 * Command lines as shells read them.
 *
 * @module
 */

/** Words that need no quotes in any shell. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/**
 * A command line that a shell reads back as the same words: a POSIX shell, or PowerShell on Windows.
 *
 * @param os As `Deno.build.os` names it.
 */
export function commandLine(words: readonly string[], os: string): string {
  if (os !== "windows") return words.map((word) => PLAIN.test(word) ? word : quotedPosix(word)).join(" ");
  const quoted = words.map((word) => /^[\w=:./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`);
  // PowerShell prints a quoted word instead of running it.
  return quoted[0]?.startsWith("'") ? `& ${quoted.join(" ")}` : quoted.join(" ");
}

function quotedPosix(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
