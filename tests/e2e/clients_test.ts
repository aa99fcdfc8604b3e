import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { connect, ERAS } from "../support/server.ts";
import { createWorkspace, stands, writeProject, writeTree } from "../support/workspace.ts";

for (const era of ERAS) {
  Deno.test(`a ${era} client lists, scans, tries and deletes a real node_modules and nothing else`, async () => {
    await using workspace = await createWorkspace();
    const { root } = workspace;
    const modules = await writeProject(join(root, "shop"));
    await writeTree(root, { "notes/build/plans.txt": "by hand" });
    await using client = await connect(era, { roots: [root] });

    const listed = (await client.call("list_targets", {})).structuredContent;
    assertEquals(listed.roots, [root]);
    assertEquals(listed.sandbox, "process-flags");
    assert(listed.targets.length >= 24);

    const scanned = (await client.call("scan", { path: root })).structuredContent;
    assertEquals(scanned.finds.map(({ path }: { path: string }) => path), [modules]);
    assertEquals(scanned.found, 1);
    assertEquals(scanned.skipped.map(({ path }: { path: string }) => path), [join(root, "notes", "build")]);
    const [{ id, size_bytes }] = scanned.finds;
    assertMatch(id, /^f-[0-9a-f]{12}$/);
    assertEquals(size_bytes, 24 * 100 + '{ "name": "left-pad" }'.length);

    const tried = (await client.call("reclaim", { ids: [id] })).structuredContent;
    assertEquals([tried.dry_run, tried.would_delete[0].path, tried.refused], [true, modules, []]);
    assert(await stands(modules));

    const done = (await client.call("reclaim", { ids: [id, id], confirm: "delete" })).structuredContent;
    assertEquals(done.dry_run, false);
    assertEquals(done.deleted.map(({ path }: { path: string }) => path), [modules], "a repeated id counts once");
    assert(!await stands(modules));
    const left = Array.from(Deno.readDirSync(join(root, "shop")), ({ name }) => name).sort();
    assertEquals(left, ["index.js", "package.json"]);
    assert(await stands(join(root, "notes", "build", "plans.txt")));

    const again = (await client.call("reclaim", { ids: [id], confirm: "delete" })).structuredContent;
    assertEquals([again.deleted, again.refused.length], [[], 1], "a redeemed id is spent");
  });
}
