import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { createWorkspace, stands, writeProject } from "../support/workspace.ts";
import { onTerminal, program, words } from "./_program.ts";

Deno.test("sweep reports and changes nothing; --json is an array of scan reports", async () => {
  await using workspace = await createWorkspace();
  const { root } = workspace;
  const modules = await writeProject(join(root, "shop"));
  const text = await program(["sweep", root]);
  assertEquals([text.code, text.stderr], [0, ""]);
  assertStringIncludes(text.stdout, modules);
  assertStringIncludes(text.stdout, "1 directory can be rebuilt");
  const json = await program(["sweep", root, "--json"]);
  const [report] = JSON.parse(json.stdout);
  assertEquals([report.scanned, report.found, report.finds[0].path], [root, 1, modules]);
  assert(await stands(modules));
});

Deno.test("--delete --yes deletes what is found and nothing else", async () => {
  await using workspace = await createWorkspace();
  const { root, outside } = workspace;
  const modules = await writeProject(join(root, "shop"));
  const other = await writeProject(join(outside, "shop"));
  const { code, stdout } = await program(["sweep", root, "--delete", "--yes", "--json"]);
  const report = JSON.parse(stdout);
  assertEquals([code, report.dry_run, report.refused], [0, false, []]);
  assertEquals(report.deleted.map(({ path }: { path: string }) => path), [modules]);
  assert(!await stands(modules) && await stands(other) && await stands(join(root, "shop", "package.json")));
});

Deno.test("where nobody can be asked, --delete alone refuses", async () => {
  await using workspace = await createWorkspace();
  const { root } = workspace;
  const modules = await writeProject(join(root, "shop"));
  const refused: [string[], string][] = [
    [["--delete"], "nobody can be asked"],
    [["--delete", "--json"], "nobody can be asked"],
    [["--yes"], "give both"],
    [["--only", "node-module"], "did you mean node-modules?"],
    [["--max-depth", "deep"], "whole number"],
    [[join(root, "nowhere")], "does not exist"],
    [["/"], "whole disk"],
  ];
  for (const [args, expected] of refused) {
    const { code, stdout, stderr } = await program(["sweep", root, ...args]);
    assertEquals([code, stdout], [2, ""], stderr);
    assertStringIncludes(stderr, expected);
  }
  assert(await stands(modules));
});

Deno.test("a human picks by number and types the word; any other word deletes nothing", async () => {
  if (Deno.build.os !== "linux") return; // `script` takes other arguments elsewhere
  await using workspace = await createWorkspace();
  const { root } = workspace;
  const one = await writeProject(join(root, "one"));
  const two = await writeProject(join(root, "two"));
  for (const word of ["delete", "yes", "", "DELETE now"]) {
    const { shown } = await onTerminal(["sweep", root, "--delete"], { answers: `all\n${word}\n` });
    assertStringIncludes(shown, "nothing is deleted");
  }
  assert(await stands(one) && await stands(two));
  const { shown, code } = await onTerminal(["sweep", root, "--delete"], { answers: "9\n2\nDELETE\n" });
  assertEquals(code, 0, shown);
  assertStringIncludes(shown, "numbers from 1 to 2");
  assertStringIncludes(shown, "deleted 1 directory");
  assertEquals([await stands(one), await stands(two)], [true, false]);
});

Deno.test("Ctrl-C while deleting ends between two directories", async () => {
  if (Deno.build.os === "windows") return;
  await using workspace = await createWorkspace();
  const { root } = workspace;
  const count = 400;
  for (let index = 0; index < count; index++) await writeProject(join(root, `project-${index}`));
  const [command, ...args] = words(["sweep", root, "--delete", "--yes"]);
  const child = new Deno.Command(command!, { args, stdout: "piped", stderr: "piped" }).spawn();
  // The table is printed before the first deletion.
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGINT");
  while (!(await reader.read()).done);
  const { code } = await child.status;
  await child.stderr.cancel();
  assertEquals(code, 130);
  let left = 0;
  for (let index = 0; index < count; index++) {
    const names = Array.from(Deno.readDirSync(join(root, `project-${index}`)), ({ name }) => name).sort();
    if (names.includes("node_modules")) left++;
    assertEquals(
      names,
      names.includes("node_modules") ? ["index.js", "node_modules", "package.json"] : ["index.js", "package.json"],
    );
  }
  assert(left > 0, "it was ended before all were deleted");
});

Deno.test("sweep names real refusals, and only counts what merely has such a name", async () => {
  await using workspace = await createWorkspace();
  const { root } = workspace;
  await writeProject(join(root, "shop"));
  for (let index = 0; index < 230; index++) {
    await Deno.mkdir(join(root, `package-${index}`, "lib"), { recursive: true });
  }
  const nested = await writeProject(join(root, "zebra"));
  await Deno.mkdir(join(nested, "mine", ".git"), { recursive: true });
  const { code, stdout } = await program(["sweep", root]);
  assertEquals(code, 0);
  assertStringIncludes(stdout, nested);
  assertStringIncludes(stdout, "version-control");
  assertStringIncludes(stdout, "230 directories have the name of a kind, and nothing proves that they can be rebuilt");
  assertStringIncludes(stdout, "--json");
  assert(!/package-\d+|list_targets/.test(stdout), stdout);
  const { skipped } = JSON.parse((await program(["sweep", root, "--json"])).stdout)[0];
  assert(skipped.some(({ path }: { path: string }) => path === nested), "the limit leaves out no real refusal");
});

Deno.test("sweep lists what frees most first, and numbers it so", async () => {
  if (Deno.build.os === "windows") return;
  await using workspace = await createWorkspace();
  const { root } = workspace;
  const [linked, own] = [await writeProject(join(root, "linked")), await writeProject(join(root, "own"))];
  await Deno.writeFile(join(root, "store"), new Uint8Array(900_000));
  await Deno.link(join(root, "store"), join(linked, "big"));
  await Deno.writeFile(join(own, "small"), new Uint8Array(300_000));
  const { stdout } = await program(["sweep", root]);
  assert(stdout.indexOf(own) < stdout.indexOf(linked), stdout);
  const [report] = JSON.parse((await program(["sweep", root, "--json"])).stdout);
  assertEquals(report.finds[0].path, linked, "the report keeps the order of scan: by size");
  if (Deno.build.os !== "linux") return;
  const { shown } = await onTerminal(["sweep", root, "--delete"], { answers: "1\nDELETE\n", columns: 200 });
  assertStringIncludes(shown, "deleted 1 directory");
  assertEquals([await stands(own), await stands(linked)], [false, true]);
});

Deno.test("where filters leave nothing, sweep says which", async () => {
  await using workspace = await createWorkspace();
  await writeProject(join(workspace.root, "shop"));
  const { stdout } = await program(["sweep", workspace.root, "--min-size-mb", "100", "--older-than-days", "3"]);
  assertStringIncludes(stdout, "No directory that can be rebuilt fits --min-size-mb 100 --older-than-days 3");
  assert(!stdout.includes("0 directories"));
});
