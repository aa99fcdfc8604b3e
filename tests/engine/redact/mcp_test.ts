import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { CHECKOUT, connect, ERAS, initialize, startRaw } from "../../support/server.ts";
import { withDir } from "../../support/tree.ts";
import { backupOf } from "../../../src/redact/names.ts";
import { secret } from "../../redact/_histories.ts";
import { CONTENT, envAt, plantCopy, REDACTED } from "./_store.ts";

const ALLOWED = { AGENTSWEEP_MCP_ALLOW_REDACT: "1" };
const ARGS = ["--audit-only"];
const CONFIRM = { source: "codex", confirm: "REDACT codex" };

/** A program of this name that runs as long as it is needed, found by `ps` under it. */
function runningAs(name: string, dir: string): AsyncDisposable {
  const program = join(dir, name);
  Deno.copyFileSync("/bin/sleep", program);
  Deno.chmodSync(program, 0o755);
  const child = new Deno.Command(program, { args: ["600"] }).spawn();
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

for (const era of ERAS) {
  Deno.test(`${era}: redact_source is not there unless the environment allows it`, () =>
    withDir(async (dir) => {
      const { copy, home } = plantCopy(dir);
      for (const value of ["", "0", "true"]) {
        await using client = await connect(era, {
          roots: [],
          args: [...ARGS, "--history", `codex=${copy}`],
          permissions: ["-A"],
          env: { ...envAt(home), AGENTSWEEP_MCP_ALLOW_REDACT: value },
        });
        assert(!(await client.tools()).some(({ name }) => name === "redact_source"), value);
      }
    }));

  Deno.test(`${era}: redact_source redacts a copy byte for byte, once the human said yes`, () =>
    withDir(async (dir) => {
      const { copy, file, home } = plantCopy(dir);
      const asked: string[] = [];
      await using client = await connect(era, {
        roots: [],
        args: [...ARGS, "--history", `codex=${copy}`],
        permissions: ["-A"],
        env: { ...envAt(home), ...ALLOWED },
      }, (message) => {
        asked.push(message);
        return "accept";
      });
      const tool = (await client.tools()).find(({ name }) => name === "redact_source")!;
      assertEquals(tool.annotations, {
        title: tool.title!,
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      });
      const { structuredContent, content } = await client.call("redact_source", CONFIRM);
      assertEquals(structuredContent.redacted_files, [{
        file,
        backup: backupOf(file),
        status: "redacted",
        bytes_before: CONTENT.length,
        bytes_after: REDACTED.length,
      }], content[0]?.text);
      assertEquals(structuredContent.skipped, []);
      assertEquals(Deno.readTextFileSync(file), REDACTED);
      assertEquals(Deno.readTextFileSync(backupOf(file)), CONTENT);
      assertEquals(asked.length, 1);
      assertStringIncludes(asked[0]!, file);
      const told = JSON.stringify([structuredContent, content, asked]);
      for (const number of [1, 2]) assert(!told.includes(secret(number).slice(6, 14)));

      const again = await client.call("redact_source", CONFIRM);
      assertEquals(again.structuredContent.redacted_files, []);
      assertStringIncludes(again.structuredContent.rotation_reminder, "nothing to redact");
    }));

  Deno.test(`${era}: where the human declines, nothing is redacted`, () =>
    withDir(async (dir) => {
      const { copy, file, home } = plantCopy(dir);
      await using client = await connect(era, {
        roots: [],
        args: [...ARGS, "--history", `codex=${copy}`],
        permissions: ["-A"],
        env: { ...envAt(home), ...ALLOWED },
      }, () => "decline");
      const { structuredContent } = await client.call("redact_source", CONFIRM);
      assertEquals(structuredContent.errors.length, 1);
      assertEquals(Deno.readTextFileSync(file), CONTENT);
    }));
}

Deno.test("redact_source refuses every other confirmation, the default root, and further arguments", () =>
  withDir(async (dir) => {
    const { copy, file, home } = plantCopy(dir);
    await using server = startRaw({
      roots: [],
      args: [...ARGS, "--history", `codex=${copy}`],
      permissions: ["-A"],
      env: { ...envAt(home), ...ALLOWED },
    });
    await initialize(server);
    const call = async (args: unknown) =>
      (await server.request("tools/call", { name: "redact_source", arguments: args })).result;
    for (
      const confirm of ["", "redact codex", "REDACT", "REDACT codex ", "REDACT claude-code", "REDACT с0dex", "yes"]
    ) {
      assert((await call({ source: "codex", confirm })).isError, confirm);
    }
    for (const more of [{ force: true }, { root: copy }, { allow_production: true }, { no_backup: true }]) {
      assert((await call({ ...CONFIRM, ...more })).isError, JSON.stringify(more));
    }
    const production = await call({ source: "goose", confirm: "REDACT goose" });
    assertStringIncludes(production.structuredContent.errors[0], "agent's own folder");
    assertEquals(Deno.readTextFileSync(file), CONTENT);
    const { tools } = (await server.request("tools/list")).result;
    assertEquals(tools.filter(({ name }: { name: string }) => /undo|purge/.test(name)), []);
  }));

Deno.test("redact_source refuses while the agent runs, told by the thread that may look", () =>
  withDir(async (dir) => {
    const { copy, file, home } = plantCopy(dir);
    await using _ = runningAs("codex", dir);
    await using server = startRaw({
      roots: [],
      args: [...ARGS, "--history", `codex=${copy}`],
      permissions: ["-A"],
      env: { ...envAt(home), ...ALLOWED },
    });
    await initialize(server);
    const { errors } = await server.call("redact_source", CONFIRM);
    assertStringIncludes(errors[0], "the agent is running");
    assertEquals(Deno.readTextFileSync(file), CONTENT);
  }));

for (
  const [name, run, expected] of [
    ["in place with --allow-run=ps it redacts", ["--allow-run=ps"], REDACTED],
    ["in place without it cannot tell whether the agent runs, and refuses", [], CONTENT],
  ] as const
) {
  Deno.test(`redact_source under exact flags: ${name}`, () =>
    withDir(async (dir) => {
      const { copy, file, home } = plantCopy(dir);
      const log = join(home, ".agentsweep");
      const modules = [join(CHECKOUT, "src"), join(CHECKOUT, "tools", "offline", "std")];
      await using server = startRaw({
        roots: [],
        args: [...ARGS, "--history", `codex=${copy}`],
        permissions: [
          "--no-prompt",
          `--allow-read=${[copy, log, ...modules].join(",")}`,
          `--allow-write=${copy},${log}`,
          "--allow-env=HOME,AGENTSWEEP_MCP_ALLOW_REDACT",
          ...run,
        ],
        env: { ...envAt(home), ...ALLOWED },
      });
      await initialize(server);
      await server.said("sandbox: process-flags");
      const { errors } = await server.call("redact_source", CONFIRM);
      if (expected === CONTENT) assertStringIncludes(errors[0], "cannot be told");
      assertEquals(Deno.readTextFileSync(file), expected);
    }));
}
