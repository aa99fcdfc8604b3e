import { assertEquals, assertLess } from "@std/assert";
import { join } from "@std/path";
import { exactPermissions, initialize, type RawServer, startRaw } from "../support/server.ts";

/** Files of the large tree: enough to keep a scan busy for some seconds. */
const FILES = 60_000;
const FILES_PER_FOLDER = 100;

/** How the server is held, and the permissions that make it so. */
const POSTURES: readonly [posture: string, permissions: (root: string) => readonly string[]][] = [
  ["process-flags", (root) => exactPermissions([root])],
  ["worker", () => ["-A"]],
];

/** One large tree for all tests of this file: half of it is a find, half of it is not. */
async function makeLargeTree(): Promise<string> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "agentsweep-large-" }));
  await Deno.mkdir(join(root, "node_modules"));
  await Deno.writeTextFile(join(root, "package.json"), "{}");
  for (let folder = 0; folder < FILES / FILES_PER_FOLDER; folder++) {
    const place = join(root, folder % 2 === 0 ? "node_modules" : "", `folder-${folder}`);
    Deno.mkdirSync(place);
    for (let file = 0; file < FILES_PER_FOLDER; file++) {
      Deno.openSync(`${place}/${file}`, { write: true, create: true }).close();
    }
  }
  return root;
}

const SCAN = (root: string, _meta = {}) => ({ name: "scan", arguments: { path: root }, _meta });

async function startScan(server: RawServer, root: string, id: string): Promise<void> {
  await server.send({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: SCAN(root, { progressToken: id }),
  });
  await server.awaited(({ method, params }) => method === "notifications/progress" && params?.progressToken === id);
}

function progressOf(server: RawServer, token: string): number[] {
  return server.messages
    .filter(({ method, params }) => method === "notifications/progress" && params?.progressToken === token)
    .map(({ params }) => params?.progress as number);
}

Deno.test("a server that scans a large tree", async (t) => {
  const root = await makeLargeTree();
  try {
    for (const [posture, permissions] of POSTURES) {
      const start = { roots: [root], permissions: permissions(root) };
      await t.step(`tells progress only when asked, and it only grows (${posture})`, async () => {
        await using server = startRaw(start);
        await initialize(server);
        await server.request("tools/call", SCAN(root), "silent");
        assertEquals(server.messages.filter(({ method }) => method !== undefined), []);
        await server.request("tools/call", SCAN(root, { progressToken: "asked" }), "asked");
        const told = progressOf(server, "asked");
        assertLess(1, told.length);
        assertEquals(told, told.toSorted((one, other) => one - other));
        assertEquals(new Set(told).size, told.length);
      });

      await t.step(`answers ping and tools/list at once, in between (${posture})`, async () => {
        await using server = startRaw(start);
        await initialize(server);
        await startScan(server, root, "busy");
        const times: number[] = [];
        const isDone = () => server.messages.some(({ id }) => id === "busy");
        for (let turn = 0; !isDone(); turn++) {
          const began = performance.now();
          await server.request(turn % 2 === 0 ? "ping" : "tools/list", {}, `turn ${turn}`);
          times.push(performance.now() - began);
        }
        assertLess(1, times.length);
        assertLess(times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!, 100, String(times));
      });

      await t.step(`stops when the client cancels, and serves on (${posture})`, async () => {
        await using server = startRaw(start);
        await initialize(server);
        await startScan(server, root, "cancelled");
        const began = performance.now();
        await server.send({
          jsonrpc: "2.0",
          method: "notifications/cancelled",
          params: { requestId: "cancelled", reason: "changed my mind" },
        });
        await server.request("ping", {}, "after");
        assertLess(performance.now() - began, 1000);
        const told = progressOf(server, "cancelled").length;
        const { result } = await server.request("tools/call", SCAN(root), "next");
        assertEquals(result.structuredContent.found, 1);
        assertEquals(server.messages.filter(({ id }) => id === "cancelled"), [], "a cancelled request has no answer");
        assertEquals(progressOf(server, "cancelled").length, told, "a cancelled scan is over");
      });

      await t.step(`ends at once when the client goes away (${posture})`, async () => {
        const server = startRaw(start);
        await initialize(server);
        await startScan(server, root, "abandoned");
        const began = performance.now();
        const { code, signal } = await server.end();
        assertEquals([code, signal], [0, null]);
        assertLess(performance.now() - began, 1000);
        assertEquals(server.messages.filter(({ id }) => id === "abandoned"), []);
      });

      if (Deno.build.os !== "windows") {
        await t.step(`ends at once on SIGTERM (${posture})`, async () => {
          const server = startRaw(start);
          await initialize(server);
          await startScan(server, root, "terminated");
          server.kill("SIGTERM");
          const { signal } = await server.ended;
          assertEquals(signal, "SIGTERM");
        });
      }
    }
    await t.step("has changed nothing", () => {
      let files = 0;
      const count = (folder: string) => {
        for (const { name, isDirectory } of Deno.readDirSync(folder)) {
          if (isDirectory) count(join(folder, name));
          else files++;
        }
      };
      count(root);
      assertEquals(files, FILES + 1);
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
