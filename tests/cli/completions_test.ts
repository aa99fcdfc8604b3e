import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { completionScript, type Shell, SHELLS } from "../../src/cli/completion_script.ts";
import { loadCommands } from "../../src/cli/commands/mod.ts";
import { SERVE_FLAGS, SERVE_HELP } from "../../src/serve/options.ts";
import { runToEnd } from "../support/server.ts";
import { withFolder } from "./_program.ts";

const DRIVER = fromFileUrl(new URL("./_complete.zsh", import.meta.url));

/** A file to complete, a folder, and a word that is neither. */
async function withScript(shell: Shell, use: (folder: string, script: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const script = join(folder, "_agentsweep");
    await Deno.writeTextFile(script, completionScript(shell, "agentsweep", await loadCommands()));
    await Deno.mkdir(join(folder, "projects"));
    await Deno.writeTextFile(join(folder, "precious.txt"), "");
    await use(folder, script);
  });
}

/** What each line becomes, or, of several, the words that are offered. */
const LINES: readonly [line: string, offered: readonly string[], not?: string][] = [
  ["agentsweep sw", ["sweep"]],
  ["agentsweep s", ["scan", "sweep", "serve"], "precious.txt"],
  ["agentsweep scan --sa", ["--sarif"]],
  ["agentsweep serve --his", ["--history"]],
  ["agentsweep config --client wind", ["windsurf"]],
  ["agentsweep config -c c", ["claude-code", "claude-desktop", "cline", "codex", "continue", "cursor"], "precious.txt"],
  ["agentsweep scan --source codeb", ["codebuff"]],
  ["agentsweep fix -s codeb", ["codebuff"]],
  ["agentsweep sweep --only node-", ["node-modules"]],
  ["agentsweep explain github-p", ["github-pat"]],
  ["agentsweep completions f", ["fish"]],
  ["agentsweep help sw", ["sweep"]],
  ["agentsweep sweep pr", ["projects"], "precious.txt"],
  ["agentsweep scan --root pr", ["projects"], "precious.txt"],
  ["agentsweep scan -o prec", ["precious.txt"]],
  ["agentsweep scan pr", [], "precious.txt"],
];

/** The shell is there, in continuous integration installed where it is missing. */
async function requireShell(shell: Shell): Promise<void> {
  const isThere = async () => (await runToEnd([shell, "--version"]).catch(() => ({ code: 1 }))).code === 0;
  if (await isThere()) return;
  await runToEnd(["sh", "-c", `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${shell}`]);
  assert(await isThere(), `${shell} is missing and cannot be installed`);
}

/** Each shell's own completion, run on `line`: the text that it shows. */
const COMPLETE: Readonly<Record<Shell, (line: string, folder: string, script: string) => string[]>> = {
  bash: (line, folder, script) => [
    "bash",
    "--norc",
    "-c",
    `cd "$2"; source "$1"; COMP_WORDS=($3); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _agentsweep; printf '%s\\n' "\${COMPREPLY[@]}"`,
    "bash",
    script,
    folder,
    line,
  ],
  zsh: (line, folder) => ["sh", "-c", 'cd "$2" && exec zsh -f "$1" "$2" "$3"', "sh", DRIVER, folder, line],
  fish: (line, folder, script) => [
    "fish",
    "--no-config",
    "-c",
    "cd $argv[2]; source $argv[1]; complete -C $argv[3]",
    script,
    folder,
    line,
  ],
};

for (const shell of SHELLS) {
  // Where a system does not come with a shell, people do not use it there.
  const ignore = Deno.build.os === "windows" || shell === "fish" && Deno.build.os !== "linux";
  Deno.test({
    name: `${shell} itself completes commands, flags, their values and folders`,
    ignore,
    fn: () =>
      withScript(shell, async (folder, script) => {
        await requireShell(shell);
        const check = await runToEnd([shell, "-n", script]);
        assertEquals([check.code, check.stderr], [0, ""], "it is a script of that shell");
        for (const [line, offered, not] of LINES) {
          const { code, stdout, stderr } = await runToEnd(COMPLETE[shell](line, folder, script));
          assertEquals([code, stderr], [0, ""], line);
          const shown = stdout.replaceAll("\r", "").replaceAll(line, "");
          const whole = stdout.match(/told<(.*)>/)?.[1] ?? stdout;
          for (const word of offered) assertStringIncludes(offered.length === 1 ? whole : shown, word, line);
          if (not) assert(!shown.includes(not), `${line}: ${shown}`);
        }
      }),
  });
}

Deno.test("completions of serve name the flags that its help names", () => {
  const named = [...SERVE_HELP.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name]) => name).filter((name) => name !== "help");
  assertEquals(Object.keys(SERVE_FLAGS).sort(), named.sort());
});

Deno.test("bash completes a value behind = too", () =>
  withScript("bash", async (_folder, script) => {
    if (Deno.build.os === "windows") return;
    const { stdout } = await runToEnd([
      "bash",
      "--norc",
      "-c",
      `source "$1"; COMP_WORDS=(agentsweep config --client = wind); COMP_CWORD=4; _agentsweep; echo "\${COMPREPLY[@]}"`,
      "bash",
      script,
    ]);
    assertEquals(stdout.trim(), "windsurf");
  }));
