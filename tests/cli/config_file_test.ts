import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { program, withFolder } from "./_program.ts";

/** Has `config` write for VS Code into `file`. */
function write(folder: string, file: string, ...more: string[]) {
  return program(["config", "--client", "vscode", "--root", folder, "-o", file, ...more]);
}

Deno.test("config -o adds its one entry to a client's configuration and keeps every other byte", () =>
  withFolder(async (folder) => {
    const file = join(folder, "mcp.json");
    const before =
      '{\r\n    "inputs": [1.50, 1e3],\r\n    "servers": {\r\n        "other": { "command": "x" }\r\n    }\r\n}';
    await Deno.writeTextFile(file, before, { mode: 0o640 });
    const { code, stdout, stderr } = await write(folder, file);
    assertEquals([code, stdout], [0, ""], stderr);
    const after = await Deno.readTextFile(file);
    const at = after.indexOf('"other": { "command": "x" }');
    assertEquals(after.slice(0, at + 27), before.slice(0, at + 27), "what stands before the entry");
    assert(!/[^\r]\n/.test(after), "line endings");
    const { inputs, servers } = JSON.parse(after);
    assertEquals([inputs, servers.other, servers.agentsweep.type], [[1.5, 1000], { command: "x" }, "stdio"]);
    if (Deno.build.os !== "windows") assertEquals((await Deno.stat(file)).mode! & 0o777, 0o640);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["mcp.json"], "no draft is left");
  }));

Deno.test("config -o replaces an entry of its own name only with --force", () =>
  withFolder(async (folder) => {
    const file = join(folder, "mcp.json");
    const before = '{"servers":{"agentsweep":{"command":"mine"},"other":{}}}';
    await Deno.writeTextFile(file, before);
    const refused = await write(folder, file);
    assertEquals(refused.code, 2);
    assertStringIncludes(refused.stderr, "--force");
    assertEquals(await Deno.readTextFile(file), before);
    assertEquals((await write(folder, file, "--force")).code, 0);
    const { servers } = JSON.parse(await Deno.readTextFile(file));
    assertEquals([Object.keys(servers), servers.agentsweep.type], [["agentsweep", "other"], "stdio"]);
    const again = await write(folder, file);
    assertEquals(again.code, 0, "what is there already as it should be is no trouble");
    assertStringIncludes(again.stderr, "already");
  }));

Deno.test("config -o leaves a file alone that it cannot add to, and prints the snippet", () =>
  withFolder(async (folder) => {
    const kept: [string, string, string][] = [
      ["vscode", '{ // mine\n  "servers": {} }', "comments"],
      ["vscode", '{"servers":{},}', "plain JSON"],
      ["vscode", '{"servers":[]}', "servers"],
      ["vscode", "[]", "no object"],
      ["vscode", '{"servers":{"a":1},"servers":{"b":2}}', "twice"],
      ["codex", 'model = "o3"\n', "TOML"],
      ["goose", "extensions:\n  mine: {}\n", "YAML"],
      ["claude-code", "echo mine\n", "is there already"],
    ];
    for (const [client, before, expected] of kept) {
      const file = join(folder, "file");
      await Deno.writeTextFile(file, before);
      const args = ["config", "--client", client, "--root", folder];
      const { code, stdout, stderr } = await program([...args, "-o", file, "--force"]);
      assertEquals(code, 2, before);
      assertStringIncludes(stderr, expected);
      assertStringIncludes(stderr, "by hand");
      assertStringIncludes(stdout, "agentsweep");
      assertEquals(await Deno.readTextFile(file), before);
    }
  }));

Deno.test("config -o writes a file that is not there yet, makes its one missing folder, and goes through a link", () =>
  withFolder(async (folder) => {
    const file = join(folder, ".vscode", "mcp.json");
    const { code, stderr } = await write(folder, file);
    assertEquals(code, 0, stderr);
    assert(JSON.parse(await Deno.readTextFile(file)).servers.agentsweep);
    const deep = await write(folder, join(folder, "a", "b", "mcp.json"));
    assertEquals(deep.code, 2);
    assertStringIncludes(deep.stderr, "does not exist");
    if (Deno.build.os === "windows") return;
    const target = join(folder, "dotfiles.json");
    await Deno.writeTextFile(target, '{"servers":{"other":{}}}');
    const link = join(folder, "linked.json");
    await Deno.symlink(target, link);
    assertEquals((await write(folder, link)).code, 0);
    assert((await Deno.lstat(link)).isSymlink, "the link stays");
    assertEquals(Object.keys(JSON.parse(await Deno.readTextFile(target)).servers), ["other", "agentsweep"]);
  }));
