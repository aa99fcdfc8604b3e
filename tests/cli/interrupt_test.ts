import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { createPool } from "../../src/engine/audit/pool.ts";
import { createBits } from "../../src/engine/audit/pieces.ts";
import { environment, onTerminal, program, withFolder, words } from "./_program.ts";

/** Within a second, as people see it; machines that run tests are busy with others. */
const SOON_MS = 1800;
const WORDS = "some ordinary words of a conversation about keys and tokens ".repeat(16);
const SECRET = "glpat" + "-" + "Qm3xR7vT2kLs9WzYb4Nc";

/** Makes a file of the session folder of Codex in `root`, which rested for an hour. */
async function writeSession(root: string, name: string, parts: Iterable<string>): Promise<string> {
  const path = join(root, "sessions", `rollout-${name}.jsonl`);
  await Deno.mkdir(dirname(path), { recursive: true });
  using file = await Deno.open(path, { write: true, createNew: true });
  const encoder = new TextEncoder();
  for (const part of parts) {
    const bytes = encoder.encode(part);
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
  }
  const then = new Date(Date.now() - 3_600_000);
  await Deno.utime(path, then, then);
  return path;
}

/** One line of `megabytes`. */
function* longLine(megabytes: number): Generator<string> {
  yield `{"content":"${SECRET} `;
  const part = WORDS.repeat(Math.ceil(1e6 / WORDS.length));
  for (let count = 0; count < megabytes; count++) yield part;
  yield '"}\n';
}

/** Starts the program and sends `signal` after `delay` milliseconds; how it ended and how long it took to. */
async function interrupted(args: string[], home: string, delay: number, signal: Deno.Signal = "SIGINT") {
  const [command, ...rest] = words(args);
  const child = new Deno.Command(command!, { args: rest, env: environment(home), stdout: "piped", stderr: "piped" })
    .spawn();
  const output = child.output();
  await new Promise((resolve) => setTimeout(resolve, delay));
  const began = performance.now();
  try {
    child.kill(signal);
  } catch {
    // It has ended already.
  }
  const { code, stdout, stderr } = await output;
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr), ms: performance.now() - began };
}

function namesIn(folder: string): string[] {
  return Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
}

const hash = async (path: string) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(path))).toHex();

/** Windows sends no such signal to a single process. */
function onUnix(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore: Deno.build.os === "windows", fn });
}

Deno.test("a pool that was stopped starts no worker, not even to mask names", () =>
  withFolder(async (root) => {
    const path = await writeSession(root, "long", longLine(40));
    const { size, mtime, dev, ino } = await Deno.lstat(path);
    const setup = { key: new Uint8Array(32), pieces: createBits() };
    const file = { source: "codex", path, root, relpath: "x", format: "jsonl", backup: false, size, dev } as const;
    const pool = createPool({ setup, readOnly: null, workers: 2 });
    const scan = pool.scan({
      file: { ...file, ino: ino ?? 0, mtime: mtime?.getTime() ?? 0, ctime: 0 },
      ignoreFiles: [],
      resume: null,
    });
    const real = globalThis.Worker;
    let started = 0;
    globalThis.Worker = class extends real {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        started++;
      }
    };
    try {
      const began = performance.now();
      // The worker is still compiling its rules, and so does not see the stop.
      pool.stop();
      const scanned = await scan;
      const names = await pool.scrub(["name"]);
      assert(performance.now() - began < SOON_MS);
      assertEquals(started, 0);
      assert(
        scanned === null ? names === null : names?.[0] === "name",
        "masked by a worker that was there, or not at all",
      );
    } finally {
      globalThis.Worker = real;
      pool.end();
    }
  }));

for (const [what, files] of [["36 files", 36], ["one long line", 1]] as const) {
  onUnix(`Ctrl-C ends a scan of ${what} within a second, wherever it is`, () =>
    withFolder(async (home) => {
      const line = `{"content":"${WORDS}"}\n`;
      const root = join(home, ".codex");
      for (let index = 0; index < files; index++) {
        if (files === 1) await writeSession(root, "long", longLine(200));
        else await writeSession(root, `${index}`, [`{"content":"${SECRET}"}\n`, line.repeat(5000)]);
      }
      const json = join(home, "out.json");
      const html = join(home, "out.html");
      const forms = [["--json"], [], ["--json", "-o", json, "--html", html], ["--sarif"]];
      let interruptions = 0;
      for (const [index, delay] of [500, 800, 1100, 1500].entries()) {
        const signal = index === 3 ? "SIGTERM" : "SIGINT";
        const ended = await interrupted(["scan", "--source", "codex", ...forms[index]!], home, delay, signal);
        // Before the program could listen the system itself ends it.
        const isEarly = ended.stdout === "" && ended.stderr === "" && ended.code > 128;
        if (ended.code === 1) { // a machine so fast that the scan came to its end
          assert(!ended.stderr.includes("ended by Ctrl-C"), ended.stderr);
          assertEquals(namesIn(home), index === 2 ? [".codex", "out.html", "out.json"] : [".codex"]);
          if (index !== 1) JSON.parse(index === 2 ? await Deno.readTextFile(json) : ended.stdout);
          break;
        }
        interruptions++;
        assert(ended.code === 130 || isEarly && ended.code === 143, `${delay}: ${ended.code} ${ended.stderr}`);
        assert(ended.ms < SOON_MS, `${delay}: ${ended.ms} ms`);
        assert(!ended.stdout.includes(SECRET.slice(8, 16)) && !ended.stderr.includes(SECRET.slice(8, 16)));
        assertEquals(namesIn(home), [".codex"], "a file is written by a scan that came to its end alone");
        if (!isEarly && index === 0) assert(Array.isArray(JSON.parse(ended.stdout)), "all of the JSON");
        if (!isEarly) assertStringIncludes(ended.stderr, "ended by Ctrl-C");
      }
      assert(interruptions > 0);
    }));
}

onUnix(
  "Ctrl-C ends fix and undo of one long line within a second, and the file is the old or the new one",
  () =>
    withFolder(async (folder) => {
      const [home, root] = [join(folder, "home"), join(folder, "copy")];
      await Deno.mkdir(home);
      const path = await writeSession(root, "long", longLine(24));
      const old = await hash(path);
      const fix = ["fix", "--source", "codex", "--root", root, "--yes", "--force"];
      for (const delay of [700, 1400, 2100]) {
        const { code, ms, stderr } = await interrupted(fix, home, delay);
        assert(ms < SOON_MS, `${delay}: ${ms} ms`);
        if (code === 0) break; // a machine so fast that all of it was done
        assertEquals(code, 130, stderr);
        const isOld = await hash(path) === old;
        const names = namesIn(dirname(path)).map((name) => name.slice("rollout-long".length));
        assertEquals(names, isOld ? [".jsonl"] : [".jsonl", ".jsonl.bak"], `${delay}: nothing half written`);
        if (!isOld) break;
      }
      await program(fix, { home });
      const redacted = await hash(path);
      assert(redacted !== old);
      for (const delay of [600, 800]) {
        const { code, ms } = await interrupted(["undo", "--source", "codex", "--root", root, "--yes"], home, delay);
        assert(ms < SOON_MS, `${delay}: ${ms} ms`);
        const isBack = namesIn(dirname(path)).length === 1;
        assertEquals(await hash(path), isBack ? old : redacted);
        if (isBack) break;
        assertEquals(code, 130);
      }
    }),
);

onUnix("Ctrl-C ends fix of a database within a second, and leaves no copy of it", () =>
  withFolder(async (folder) => {
    const [home, root] = [join(folder, "home"), join(folder, "copy")];
    await Deno.mkdir(home);
    const path = join(root, "opencode.db");
    await Deno.mkdir(root);
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE message (id INTEGER PRIMARY KEY, data TEXT)");
    const insert = database.prepare("INSERT INTO message (data) VALUES (?)");
    database.exec("BEGIN");
    for (let row = 0; row < 15_000; row++) insert.run(JSON.stringify({ text: `${row % 50 ? "" : SECRET} ${WORDS}` }));
    database.exec("COMMIT");
    database.close();
    const then = new Date(Date.now() - 3_600_000);
    await Deno.utime(path, then, then);
    const old = await hash(path);
    let ended = 0;
    for (const delay of [500, 800, 1300, 1800]) {
      const args = ["fix", "--source", "opencode", "--root", root, "--yes", "--force"];
      const { code, ms, stdout, stderr } = await interrupted(args, home, delay);
      assert(ms < SOON_MS, `${delay}: ${ms} ms`);
      if (code === 0) break;
      assertEquals(code, 130, stdout + stderr);
      ended++;
      if (await hash(path) !== old) break;
      assertEquals(namesIn(root), ["opencode.db"], `${delay}`);
    }
    assert(ended > 0);
  }));

onUnix("Ctrl-C at a question changes nothing, and the terminal is as it was", () =>
  withFolder(async (folder) => {
    if (Deno.build.os !== "linux") return; // `script` takes other arguments elsewhere
    const [home, root, code] = [join(folder, "home"), join(folder, "copy"), join(folder, "code", "shop")];
    await Deno.mkdir(join(code, "node_modules"), { recursive: true });
    await Deno.writeTextFile(join(code, "package.json"), "{}");
    await Deno.writeTextFile(join(code, "node_modules", "a.js"), "x");
    await Deno.mkdir(home);
    const path = await writeSession(root, "one", [`{"content":"${SECRET}"}\n`]);
    const named = ["--source", "codex", "--root", root];
    const questions: [string[], RegExp][] = [
      [["fix", ...named], /Type REDACT: /],
      [["undo", ...named], /Type UNDO: /],
      [["purge", ...named], /Type PURGE: /],
      [["sweep", dirname(code), "--delete"], /Which ones\?/],
    ];
    for (const [args, when] of questions) {
      if (args[0] === "undo") await program(["fix", ...named, "--yes"], { home });
      const before = [namesIn(dirname(path)), await hash(path), namesIn(code)];
      const { shown, code: exit, ms } = await onTerminal(args, { home, answers: "\x03", when });
      assertEquals(exit, 130, shown);
      assert(ms < SOON_MS, `${args[0]}: ${ms} ms`);
      assertEquals([namesIn(dirname(path)), await hash(path), namesIn(code)], before);
      assertRestored(shown);
    }
  }));

onUnix("Ctrl-C under a progress bar takes the bar away", () =>
  withFolder(async (home) => {
    if (Deno.build.os !== "linux") return;
    const line = `{"content":"${WORDS}"}\n`;
    for (let index = 0; index < 36; index++) await writeSession(join(home, ".codex"), `${index}`, [line.repeat(5000)]);
    const { shown, code, ms } = await onTerminal(["scan", "--source", "codex"], {
      home,
      answers: "\x03",
      when: /scanning \[/,
      env: { NO_COLOR: "" },
    });
    assertEquals(code, 130);
    assert(ms < SOON_MS, `${ms} ms`);
    assertRestored(shown);
    // deno-lint-ignore no-control-regex
    const report = /^(\x1b\[33m)?\d+ findings?/;
    assertMatch(
      shown.slice(shown.lastIndexOf("\r\x1b[K") + 4),
      report,
      "the report where the bar was",
    );
  }));

/** Checks that no colour is left on, the cursor was never hidden, and what comes next stands on a line of its own. */
function assertRestored(shown: string): void {
  assert(!shown.includes("\x1b[?25l"));
  // deno-lint-ignore no-control-regex
  const marks = [...shown.matchAll(/\x1b\[(\d*)m/g)].map(([, code]) => code);
  assert(marks.length === 0 || marks.at(-1) === "0", `${marks}`);
  assert(shown.endsWith("\n"), JSON.stringify(shown.slice(-40)));
}

onUnix("Ctrl-C ends a sweep of a large tree within a second", () =>
  withFolder(async (folder) => {
    for (let index = 0; index < 150; index++) {
      const modules = join(folder, "code", `${index}`, "node_modules");
      for (let inner = 0; inner < 40; inner++) Deno.mkdirSync(join(modules, `${inner}`, "lib"), { recursive: true });
      Deno.writeTextFileSync(join(folder, "code", `${index}`, "package.json"), "{}");
      for (let inner = 0; inner < 40; inner++) Deno.writeTextFileSync(join(modules, `${inner}`, "lib", "a.js"), "x");
    }
    const html = join(folder, "space.html");
    for (const delay of [400, 600, 800]) {
      const { code, ms, stdout } = await interrupted(["sweep", join(folder, "code"), "--html", html], folder, delay);
      assert(ms < SOON_MS, `${delay}: ${ms} ms`);
      assert(code === 130 || code === 0 && stdout !== "", `${code}`);
      const text = await Deno.readTextFile(html).catch(() => "</html>");
      assertStringIncludes(text.trimEnd().slice(-10), "</html>");
    }
  }));
