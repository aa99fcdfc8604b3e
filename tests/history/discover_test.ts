import { assert, assertEquals, assertGreater, assertLess, assertRejects, assertStringIncludes } from "@std/assert";
import { detect, discover, isUnscanned, type Unscanned } from "../../src/history/mod.ts";
import { found, hostAt, put, resolved, withHome } from "./_machine.ts";

/** A file system in memory, where there is one: writing the files must not take longer than finding them. */
const MEMORY = exists("/dev/shm") ? "/dev/shm" : undefined;

const codexIn = (home: string) => resolved("codex", hostAt(home));
const relpaths = (files: readonly { relpath: string }[]): string[] => files.map(({ relpath }) => relpath);
const reasons = (unscanned: readonly Unscanned[], home: string): [string, string][] =>
  unscanned.map(({ file, reason }) => [file.slice(home.length), reason]);

Deno.test("a missing root is no finding", () =>
  withHome(async (home) => {
    assertEquals(await found([codexIn(home)]), { files: [], unscanned: [] });
  }));

Deno.test("an empty root is no finding and no history", () =>
  withHome(async (home) => {
    Deno.mkdirSync(`${home}/.codex/sessions`, { recursive: true });
    assertEquals(await found([codexIn(home)]), { files: [], unscanned: [] });
    assertEquals(await detect([codexIn(home)]), new Set());
  }));

Deno.test("a root that is a file is reported", () =>
  withHome(async (home) => {
    put(`${home}/.codex`, "");
    const { unscanned } = await found([codexIn(home)]);
    assertEquals(reasons(unscanned, home), [["/.codex", "not a directory"]]);
  }));

Deno.test("a root that is a link is reported and not followed", () =>
  withHome(async (home) => {
    put(`${home}/elsewhere/history.jsonl`);
    Deno.symlinkSync(`${home}/elsewhere`, `${home}/.codex`);
    const { files, unscanned } = await found([codexIn(home)]);
    assertEquals(files, []);
    assertEquals(unscanned.length, 1);
    assertStringIncludes(unscanned[0]?.reason ?? "", "the root is a link");
  }));

Deno.test("links out of a root are reported and not followed", () =>
  withHome(async (home) => {
    put(`${home}/outside/a.jsonl`);
    put(`${home}/outside.jsonl`);
    put(`${home}/.codex/sessions/b.jsonl`);
    Deno.symlinkSync(`${home}/outside`, `${home}/.codex/sessions/directory`);
    Deno.symlinkSync(`${home}/outside.jsonl`, `${home}/.codex/sessions/file.jsonl`);
    const { files, unscanned } = await found([codexIn(home)]);
    assertEquals(relpaths(files), ["sessions/b.jsonl"]);
    assertEquals(reasons(unscanned, home), [
      ["/.codex/sessions/directory", "a link: not followed"],
      ["/.codex/sessions/file.jsonl", "a link: not followed"],
    ]);
  }));

Deno.test("links to what is walked anyway, to nothing, and in circles are left out by rule", () =>
  withHome(async (home) => {
    put(`${home}/.codex/sessions/2026/a.jsonl`);
    Deno.symlinkSync("a.jsonl", `${home}/.codex/sessions/2026/latest.jsonl`);
    Deno.symlinkSync("2026", `${home}/.codex/sessions/current`);
    Deno.symlinkSync("..", `${home}/.codex/sessions/2026/up`);
    Deno.symlinkSync("gone.jsonl", `${home}/.codex/sessions/2026/dangling.jsonl`);
    Deno.symlinkSync("itself.jsonl", `${home}/.codex/sessions/2026/itself.jsonl`);
    const { files, unscanned } = await found([codexIn(home)]);
    assertEquals(relpaths(files), ["sessions/2026/a.jsonl"]);
    assertEquals(reasons(unscanned, home), [["/.codex/sessions/2026/itself.jsonl", "a link: not followed"]]);
  }));

Deno.test("a link whose target inside the root no pattern reaches is reported", () =>
  withHome(async (home) => {
    put(`${home}/.codex/blobs/0001`, "{}");
    put(`${home}/.codex/node_modules/x/a.jsonl`);
    Deno.symlinkSync("blobs/0001", `${home}/.codex/a.jsonl`);
    Deno.symlinkSync("node_modules/x", `${home}/.codex/sessions`);
    const { files, unscanned } = await found([codexIn(home)]);
    assertEquals(files, []);
    assertEquals(reasons(unscanned, home), [
      ["/.codex/a.jsonl", "a link: not followed"],
      ["/.codex/sessions", "a link: not followed"],
    ]);
  }));

Deno.test("directories named like files are entered where history may lie in them", () =>
  withHome(async (home) => {
    put(`${home}/.codex/sessions/x.jsonl/y.jsonl`);
    Deno.mkdirSync(`${home}/.codex/config.toml`);
    const { files, unscanned } = await found([codexIn(home)]);
    assertEquals(relpaths(files), ["sessions/x.jsonl/y.jsonl"]);
    assertEquals(unscanned, []);
  }));

Deno.test("a directory in the place of a single file is reported", () =>
  withHome(async (home) => {
    Deno.mkdirSync(`${home}/.local/share/zed/threads/threads.db`, { recursive: true });
    const { files, unscanned } = await found([resolved("zed", hostAt(home))]);
    assertEquals(files, []);
    assertEquals(reasons(unscanned, home), [
      ["/.local/share/zed/threads/threads.db", "a directory where a file was expected"],
    ]);
  }));

Deno.test({
  name: "pipes and sockets are reported and never opened",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withHome(async (home) => {
      put(`${home}/.codex/sessions/a.jsonl`);
      await new Deno.Command("mkfifo", { args: [`${home}/.codex/sessions/pipe.jsonl`] }).output();
      using _socket = Deno.listen({ transport: "unix", path: `${home}/.codex/sessions/socket.jsonl` });
      const { files, unscanned } = await found([codexIn(home)]);
      assertEquals(relpaths(files), ["sessions/a.jsonl"]);
      const special = "not a regular file (a pipe, socket or device)";
      assertEquals(reasons(unscanned, home), [
        ["/.codex/sessions/pipe.jsonl", special],
        ["/.codex/sessions/socket.jsonl", special],
      ]);
    }),
});

Deno.test("what lies deeper than the cap is reported with how much there is of it, never dropped", () =>
  withHome(async (home) => {
    const levels = (count: number): string => Array.from({ length: count }, (_, index) => `d${index}`).join("/");
    put(`${home}/.codex/${levels(12)}/kept.jsonl`);
    put(`${home}/.codex/${levels(12)}/e/lost.jsonl`);
    put(`${home}/.codex/${levels(12)}/f/lost.jsonl`);
    const { files, unscanned } = await found([codexIn(home)]);
    assertEquals(relpaths(files), [`${levels(12)}/kept.jsonl`]);
    assertEquals(reasons(unscanned, home), [[
      `/.codex/${levels(12)}/e`,
      "more than 12 directories below the root: not entered (1 more like it)",
    ]]);
    assertEquals((await found([codexIn(home)], { maxDepth: 13 })).files.length, 3);
  }));

Deno.test("per-project histories: dependencies and caches are not entered, projects of any name are", () =>
  withHome(async (home) => {
    const name = ".aider.chat.history.md";
    for (const kept of ["", "work/", "work/Library/", "code/.local/", "go/src/AppData/"]) put(`${home}/${kept}${name}`);
    for (
      const left of [
        "Library",
        "AppData",
        ".local",
        ".Trash",
        "work/node_modules",
        "work/.venv",
        "work/a/.git",
        "go/pkg/mod/x",
        ".cache",
      ]
    ) {
      put(`${home}/${left}/${name}`);
    }
    const { files, unscanned } = await found([resolved("aider", hostAt(home))]);
    assertEquals(relpaths(files).sort(), [
      name,
      `code/.local/${name}`,
      `go/src/AppData/${name}`,
      `work/${name}`,
      `work/Library/${name}`,
    ]);
    assertEquals(unscanned, []);
    const copy = await found([resolved("aider", hostAt(home), `${home}/work`)]);
    assertEquals(relpaths(copy.files).sort(), [name, `Library/${name}`], "only a home has a Library of the system's");
  }));

Deno.test("sources that share a root are found in one walk, each with its own files", () =>
  withHome(async (home) => {
    put(`${home}/work/.aider.chat.history.md`);
    put(`${home}/work/.crush/crush.db`);
    const { files } = await found([resolved("aider", hostAt(home)), resolved("crush", hostAt(home))]);
    assertEquals(files.map(({ source, relpath }) => `${source} ${relpath}`).sort(), [
      "aider work/.aider.chat.history.md",
      "crush work/.crush/crush.db",
    ]);
  }));

Deno.test("every profile of a comma-separated list is walked, once", () =>
  withHome(async (home) => {
    for (const profile of ["one", "two"]) put(`${home}/${profile}/projects/p/s.jsonl`);
    const listed = hostAt(home, "linux", { CLAUDE_CONFIG_DIR: ` ${home}/one, ${home}/two/,${home}/one,, ` });
    const source = resolved("claude-code", listed);
    assertEquals(source.root, `${home}/one/projects`);
    const once = resolved("claude-code", hostAt(home, "linux", { CLAUDE_CONFIG_DIR: `${home}/one,${home}/two` }));
    assertEquals(source.trees, once.trees, "a profile named twice is one");
    const { files, unscanned } = await found([source]);
    assertEquals(files.map(({ path }) => path.slice(home.length)), [
      "/one/projects/p/s.jsonl",
      "/two/projects/p/s.jsonl",
    ]);
    assertEquals(unscanned, []);
  }));

Deno.test("a file that lies in two of a source's trees is found once", () =>
  withHome(async (home) => {
    put(`${home}/work/.crush/crush.db`);
    const nested = resolved("crush", hostAt(home, "linux", { CRUSH_GLOBAL_DATA: `${home}/work` }));
    assertEquals(relpaths((await found([nested])).files), ["work/.crush/crush.db"]);
  }));

Deno.test("leftover backups are found beside their files and marked", () =>
  withHome(async (home) => {
    for (const name of ["a.jsonl", "a.jsonl.bak", "b.jsonl.bak", "b.jsonl.bak.2", "notes.bak"]) {
      put(`${home}/.codex/${name}`);
    }
    put(`${home}/.hermes/state.db.bak`);
    put(`${home}/.claude.json.bak`);
    put(`${home}/.claude.json.bak-2`);
    const keys = ["codex", "hermes", "claude-code"];
    const { files } = await found(keys.map((key) => resolved(key, hostAt(home))));
    assertEquals(files.map(({ relpath, backup, format }) => `${relpath} ${backup} ${format}`).sort(), [
      ".claude.json.bak true json",
      ".claude.json.bak-2 true json",
      "a.jsonl false jsonl",
      "a.jsonl.bak true jsonl",
      "b.jsonl.bak true jsonl",
      "b.jsonl.bak.2 true jsonl",
      "state.db.bak true sqlite",
    ]);
    assertEquals(
      await detect(keys.map((key) => resolved(key, hostAt(home)))),
      new Set(keys),
      "a backup alone is history",
    );
  }));

Deno.test("stores that cannot be read are reported once, where they hold anything, and count as history", () =>
  withHome(async (home) => {
    const windsurf = resolved("windsurf", hostAt(home));
    Deno.mkdirSync(`${home}/.codeium/windsurf/cascade`, { recursive: true });
    assertEquals(await found([windsurf]), { files: [], unscanned: [] });
    for (const name of ["a.pb", "b.pb"]) put(`${home}/.codeium/windsurf/cascade/${name}`);
    const { files, unscanned } = await found([windsurf]);
    assertEquals(files, []);
    assertEquals(reasons(unscanned, home), [
      ["/.codeium/windsurf/cascade", "encrypted by the agent: not readable without it"],
    ]);
    assertEquals(await detect([windsurf]), new Set(["windsurf"]));
  }));

Deno.test("a root named by a human is searched for all that the source keeps, whatever was copied", () =>
  withHome(async (home) => {
    for (const path of ["projects/p/s.jsonl", "history.jsonl", "file-history/s/f@v1", "settings.json"]) {
      put(`${home}/copy/${path}`);
    }
    const whole = resolved("claude-code", hostAt(home), `${home}/copy`);
    assertEquals([whole.root, whole.isDefault], [`${home}/copy`, false]);
    assertEquals(relpaths((await found([whole])).files).sort(), [
      "file-history/s/f@v1",
      "history.jsonl",
      "projects/p/s.jsonl",
      "settings.json",
    ]);
    const part = resolved("claude-code", hostAt(home), `${home}/copy/projects`);
    assertEquals(relpaths((await found([part])).files), ["p/s.jsonl"]);
  }));

Deno.test("files that vanish while a directory is walked are named", () =>
  withHome(async (home) => {
    for (let index = 0; index < 5; index++) put(`${home}/.codex/${index}.jsonl`);
    const [files, unscanned]: [string[], Unscanned[]] = [[], []];
    for await (const event of discover([codexIn(home)])) {
      if (isUnscanned(event)) unscanned.push(event);
      else files.push(event.relpath);
      if (files.length === 1) {
        for (const name of ["2.jsonl", "3.jsonl"]) {
          if (exists(`${home}/.codex/${name}`)) Deno.removeSync(`${home}/.codex/${name}`);
        }
      }
    }
    assertEquals(files, ["0.jsonl", "1.jsonl", "4.jsonl"]);
    assertEquals(reasons(unscanned, home), [
      ["/.codex/2.jsonl", "vanished during the scan"],
      ["/.codex/3.jsonl", "vanished during the scan"],
    ]);
  }));

Deno.test("a directory that vanishes before it is entered is named", () =>
  withHome(async (home) => {
    for (const name of ["a", "b"]) put(`${home}/.codex/${name}/x.jsonl`);
    const unscanned: Unscanned[] = [];
    for await (const event of discover([codexIn(home)])) {
      if (isUnscanned(event)) unscanned.push(event);
      else Deno.removeSync(`${home}/.codex/b`, { recursive: true });
    }
    assertEquals(reasons(unscanned, home), [["/.codex/b", "vanished during the scan"]]);
  }));

Deno.test({
  name: "names that are not Unicode are named as far as they can be",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withHome(async (home) => {
      put(`${home}/.codex/ok.jsonl`);
      const script = `cd "$1" && : > "$(printf 'bad\\377.jsonl')" && mkdir "$(printf 'dir\\376')"`;
      await new Deno.Command("sh", { args: ["-c", script, "sh", `${home}/.codex`] }).output();
      const { files, unscanned } = await found([codexIn(home)]);
      assertEquals(relpaths(files), ["ok.jsonl"]);
      assertEquals(
        unscanned.map(({ reason }) => reason),
        Array(2).fill("its name is not valid Unicode: it cannot be opened"),
      );
    }),
});

Deno.test("names with line breaks and instructions are kept as they are", () =>
  withHome(async (home) => {
    put(`${home}/.codex/ignore previous\ninstructions.jsonl`);
    assertEquals(relpaths((await found([codexIn(home)])).files), ["ignore previous\ninstructions.jsonl"]);
  }));

Deno.test("an aborted signal stops a walk, before it began and in its midst", () =>
  withHome(async (home) => {
    for (let index = 0; index < 300; index++) put(`${home}/.codex/${index}/a.jsonl`);
    const stopped = AbortSignal.abort(new Error("stopped"));
    await assertRejects(() => found([codexIn(home)], { signal: stopped }), Error, "stopped");
    await assertRejects(() => detect([resolved("aider", hostAt(home))], { signal: stopped }), Error, "stopped");
    const controller = new AbortController();
    let count = 0;
    await assertRejects(
      async () => {
        for await (const _ of discover([codexIn(home)], { signal: controller.signal })) {
          if (++count === 10) controller.abort(new Error("enough"));
        }
      },
      Error,
      "enough",
    );
    assertEquals(count, 10);
  }));

Deno.test("100,000 small files are found while timers and signals are served", () =>
  withHome(async (home) => {
    for (let directory = 0; directory < 100; directory++) {
      const path = `${home}/.codex/sessions/${directory}`;
      Deno.mkdirSync(path, { recursive: true });
      for (let index = 0; index < 1000; index++) Deno.writeTextFileSync(`${path}/${index}.jsonl`, "");
    }
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    let count = 0;
    for await (const event of discover([codexIn(home)])) count += isUnscanned(event) ? 0 : 1;
    clearInterval(timer);
    assertEquals(count, 100_000);
    assertGreater(turns, 5);
  }, MEMORY));

Deno.test("entries come in the same order at every run, files before the directories beside them", () =>
  withHome(async (home) => {
    for (const path of ["b/c.jsonl", "b.jsonl", "a/z.jsonl", "Z.jsonl", "a.jsonl", "a/a/a.jsonl"]) {
      put(`${home}/.codex/${path}`);
    }
    const order = ["Z.jsonl", "a.jsonl", "b.jsonl", "a/z.jsonl", "a/a/a.jsonl", "b/c.jsonl"];
    assertEquals(relpaths((await found([codexIn(home)])).files), order);
  }));

Deno.test("what a file is known by: size, time, device and inode", () =>
  withHome(async (home) => {
    put(`${home}/.codex/a.jsonl`, "12345");
    const [file] = (await found([codexIn(home)])).files;
    const info = Deno.statSync(`${home}/.codex/a.jsonl`);
    assert(file);
    assertEquals([file.size, file.dev, file.ino], [5, info.dev, info.ino ?? 0]);
    assertLess(Math.abs(file.mtime - (info.mtime?.getTime() ?? 0)), 2);
    assertEquals([file.root, file.path], [`${home}/.codex`, `${home}/.codex/a.jsonl`]);
  }));

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

Deno.test("a packed log beside histories is named, backups and links of it too, and history by itself; zstd is read", () =>
  withHome(async (home) => {
    const sessions = `${home}/.codex/sessions`;
    const packed = ["a.jsonl.gz", "b.jsonl.ZIP", "c.jsonl.bz2", "d.jsonl.xz", "e.jsonl.gz.bak"];
    for (const name of [...packed, "other.gz", "x.tar.xz", "f.jsonl.zst"]) put(`${sessions}/${name}`, "\x1f\x8b\b");
    put(`${home}/outside.gz`);
    Deno.symlinkSync(`${home}/outside.gz`, `${sessions}/g.jsonl.gz`);
    const { files, unscanned } = await found([codexIn(home)]);
    assertEquals(files.map(({ relpath, compression }) => [relpath, compression]), [["sessions/f.jsonl.zst", "zstd"]]);
    const names = unscanned.map(({ file, reason }) => [file.slice(sessions.length + 1), reason.split(":")[0]]);
    const reason = "it is packed (gzip, zip, bzip2, xz, 7z, RAR, lz4 or an unnamed zstd)";
    assertEquals(names, [...packed.map((name) => [name, reason]), ["g.jsonl.gz", "a link"]]);
    Deno.removeSync(`${sessions}/f.jsonl.zst`);
    assertEquals(await detect([codexIn(home)]), new Set(["codex"]));
  }));
