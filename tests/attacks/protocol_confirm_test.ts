import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { initialize, startRaw } from "../support/server.ts";
import { createWorkspace, stands, writeProject } from "../support/workspace.ts";

const ZERO_WIDTH_JOINER = "\u200d";
const CYRILLIC_E = "\u0435";

/** Strings that a person may take for the one that deletes. */
const WRONG = [
  "",
  " ",
  "Delete",
  "DELETE",
  "delete ",
  " delete",
  "delete\n",
  "delete\r\n",
  "delete\0",
  "\ufeffdelete",
  "yes",
  "true",
  "1",
  "delete all",
  "delete delete",
  '"delete"',
  `d${CYRILLIC_E}lete`,
  `del${CYRILLIC_E}t${CYRILLIC_E}`,
  `dele${ZERO_WIDTH_JOINER}te`,
  "dele\u00adte",
  "\uff44\uff45\uff4c\uff45\uff54\uff45",
  "de\u0301lete",
  "delet\u1d31",
  "etel\u202eed",
];

Deno.test("every confirm string but the exact one is a dry run", async () => {
  await using workspace = await createWorkspace();
  const modules = await writeProject(join(workspace.root, "shop"));
  await using server = startRaw({ roots: [workspace.root] });
  await initialize(server);
  const { finds: [{ id }] } = await server.call("scan", { path: workspace.root });
  for (const confirm of WRONG) {
    const result = await server.call("reclaim", { ids: [id], confirm });
    assertEquals([result.dry_run, result.would_delete.length, result.deleted], [true, 1, undefined], confirm);
    assert(await stands(modules), JSON.stringify(confirm));
  }
  for (const confirm of [true, 1, null, ["delete"], { delete: true }]) {
    const { result } = await server.request("tools/call", { name: "reclaim", arguments: { ids: [id], confirm } });
    assertEquals(result.isError, true, JSON.stringify(confirm));
    assert(await stands(modules), JSON.stringify(confirm));
  }
  assertEquals((await server.call("reclaim", { ids: [id], confirm: "delete" })).deleted.length, 1);
  assert(!await stands(modules));
});

Deno.test("ids that no scan issued are refused one by one and do not stop the others", async () => {
  await using workspace = await createWorkspace();
  const modules = await writeProject(join(workspace.root, "shop"));
  await using server = startRaw({ roots: [workspace.root] });
  await initialize(server);
  const { finds: [{ id }] } = await server.call("scan", { path: workspace.root });
  const next = `f-${(parseInt(id.slice(2), 16) + 1).toString(16).padStart(12, "0")}`;
  const wrong = [
    "",
    " ",
    modules,
    workspace.root,
    "*",
    "f-",
    next,
    id.toUpperCase(),
    `${id} `,
    `${id}\n`,
    id.slice(0, -1),
    "__proto__",
    "constructor",
    "toString",
    "f-000000000000",
    "f-ffffffffffff",
  ];
  const result = await server.call("reclaim", { ids: [...wrong, ...wrong, id], confirm: "nearly" });
  assertEquals(result.would_delete.map(({ id }: { id: string }) => id), [id]);
  assertEquals(result.refused.length, wrong.length);
  for (const { reason } of result.refused) assertMatch(reason, /^no such id: /);
  const deleted = await server.call("reclaim", { ids: wrong, confirm: "delete" });
  assertEquals([deleted.deleted, deleted.refused.length], [[], wrong.length]);
  assert(await stands(modules));
});

Deno.test("10,000 random ids at once delete nothing", async () => {
  await using workspace = await createWorkspace();
  const modules = await writeProject(join(workspace.root, "shop"));
  await using server = startRaw({ roots: [workspace.root] });
  await initialize(server);
  await server.call("scan", { path: workspace.root });
  const ids = Array.from({ length: 10_000 }, () => `f-${crypto.getRandomValues(new Uint8Array(6)).toHex()}`);
  const { deleted, refused } = await server.call("reclaim", { ids, confirm: "delete" });
  assertEquals([deleted, refused.length], [[], 10_000]);
  assert(await stands(modules));
});

Deno.test("an id of a megabyte is refused and told back shortened", async () => {
  await using workspace = await createWorkspace();
  await using server = startRaw({ roots: [workspace.root] });
  await initialize(server);
  const { refused } = await server.call("reclaim", { ids: ["f-".padEnd(1_000_000, "0")], confirm: "delete" });
  assertEquals(refused.length, 1);
  assert(refused[0].id.length < 100);
});

Deno.test("attack: more ids, keys and globs than any call needs", async () => {
  await using workspace = await createWorkspace();
  await using server = startRaw({ roots: [workspace.root], args: ["--no-audit"] });
  await initialize(server);
  const many = (count: number) => Array.from({ length: count }, (_, n) => `x${n}`);
  for (
    const [tool, args] of [
      ["reclaim", { ids: many(100_000), confirm: "delete" }],
      ["scan", { path: workspace.root, only: many(1001) }],
      ["scan", { path: workspace.root, exclude: many(201) }],
      ["scan", { path: workspace.root, exclude: ["*a".repeat(1000)] }],
    ] as const
  ) {
    const { result } = await server.request("tools/call", { name: tool, arguments: args });
    assert(result.isError, tool);
    assert(result.content[0].text.length < 500, "the answer is as long as the question");
  }
});

Deno.test("no ids, ids that are no strings and keys that do not exist are errors", async () => {
  await using workspace = await createWorkspace();
  const modules = await writeProject(join(workspace.root, "shop"));
  await using server = startRaw({ roots: [workspace.root] });
  await initialize(server);
  const { finds: [{ id }] } = await server.call("scan", { path: workspace.root });
  const calls = [
    { ids: [], confirm: "delete" },
    { confirm: "delete" },
    { ids: id, confirm: "delete" },
    { ids: [1], confirm: "delete" },
    { ids: [null], confirm: "delete" },
    { ids: [[id]], confirm: "delete" },
    { ids: [{ id }], confirm: "delete" },
    { ids: { 0: id, length: 1 }, confirm: "delete" },
    { ids: [id], confirm: "delete", path: workspace.root },
    { ids: [id], confirm: "delete", force: true },
    { paths: [modules], confirm: "delete" },
    [id, "delete"],
    "delete",
    null,
  ];
  for (const args of calls) {
    const { result, error } = await server.request("tools/call", { name: "reclaim", arguments: args });
    assert(error || result.isError, JSON.stringify(args));
    assert(await stands(modules), JSON.stringify(args));
  }
  // As text, since an object literal cannot have a key of that name.
  for (const polluted of [`{"ids":["${id}"],"__proto__":{"confirm":"delete"}}`, `{"__proto__":{"ids":["${id}"]}}`]) {
    const params = `{"name":"reclaim","arguments":${polluted}}`;
    await server.write(`{"jsonrpc":"2.0","id":${JSON.stringify(polluted)},"method":"tools/call","params":${params}}\n`);
    const { result, error } = await server.awaited((message) => message.id === polluted);
    assert(error || result.isError || result.structuredContent.dry_run, JSON.stringify(result));
  }
  assert(await stands(modules));
});

Deno.test("arguments of scan outside their bounds are errors that say what to write", async () => {
  await using workspace = await createWorkspace();
  await using server = startRaw({ roots: [workspace.root] });
  await initialize(server);
  const path = workspace.root;
  const calls: [Record<string, unknown>, RegExp][] = [
    [{}, /path/],
    [{ path: "" }, /empty/],
    [{ path: "." }, /relative/],
    [{ path: `${path}/../outside` }, /"\.\."/],
    [{ path: `${path}\0` }, /NUL/],
    [{ path: `/${"a".repeat(5000)}` }, /longer than 4096/],
    [{ path: `${path}-evil` }, /outside the allowed roots/],
    [{ path: "/" }, /outside the allowed roots/],
    [{ path: `${path}/missing` }, /does not exist/],
    [{ path, only: ["node-modules", "photos", "mail"] }, /photos, mail/],
    [{ path, only: [] }, /only is empty/],
    [{ path, only: ["__proto__"] }, /__proto__/],
    [{ path, min_size_mb: -1 }, /min_size_mb/],
    [{ path, min_size_mb: "1" }, /min_size_mb/],
    [{ path, older_than_days: -0.1 }, /older_than_days/],
    [{ path, max_depth: 1.5 }, /max_depth/],
    [{ path, max_finds: -1 }, /max_finds/],
    [{ path, follow_links: true }, /unknown argument/],
  ];
  for (const [args, expected] of calls) {
    const { result, error } = await server.request("tools/call", { name: "scan", arguments: args });
    assert(error || result.isError, JSON.stringify(args));
    assertMatch(error?.message ?? result.content[0].text, expected);
  }
  await server.write(
    `{"jsonrpc":"2.0","id":"huge","method":"tools/call","params":{"name":"scan","arguments":` +
      `{"path":${JSON.stringify(path)},"min_size_mb":1e999}}}\n`,
  );
  const { result, error } = await server.awaited((message) => message.id === "huge");
  assert(error || result.isError || result.structuredContent.found === 0);
});
