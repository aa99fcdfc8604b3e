import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { createTrackingLookup, parseIndex, type Tracking } from "../../src/reclaim/git.ts";
import { unixTest } from "../support/system.ts";
import { command, plant, withDir } from "../support/tree.ts";

/** Git in `dir`, as a user of the tests. */
function git(dir: string, ...args: string[]): string {
  const settings = ["user.name=t", "user.email=t@t", "protocol.file.allow=always", "init.defaultBranch=main"];
  return command("git", [...settings.flatMap((setting) => ["-c", setting]), ...args], dir);
}

/** A repository at `dir` that tracks two files in `dist`, one deep in `build`, and ignores `node_modules`. */
function plantRepository(dir: string, ...options: string[]): string {
  plant(dir, {
    "dist/a.js": "a",
    "dist/b.js": "b",
    "build/x/y/z.js": "z",
    "node_modules/dep/index.js": "",
    "distant.js": "",
    ".gitignore": "node_modules\n",
  });
  git(dir, "init", "-q", ...options);
  git(dir, "add", ".");
  return dir;
}

function tracking(dir: string, ...below: string[]): Tracking {
  return createTrackingLookup(dir)(join(dir, ...below));
}

function assertTracks(dir: string): void {
  assertEquals(tracking(dir, "dist"), { kind: "tracked", repository: dir, files: 2 });
  assertEquals(tracking(dir, "build"), { kind: "tracked", repository: dir, files: 1 });
  assertEquals(tracking(dir, "build", "x", "y"), { kind: "tracked", repository: dir, files: 1 });
  for (const untracked of ["node_modules", "dis", "distant.js", "build/x/y/z", "new"]) {
    assertEquals(tracking(dir, untracked), { kind: "untracked" }, untracked);
  }
}

function assertUnknown(answer: Tracking, why: string): void {
  if (answer.kind !== "unknown") throw new Error(`it is said to be ${answer.kind}`);
  assertStringIncludes(answer.why, why);
}

Deno.test("an index of version 2 says what is tracked", () =>
  withDir((dir) => {
    plantRepository(dir);
    assertEquals(Deno.readFileSync(join(dir, ".git", "index"))[7], 2);
    assertTracks(dir);
  }));

Deno.test("an index of version 3 with intent-to-add and skip-worktree entries says what is tracked", () =>
  withDir((dir) => {
    plantRepository(dir);
    plant(dir, { "out/new.js": "" });
    git(dir, "add", "-N", "out/new.js");
    git(dir, "update-index", "--skip-worktree", "dist/a.js");
    assertEquals(Deno.readFileSync(join(dir, ".git", "index"))[7], 3);
    assertTracks(dir);
    assertEquals(tracking(dir, "out").kind, "tracked");
  }));

Deno.test("an index of version 4 with shortened paths says what is tracked", () =>
  withDir((dir) => {
    plantRepository(dir);
    // A prefix of more than 127 bytes makes the shortening take two bytes.
    plant(dir, { [`long/${"l".repeat(200)}/deep/a.js`]: "", "m/a.js": "" });
    git(dir, "add", ".");
    git(dir, "update-index", "--index-version", "4");
    assertEquals(Deno.readFileSync(join(dir, ".git", "index"))[7], 4);
    assertTracks(dir);
    assertEquals(tracking(dir, "long").kind, "tracked");
    assertEquals(tracking(dir, "m").kind, "tracked");
  }));

Deno.test("the index names the very files that git names, in each version", () =>
  withDir((dir) => {
    const files = Array.from({ length: 300 }, (_, n) => `p${n % 7}/q${n % 11}/${"n".repeat(n % 90)}${n}é.txt`);
    plant(dir, Object.fromEntries(files.map((file) => [file, ""])));
    git(dir, "init", "-q");
    git(dir, "add", ".");
    const said = git(dir, "-c", "core.quotePath=false", "ls-files", "-z").split("\0").filter((name) => name !== "");
    for (const version of ["2", "4"]) {
      git(dir, "update-index", "--index-version", version);
      assertEquals([...parseIndex(Deno.readFileSync(join(dir, ".git", "index")), 20)], said);
    }
  }));

Deno.test("a file counts as tracked when it was staged for the first time or deleted from the disk", () =>
  withDir((dir) => {
    plantRepository(dir);
    git(dir, "commit", "-qm", "all");
    Deno.removeSync(join(dir, "dist", "a.js"));
    assertTracks(dir);
    git(dir, "rm", "-rq", "--cached", "dist");
    assertEquals(tracking(dir, "dist"), { kind: "untracked" });
  }));

Deno.test("a split index is not guessed at", () =>
  withDir((dir) => {
    plantRepository(dir);
    git(dir, "update-index", "--split-index");
    assertUnknown(tracking(dir, "dist"), "split");
    assertUnknown(tracking(dir, "node_modules"), "split");
  }));

Deno.test("a sparse index stands for all below the folders that it names", () =>
  withDir((dir) => {
    plantRepository(dir);
    git(dir, "commit", "-qm", "all");
    git(dir, "sparse-checkout", "set", "--cone", "--sparse-index", "dist");
    const index = new TextDecoder().decode(Deno.readFileSync(join(dir, ".git", "index")));
    assertStringIncludes(index, "sdir");
    assertEquals(tracking(dir, "dist").kind, "tracked");
    assertEquals(tracking(dir, "build").kind, "tracked");
    assertEquals(tracking(dir, "build", "x", "y").kind, "tracked");
    assertEquals(tracking(dir, "buil").kind, "untracked");
  }));

Deno.test("a repository with SHA-256 names says what is tracked", () =>
  withDir((dir) => {
    plantRepository(dir, "--object-format=sha256");
    assertTracks(dir);
  }));

Deno.test("a worktree has an index of its own", () =>
  withDir((dir) => {
    const main = plantRepository(join(dir, "main"));
    git(main, "commit", "-qm", "all");
    git(main, "worktree", "add", "-q", join(dir, "tree"));
    git(join(dir, "tree"), "rm", "-rq", "--cached", "build");
    assertEquals(tracking(join(dir, "tree"), "dist").kind, "tracked");
    assertEquals(tracking(join(dir, "tree"), "build").kind, "untracked");
    assertTracks(main);
  }));

Deno.test("a worktree of a SHA-256 repository is read by its common configuration", () =>
  withDir((dir) => {
    const main = plantRepository(join(dir, "main"), "--object-format=sha256");
    git(main, "commit", "-qm", "all");
    git(main, "worktree", "add", "-q", join(dir, "tree"));
    assertTracks(join(dir, "tree"));
  }));

Deno.test("a submodule answers for its own files", () =>
  withDir((dir) => {
    const library = plantRepository(join(dir, "library"));
    git(library, "commit", "-qm", "all");
    const main = plantRepository(join(dir, "main"));
    git(main, "submodule", "--quiet", "add", library, "sub");
    const answer = createTrackingLookup(main)(join(main, "sub", "dist"));
    assertEquals(answer, { kind: "tracked", repository: join(main, "sub"), files: 2 });
    assertEquals(createTrackingLookup(main)(join(main, "sub", "node_modules")).kind, "untracked");
  }));

Deno.test("a repository without an index tracks nothing, and no repository neither", () =>
  withDir((dir) => {
    plant(dir, { "dist/a.js": "" });
    assertEquals(tracking(dir, "dist").kind, "untracked");
    git(dir, "init", "-q");
    assertEquals(tracking(dir, "dist").kind, "untracked");
  }));

Deno.test("a folder called .git without a HEAD is no repository, and the one above counts", () =>
  withDir((dir) => {
    plantRepository(dir);
    plant(dir, { "build/.git/notes": "", "build/x/.git/": "" });
    assertEquals(tracking(dir, "build", "x", "y"), { kind: "tracked", repository: dir, files: 1 });
  }));

Deno.test("a repository above the root counts where it can be read", () =>
  withDir((dir) => {
    plantRepository(dir);
    const answer = createTrackingLookup(join(dir, "build"))(join(dir, "build", "x"));
    assertEquals(answer, { kind: "tracked", repository: dir, files: 1 });
  }));

Deno.test("an index that is damaged anywhere is not guessed at", () =>
  withDir((dir) => {
    plantRepository(dir);
    const path = join(dir, ".git", "index");
    const whole = Deno.readFileSync(path);
    for (let at = 0; at < whole.length; at += 7) {
      const damaged = whole.slice();
      damaged[at]! ^= 0x41;
      Deno.writeFileSync(path, damaged);
      assertEquals(tracking(dir, "dist").kind, "unknown", `byte ${at}`);
    }
    for (let length = 0; length < whole.length; length += 13) {
      Deno.writeFileSync(path, whole.subarray(0, length));
      assertEquals(tracking(dir, "dist").kind, "unknown", `${length} bytes`);
    }
    Deno.writeTextFileSync(path, "no index");
    assertUnknown(tracking(dir, "dist"), "damaged");
  }));

Deno.test("an index written without a checksum is read all the same", () =>
  withDir((dir) => {
    plantRepository(dir);
    const path = join(dir, ".git", "index");
    Deno.writeFileSync(path, Deno.readFileSync(path).fill(0, -20));
    assertTracks(dir);
  }));

Deno.test("an index of a future version is not guessed at", () =>
  withDir((dir) => {
    plantRepository(dir);
    const bytes = Deno.readFileSync(join(dir, ".git", "index")).fill(0, -20);
    bytes[7] = 5;
    assertStringIncludes(assertThrows(() => [...parseIndex(bytes, 20)], RangeError).message, "version 5");
  }));

Deno.test("a .git file that names nothing readable leaves it unknown", () =>
  withDir((dir) => {
    plant(dir, { "dist/": "", ".git": "gitdir: nowhere\n" });
    assertUnknown(tracking(dir, "dist"), "names no repository");
    for (const text of ["", "gitdir:", "something else", "\0".repeat(100), "gitdir: a\nb\n"]) {
      Deno.writeTextFileSync(join(dir, ".git"), text);
      assertUnknown(tracking(dir, "dist"), "git");
    }
  }));

unixTest("pipes in place of git's files neither hang nor hide what is tracked", () =>
  withDir((dir) => {
    plantRepository(dir);
    for (const name of ["index", "config"]) {
      const path = join(dir, ".git", name);
      Deno.renameSync(path, `${path}.aside`);
      command("mkfifo", [path]);
      assertUnknown(tracking(dir, "dist"), "not a file");
      Deno.removeSync(path);
      Deno.renameSync(`${path}.aside`, path);
    }
    assertTracks(dir);
  }));

unixTest("an index too large to be one is not read into memory", () =>
  withDir((dir) => {
    plantRepository(dir);
    Deno.truncateSync(join(dir, ".git", "index"), 2 ** 40);
    assertUnknown(tracking(dir, "dist"), "too large");
  }));

unixTest("a link called .git is followed as git follows it", () =>
  withDir((dir) => {
    plantRepository(dir);
    Deno.renameSync(join(dir, ".git"), join(dir, "elsewhere"));
    Deno.symlinkSync("elsewhere", join(dir, ".git"));
    assertTracks(dir);
  }));

Deno.test("names with a newline and with every kind of letter are told apart", () =>
  withDir((dir) => {
    const name = Deno.build.os === "windows" ? "ünï" : "ün\nï";
    plant(dir, { [`${name}/a.js`]: "" });
    git(dir, "init", "-q");
    git(dir, "add", ".");
    assertEquals(tracking(dir, name).kind, "tracked");
    assertEquals(tracking(dir, name.toUpperCase()).kind, Deno.build.os === "linux" ? "untracked" : "tracked");
  }));

Deno.test("each index is read once for all directories below it", () =>
  withDir((dir) => {
    plantRepository(dir);
    const lookup = createTrackingLookup(dir);
    assertEquals(lookup(join(dir, "dist")).kind, "tracked");
    Deno.removeSync(join(dir, ".git", "index"));
    assert(lookup(join(dir, "build")).kind === "tracked");
  }));

Deno.test("attack: a tracked folder whose name begins with a byte order mark", () =>
  withDir((dir) => {
    plant(dir, { "\ufeffproject/dist/a.js": "" });
    git(dir, "init", "-q");
    git(dir, "add", ".");
    assertEquals(tracking(dir, "\ufeffproject", "dist").kind, "tracked");
  }));

Deno.test("attack: a repository whose working tree begins above it", () =>
  withDir((dir) => {
    plant(dir, { "meta/project/dist/a.js": "", "meta/project/out/": "" });
    const project = join(dir, "meta", "project");
    git(project, "init", "-q");
    for (const said of ["../..", `"../../" ; above`, join(dir, "meta")]) {
      const version = "repositoryformatversion = 0";
      Deno.writeTextFileSync(join(project, ".git", "config"), `[core]\n\t${version}\n[Core] worktree = ${said}\n`);
      git(project, "add", "-f", ".");
      assertEquals(tracking(project, "dist").kind, "tracked", said);
      assertEquals(tracking(project, "out").kind, "untracked", said);
    }
  }));

Deno.test("attack: a repository whose working tree is elsewhere, or is the find itself", () =>
  withDir((dir) => {
    plant(dir, { "other/": "", "project/dist/a.js": "" });
    const project = join(dir, "project");
    git(project, "init", "-q");
    for (const worktree of ["../../other", "../dist", "../dist/deep"]) {
      git(project, "config", "core.worktree", worktree);
      assertUnknown(tracking(project, "dist"), "working tree is elsewhere");
    }
  }));

Deno.test("a working tree that its own configuration names is no other", () =>
  withDir((dir) => {
    plantRepository(dir);
    git(dir, "config", "core.worktree", dir);
    assertTracks(dir);
    git(dir, "config", "--unset", "core.worktree");
    git(dir, "config", "extensions.worktreeConfig", "true");
    git(dir, "config", "--worktree", "core.worktree", "../");
    assertTracks(dir);
  }));

Deno.test("attack: tracked files in a folder of other capitals, where the repository says that case is ignored", () =>
  withDir((dir) => {
    plantRepository(dir);
    git(dir, "config", "core.ignorecase", "true");
    assertEquals(tracking(dir, "Dist"), { kind: "tracked", repository: dir, files: 2 });
  }));

Deno.test("an index that was read is read again once it changed", () =>
  withDir((dir) => {
    plantRepository(dir);
    const [cache, index] = [new Map(), join(dir, ".git", "index")];
    const look = (name: string) => createTrackingLookup(dir, () => true, cache)(join(dir, name)).kind;
    assertEquals([look("dist"), look("new"), cache.size], ["tracked", "untracked", 0], "a young index is not kept");
    plant(dir, { "new/a.js": "" });
    git(dir, "add", "new");
    assertEquals(look("new"), "tracked");
    cache.set(index, { stamp: "of another file", folded: false, tracked: { counts: new Map(), sparse: [] } });
    assertEquals(look("new"), "tracked");
  }));

unixTest("attack: an index and a HEAD swapped for a pipe while they are read", () =>
  withDir(async (dir) => {
    plantRepository(dir);
    const [index, pipe, stash] = ["index", "pipe", "stash"].map((name) => join(dir, ".git", name)) as [
      string,
      string,
      string,
    ];
    command("mkfifo", [pipe]);
    const swapper = new Deno.Command("sh", {
      args: ["-c", 'while :; do mv "$0" "$2"; mv "$1" "$0"; mv "$0" "$1"; mv "$2" "$0"; done', index, pipe, stash],
      stderr: "null",
    }).spawn();
    try {
      for (const end = performance.now() + 2000; performance.now() < end;) tracking(dir, "dist");
    } finally {
      swapper.kill("SIGKILL");
      await swapper.status;
    }
  }));

Deno.test("attack: a repository put inside another one does not hide what the outer one tracks", () =>
  withDir((dir) => {
    plant(dir, { "app/dist/a.js": "", "app/src.js": "" });
    git(dir, "init", "-q");
    git(dir, "add", ".");
    const outer: Tracking = { kind: "tracked", repository: dir, files: 1 };
    assertEquals(tracking(dir, "app", "dist"), outer);
    const marker = join(dir, "app", ".git");
    plant(marker, { HEAD: "" });
    assertEquals(tracking(dir, "app", "dist"), outer, "an empty HEAD");
    Deno.removeSync(marker, { recursive: true });
    git(join(dir, "app"), "init", "-q");
    assertEquals(tracking(dir, "app", "dist"), outer, "a real repository");
    Deno.removeSync(marker, { recursive: true });
    plant(dir, { "empty/HEAD": "" });
    Deno.writeTextFileSync(marker, "gitdir: ../empty\n");
    assertEquals(tracking(dir, "app", "dist"), outer, "a file that names a folder with a HEAD");
    assertEquals(tracking(dir, "app", "other"), { kind: "untracked" });
  }));

Deno.test("attack: a repository whose index was removed does not count as one that tracks nothing", () =>
  withDir((dir) => {
    plantRepository(dir);
    const index = join(dir, ".git", "index");
    const kept = Deno.readFileSync(index);
    const remove = () => {
      Deno.removeSync(index);
      assertUnknown(tracking(dir, "dist"), "no index");
      Deno.writeFileSync(index, kept);
    };
    git(dir, "commit", "-qm", "x");
    remove();
    git(dir, "pack-refs", "--all");
    remove();
    git(dir, "checkout", "-q", "--detach");
    remove();
    // Before the first commit there may well be none.
    git(dir, "checkout", "-q", "--orphan", "new");
    Deno.removeSync(index);
    assertEquals(tracking(dir, "dist"), { kind: "untracked" });
  }));

/** An index of version 4 in which each of `count` paths is the last one and `added`. */
function growingIndex(count: number, added: string): Uint8Array<ArrayBuffer> {
  const entry = new Uint8Array(63 + added.length + 1);
  entry.set([0x0f, 0xff], 60);
  entry.set(new TextEncoder().encode(added), 63);
  const bytes = new Uint8Array(12 + count * entry.length + 20);
  bytes.set(new TextEncoder().encode("DIRC"));
  new DataView(bytes.buffer).setUint32(4, 4);
  new DataView(bytes.buffer).setUint32(8, count);
  for (let n = 0; n < count; n++) bytes.set(entry, 12 + n * entry.length);
  return bytes;
}

Deno.test("attack: a small index that unfolds into gigabytes of paths fills neither memory nor time", () =>
  withDir((dir) => {
    plant(dir, { "dist/": "", ".git/HEAD": "ref: refs/heads/main\n" });
    for (const added of ["a", "a/", `${"a".repeat(60)}/`]) {
      Deno.writeFileSync(join(dir, ".git", "index"), growingIndex(110_000, added));
      assertUnknown(tracking(dir, "dist"), "too long");
    }
    // As long and as deep as paths may be, and as many: what one has more than the last is all the work.
    Deno.writeFileSync(join(dir, ".git", "index"), growingIndex(2000, "a/"));
    assertEquals(tracking(dir, "a", "a"), { kind: "tracked", repository: dir, files: 1999 + 2 });
  }));
