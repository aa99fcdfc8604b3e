import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { createRedaction } from "../../src/engine/redact/service.ts";
import { Refusal } from "../../src/guard/mod.ts";
import { hostOf } from "../../src/history/mod.ts";
import { CONTENT, envAt } from "../engine/redact/_store.ts";
import { initialize, startRaw } from "../support/server.ts";
import { withDir } from "../support/tree.ts";
import { cli } from "../engine/redact/_store.ts";

/** Asks the gate for `source` at `root`, with `home` as the home directory. */
function admitted(home: string, source: string, root: string): Promise<void> {
  return createRedaction({
    host: hostOf("linux", { HOME: home }),
    history: new Map([[source, root]]),
    workingDirectory: null,
    workerModules: null,
    agentState: () => Promise.resolve("idle"),
  }).admit(source);
}

const refused = (home: string, source: string, root: string) =>
  assertRejects(() => admitted(home, source, root), Refusal, "own folder", `${source} at ${root}`);

Deno.test({
  name: "no other name of an agent's own folder passes for a copy",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withDir(async (dir) => {
      const home = join(dir, "home");
      for (const folder of [".codex/sessions", ".local/share/kiro-cli", "elsewhere", "copy"]) {
        Deno.mkdirSync(join(home, folder), { recursive: true });
      }
      Deno.symlinkSync(home, join(dir, "link"));
      Deno.symlinkSync(join(home, "elsewhere"), join(home, ".claude"));
      for (
        const [source, root] of [
          ["codex", join(home, ".codex")],
          ["codex", `${join(home, ".codex")}/`],
          ["codex", `${home}/copy/../.codex`],
          ["codex", join(home, ".codex", "sessions")],
          ["codex", join(home, ".codex", "not-yet")],
          ["codex", home],
          ["codex", dir],
          ["codex", join(dir, "link", ".codex")],
          ["codex", join(dir, "link", ".codex", "sessions")],
          ["codex", join(dir, "link")],
          // Another default root of it, and those of other agents.
          ["kiro-cli", join(home, ".local/share/kiro-cli")],
          ["goose", join(home, ".codex")],
          // Its own folder is a link: what it leads to is it, too.
          ["claude-code", join(home, "elsewhere")],
          ["codex", join(home, "elsewhere")],
          // Its histories lie in projects, anywhere in the home directory.
          ["aider", join(home, "copy")],
        ] as const
      ) await refused(home, source, root);
      for (const [source, root] of [["codex", join(home, "copy")], ["goose", join(home, ".codex-copy")]] as const) {
        await admitted(home, source, root);
      }
      Deno.mkdirSync(join(dir, "outside"));
      await admitted(home, "aider", join(dir, "outside"));
    }),
});

Deno.test({
  name: "neither fix nor redact_source takes a part of the agent's own folder, or what holds it, for a copy",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withDir(async (dir) => {
      const home = join(dir, "home");
      const file = join(home, ".codex", "sessions", "a.jsonl");
      Deno.mkdirSync(join(home, ".codex", "sessions"), { recursive: true });
      Deno.writeTextFileSync(file, CONTENT);
      Deno.utimeSync(file, 1, 1);
      Deno.symlinkSync(home, join(dir, "link"));
      const { code, stderr } = await cli(
        home,
        "fix",
        "--source",
        "codex",
        "--yes",
        "--root",
        join(dir, "link", ".codex"),
      );
      assertEquals(code, 2);
      assert(stderr.includes("--allow-production"), stderr);
      await using server = startRaw({
        roots: [],
        args: ["--audit-only", "--history", `codex=${join(home, ".codex", "sessions")}`],
        permissions: ["-A"],
        env: { ...envAt(home), AGENTSWEEP_MCP_ALLOW_REDACT: "1" },
      });
      await initialize(server);
      const { errors } = await server.call("redact_source", { source: "codex", confirm: "REDACT codex" });
      assert(String(errors[0]).includes("own folder"), JSON.stringify(errors));
      assertEquals(Deno.readTextFileSync(file), CONTENT);
    }),
});
