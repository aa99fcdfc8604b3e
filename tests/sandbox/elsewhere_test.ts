import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { bundleProgram, serveCheckout } from "../support/checkout.ts";
import { commandOf, initialize, type RawServer, rawServer, runToEnd, startRaw } from "../support/server.ts";
import { createWorkspace, stands, writeProject } from "../support/workspace.ts";

const AWKWARD = `it's a "root" $HOME \`id\` & more`;

/** Scans, deletes and ends; how the server said that it is held. */
async function session(server: RawServer, root: string): Promise<string> {
  await initialize(server);
  const modules = await writeProject(join(root, "shop"));
  const { sandbox } = await server.call("list_targets", {});
  const { finds } = await server.call("scan", { path: root });
  const ids = finds.map(({ id }: { id: string }) => id);
  const { deleted } = await server.call("reclaim", { ids, confirm: "delete" });
  assertEquals(deleted.length, 1);
  assert(!await stands(modules));
  assertEquals((await server.end()).code, 0);
  return sandbox;
}

/** The command line on the one indented line of a refusal. */
function commandIn(stderr: string): string {
  const [, command] = /\n\n {2}([^]+)\n\n$/.exec(stderr) ?? [];
  assert(command !== undefined, stderr);
  return command;
}

/** A shell that knows `deno` as this very one. */
function shell(command: string): string[] {
  const path = `${join(Deno.execPath(), "..")}:${Deno.env.get("PATH")}`;
  return ["env", `PATH=${path}`, "sh", "-c", command];
}

/** Processes whose command line holds `text`. */
async function processesWith(text: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const line = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (line.includes(text)) found.push(Number(name));
  }
  return found;
}

Deno.test("the bundle alone, copied elsewhere, serves", async () => {
  await using program = await bundleProgram();
  const { main, config } = program;

  {
    await using workspace = await createWorkspace();
    const { root } = workspace;
    const permissions = ["--no-prompt", `--allow-read=${root}`, `--allow-write=${root}`];
    assertEquals(await session(startRaw({ roots: [root], main, config, permissions }), root), "process-flags");
    assertEquals(await session(startRaw({ roots: [root], main, config, permissions: ["-A"] }), root), "child-process");
  }

  await using workspace = await createWorkspace(AWKWARD);
  const { root } = workspace;
  const wide = { roots: [root], main, config, permissions: ["--no-prompt", "--allow-read", "--allow-write"] };
  const refused = await runToEnd(commandOf(wide));
  assertEquals([refused.code, refused.stdout], [2, ""]);
  if (Deno.build.os !== "windows") {
    assertEquals(await session(rawServer(shell(commandIn(refused.stderr))), root), "process-flags");
  }

  await using comma = await createWorkspace("a,b");
  for (const permissions of [["-A"], ["--no-prompt", "--allow-read", "--allow-write"]]) {
    const { code, stdout, stderr } = await runToEnd(commandOf({ roots: [comma.root], main, config, permissions }));
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, "contains a comma");
  }
});

Deno.test("run from a server, as JSR serves it, the program starts itself again with the exact flags", async (t) => {
  await using served = await serveCheckout();
  const { main, host } = served;
  const config = ["--no-config", "--no-lock", `--allow-import=${host}`];
  // Everything allows every import, and Deno takes no flag for it beside.
  const all = (root: string, args: string[] = []) => {
    return { roots: [root], main, config: ["--no-config", "--no-lock"], permissions: ["-A"], args };
  };

  await t.step("it scans and deletes", async () => {
    await using workspace = await createWorkspace(AWKWARD);
    assertEquals(await session(startRaw(all(workspace.root)), workspace.root), "child-process");
  });

  await t.step("with the exact flags it needs no child", async () => {
    await using workspace = await createWorkspace();
    const { root } = workspace;
    const permissions = ["--no-prompt", `--allow-read=${root}`, `--allow-write=${root}`];
    assertEquals(await session(startRaw({ roots: [root], main, config, permissions }), root), "process-flags");
  });

  await t.step("without a way to narrow it names a command that works", async () => {
    await using workspace = await createWorkspace(AWKWARD);
    const { root } = workspace;
    const wide = { roots: [root], main, config, permissions: ["--no-prompt", "--allow-read", "--allow-write"] };
    const { code, stdout, stderr } = await runToEnd(commandOf(wide));
    assertEquals([code, stdout], [2, ""]);
    if (Deno.build.os === "windows") return;
    assertEquals(await session(rawServer(shell(commandIn(stderr))), root), "process-flags");
  });

  await t.step("the child never gets more than its parent had", async () => {
    await using workspace = await createWorkspace();
    const { root } = workspace;
    const modules = await writeProject(join(root, "shop"));
    const start = { roots: [root], main, config, permissions: ["--no-prompt", "--allow-read", "--allow-run"] };
    await using server = startRaw(start);
    await initialize(server);
    assertEquals((await server.call("list_targets", {})).sandbox, "child-process");
    const { finds: [{ id }] } = await server.call("scan", { path: root });
    const { deleted, refused } = await server.call("reclaim", { ids: [id], confirm: "delete" });
    assertEquals(deleted, []);
    assertStringIncludes(refused[0].reason, "--allow-write");
    assert(await stands(modules));
    const denied = await runToEnd(commandOf({ ...all(root), permissions: ["-A", `--deny-write=${modules}`] }));
    assertEquals(denied.code, 2, "what --deny took cannot be handed on");
  });

  await t.step("a child that still has too much does not start another", async () => {
    await using workspace = await createWorkspace();
    const { code } = await runToEnd(commandOf(all(workspace.root, ["--narrowed"])));
    assertEquals(code, 2);
  });

  if (Deno.build.os !== "linux") return; // processes are counted in /proc

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    await t.step(`${signal} ends both`, async () => {
      await using workspace = await createWorkspace();
      const server = startRaw(all(workspace.root));
      await initialize(server);
      assertEquals((await processesWith(workspace.root)).length, 2);
      server.kill(signal);
      const { code } = await server.ended;
      assert(code !== 0, signal);
      assertEquals(await processesWith(workspace.root), []);
    });
  }

  await t.step("how the child ends is the exit code of the parent", async () => {
    await using workspace = await createWorkspace();
    const server = startRaw(all(workspace.root));
    await initialize(server);
    const [child] = (await processesWith(workspace.root)).filter((pid) => pid !== server.pid);
    Deno.kill(child!, "SIGKILL");
    assertEquals((await server.ended).code, 128 + 9);
  });

  await t.step("the end of the client's stream ends both", async () => {
    await using workspace = await createWorkspace();
    const server = startRaw(all(workspace.root));
    await initialize(server);
    assertEquals((await server.end()).code, 0);
    assertEquals(await processesWith(workspace.root), []);
  });

  await t.step("a child whose parent is killed ends with the client's stream", async () => {
    await using workspace = await createWorkspace();
    const server = startRaw(all(workspace.root));
    await initialize(server);
    const [child] = (await processesWith(workspace.root)).filter((pid) => pid !== server.pid);
    server.kill("SIGKILL");
    await server.end();
    assertEquals((await processesWith(workspace.root)).includes(child!), false);
  });
});
