/**
 * A copy of a history for a server or a command line to redact.
 *
 * @module
 */

import { join } from "@std/path";
import { CHECKOUT, OFFLINE } from "../../support/server.ts";
import { secret } from "../../redact/_histories.ts";

/** Content of the file that {@linkcode plantCopy} writes. */
export const CONTENT = `{"text": "one ${secret(1)}",  "n": 1.50}\r\n{"text":"two ${secret(2)} and ${secret(1)}"}`;

/** Its content after a redaction. */
export const REDACTED = `{"text": "one [REDACTED:gitlab-pat]",  "n": 1.50}\r\n` +
  `{"text":"two [REDACTED:gitlab-pat] and [REDACTED:gitlab-pat]"}`;

/** Writes a copy of a Codex history, modified an hour ago, below `dir`, and a home beside it. */
export function plantCopy(dir: string): { copy: string; file: string; home: string } {
  const [copy, home] = [join(dir, "copy"), join(dir, "home")];
  const file = join(copy, "sessions", "rollout.jsonl");
  Deno.mkdirSync(join(copy, "sessions"), { recursive: true });
  Deno.mkdirSync(home, { recursive: true });
  Deno.writeTextFileSync(file, CONTENT);
  const then = new Date(Date.now() - 3_600_000);
  Deno.utimeSync(file, then, then);
  return { copy, file, home };
}

/** The environment of a process whose home directory is `home`; Deno finds its cache where it always does. */
export function envAt(home: string): Record<string, string> {
  const cache = Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME") ?? "", ".cache", "deno");
  return { HOME: home, USERPROFILE: home, DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1" };
}

/** What a command line said. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line with `home` as its home directory. */
export async function cli(home: string, ...args: string[]): Promise<Said> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", ...OFFLINE, join(CHECKOUT, "main.ts"), ...args],
    env: envAt(home),
    stdin: "null",
  }).output();
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}
