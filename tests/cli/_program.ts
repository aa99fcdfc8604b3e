/**
 * The command line as a process, over a home of its own.
 *
 * @module
 */

import { join } from "@std/path";
import { hostOf } from "../../src/history/mod.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";
import { variableNames } from "../../src/serve/environment.ts";
import { buildHistories } from "../../tools/fixtures/mod.ts";
import { CHECKOUT, OFFLINE, type Outcome, runToEnd } from "../support/server.ts";

/** How the program is started. */
export interface Start {
  /** Permission flags. @default all */
  readonly permissions?: readonly string[];
  /** The home directory. @default that of the tests */
  readonly home?: string;
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The words that run the program. */
export function words(args: readonly string[], permissions: readonly string[] = ["-A"]): string[] {
  return [Deno.execPath(), "run", "--quiet", ...OFFLINE, ...permissions, join(CHECKOUT, "main.ts"), ...args];
}

/** The environment that puts the histories below `home`. */
export function environment(home: string): Record<string, string> {
  // An empty variable counts as unset, whatever the machine that runs the tests has set.
  const unset = Object.fromEntries(variableNames().map((name) => [name, ""]));
  return { ...unset, HOME: home, USERPROFILE: home, DENO_DIR };
}

/** Where modules are cached, whatever the home is. */
const DENO_DIR: string = JSON.parse(
  new TextDecoder().decode(
    new Deno.Command(Deno.execPath(), { args: ["info", "--json"], env: { NO_COLOR: "1" } }).outputSync().stdout,
  ),
).denoDir;

/** Runs the program to its end; nobody can be asked. */
export function program(args: readonly string[], { permissions, home, env }: Start = {}): Promise<Outcome> {
  return runToEnd(words(args, permissions), { ...(home ? environment(home) : {}), ...env });
}

/**
 * Runs the program on a terminal of `columns`, with `answers` typed once it shows `when`; what the terminal shows, the exit
 * code, and how long it ran on after that.
 */
export async function onTerminal(
  args: readonly string[],
  { columns = 80, answers = "", when = /Which ones\?/, home, env = {} }: Start & {
    readonly columns?: number;
    readonly answers?: string;
    readonly when?: RegExp;
  },
): Promise<{ shown: string; code: number; ms: number }> {
  const quoted = words(args).map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qefc", `stty cols ${columns} -echo; ${quoted}`, "/dev/null"],
    env: { ...(home ? environment(home) : {}), SHELL: "/bin/sh", ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  let shown = "";
  let isAnswered = answers === "";
  let answered = performance.now();
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    shown += text;
    if (!isAnswered && when.test(shown)) {
      isAnswered = true;
      answered = performance.now();
      await writer.write(new TextEncoder().encode(answers));
    }
  }
  await writer.close().catch(() => {});
  const { code } = await child.status;
  return { shown: shown.replaceAll("\r\n", "\n"), code, ms: performance.now() - answered };
}

/** A throwaway folder. */
export async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "agentsweep-cli-" }));
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Fills `home` with the histories of `sources`, secrets in every fifth place; gives back the secrets' texts. */
export function plantSecrets(home: string, sources: readonly string[]): string[] {
  const texts = RULES.filter(({ confidence }) => confidence !== "low")
    .flatMap(({ examples }) => examples.match().slice(0, 1)).filter((text) => /^[\w.+/=-]{20,}$/.test(text)).slice(
      0,
      12,
    );
  const planted = buildHistories(sources, hostOf(Deno.build.os, environment(home)), {
    plant: (place) => place % 5 === 0 ? texts[(place / 5) % texts.length]! : "nothing",
  });
  return texts.filter((text) => planted.some((place) => place.text.includes(text)));
}
