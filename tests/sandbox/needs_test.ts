import { assertEquals, assertThrows } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import { Refusal } from "../../src/guard/mod.ts";
import { flagsFor } from "../../src/sandbox/needs.ts";
import { CHECKOUT, runToEnd } from "../support/server.ts";

const NEEDS = toFileUrl(join(CHECKOUT, "src", "sandbox", "needs.ts")).href;

/** What is still allowed after the unneeded was dropped, in a process of its own. */
async function leftAfterDropping(main: string, queries: readonly unknown[]): Promise<string[]> {
  const code = `import { dropUnneeded } from "${NEEDS}"; dropUnneeded("${main}");
    console.log(JSON.stringify(${JSON.stringify(queries)}.map((query) => Deno.permissions.querySync(query).state)));`;
  const flags = [
    "--quiet",
    "--no-config",
    "--no-prompt",
    "--allow-net=example.com",
    "--allow-run=sh",
    "--allow-env=HOME",
  ];
  const module = `data:text/typescript,${encodeURIComponent(code)}`;
  const { stdout, stderr } = await runToEnd([Deno.execPath(), "run", ...flags, module]);
  assertEquals(stderr, "");
  return JSON.parse(stdout);
}

Deno.test("single hosts, programs and variables are dropped, and every host that Deno allows by itself", async () => {
  const queries = [
    { name: "net", host: "example.com" },
    { name: "run", command: "sh" },
    { name: "env", variable: "HOME" },
    { name: "import", host: "esm.sh:443" },
    { name: "import", host: "raw.githubusercontent.com:443" },
    { name: "import", host: "jsr.io:443" },
  ];
  const local = await leftAfterDropping("file:///somewhere/main.ts", queries);
  assertEquals(local, queries.map(() => "prompt"));
  const published = await leftAfterDropping("https://jsr.io/@agentsweep/mcp/0.1.0/main.ts", queries);
  assertEquals(published, [...queries.slice(1).map(() => "prompt"), "granted"], "its workers load from there");
});

Deno.test("flags name what is needed and nothing else", () => {
  const flags = flagsFor({ read: ["/a", "/b c"], write: ["/a"], env: ["HOME"] });
  assertEquals(flags, ["--no-prompt", "--allow-read=/a,/b c", "--allow-write=/a", "--allow-env=HOME"]);
  assertEquals(flagsFor({ read: [], write: [], env: [] }), ["--no-prompt"]);
  assertThrows(() => flagsFor({ read: ["/a,b"], write: [], env: [] }), Refusal, "comma");
});
