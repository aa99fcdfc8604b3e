import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { SOURCES } from "../../src/history/mod.ts";
import { agentState, posixState, type Running, windowsState } from "../../src/redact/processes.ts";
import { withDir } from "../support/tree.ts";

const CODEX = ["codex", "@openai/codex"];
const CLAUDE = ["claude", "@anthropic-ai/claude-code"];

function line(text: string, executable = text.split(" ")[0]!.split("/").at(-1)!): Running {
  return { pid: 999_999_999, executable, words: text.split(" ") };
}

const OTHER = line("/sbin/init");

for (
  const [names, text] of [
    [CODEX, "codex"],
    [CODEX, "/usr/local/bin/codex exec x"],
    [CODEX, "node /usr/lib/node_modules/@openai/codex/bin/codex.js"],
    [CODEX, "node --max-old-space-size=4096 /opt/codex"],
    [CODEX, "deno task codex"],
    [CLAUDE, "/usr/bin/node /home/a/.npm/@anthropic-ai/claude-code/cli.js --resume"],
    [CLAUDE, "claude --dangerously-skip-permissions"],
    [["aider"], "/usr/bin/python3.12 -m aider --model x"],
    [["aider"], "/home/a/.local/bin/python /home/a/.local/bin/aider"],
    [["llm"], "python3 /usr/bin/llm chat"],
    [["Cursor"], "/Applications/Cursor.app/Contents/MacOS/Cursor --type=renderer"],
    [["zed"], "-zed"],
  ] as const
) {
  Deno.test(`running: ${names[0]} in "${text}"`, () => assertEquals(posixState(names, [OTHER, line(text)]), "running"));
}

for (
  const [names, text] of [
    [["llm"], "vllm serve"],
    [["llm"], "python -m vllm.entrypoints.openai"],
    [["llm"], "vim llm-notes.md"],
    [["llm"], "vim /home/a/llm"],
    [CODEX, "grep codex /var/log/x"],
    [CODEX, "/opt/codexify/bin/codexify"],
    [CODEX, "node /srv/app/server.js --name codex"],
    [CODEX, "less /home/a/.codex/history.jsonl"],
    [["q"], "qemu-system-x86_64 -name q"],
    [CLAUDE, "node /srv/@anthropic-ai/claude-code-router/cli.js"],
    [CODEX, "deno task cli fix --source codex --root /home/a/codex-copy"],
  ] as const
) {
  Deno.test(`not running: ${names[0]} in "${text}"`, () =>
    assertEquals(posixState(names, [OTHER, line(text)]), "idle"));
}

Deno.test("Linux cuts names: fifteen characters of a longer one are enough", () => {
  const process = { pid: 999_999_999, executable: "windsurf-editor", words: [] };
  assertEquals(posixState(["windsurf-editor-next"], [process]), "running");
  assertEquals(posixState(["windsurf"], [process]), "idle");
});

Deno.test("an empty list of processes is no answer", () => {
  assertEquals(posixState(CODEX, []), "unknown");
  assertEquals(windowsState(CODEX, []), "unknown");
});

Deno.test("on Windows an image tells, and a running interpreter leaves it open", () => {
  const image = (executable: string) => ({ pid: 1, executable, words: [] });
  assertEquals(windowsState(CODEX, [image("explorer.exe"), image("Codex.exe")]), "running");
  assertEquals(windowsState(CODEX, [image("explorer.exe")]), "idle");
  assertEquals(windowsState(CODEX, [image("explorer.exe"), image("node.exe")]), "unknown");
  assertEquals(windowsState(["llm"], [image("vllm.exe")]), "idle");
});

Deno.test("a real process is seen by its name, and no longer once it has ended", () =>
  withDir(async (dir) => {
    const name = `agent-${crypto.randomUUID().slice(0, 6)}`;
    assertEquals(await agentState([name]), "idle");
    const program = join(dir, name);
    Deno.copyFileSync("/bin/sleep", program);
    Deno.chmodSync(program, 0o755);
    const child = new Deno.Command(program, { args: ["60"] }).spawn();
    try {
      assertEquals(await agentState([name]), "running");
      assertEquals(await agentState([name.slice(0, -1)]), "idle");
    } finally {
      child.kill("SIGKILL");
      await child.status;
    }
    assertEquals(await agentState([name]), "idle");
  }));

Deno.test({
  name: "without permission to list processes the answer is unknown",
  permissions: { run: false, read: true },
  fn: async () => assertEquals(await agentState(["x"]), "unknown"),
});

Deno.test("every source but those of shells names what to look for", () => {
  assertEquals(SOURCES.filter(({ processes }) => processes.length === 0).map(({ key }) => key), ["shell-history"]);
});
