import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { CONTENT, REDACTED } from "../engine/redact/_store.ts";
import { stands } from "../support/tree.ts";
import { environment, onTerminal, withFolder, words } from "./_program.ts";

/** Plants a history of Codex and a single file of Claude Code's, at their own places below `home`. */
function plant(home: string): string[] {
  const files = [".codex/sessions/a.jsonl", ".claude.json"].map((name) => join(home, name));
  Deno.mkdirSync(join(home, ".codex", "sessions"), { recursive: true });
  for (const file of files) {
    Deno.writeTextFileSync(file, CONTENT);
    Deno.utimeSync(file, 1, 1);
  }
  return files;
}

/** Runs a command on a terminal; a question of the runtime itself ends it, and fails the test. */
async function unasked(home: string, ...args: string[]): Promise<void> {
  const quoted = words(args).map((word) => `'${word}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qefc", quoted, "/dev/null"],
    env: { ...environment(home), SHELL: "/bin/sh" },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  let shown = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    shown += text;
    if (/\bAllow\?/.test(shown)) child.kill("SIGKILL");
  }
  await child.stdin.close().catch(() => {});
  const { code } = await child.status;
  assertEquals(code, 0, `${args.join(" ")}: ${shown}`);
}

/** A home behind a link, or not; `use` gets it with the planted files. */
const withHome = (isLinked: boolean, use: (home: string, files: string[]) => Promise<void>) =>
  withFolder(async (folder) => {
    const real = join(folder, "real");
    Deno.mkdirSync(real);
    if (isLinked) Deno.symlinkSync(real, join(folder, "home"));
    await use(isLinked ? join(folder, "home") : real, plant(real));
  });

const IGNORE = Deno.build.os === "windows";
const OWN = ["--allow-production", "--force", "--yes"];

for (const isLinked of [false, true]) {
  Deno.test({
    name: `on a terminal, the runtime asks nothing on top of fix and undo${isLinked ? ", behind a link" : ""}`,
    ignore: IGNORE,
    fn: () =>
      withHome(isLinked, async (home, [codex]) => {
        await unasked(home, "fix", "--source", "codex", ...OWN);
        assertEquals(Deno.readTextFileSync(codex!), REDACTED);
        await unasked(home, "undo", "--source", "codex", "--yes");
        assertEquals(Deno.readTextFileSync(codex!), CONTENT);
      }),
  });
}

Deno.test({
  name: "on a terminal, the runtime asks nothing about what stands beside the single file of a source",
  ignore: IGNORE,
  fn: () =>
    withHome(false, async (home, [, claude]) => {
      await unasked(home, "fix", "--source", "claude-code", ...OWN);
      assertEquals(Deno.readTextFileSync(claude!), REDACTED);
      await unasked(home, "purge", "--source", "claude-code", "--yes");
      assert(!stands(`${claude}.bak`));
      await unasked(home, "scan", "--source", "claude-code");
    }),
});

Deno.test({
  name: "fix says that a file was just modified before it asks, and does not ask where there is nothing else",
  ignore: IGNORE,
  fn: () =>
    withFolder(async (home) => {
      const [young, old] = plant(home) as [string, string];
      Deno.utimeSync(young, new Date(), new Date());
      const args = ["fix", "--allow-production", "--source"];
      const answers = "REDACT\n";
      const alone = await onTerminal([...args, "codex"], { home, answers, when: /Type REDACT/ });
      assertEquals(alone.code, 2, alone.shown);
      assert(!alone.shown.includes("Type REDACT"), alone.shown);
      assertStringIncludes(alone.shown, "60 seconds");
      Deno.mkdirSync(join(home, ".claude", "projects"), { recursive: true });
      Deno.copyFileSync(young, join(home, ".claude", "projects", "b.jsonl"));
      const both = await onTerminal([...args, "claude-code"], { home, answers, when: /Type REDACT/ });
      assert(both.shown.indexOf("60 seconds") < both.shown.indexOf("Type REDACT"), both.shown);
      assertEquals([Deno.readTextFileSync(young), Deno.readTextFileSync(old)], [CONTENT, REDACTED]);
    }),
});
