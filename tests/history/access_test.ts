import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { discoverInChild } from "./_child.ts";
import { hostAt, put, resolved, withHome } from "./_machine.ts";

Deno.test("a root that the sandbox denies is reported, and is neither detected nor granted", () =>
  withHome(async (home) => {
    put(`${home}/.codex/history.jsonl`);
    const seen = await discoverInChild(home, ["codex"], { read: [] });
    assertEquals(seen.files, []);
    assertEquals(seen.detected, []);
    assertEquals(seen.access, ["denied"]);
    assertEquals(seen.roots, [{ root: `${home}/.codex`, access: "denied" }]);
    assertEquals(seen.unscanned.map(({ source, file }) => [source, file]), [["codex", `${home}/.codex`]]);
    assertStringIncludes(seen.unscanned[0]?.reason ?? "", `--allow-read=${home}/.codex`);
  }));

Deno.test("further roots that the sandbox denies are named once a source, beside what the default root holds", () =>
  withHome(async (home) => {
    const task = `${home}/.config/Code/User/globalStorage/saoudrizwan.claude-dev`;
    put(`${task}/tasks/1/ui_messages.json`);
    const seen = await discoverInChild(home, ["cline"], { read: [task] });
    assertEquals(seen.access, ["granted"]);
    assertEquals(seen.detected, ["cline"]);
    assertEquals(seen.files.map(({ relpath }) => relpath), ["tasks/1/ui_messages.json"]);
    assertEquals(seen.unscanned.length, 1);
    const others = resolved("cline", hostAt(home)).roots.length - 2;
    assertStringIncludes(seen.unscanned[0]?.reason ?? "", `nor ${others} further roots of this source`);
  }));

Deno.test("a single file that the sandbox allows is found although its directory is denied", () =>
  withHome(async (home) => {
    put(`${home}/.bash_history`, "ls\n");
    put(`${home}/.zsh_history`, "ls\n");
    const seen = await discoverInChild(home, ["shell-history"], {
      read: [`${home}/.bash_history`, `${home}/.local/share`, `${home}/.zsh_sessions`],
    });
    assertEquals(seen.files.map(({ relpath }) => relpath), [".bash_history"]);
    const denied = seen.unscanned.map(({ file }) => file);
    assert(denied.includes(`${home}/.zsh_history`));
    assert(denied.includes(`${home}/.bash_history.bak`), "a backup that may not be looked for is an issue");
    assert(!denied.includes(`${home}/.bash_history`));
    assert(!denied.includes(`${home}/.zsh_history.bak`), "unless there is nothing that it would be the backup of");
  }));

Deno.test("a directory inside a root that the system denies is named, and the rest is found", () =>
  withHome(async (home) => {
    put(`${home}/.codex/sessions/open/a.jsonl`);
    put(`${home}/.codex/sessions/shut/b.jsonl`);
    Deno.chmodSync(`${home}/.codex/sessions/shut`, 0o000);
    const root = Deno.uid() === 0;
    // No mode stops the superuser: another user's process has to look, and it needs an executable it can reach.
    const deno = root ? `${home}/deno` : Deno.execPath();
    if (root) {
      Deno.copyFileSync(Deno.execPath(), deno);
      Deno.chmodSync(home, 0o755);
    }
    const cache = `${home}/cache`;
    Deno.mkdirSync(cache);
    Deno.chmodSync(cache, 0o777);
    try {
      const seen = await discoverInChild(home, ["codex"], { read: [home], deno, cache, ...(root && { uid: 65534 }) });
      assertEquals(seen.files.map(({ relpath }) => relpath), ["sessions/open/a.jsonl"]);
      assertEquals(seen.unscanned, [{
        source: "codex",
        file: `${home}/.codex/sessions/shut`,
        reason: "permission denied by the operating system",
      }]);
    } finally {
      Deno.chmodSync(`${home}/.codex/sessions/shut`, 0o700);
    }
  }));
