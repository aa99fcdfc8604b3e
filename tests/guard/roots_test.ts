import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { dirname, join } from "@std/path";
import { contain, containExactly, openRoots, Refusal, type RefusalCode } from "../../src/guard/mod.ts";
import { askUnprivileged } from "../support/child.ts";
import { unixTest } from "../support/system.ts";
import { plant, withDir } from "../support/tree.ts";

function assertRefused(run: () => unknown, code: RefusalCode, text: string): void {
  const refusal = assertThrows(run, Refusal);
  assertEquals(refusal.code, code, refusal.message);
  assertStringIncludes(refusal.message, text);
}

Deno.test("a root is opened by its one spelling, and twice the same is one", () =>
  withDir((dir) => {
    const roots = openRoots([dir, `${dir}/`, join(dir, ".")]);
    assertEquals(roots.map(({ path }) => path), [dir]);
  }));

Deno.test("overlapping roots both stay", () =>
  withDir((dir) => {
    plant(dir, { "inner/": "" });
    assertEquals(openRoots([dir, join(dir, "inner")]).length, 2);
  }));

Deno.test("a missing root, a relative root and a file as root are refused by name", () =>
  withDir((dir) => {
    plant(dir, { file: "" });
    assertRefused(() => openRoots([join(dir, "missing")]), "missing", join(dir, "missing"));
    assertRefused(() => openRoots(["code"]), "bad-path", "root code is a relative path");
    assertRefused(() => openRoots([`${dir}/../x`]), "bad-path", "..");
    assertRefused(() => openRoots([join(dir, "file")]), "not-a-directory", `root ${join(dir, "file")}`);
    assertRefused(() => openRoots([dir, join(dir, "missing")]), "missing", "missing");
  }));

unixTest("a link as root is refused, also one to a directory inside another root", () =>
  withDir((dir) => {
    plant(dir, { "real/": "" });
    Deno.symlinkSync(join(dir, "real"), join(dir, "link"));
    assertRefused(() => openRoots([join(dir, "link")]), "link", "is a link");
    assertRefused(() => openRoots([dir, join(dir, "link")]), "link", "is a link");
    assertRefused(() => openRoots([join(dir, "link") + "/"]), "link", "is a link");
  }));

unixTest("the whole disk is refused as a root, however it is written", () => {
  for (const path of ["/", "//", "/./", "///."]) assertRefused(() => openRoots([path]), "root", "whole disk");
});

unixTest("a root that the operating system does not let us list is refused at start", () =>
  withDir(async (dir) => {
    plant(dir, { "closed/": "" });
    Deno.chmodSync(join(dir, "closed"), 0o000);
    const { code, message } = await askUnprivileged("open", join(dir, "closed"));
    Deno.chmodSync(join(dir, "closed"), 0o700);
    assertEquals(code, "unreadable");
    assertStringIncludes(message, `the operating system denies access to ${join(dir, "closed")}`);
  }));

Deno.test("a path in a root is contained, with the root it lies in", () =>
  withDir((dir) => {
    plant(dir, { "a/b/": "" });
    const [root] = openRoots([dir]);
    const contained = contain([root!], `${dir}//a/./b/`);
    assertEquals(contained, { path: join(dir, "a", "b"), real: join(dir, "a", "b"), root: root!, roots: [root!] });
    assertEquals(contain([root!], dir).path, dir);
  }));

Deno.test("of nested roots the inner one counts for what lies in it", () =>
  withDir((dir) => {
    plant(dir, { "inner/x/": "" });
    const roots = openRoots([dir, join(dir, "inner")]);
    assertEquals(contain(roots, join(dir, "inner", "x")).root.path, join(dir, "inner"));
    assertEquals(contain([...roots].reverse(), join(dir, "inner", "x")).root.path, join(dir, "inner"));
  }));

Deno.test("without roots everything is outside", () =>
  withDir((dir) => assertRefused(() => contain([], dir), "no-roots", "--root DIR")));

Deno.test("what lies outside is refused before anyone looks whether it exists", () =>
  withDir((dir) => {
    plant(dir, { "root/": "", "root-evil/": "" });
    const roots = openRoots([join(dir, "root")]);
    for (const path of [dir, dirname(dir), join(dir, "root-evil"), join(dir, "missing"), join(dir, "roo")]) {
      assertRefused(() => contain(roots, path), "outside", path);
    }
  }));

Deno.test("a path that cannot be resolved never counts as itself", () =>
  withDir((dir) => assertRefused(() => contain(openRoots([dir]), join(dir, "missing")), "missing", "missing")));

unixTest("a path through a link is refused, wherever the link leads", () =>
  withDir((dir) => {
    plant(dir, { "root/real/x/": "", "outside/x/": "" });
    const roots = openRoots([join(dir, "root")]);
    Deno.symlinkSync(join(dir, "outside"), join(dir, "root", "out"));
    Deno.symlinkSync("real", join(dir, "root", "in"));
    assertRefused(() => contain(roots, join(dir, "root", "out", "x")), "outside", "outside");
    assertRefused(() => contain(roots, join(dir, "root", "out")), "outside", "outside");
    assertRefused(() => contain(roots, join(dir, "root", "in", "x")), "link", join(dir, "root", "real", "x"));
  }));

unixTest(
  "a root below a link is spelled as the human spelled it, also when asked for by its real place",
  () =>
    withDir((dir) => {
      plant(dir, { "disk/code/app/": "" });
      Deno.symlinkSync(join(dir, "disk"), join(dir, "home"));
      const roots = openRoots([join(dir, "home", "code")]);
      const written = join(dir, "home", "code", "app");
      assertEquals(contain(roots, written).path, written);
      assertEquals(contain(roots, join(dir, "disk", "code", "app")).path, written);
      assertEquals(contain(roots, written).real, join(dir, "disk", "code", "app"));
    }),
);

unixTest("a root that was replaced after start contains nothing any more", () =>
  withDir((dir) => {
    plant(dir, { "root/a/": "", "other/a/": "" });
    const roots = openRoots([join(dir, "root")]);
    Deno.renameSync(join(dir, "root"), join(dir, "moved"));
    assertRefused(() => contain(roots, join(dir, "root", "a")), "missing", "does not exist");
    Deno.renameSync(join(dir, "other"), join(dir, "root"));
    assertRefused(() => contain(roots, join(dir, "root", "a")), "changed", "start the server again");
    Deno.renameSync(join(dir, "root"), join(dir, "other"));
    Deno.symlinkSync(join(dir, "other"), join(dir, "root"));
    assertRefused(() => contain(roots, join(dir, "root", "a")), "outside", "outside");
  }));

unixTest(
  "attack: what stands behind a link out of the root is told by the way its path is refused",
  () =>
    withDir((dir) => {
      plant(dir, { "root/real/": "", "outside/there": "" });
      const roots = openRoots([join(dir, "root")]);
      Deno.symlinkSync(join(dir, "outside"), join(dir, "root", "out"));
      Deno.symlinkSync("../outside", join(dir, "root", "real", "out"));
      Deno.symlinkSync("real", join(dir, "root", "in"));
      Deno.symlinkSync(join(dir, "nowhere"), join(dir, "root", "dangling"));
      const answers = (below: readonly string[]) =>
        below.map((path) => {
          const { code, message } = assertThrows(() => contain(roots, join(dir, "root", path)), Refusal);
          return `${code} ${message.replaceAll(path.split("/").at(-1)!, "x")}`;
        });
      for (const link of ["out", "real/out", "in/out"]) {
        const [there, missing, below] = answers([`${link}/there`, `${link}/gone`, `${link}/there/below`]);
        assertEquals(missing, there);
        assertEquals(below!.split(" ")[0], there!.split(" ")[0]);
      }
      assertRefused(() => contain(roots, join(dir, "root", "dangling")), "outside", "outside");
      assertRefused(() => contain(roots, join(dir, "root", "real", "gone")), "missing", "does not exist");
    }),
);

Deno.test({
  name: "attack: a directory that can be entered by a name that nothing lists is not taken by that name",
  ignore: Deno.build.os !== "linux",
  fn() {
    // As a file system that ignores capitals does it: /proc resolves the numbers of threads and lists those of processes.
    const thread = Array.from(Deno.readDirSync("/proc/self/task"), ({ name }) => name)
      .find((name) => Number(name) !== Deno.pid)!;
    const roots = openRoots(["/proc"]);
    assertEquals(contain(roots, `/proc/${thread}`).path, `/proc/${thread}`);
    for (const path of [`/proc/${thread}`, `/proc/${thread}/task`]) {
      assertRefused(() => containExactly(roots, path), "link", `/proc lists no ${thread}`);
    }
    assertEquals(containExactly(roots, `/proc/${Deno.pid}/task`).real, `/proc/${Deno.pid}/task`);
    assertEquals(containExactly(roots, "/proc").path, "/proc");
  },
});
