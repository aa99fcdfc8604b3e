import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { secret } from "../redact/_histories.ts";
import { OFFLINE, runToEnd } from "../support/server.ts";
import { program, withFolder, words } from "./_program.ts";

const PROBE = fromFileUrl(new URL("./_probe.ts", import.meta.url));

function probe(...args: string[]) {
  return runToEnd([Deno.execPath(), "run", "-A", "--quiet", ...OFFLINE, PROBE, ...args]);
}

Deno.test("started with -A, a command is left with reading and what it says it uses", async () => {
  const all = ["read", "write", "net", "env", "run", "ffi", "sys"];
  assertEquals(JSON.parse((await probe()).stdout), { left: ["read"], granted: all });
  assertEquals(JSON.parse((await probe("--keep", "write")).stdout).left, ["read", "write"]);
});

Deno.test("a failure is told by its kind, since its message may quote what was read", async () => {
  const { code, stdout, stderr } = await probe("--fail");
  assertEquals([code, stdout], [2, ""]);
  assertStringIncludes(stderr, "probe failed (TypeError)");
  assert(!stderr.includes("content"));
});

Deno.test("a file that cannot be written is said, and what stood there stays", () =>
  withFolder(async (folder) => {
    const file = join(folder, "rules.json");
    await Deno.writeTextFile(file, "mine");
    const { code, stdout, stderr } = await program(["rules", "--json", "-o", file], {
      permissions: ["--no-prompt", "--allow-read"],
    });
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, "--allow-write");
    assertEquals(await Deno.readTextFile(file), "mine");
    assertEquals((await program(["rules", "--json", "-o", file])).code, 0);
    assert(JSON.parse(await Deno.readTextFile(file)).length > 100, "all of it in its place");
  }));

Deno.test("serve loads no command, and a command loads no MCP", async () => {
  // The module graph is static where it is loaded at once; what is imported later is not in it.
  const graph = async (file: string) => {
    const { stdout } = await runToEnd([Deno.execPath(), "info", "--json", ...OFFLINE, file]);
    const { modules }: {
      modules: { specifier: string; dependencies?: { code?: { specifier: string }; isDynamic?: boolean }[] }[];
    } = JSON.parse(stdout);
    const bySpecifier = new Map(modules.map((module) => [module.specifier, module]));
    const seen = new Set<string>();
    const visit = (specifier: string) => {
      if (seen.has(specifier)) return;
      seen.add(specifier);
      for (const { code, isDynamic } of bySpecifier.get(specifier)?.dependencies ?? []) {
        if (code && !isDynamic) visit(code.specifier);
      }
    };
    visit(new URL(`file://${file}`).href);
    return [...seen];
  };
  const [, , , , ...rest] = words([]);
  const main = rest.at(-1)!;
  const source = main.replace(/main\.ts$/, "src/");
  const start = await graph(`${source}serve/start.ts`);
  assertEquals(start.filter((specifier) => specifier.includes("/src/cli/")), []);
  for (const name of ["scan", "sweep", "doctor", "config"]) {
    const loaded = await graph(`${source}cli/commands/${name}.ts`);
    assertEquals(loaded.filter((specifier) => /\/src\/mcp\/|modelcontextprotocol/.test(specifier)), [], name);
  }
});

Deno.test("an error that quotes an argument masks it where it is a secret, whichever command meets it", () =>
  withFolder(async (home) => {
    const [token, password] = [secret(5), "Zk9" + "vQ4mTx7LpR2wB"];
    const lines = [
      ["scan", "--source", token],
      ["scan", token],
      [token],
      ["explain", token],
      [`--${token}`],
      ["serve", "--audit-only", "--history", `postgres://app:${password}@db.corp.io/p`],
    ];
    for (const args of lines) {
      const { code, stderr } = await program(args, { home });
      assertEquals(code, 2, args[0]);
      assert(!stderr.includes(token.slice(6, 16)) && !stderr.includes(password), stderr);
      assert(stderr.includes("********"), stderr);
    }
    const { stderr } = await program(["scan", "--source", "claude-codes"], { home });
    assert(stderr.includes("claude-codes"), stderr);
  }));
