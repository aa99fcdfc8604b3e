import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { initialize, type RawServer, startRaw } from "../support/server.ts";
import { createWorkspace, stands, writeProject } from "../support/workspace.ts";

const REQUEST = { jsonrpc: "2.0", method: "tools/list", params: {} };

/** Whether the server still does its work. */
async function assertServes(server: RawServer, after: string): Promise<void> {
  const { result } = await server.request("tools/list", {}, `after ${after}`);
  assertEquals(result?.tools[0].name, "list_targets", after);
}

Deno.test("lines that are no JSON or no JSON-RPC are survived, and answered with nothing but JSON-RPC", async () => {
  await using workspace = await createWorkspace();
  const modules = await writeProject(join(workspace.root, "shop"));
  await using server = startRaw({ roots: [workspace.root] });
  await initialize(server);
  const { finds: [{ id }] } = await server.call("scan", { path: workspace.root });
  const deletion = {
    jsonrpc: "2.0",
    method: "tools/call",
    params: { name: "reclaim", arguments: { ids: [id], confirm: "delete" } },
  };
  const lines = [
    "",
    "   ",
    "{",
    "}",
    "nonsense",
    '{"jsonrpc":"2.0","id":1,"method":',
    "null",
    "true",
    "42",
    '"tools/list"',
    "[]",
    "[1,2,3]",
    "{}",
    '{"id":1}',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":null,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1.5e308,"method":7}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
    '{"jsonrpc":"2.0","id":"orphan","result":{}}',
    '{"jsonrpc":"2.0","id":"orphan","error":{"code":1,"message":"x"}}',
    "Content-Length: 20\r\n\r",
    "GET / HTTP/1.1\r",
    JSON.stringify([{ ...REQUEST, id: "batched" }, { ...deletion, id: "batched deletion" }]),
    JSON.stringify(deletion), // a notification has no answer and must have no effect
  ];
  for (const line of lines) await server.write(`${line}\n`);
  await assertServes(server, "malformed lines");
  assertEquals(server.messages.filter(({ id }) => String(id).startsWith("batched")), []);
  assert(await stands(modules));
  // A line in many pieces, and many lines in one piece.
  for (const piece of JSON.stringify({ ...REQUEST, id: "pieces" }).match(/.{1,7}/g)!) await server.write(piece);
  await server.write("\n");
  await server.awaited(({ id }) => id === "pieces");
  await server.write([1, 2, 3].map((id) => JSON.stringify({ ...REQUEST, id: `many ${id}` }) + "\r\n").join(""));
  await server.awaited(({ id }) => id === "many 3");
});

Deno.test("bytes that are no UTF-8 are survived", async () => {
  await using workspace = await createWorkspace();
  await using server = startRaw({ roots: [workspace.root] });
  await initialize(server);
  await server.write(new Uint8Array([0xff, 0xfe, 0x00, 0x80, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0x0a]));
  const text = new TextEncoder();
  const head = text.encode(
    '{"jsonrpc":"2.0","id":"bad","method":"tools/call","params":{"name":"scan","arguments":{"path":"',
  );
  await server.write(new Uint8Array([...head, 0x2f, 0xff, 0xed, 0xa0, 0x80, ...text.encode('"}}}\n')]));
  const { result } = await server.awaited(({ id }) => id === "bad");
  assertEquals(result.isError, true);
  await assertServes(server, "bytes");
});

Deno.test("10,000 levels of JSON are survived wherever they stand", async () => {
  await using workspace = await createWorkspace();
  await using server = startRaw({ roots: [workspace.root] });
  await initialize(server);
  const deep = "[".repeat(10_000) + "]".repeat(10_000);
  const deepObject = '{"a":'.repeat(10_000) + "1" + "}".repeat(10_000);
  for (const value of [deep, deepObject]) {
    await server.write(`${value}\n`);
    await server.write(`{"jsonrpc":"2.0","id":"a${value[0]}","method":"tools/call","params":${value}}\n`);
    for (const args of [value, `{"path":${value}}`, `{"path":"/x","extra":${value}}`]) {
      const params = `{"name":"scan","arguments":${args}}`;
      await server.write(`{"jsonrpc":"2.0","id":"b","method":"tools/call","params":${params}}\n`);
    }
    await server.write(`{"jsonrpc":"2.0","id":"c","method":"ping","params":{"_meta":${value}}}\n`);
    await assertServes(server, `deep ${value[0]}`);
  }
});

Deno.test("a message of 20 MB ends the connection in order, or is answered, and nothing is deleted", async () => {
  await using workspace = await createWorkspace();
  const modules = await writeProject(join(workspace.root, "shop"));
  await using server = startRaw({ roots: [workspace.root] });
  await initialize(server);
  const { finds: [{ id }] } = await server.call("scan", { path: workspace.root });
  const args = { ids: [id], confirm: "delete".padEnd(20_000_000) };
  const line = JSON.stringify({
    jsonrpc: "2.0",
    id: "giant",
    method: "tools/call",
    params: { name: "reclaim", arguments: args },
  });
  await server.write(`${line}\n`).catch(() => {}); // the pipe may close under it
  const { code, stderr } = await server.end();
  assertEquals(code, 0, stderr);
  assertStringIncludes(stderr, "10 MiB");
  assert(await stands(modules));
});

Deno.test("unknown methods, tools and resources are errors, not ends", async () => {
  await using workspace = await createWorkspace();
  await using server = startRaw({ roots: [workspace.root] });
  await initialize(server);
  for (
    const method of ["resources/list", "roots/list", "sampling/createMessage", "rm", "__proto__", "", "tools/call/"]
  ) {
    const { error } = await server.request(method);
    assertEquals(error?.code, -32601, method);
  }
  for (
    const name of ["delete", "Reclaim", "reclaim ", "__proto__", "constructor", "", "redact_source", "undo", "purge"]
  ) {
    const { result, error } = await server.request("tools/call", { name, arguments: {} });
    assert(error || result.isError, name);
  }
  for (const params of [undefined, {}, { name: 7 }, { name: ["reclaim"] }]) {
    const { result, error } = await server.request("tools/call", params);
    assert(error || result.isError, JSON.stringify(params));
  }
  await assertServes(server, "unknown names");
});

Deno.test("requests before initialize, a second initialize and ids in double do not confuse the server", async () => {
  await using workspace = await createWorkspace();
  const modules = await writeProject(join(workspace.root, "shop"));
  await using early = startRaw({ roots: [workspace.root], args: ["--require-human"] });
  const { result } = await early.request("tools/call", { name: "scan", arguments: { path: workspace.root } });
  const ids = result?.structuredContent ? [result.structuredContent.finds[0].id] : ["f-000000000000"];
  const before = await early.request("tools/call", { name: "reclaim", arguments: { ids, confirm: "delete" } });
  assertEquals(before.result?.structuredContent?.deleted ?? [], [], "nobody was asked");
  await initialize(early);
  await assertServes(early, "initialize");
  const again = await early.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "other", version: "2" },
  });
  assert(again.result || again.error);
  for (let copy = 0; copy < 3; copy++) await early.send({ ...REQUEST, id: "same" });
  await assertServes(early, "ids in double");
  assertLess(0, early.messages.filter(({ id }) => id === "same").length);
  assert(await stands(modules));
});

Deno.test("the end of the client's stream ends the server with success, whatever was said before", async () => {
  await using workspace = await createWorkspace();
  const greeting = JSON.stringify({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  });
  for (const said of ["", "nonsense", `${greeting}\n`, `${greeting}\n{"jsonrpc":"2.0","id":1,"meth`]) {
    const server = startRaw({ roots: [workspace.root] });
    await server.write(said);
    const { code, signal } = await server.end();
    assertEquals([code, signal], [0, null], said);
  }
});
