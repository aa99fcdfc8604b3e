import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import {
  connect,
  type Connected,
  ERAS,
  initialize,
  type Message,
  MODERN,
  type RawServer,
  startRaw,
} from "../support/server.ts";
import { createWorkspace, stands, type Workspace, writeProject } from "../support/workspace.ts";

async function idsOf(client: Connected, root: string): Promise<string[]> {
  const { finds } = (await client.call("scan", { path: root })).structuredContent;
  return finds.map(({ id }: { id: string }) => id);
}

for (const era of ERAS) {
  Deno.test(`${era}: the human is shown count, size and paths, and a yes deletes`, async () => {
    await using workspace = await createWorkspace();
    const { root } = workspace;
    const one = await writeProject(join(root, "one"));
    const other = await writeProject(join(root, "two\u202e\u200b\n\u{e0041}"));
    const asked: string[] = [];
    await using client = await connect(era, { roots: [root] }, (message) => {
      asked.push(message);
      return "accept";
    });
    const ids = await idsOf(client, root);
    await client.call("reclaim", { ids });
    assertEquals(asked, [], "a dry run asks nobody");
    const { deleted } = (await client.call("reclaim", { ids, confirm: "delete" })).structuredContent;
    assertEquals(deleted.length, 2);
    assert(!await stands(one) && !await stands(other));
    assertEquals(asked.length, 1, "one question for all");
    const lines = asked[0]!.split("\n");
    assertEquals(lines.length, 3, asked[0]);
    assertMatch(lines[0]!, /^Delete 2 directories \(4\.7 KiB\)\?$/);
    assertStringIncludes(asked[0]!, `${one} (2.4 KiB)`);
    assertStringIncludes(asked[0]!, "two\\u{202e}\\u{200b}\\u{a}\\u{e0041}/node_modules");
  });

  for (const answer of ["decline", "cancel"] as const) {
    Deno.test(`${era}: where the human answers ${answer}, nothing is deleted and the ids stay good`, async () => {
      await using workspace = await createWorkspace();
      const { root } = workspace;
      const modules = await writeProject(join(root, "shop"));
      await using client = await connect(era, { roots: [root] }, () => answer);
      const ids = await idsOf(client, root);
      const { deleted, refused } = (await client.call("reclaim", { ids, confirm: "delete" })).structuredContent;
      assertEquals(deleted, []);
      assertEquals(refused, [{ id: ids[0], reason: "the human was asked and did not agree" }]);
      assert(await stands(modules));
      assertEquals((await client.call("reclaim", { ids })).structuredContent.would_delete.length, 1);
    });
  }

  Deno.test(`${era}: a client that cannot ask deletes, and with --require-human is refused`, async () => {
    await using workspace = await createWorkspace();
    const { root } = workspace;
    const modules = await writeProject(join(root, "shop"));
    await using strict = await connect(era, { roots: [root], args: ["--require-human"] });
    const ids = await idsOf(strict, root);
    const { deleted, refused } = (await strict.call("reclaim", { ids, confirm: "delete" })).structuredContent;
    assertEquals(deleted, []);
    assertStringIncludes(refused[0].reason, "--require-human");
    assert(await stands(modules));
    assertEquals((await strict.call("reclaim", { ids })).structuredContent.refused, [], "a dry run needs nobody");

    await using lax = await connect(era, { roots: [root] });
    await lax.call("reclaim", { ids: await idsOf(lax, root), confirm: "delete" });
    assert(!await stands(modules));
  });
}

Deno.test("attack: a model puts what is large behind what the human is shown", async () => {
  await using workspace = await createWorkspace();
  const { root } = workspace;
  for (let n = 0; n < 53; n++) await writeProject(join(root, `${n}`));
  const large = await writeProject(join(root, "large"));
  await Deno.writeTextFile(join(large, "data"), "x".repeat(100_000));
  const asked: string[] = [];
  await using client = await connect(ERAS[0]!, { roots: [root] }, (message) => {
    asked.push(message);
    return "decline";
  });
  // A scan tells the largest first.
  const ids = (await idsOf(client, root)).reverse();
  await client.call("reclaim", { ids, confirm: "delete" });
  const [, first, ...others] = asked[0]!.split("\n");
  assertStringIncludes(first!, large);
  assertEquals(others.length, 50);
  assertEquals(others.at(-1), "... and 4 more, none of them over 2.4 KiB");
});

/** A raw session of the 2026 era, whose client says with each request what it can. */
interface Session extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly server: RawServer;
  /** Calls reclaim with confirmation. */
  reclaim(ids: readonly string[], extra?: Record<string, unknown>): Promise<Message>;
  /** Ids of the finds by the name of their project. */
  readonly ids: Readonly<Record<"one" | "two", string>>;
}

async function modernSession(elicitation: unknown, args: readonly string[] = []): Promise<Session> {
  const workspace = await createWorkspace();
  const { root } = workspace;
  for (const name of ["one", "two"]) await writeProject(join(root, name));
  const server = startRaw({ roots: [root], args });
  const call = (name: string, args: unknown, extra: Record<string, unknown>) =>
    server.request("tools/call", {
      name,
      arguments: args,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": elicitation === undefined ? {} : { elicitation },
      },
      ...extra,
    });
  const scanned = await call("scan", { path: root }, {});
  const finds: { id: string; path: string }[] = scanned.result.structuredContent.finds;
  const idIn = (name: string) => finds.find(({ path }) => path.includes(`/${name}/`))!.id;
  return {
    workspace,
    server,
    ids: { one: idIn("one"), two: idIn("two") },
    reclaim: (ids, extra = {}) => call("reclaim", { ids, confirm: "delete" }, extra),
    async [Symbol.asyncDispose]() {
      await server.end();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};

const YES = { confirm: { action: "accept", content: {} } };

async function assertNothingDeleted({ workspace: { root } }: Session): Promise<void> {
  for (const name of ["one", "two"]) assert(await stands(join(root, name, "node_modules")), name);
}

Deno.test("an answer given for some ids is refused for others, and is spent by that", async () => {
  await using session = await modernSession({ form: {} });
  const { one, two } = session.ids;
  const asked = (await session.reclaim([one])).result;
  assertEquals(Object.keys(asked.inputRequests), ["confirm"]);
  const { requestState } = asked;
  const stolen = (await session.reclaim([two], { inputResponses: YES, requestState })).result.structuredContent;
  assertEquals(stolen.deleted, []);
  assertStringIncludes(stolen.refused[0].reason, "another question");
  const more = (await session.reclaim([one, two], { inputResponses: YES, requestState })).result.structuredContent;
  assertEquals(more.deleted, []);
  const late = (await session.reclaim([one], { inputResponses: YES, requestState })).result.structuredContent;
  assertEquals(late.deleted, [], "the answer is spent");
  await assertNothingDeleted(session);
});

Deno.test("an answer counts once: replayed for a new find of the same ids it is refused", async () => {
  await using session = await modernSession({});
  const { one } = session.ids;
  const { requestState } = (await session.reclaim([one])).result;
  const done = (await session.reclaim([one], { inputResponses: YES, requestState })).result.structuredContent;
  assertEquals(done.deleted.length, 1);
  const again = (await session.reclaim([one], { inputResponses: YES, requestState })).result.structuredContent;
  assertEquals(again.deleted, []);
});

Deno.test("an answer to a question that was never asked deletes nothing", async () => {
  await using session = await modernSession({});
  const { one } = session.ids;
  const unasked = (await session.reclaim([one], { inputResponses: YES })).result;
  assert(unasked.inputRequests, "without a question's state the question is asked");
  const forged = { inputResponses: YES, requestState: crypto.randomUUID() };
  assertEquals((await session.reclaim([one], forged)).result.structuredContent.deleted, []);
  const polluted = { inputResponses: YES, requestState: "__proto__" };
  assertEquals((await session.reclaim([one], polluted)).result.structuredContent.deleted, []);
  await assertNothingDeleted(session);
});

Deno.test("only the answer accept is a yes", async () => {
  await using session = await modernSession({});
  const { one } = session.ids;
  const answers = [
    { action: "decline" },
    { action: "cancel" },
    { action: "ACCEPT", content: {} },
    { action: "accepted", content: {} },
    { content: { confirm: true } },
    "accept",
    true,
    null,
  ];
  for (const confirm of answers) {
    const { requestState } = (await session.reclaim([one])).result;
    const { result } = await session.reclaim([one], { inputResponses: { confirm }, requestState });
    assertEquals(result?.structuredContent?.deleted ?? [], [], JSON.stringify(confirm));
  }
  await assertNothingDeleted(session);
});

Deno.test("a find that changed while the human thought is refused in spite of the yes", async () => {
  await using session = await modernSession({});
  const { one } = session.ids;
  const modules = join(session.workspace.root, "one", "node_modules");
  const { requestState } = (await session.reclaim([one])).result;
  await Deno.rename(modules, `${modules}-old`);
  await Deno.mkdir(modules);
  await Deno.writeTextFile(join(modules, "precious"), "new");
  const { deleted } = (await session.reclaim([one], { inputResponses: YES, requestState })).result.structuredContent;
  assertEquals(deleted, []);
  assertEquals(await Deno.readTextFile(join(modules, "precious")), "new");
});

Deno.test("a client that can only open web pages cannot ask", async () => {
  await using session = await modernSession({ url: {} }, ["--require-human"]);
  const { one } = session.ids;
  const { deleted, refused } = (await session.reclaim([one])).result.structuredContent;
  assertEquals(deleted, []);
  assertStringIncludes(refused[0].reason, "cannot ask");

  await using workspace = await createWorkspace();
  await writeProject(join(workspace.root, "shop"));
  await using legacy = startRaw({ roots: [workspace.root], args: ["--require-human"] });
  await initialize(legacy, { elicitation: { url: {} } });
  const { finds } = await legacy.call("scan", { path: workspace.root });
  const refusal = await legacy.call("reclaim", { ids: [finds[0].id], confirm: "delete" });
  assertEquals(refusal.deleted, []);
  assert(await stands(join(workspace.root, "shop", "node_modules")));
});

Deno.test("attack: a client that can ask says of one request that it cannot", async () => {
  await using session = await modernSession({});
  const { one } = session.ids;
  assert((await session.reclaim([one])).result.inputRequests);
  const none = { _meta: { ...ENVELOPE, "io.modelcontextprotocol/clientCapabilities": {} } };
  const silenced = await session.reclaim([one], none);
  assertEquals(silenced.result?.structuredContent?.deleted ?? [], []);
  await assertNothingDeleted(session);
});

for (const [what, envelope] of [["whole", true], ["of capabilities alone", false]] as const) {
  Deno.test(`attack: a request of a 2025 session with an envelope (${what}) that says that its client cannot ask`, async () => {
    await using workspace = await createWorkspace();
    await writeProject(join(workspace.root, "shop"));
    await using server = startRaw({ roots: [workspace.root], args: ["--no-audit"] });
    await initialize(server, { elicitation: {} });
    const { finds } = await server.call("scan", { path: workspace.root });
    await server.send({
      jsonrpc: "2.0",
      id: "silenced",
      method: "tools/call",
      params: {
        name: "reclaim",
        arguments: { ids: [finds[0].id], confirm: "delete" },
        _meta: { ...(envelope ? ENVELOPE : {}), "io.modelcontextprotocol/clientCapabilities": {} },
      },
    });
    const question = await server.awaited(({ method, id }) => method === "elicitation/create" || id === "silenced");
    assertEquals(question.method, "elicitation/create");
    await server.send({ jsonrpc: "2.0", id: question.id, result: { action: "decline" } });
    const { result } = await server.awaited(({ id, method }) => id === "silenced" && method === undefined);
    assertEquals(result.structuredContent.deleted, []);
    assert(await stands(join(workspace.root, "shop", "node_modules")));
  });
}
