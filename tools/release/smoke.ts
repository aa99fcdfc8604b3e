/**
 * Starts a compiled binary as a client would and demands that it holds itself to its root: it answers `initialize`, says
 * that it runs in a narrowed Worker, finds and deletes a `node_modules`, and refuses what lies outside. Then each of its
 * own Workers is asked for: the one that scans a history, the one that redacts it, the ones that walk and measure.
 *
 * Needs nothing but Deno: `deno run -A --no-config tools/release/smoke.ts dist/agentsweep-linux-x64`.
 *
 * @module
 */

const [binary] = Deno.args;
if (!binary) throw new Error("usage: smoke.ts BINARY");

const root = await Deno.realPath(await Deno.makeTempDir());
const modules = `${root}/app/node_modules`;
await Deno.mkdir(modules, { recursive: true });
await Deno.writeTextFile(`${root}/app/package.json`, "{}");

const path = await Deno.realPath(Deno.build.os === "windows" && !binary.endsWith(".exe") ? `${binary}.exe` : binary);
const server = new Deno.Command(path, { args: ["--root", root], stdin: "piped", stdout: "piped" }).spawn();
const input = server.stdin.getWriter();
const lines = readLines(server.stdout);

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
}

/** What is looked at of any answer. */
interface Result {
  isError?: boolean;
  structuredContent: { sandbox: string; finds: { id: string }[]; deleted: unknown[] };
}

let id = 0;
async function ask(method: string, params: unknown): Promise<Result> {
  await input.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params })}\n`));
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the server ended instead of answering ${method}`);
    const message = JSON.parse(value);
    if (message.id === id) return message.result;
  }
}

const call = (name: string, args: unknown) => ask("tools/call", { name, arguments: args });

/** Built here: this file is scanned, too. */
const secret = "glpat" + "-" + "Hq7LxV2mRz9TnKc4WsYb";

async function run(...args: string[]): Promise<{ code: number; text: string }> {
  const env = { HOME: `${root}/home`, USERPROFILE: `${root}/home` };
  const { code, stdout } = await new Deno.Command(path, { args, env }).output();
  return { code, text: new TextDecoder().decode(stdout) };
}

function demand(condition: boolean, what: string): void {
  if (!condition) throw new Error(`failed: ${what}`);
  console.log(`ok: ${what}`);
}

try {
  await ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "smoke", version: "1" },
  });
  demand((await call("list_targets", {})).structuredContent.sandbox === "worker", "it runs in a narrowed Worker");
  demand(
    (await call("scan", { path: Deno.build.os === "windows" ? "C:\\" : "/" })).isError === true,
    "it refuses the disk",
  );
  const [find] = (await call("scan", { path: root })).structuredContent.finds;
  if (!find) throw new Error("failed: it finds the node_modules");
  const { deleted } = (await call("reclaim", { ids: [find.id], confirm: "delete" })).structuredContent;
  demand(deleted.length === 1, "it deletes what it found");
  await Deno.mkdir(`${root}/home/.codex/sessions`, { recursive: true });
  await Deno.writeTextFile(`${root}/home/.codex/sessions/rollout-1.jsonl`, '{"type":"message","content":"hello"}\n');
  const scan = await run("scan", "--source", "codex", "--json");
  // A worker that could not be started would have left the file unread: exit code 2.
  demand(scan.code === 0 && scan.text.trim() === "[]", "its workers read a history");
  await Deno.writeTextFile(`${root}/home/.codex/sessions/rollout-2.jsonl`, `{"content":"${secret}"}\n`);
  const fix = await run("fix", "--source", "codex", "--allow-production", "--force", "--yes", "--json");
  const text = await Deno.readTextFile(`${root}/home/.codex/sessions/rollout-2.jsonl`);
  demand(fix.code === 0 && text.includes("[REDACTED:gitlab-pat]"), "its worker redacts a history");
  await Deno.mkdir(modules, { recursive: true });
  const sweep = await run("sweep", root, "--json");
  demand(sweep.code === 0 && JSON.parse(sweep.text)[0].found === 1, "its workers measure");
  await input.close();
  demand((await server.status).code === 0, "it ends with its client");
} finally {
  await Deno.remove(root, { recursive: true });
}
