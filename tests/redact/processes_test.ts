import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { sourceByKey, SOURCES } from "../../src/history/mod.ts";
import { agentGate, type AgentState } from "../../src/redact/gates.ts";
import { agentState, posixState, type Running, windowsState } from "../../src/redact/processes.ts";
import { withDir } from "../support/tree.ts";

const CODEX = ["codex", "@openai/codex"];
const CLAUDE = ["claude", "@anthropic-ai/claude-code"];

function line(text: string, executable = text.split(" ")[0]!.split("/").at(-1)!): Running {
  return { pid: 999_999_999, executable, words: text.split(" ") };
}

const OTHER = line("/sbin/init");
const PID = 999_999_999;
/** The process that was seen under one of `names`. */
const knownIn = (state: AgentState, names: readonly string[]) =>
  typeof state === "object" && names.includes(state.running) && state.pid;
const seen = (name: string) => ({ running: name, pid: PID });

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
    [["Cursor", "cursor-agent"], "/usr/share/cursor/cursor --no-sandbox"],
    [["zed"], "/opt/ZED/Zed"],
    [CODEX, "node --require ./hook.cjs /usr/lib/node_modules/@openai/codex/bin/codex.js"],
    [CODEX, "node --require ./hook.cjs /opt/codex"],
    [CODEX, "node -r dotenv/config /usr/local/bin/codex"],
    [CODEX, "node --import ./hook.mjs /home/a/.npm/@openai/codex/bin/codex.js"],
    [CODEX, "node --env-file .env /opt/codex"],
    [CODEX, "node --made-up-option ./value.js --other x /usr/local/bin/codex exec"],
    [CODEX, "node20 /opt/codex"],
    [CODEX, "/usr/bin/nodejs-18 /usr/lib/node_modules/@openai/codex/bin/codex.js"],
    [CODEX, "/usr/lib/electron28/electron /usr/lib/node_modules/@openai/codex/bin/codex.js"],
    [CODEX, "electron28 /opt/codex"],
    [CODEX, "npx -y @openai/codex"],
    [CODEX, "npx --yes codex"],
    [CODEX, "sh -c codex exec x"],
    [["aider"], "Python3.12 -W ignore -X dev /home/a/.local/bin/aider"],
    [["aider"], "uvx --from aider-chat aider"],
    [["llm"], "uv tool run llm"],
  ] as const
) {
  Deno.test(`running: ${names[0]} in "${text}"`, () =>
    assertEquals(knownIn(posixState({ names }, [OTHER, line(text)]), names), PID));
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
    [CODEX, "deno run -A main.ts fix --source codex --root /tmp/codex"],
    [CODEX, "deno run -A --config x.json jsr:@agentsweep/mcp serve --history codex=/tmp/codex /tmp/codex"],
    [CODEX, "sh -c agentsweep fix --source codex --root /tmp/codex"],
    [CODEX, "node -r ./hook.cjs /srv/app/server.js --root /tmp/codex codex"],
    [CODEX, "python3 -m http.server --directory /tmp/codex"],
    [CODEX, "node40x /opt/codex"],
  ] as const
) {
  Deno.test(`not running: ${names[0]} in "${text}"`, () =>
    assertEquals(posixState({ names }, [OTHER, line(text)]), "idle"));
}

Deno.test("Linux cuts names: fifteen characters of a longer one are enough", () => {
  const process = { pid: 999_999_999, executable: "windsurf-editor", words: [] };
  assertEquals(posixState({ names: ["windsurf-editor-next"] }, [process]), seen("windsurf-editor-next"));
  assertEquals(posixState({ names: ["windsurf"] }, [process]), "idle");
});

Deno.test("an empty list of processes is no answer", () => {
  assertEquals(posixState({ names: CODEX }, []), "unknown");
  assertEquals(windowsState({ names: CODEX }, []), "unknown");
});

Deno.test("on Windows an image tells, and a running interpreter leaves it open", () => {
  const image = (executable: string) => ({ pid: 1, executable, words: [] });
  assertEquals(windowsState({ names: CODEX }, [image("explorer.exe"), image("Codex.exe")]), {
    running: "codex",
    pid: 1,
  });
  assertEquals(windowsState({ names: CODEX }, [image("explorer.exe")]), "idle");
  assertEquals(windowsState({ names: CODEX }, [image("explorer.exe"), image("node.exe")]), "unknown");
  assertEquals(windowsState({ names: ["llm"] }, [image("vllm.exe")]), "idle");
});

Deno.test("a real process is seen by its name, and no longer once it has ended", () =>
  withDir(async (dir) => {
    const name = `agent-${crypto.randomUUID().slice(0, 6)}`;
    assertEquals(await agentState({ names: [name] }), "idle");
    const program = join(dir, name);
    Deno.copyFileSync("/bin/sleep", program);
    Deno.chmodSync(program, 0o755);
    const child = new Deno.Command(program, { args: ["60"] }).spawn();
    try {
      assertEquals(await agentState({ names: [name] }), { running: name, pid: child.pid });
      const other = name.toUpperCase();
      assertEquals(await agentState({ names: [other] }), { running: other, pid: child.pid });
      assertEquals(await agentState({ names: [name.slice(0, -1)] }), "idle");
    } finally {
      child.kill("SIGKILL");
      await child.status;
    }
    assertEquals(await agentState({ names: [name] }), "idle");
  }));

Deno.test("a real interpreter of some version is seen, whatever options stand in front of the package that it runs", () =>
  withDir(async (dir) => {
    const name = `@agent-${crypto.randomUUID().slice(0, 6)}/cli`;
    const program = join(dir, "node20");
    Deno.copyFileSync("/bin/sh", program);
    Deno.chmodSync(program, 0o755);
    const args = ["-c", "read line", "--require", "./hook.cjs", `/usr/lib/node_modules/${name}/bin/cli.js`];
    const child = new Deno.Command(program, { args, stdin: "piped" }).spawn();
    try {
      assertEquals(await agentState({ names: [name] }), { running: name, pid: child.pid });
    } finally {
      await child.stdin.close();
      await child.status;
    }
    assertEquals(await agentState({ names: [name] }), "idle");
  }));

Deno.test({
  name: "without permission to list processes the answer is unknown",
  permissions: { run: false, read: true },
  fn: async () => assertEquals(await agentState({ names: ["x"] }), "unknown"),
});

Deno.test("every source but those of shells names what to look for", () => {
  assertEquals(SOURCES.filter(({ processes }) => processes.length === 0).map(({ key }) => key), ["shell-history"]);
});

for (
  const [key, text, executable] of [
    ["cline", "/usr/share/code/code --type=renderer"],
    ["roo-code", "/usr/bin/codium"],
    ["kilo-code", "/opt/Windsurf/windsurf"],
    ["github-copilot-chat", "code-insiders"],
    ["continue-vscode", "/usr/share/cursor/cursor"],
    ["augment", "/home/a/.vscode-server/cli/servers/Stable-1/server/node /x/server-main.js"],
    ["cody", "/usr/lib/code-server/lib/node /usr/lib/code-server"],
    ["cline", "x", "/Applications/Visual Studio Code.app/Contents/MacOS/Electron"],
    ["roo-code", "x", "/Applications/Cursor.app/Contents/MacOS/Cursor"],
  ] as const
) {
  Deno.test(`${key} runs in ${executable ?? text}`, () => {
    const { processes: names, hosts } = sourceByKey(key)!;
    const state = posixState({ names, hosts }, [OTHER, line(text, executable)]);
    assertEquals(typeof state === "object" && state.pid, PID);
  });
}

Deno.test("an editor is not seen in a script of its name, nor does it run the agents of the command line", () => {
  const { processes: names, hosts } = sourceByKey("cline")!;
  assertEquals(posixState({ names, hosts }, [OTHER, line("node /srv/code.js"), line("vim code")]), "idle");
  assertEquals(posixState({ names: sourceByKey("codex")!.processes }, [OTHER, line("/usr/share/code/code")]), "idle");
});

Deno.test("on Windows the image of an editor tells that its extensions run", () => {
  const { processes: names, hosts } = sourceByKey("cline")!;
  for (const executable of ["Code.exe", "Code - Insiders.exe", "VSCodium.exe", "Cursor.exe", "Windsurf.exe"]) {
    const state = windowsState({ names, hosts }, [{ pid: PID, executable, words: [] }]);
    assertEquals(typeof state === "object" && state.pid, PID, executable);
  }
});

Deno.test("the gate says which process it saw, by a name of its own and the process's number", () => {
  assertEquals(
    agentGate(seen("@openai/codex")),
    "the agent is running (@openai/codex, process 999999999): end it first",
  );
});
