import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import {
  CHECKOUT,
  commandOf,
  exactPermissions,
  initialize,
  OFFLINE,
  runToEnd,
  type Start,
  startRaw,
} from "../support/server.ts";
import { createWorkspace, stands, writeProject } from "../support/workspace.ts";

/** Starts a server and asks it how it is held. */
async function postureOf(start: Start): Promise<{ posture: string; stderr: string }> {
  await using server = startRaw(start);
  await initialize(server);
  const { sandbox } = await server.call("list_targets", {});
  assertStringIncludes(server.stderr(), `(sandbox: ${sandbox})`);
  return { posture: sandbox, stderr: server.stderr() };
}

Deno.test("what was given decides how the server is held", async () => {
  await using workspace = await createWorkspace();
  const { base, root } = workspace;
  const exact = exactPermissions([root]);
  const modules = `${join(CHECKOUT, "src")},${join(CHECKOUT, "tools", "offline", "std")}`;
  const cases: [string, readonly string[]][] = [
    ["process-flags", exact],
    ["process-flags", [`--allow-read=${root}`, `--allow-write=${root}`]],
    ["process-flags", [`--allow-read=${root}`]],
    ["process-flags", [...exact, "--allow-env=HOME", "--allow-net=127.0.0.1:9", "--allow-run=sh"]],
    ["worker", ["-A"]],
    ["worker", ["--allow-read", `--allow-write=${root}`]],
    ["worker", ["--allow-read"]],
    ["worker", ["--allow-read=/", `--allow-write=${root}`]],
    ["worker", [`--allow-read=${root},${CHECKOUT}`, `--allow-write=${root}`]],
    ["worker", [`--allow-read=${base},${modules}`, `--allow-write=${root}`]],
    ["worker", [`--allow-read=${root},${modules}`, `--allow-write=${base}`]],
    ["worker", [`--allow-read=${root},${modules},/etc`, `--allow-write=${root}`]],
    ["worker", [...exact, "--allow-net"]],
    ["worker", [...exact, "--allow-run"]],
    ["worker", [...exact, "--allow-env"]],
    ["worker", [...exact, "--allow-sys"]],
    ["worker", [...exact, "--allow-ffi"]],
  ];
  for (const [expected, permissions] of cases) {
    const { posture } = await postureOf({ roots: [root], permissions });
    assertEquals(posture, expected, permissions.join(" "));
  }
});

Deno.test("--allow-unsandboxed runs with everything, and warns", async () => {
  await using workspace = await createWorkspace();
  const start = { roots: [workspace.root], permissions: ["-A"], args: ["--allow-unsandboxed"] };
  const { posture, stderr } = await postureOf(start);
  assertEquals(posture, "none");
  assertMatch(stderr, /WARNING: running with more permissions than needed \(.*--allow-net.*--allow-write\)/);
});

Deno.test("a Worker that cannot be had is a refusal, not a crash", async () => {
  await using workspace = await createWorkspace();
  const { root } = workspace;
  const permissions = ["--no-prompt", `--allow-read=${root}`, `--allow-write=${root}`, "--allow-net"];
  const { code, stdout, stderr } = await runToEnd(commandOf({ roots: [root], permissions }));
  assertEquals([code, stdout], [2, ""], stderr);
  assertStringIncludes(stderr, "(--allow-net)");
  assertStringIncludes(stderr, `--allow-read=${root},${join(CHECKOUT, "src")}`);
});

for (const permissions of [["--allow-read"], ["-A", "--deny-write"]]) {
  Deno.test(`without write permission a scan works and reclaim names the flag (${permissions.join(" ")})`, async () => {
    await using workspace = await createWorkspace();
    const { root } = workspace;
    const modules = await writeProject(join(root, "shop"));
    await using server = startRaw({ roots: [root], permissions: [...permissions, "--no-prompt"] });
    await initialize(server);
    const { finds: [{ id }] } = await server.call("scan", { path: root });
    const { deleted, refused } = await server.call("reclaim", { ids: [id], confirm: "delete" });
    assertEquals(deleted, []);
    assertStringIncludes(refused[0].reason, "--allow-write");
    assert(await stands(modules));
    assertEquals(Array.from(Deno.readDirSync(dirname(modules))).length, 3, "nothing was left behind");
  });
}

Deno.test("what a --deny flag took inside a root stays taken, and is a refusal where it would be lost", async () => {
  await using workspace = await createWorkspace();
  const { root } = workspace;
  const [one, kept] = [await writeProject(join(root, "one")), await writeProject(join(root, "kept"))];
  const deny = `--deny-write=${join(root, "kept")}`;
  const { code, stderr } = await runToEnd(commandOf({ roots: [root], permissions: ["-A", deny] }));
  assertEquals(code, 2);
  assertStringIncludes(stderr, "with your --deny flags");

  await using server = startRaw({ roots: [root], permissions: [...exactPermissions([root]), deny] });
  await initialize(server);
  assertEquals((await server.call("list_targets", {})).sandbox, "process-flags");
  const { finds } = await server.call("scan", { path: root });
  const ids = finds.map(({ id }: { id: string }) => id);
  const { deleted } = await server.call("reclaim", { ids, confirm: "delete" });
  assertEquals(deleted.map(({ path }: { path: string }) => path), [one]);
  assert(await stands(join(kept, "left-pad", "index.js")));
});

for (const name of ["read", "write"]) {
  Deno.test(`attack: what --deny-${name} took inside a target is not deleted with the target`, async () => {
    await using workspace = await createWorkspace();
    const { root } = workspace;
    const modules = await writeProject(join(root, "shop"));
    const kept = join(modules, "left-pad");
    const permissions = [...exactPermissions([root]), `--deny-${name}=${kept}`];
    await using server = startRaw({ roots: [root], permissions });
    await initialize(server);
    const { finds, skipped } = await server.call("scan", { path: root });
    assertEquals(finds, []);
    assert(skipped.some(({ path }: { path: string }) => path === modules));
    assert(await stands(join(kept, "index.js")));
    // Nor where an earlier scan offered it: the guard asks again at the moment of deletion.
    const module = new URL("../../main.ts", import.meta.url).href;
    const code = `
      import { identityOf, openRoots, Refusal, revalidate } from ${JSON.stringify(module)};
      const path = ${JSON.stringify(modules)};
      try {
        revalidate(openRoots([${JSON.stringify(root)}]), { path, identity: identityOf(path, Deno.lstatSync(path)) });
      } catch (error) {
        if (error instanceof Refusal) console.log(error.message);
      }`;
    const file = join(workspace.base, "revalidate.ts");
    await Deno.writeTextFile(file, code);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", ...OFFLINE, ...permissions, file],
      stderr: "inherit",
    }).output();
    assertStringIncludes(new TextDecoder().decode(stdout), `protected by --deny-${name}`);
  });
}

Deno.test("a root with a comma, which no flag can express, is served from a Worker", async () => {
  await using workspace = await createWorkspace("a,b");
  const { root } = workspace;
  const modules = await writeProject(join(root, "shop"));
  await using server = startRaw({ roots: [root], permissions: ["-A"] });
  await initialize(server);
  assertEquals((await server.call("list_targets", {})).sandbox, "worker");
  const { finds: [{ id }] } = await server.call("scan", { path: root });
  await server.call("reclaim", { ids: [id], confirm: "delete" });
  assert(!await stands(modules));
});
