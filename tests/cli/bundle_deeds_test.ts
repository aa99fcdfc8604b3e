import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { PROCESS_LISTER } from "../../src/redact/processes.ts";
import { bundleProgram, type Copy } from "../support/checkout.ts";
import { initialize, rawServer } from "../support/server.ts";
import { createWorkspace, stands, writeProject } from "../support/workspace.ts";
import { environment, withFolder } from "./_program.ts";

const SECRET = "glpat" + "-" + "Wz8KqN4vB7xTfR2mPs6J";
const LINE = (text: string) => `{"content":"the token is ${text}"}\n`;
const MARKED = LINE("[REDACTED:gitlab-pat]");

let made: Promise<Copy> | undefined;

/** The bundle, alone in a folder; made once for all tests here. */
async function bundle(): Promise<string> {
  const { main } = await (made ??= bundleProgram());
  return main;
}

/** Words that run the bundle. */
async function words(permissions: readonly string[], args: readonly string[]): Promise<string[]> {
  return [Deno.execPath(), "run", "--quiet", "--no-lock", "--no-prompt", ...permissions, await bundle(), ...args];
}

/** Runs the bundle in the folder that holds nothing else: no configuration is there to help. */
async function run(permissions: readonly string[], args: readonly string[], home: string) {
  const [command, ...rest] = await words(permissions, args);
  const cwd = dirname(await bundle());
  assertEquals(Array.from(Deno.readDirSync(cwd), ({ name }) => name), ["agentsweep.js"]);
  const { code, stdout, stderr } = await new Deno.Command(command!, { args: rest, cwd, env: environment(home) })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert(!text(stdout).includes(SECRET) && !text(stderr).includes(SECRET));
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** A copy of a history with a secret in a file and in a database, which rested for an hour. */
async function plant(folder: string) {
  const [home, copy] = [join(folder, "home"), join(folder, "copy")];
  const file = join(copy, "sessions", "rollout-1.jsonl");
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.mkdir(join(home, ".agentsweep"), { recursive: true });
  await Deno.writeTextFile(file, LINE(SECRET));
  const store = join(folder, "store");
  await Deno.mkdir(store);
  const database = new DatabaseSync(join(store, "opencode.db"));
  database.exec("CREATE TABLE message (id INTEGER PRIMARY KEY, data TEXT)");
  database.prepare("INSERT INTO message (data) VALUES (?)").run(LINE(SECRET));
  database.close();
  const then = new Date(Date.now() - 3_600_000);
  for (const path of [file, join(store, "opencode.db")]) await Deno.utime(path, then, then);
  return { home, copy, file, store };
}

/** Everything, and the least that a deed in `folder` needs. */
async function flagSets(home: string, folder: string): Promise<[string, string[]][]> {
  const [log, program] = [join(home, ".agentsweep"), await bundle()];
  return [
    ["-A", ["-A"]],
    ["exact flags", [
      `--allow-read=${folder},${log},${program}`,
      `--allow-write=${folder},${log}`,
      "--allow-env=HOME,USERPROFILE,AGENTSWEEP_MCP_ALLOW_REDACT",
      `--allow-run=${PROCESS_LISTER}`,
    ]],
  ];
}

for (const index of [0, 1]) {
  const name = ["-A", "exact flags"][index]!;

  Deno.test(`the bundle under ${name}: fix, undo, fix again, purge`, () =>
    withFolder(async (folder) => {
      const { home, copy, file } = await plant(folder);
      const [, flags] = (await flagSets(home, copy))[index]!;
      const deed = (name: string) => run(flags, [name, "--source", "codex", "--root", copy, "--yes", "--json"], home);
      const fixed = await deed("fix");
      assertEquals([fixed.code, JSON.parse(fixed.stdout).redacted_files.length], [0, 1], fixed.stderr);
      assertEquals(await Deno.readTextFile(file), MARKED);
      const undone = await deed("undo");
      assertEquals([undone.code, JSON.parse(undone.stdout).restored.length], [0, 1], undone.stderr);
      assertEquals([await Deno.readTextFile(file), await stands(`${file}.bak`)], [LINE(SECRET), false]);
      assertEquals((await deed("fix")).code, 0);
      const purged = await deed("purge");
      assertEquals([purged.code, JSON.parse(purged.stdout).deleted.length], [0, 1], purged.stderr);
      assertEquals([await Deno.readTextFile(file), await stands(`${file}.bak`)], [MARKED, false]);
    }));

  Deno.test(`the bundle under ${name}: a database is scanned and redacted`, () =>
    withFolder(async (folder) => {
      const { home, store } = await plant(folder);
      const [, flags] = (await flagSets(home, store))[index]!;
      const named = ["--source", "opencode", "--root", store];
      const before = await run(flags, ["scan", ...named, "--json"], home);
      assertEquals([before.code, JSON.parse(before.stdout).length], [1, 1], before.stderr);
      const fixed = await run(flags, ["fix", ...named, "--yes", "--no-backup"], home);
      assertEquals(fixed.code, 0, fixed.stdout + fixed.stderr);
      const after = await run(flags, ["scan", ...named, "--json"], home);
      assertEquals([after.code, after.stdout], [0, "[]\n"], after.stderr);
      const database = new DatabaseSync(join(store, "opencode.db"), { readOnly: true });
      assertEquals(database.prepare("SELECT data FROM message").get()?.data, MARKED);
      database.close();
    }));

  Deno.test(`the bundle under ${name}: redact_source over MCP`, () =>
    withFolder(async (folder) => {
      const { home, copy, file } = await plant(folder);
      const [, flags] = (await flagSets(home, copy))[index]!;
      const env = { ...environment(home), AGENTSWEEP_MCP_ALLOW_REDACT: "1" };
      await using server = rawServer(await words(flags, ["--audit-only", "--history", `codex=${copy}`]), env);
      await initialize(server);
      await server.said(`sandbox: ${["child-process", "process-flags"][index]}`);
      const { redacted_files, errors } = await server.call("redact_source", {
        source: "codex",
        confirm: "REDACT codex",
      });
      assertEquals([redacted_files.length, errors], [1, []]);
      assertEquals(await Deno.readTextFile(file), MARKED);
    }));

  Deno.test(`the bundle under ${name}: sweep --delete`, async () => {
    await using workspace = await createWorkspace();
    const { base, root } = workspace;
    const modules = await writeProject(join(root, "shop"));
    const [, flags] = (await flagSets(join(base, "home"), root))[index]!;
    const { code, stdout, stderr } = await run(flags, ["sweep", root, "--delete", "--yes", "--json"], base);
    assertEquals(code, 0, stderr);
    assertEquals(JSON.parse(stdout).deleted.length, 1);
    assertEquals([await stands(modules), await stands(join(root, "shop", "package.json"))], [false, true]);
  });
}

Deno.test.afterAll(async () => {
  await using _ = await made;
});
