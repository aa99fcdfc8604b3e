import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { CHECKOUT, commandOf, exactPermissions, initialize, rawServer } from "../support/server.ts";
import { createWorkspace, stands, writeProject } from "../support/workspace.ts";

/** What would open a connection, in the language's and the runtime's own words. */
const NETWORK =
  /\b(fetch|WebSocket|EventSource|XMLHttpRequest|sendBeacon|Deno\.(connect\w*|listen\w*|serve\w*|resolveDns))\s*[(.]/;
const NETWORK_MODULES = /(from|import) ?\(?["'](node:)?(net|http|https|http2|tls|dgram|dns)(\/promises)?["']/;

async function* sourcesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* sourcesIn(path);
    else if (name.endsWith(".ts")) yield path;
  }
}

Deno.test("no source file speaks of the network", async () => {
  let files = 0;
  for await (const path of sourcesIn(join(CHECKOUT, "src"))) {
    files++;
    for (const line of (await Deno.readTextFile(path)).split("\n")) {
      if (/^\s*(\/\/|\*|\/\*)/.test(line)) continue;
      assert(!NETWORK.test(line) && !NETWORK_MODULES.test(line), `${path}: ${line}`);
    }
  }
  assert(files > 30);
});

Deno.test({
  name: "a whole session makes no socket of the internet (strace)",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using workspace = await createWorkspace();
    const { base, root } = workspace;
    const modules = await writeProject(join(root, "shop"));
    await provideStrace();
    const trace = join(base, "trace");
    const before = ["strace", "-f", "-qq", "-o", trace, "-e", "trace=network,execve"];
    const permissions = exactPermissions([root]);
    const server = rawServer(commandOf({ roots: [root], permissions, before }));
    await initialize(server);
    assertEquals((await server.call("list_targets", {})).sandbox, "process-flags");
    const { finds: [{ id }] } = await server.call("scan", { path: root });
    await server.call("reclaim", { ids: [id], confirm: "delete" });
    await server.call("scan", { path: join(root, "..") }).catch(() => {});
    assert(!await stands(modules));
    assertEquals((await server.end()).code, 0);
    const calls = (await Deno.readTextFile(trace)).split("\n").filter((line) => line !== "");
    assertMatch(calls[0] ?? "", /execve\(/, "the trace is of the server");
    assertEquals(calls.filter((line) => /AF_INET|\b(connect|bind|listen|sendto)\(/.test(line)), []);
    assertEquals(calls.filter((line) => line.includes("execve(")).length, 1, "no other program was started");
  },
});

/** Installs strace where it is missing and that is possible; without it this test cannot pass. */
async function provideStrace(): Promise<void> {
  const isThere = await new Deno.Command("strace", { args: ["-V"], stdout: "null" }).output()
    .then(({ success }) => success, () => false);
  if (isThere) return;
  const { success } = await new Deno.Command("apt-get", { args: ["install", "-y", "strace"], stdout: "null" }).output();
  assert(success, "strace is needed: install it, or run as root");
}
