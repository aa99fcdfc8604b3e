import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { initialize, type RawServer, startRaw } from "../support/server.ts";
import { createWorkspace } from "../support/workspace.ts";

const PROJECTS = 24;
const FILES = 800;

/** Projects with a find each that takes a while to delete; their finds. */
function plantProjects(root: string): string[] {
  return Array.from({ length: PROJECTS }, (_, project) => {
    const find = join(root, `p${project}`, "node_modules");
    Deno.mkdirSync(join(find, "dep"), { recursive: true });
    Deno.writeTextFileSync(join(root, `p${project}`, "package.json"), "{}");
    for (let file = 0; file < FILES; file++) Deno.writeTextFileSync(join(find, "dep", `${file}.js`), "");
    return find;
  });
}

/** How many entries of the projects have a name that begins with `name`. */
function standing(root: string, name: string): number {
  return Array.from({ length: PROJECTS }, (_, project) => [...Deno.readDirSync(join(root, `p${project}`))])
    .flat().filter((entry) => entry.name.startsWith(name)).length;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Confirms the deletion of everything, and returns once the first directory is gone. */
async function beginDeletion(server: RawServer, root: string): Promise<void> {
  await initialize(server);
  const { finds } = await server.call("scan", { path: root });
  assertEquals(finds.length, PROJECTS);
  const args = { ids: finds.map(({ id }: { id: string }) => id), confirm: "delete" };
  await server.send({ jsonrpc: "2.0", id: "all", method: "tools/call", params: { name: "reclaim", arguments: args } });
  await until(() => standing(root, "node_modules") < PROJECTS);
}

Deno.test("attack: a deletion that the client cancels goes on with the next directories", async () => {
  await using place = await createWorkspace();
  plantProjects(place.root);
  await using server = startRaw({ roots: [place.root], args: ["--no-audit"] });
  await beginDeletion(server, place.root);
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "all" } });
  await server.request("ping");
  await until(() => standing(place.root, ".agentsweep") === 0);
  const left = standing(place.root, "node_modules");
  assert(left > PROJECTS / 2, `${left} of ${PROJECTS} are left`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assertEquals(standing(place.root, "node_modules"), left);
  assertEquals((await server.call("scan", { path: place.root })).found, left);
});

Deno.test("attack: a client that leaves during a deletion leaves a directory half deleted", async () => {
  await using place = await createWorkspace();
  plantProjects(place.root);
  const server = startRaw({ roots: [place.root], args: ["--no-audit"] });
  await beginDeletion(server, place.root);
  await until(() => standing(place.root, ".agentsweep") > 0);
  const { code } = await server.end();
  assertEquals([code, standing(place.root, ".agentsweep")], [0, 0]);
  const left = standing(place.root, "node_modules");
  assert(left > PROJECTS / 2, `${left} of ${PROJECTS} are left`);
});
