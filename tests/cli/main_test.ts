import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { CHECKOUT, commandOf, exactPermissions, OFFLINE, type Outcome, runToEnd, startRaw } from "../support/server.ts";
import { createWorkspace, writeTree } from "../support/workspace.ts";

/** Runs the program with arguments as they are. */
function program(args: readonly string[], permissions: readonly string[] = ["-A"]): Promise<Outcome> {
  return runToEnd([
    Deno.execPath(),
    "run",
    "--quiet",
    ...OFFLINE,
    ...permissions,
    join(CHECKOUT, "main.ts"),
    ...args,
  ]);
}

/** Checks that a start was refused in one sentence on standard error. */
function assertRefused({ code, stdout, stderr }: Outcome, expected: string | RegExp, what: string): void {
  assertEquals([code, stdout], [2, ""], `${what}: ${stderr}`);
  assertMatch(stderr, /^agentsweep: [^\n]+\n$/, what);
  if (typeof expected === "string") assertStringIncludes(stderr, expected, what);
  else assertMatch(stderr, expected, what);
}

Deno.test("--help and --version answer on standard output and need no permission", async () => {
  const help = await program(["--help"], []);
  assertEquals([help.code, help.stderr], [0, ""]);
  for (const flag of ["--root DIR", "--require-human", "--exclude GLOB", "--max-depth N", "--allow-unsandboxed"]) {
    assertStringIncludes(help.stdout, flag);
  }
  const { version } = JSON.parse(await Deno.readTextFile(join(CHECKOUT, "deno.json")));
  const said = await program(["--version"], []);
  assertEquals([said.code, said.stdout.trim(), said.stderr], [0, version, ""]);
});

Deno.test("a command line that cannot be obeyed is refused in one sentence, with exit code 2", async () => {
  await using workspace = await createWorkspace();
  const { root } = workspace;
  const refused: [string[], string | RegExp][] = [
    [[], "no --root was given"],
    [["serve"], "no --root was given"],
    [["sevre", "--root", root], "unknown command sevre"],
    [["--root"], "--root"],
    [["--root", "--require-human"], /^agentsweep: [^\\]*'--root'[^\\]*; --help lists the flags\n$/],
    [["--root", ""], "empty"],
    [["--root", root, "--rot", root], "serve knows no flag --rot; did you mean --root?"],
    [["serve", "--zzzzzz"], "serve knows no flag --zzzzzz; --help lists the flags"],
    [["--root", root, "--require-human=no"], "--require-human"],
    [["--root", root, "-r"], "-r"],
    [["--root", root, "extra\n\x1b[2J"], "extra\\u{a}\\u{1b}[2J"],
    [["--root", root, "--max-depth", "-1"], "--max-depth"],
    [["--root", root, "--max-depth=-1"], "it must be a whole number"],
    [["--root", root, "--max-depth=deep"], "--max-depth is deep"],
    [["--root", root, "--max-depth=1.5"], "--max-depth is 1.5"],
    [["--root", root, "--max-depth="], "--max-depth"],
    [["--root", root, "--max-depth=99999999999"], "--max-depth"],
    [["--audit-only", "--no-audit"], "nothing to serve"],
    [["--audit-only", "--root", root], "--root is for Reclaim"],
    [["--root", root, "--history", "codex"], "not of the form SOURCE=DIR"],
    [["--root", root, "--history", `nobody=${root}`], "unknown source nobody"],
    [["--root", root, "--history", "codex=relative"], "relative"],
  ];
  for (const [args, expected] of refused) assertRefused(await program(args), expected, JSON.stringify(args));
});

Deno.test("a root that cannot be one is refused by name, with exit code 2", async () => {
  await using workspace = await createWorkspace();
  const { base, root, outside } = workspace;
  await writeTree(root, { "file": "" });
  await Deno.symlink(outside, join(base, "link"));
  await Deno.symlink(join(base, "nowhere"), join(base, "dangling"));
  const refused: [string, RegExp][] = [
    [join(base, "missing"), /missing does not exist/],
    [join(base, "link"), /link is a link; name the directory that it points to/],
    [join(base, "dangling"), /dangling is a link/],
    [`${join(base, "link")}/`, /link is a link/],
    ["relative/path", /relative\/path is a relative path/],
    [".", /is a relative path/],
    [`~/code`, /is a relative path/],
    [join(root, "file"), /file is not a directory/],
    ["/", /whole disk/],
    ["//", /whole disk/],
    ["/./", /whole disk/],
    [`${root}/../outside`, /contains "\.\."/],
    [`/${"a".repeat(5000)}`, /longer than 4096 characters/],
    [`/${"a".repeat(4000)}`, /cannot be read|does not exist/],
    [join(base, "no\nsuch\x1b[31m"), /no\\u\{a\}such\\u\{1b\}\[31m does not exist/],
    ["https://example.com/", /is a relative path/],
  ];
  for (const [path, expected] of refused) {
    assertRefused(await program(["--root", root, "--root", path]), expected, path);
  }
});

Deno.test("a root that Deno or the system does not let be read is refused with what would change that", async () => {
  await using workspace = await createWorkspace();
  const { root, outside } = workspace;
  assertRefused(await program(["--root", root], ["--no-prompt"]), `--allow-read=${root}`, "no permission");
  assertRefused(
    await program(["--root", root, "--root", outside], exactPermissions([root])),
    `--allow-read=${outside}`,
    "permission for another root",
  );
  if (Deno.build.os !== "linux") return;
  // Root reads everything; without these capabilities it is held to the mode like anybody else.
  await Deno.chmod(outside, 0o000);
  const isRoot = Deno.uid() === 0;
  const drop = [
    "setpriv",
    "--bounding-set=-dac_override,-dac_read_search",
    "--inh-caps=-dac_override,-dac_read_search",
  ];
  const command = commandOf({ roots: [root, outside], before: isRoot ? drop : [] });
  assertRefused(await runToEnd(command), `the operating system denies access to ${outside}`, "mode 000");
  await Deno.chmod(outside, 0o700);
});

Deno.test("duplicate, overlapping and oddly spelled roots are served, each once", async () => {
  await using workspace = await createWorkspace('a root\'s name, with "quotes"\nand more');
  const { root } = workspace;
  await writeTree(root, { "inner/file": "" });
  const inner = join(root, "inner");
  await using named = startRaw({ roots: [], args: ["serve", root, inner], permissions: ["-A"] });
  assertEquals((await named.call("list_targets", {})).roots, [
    root.replace("\n", "\\u{a}"),
    `${root.replace("\n", "\\u{a}")}/inner`,
  ]);
  const roots = [root, `${root}/`, `${root}//`, `${root}/.`, inner];
  await using server = startRaw({ roots, permissions: ["-A"] });
  const listed = await server.call("list_targets", {});
  const shown = root.replace("\n", "\\u{a}");
  assertEquals(listed.roots, [shown, `${shown}/inner`]);
  assert(server.stderr().includes("(sandbox: worker)"));
});
