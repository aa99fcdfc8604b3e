import { assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { identityOf, openRoots, Refusal, type RefusalCode } from "../../src/guard/mod.ts";
import {
  requireDisposable,
  requireOwnMount,
  requireProof,
  requireReplaceable,
  requireUntracked,
  unprovenReason,
} from "../../src/reclaim/find.ts";
import { listNames } from "../../src/reclaim/match.ts";
import { quarantineName } from "../../src/reclaim/quarantine.ts";
import { newMeasure } from "../../src/reclaim/size.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";
import { plant, withDir } from "../support/tree.ts";

const NODE_MODULES = TARGETS.find(({ key }) => key === "node-modules")!;
const VENV = TARGETS.find(({ key }) => key === "venv")!;

function assertRefused(run: () => unknown, code: RefusalCode): void {
  assertEquals(assertThrows(run, Refusal).code, code);
}

function prove(dir: string, name: string, target = NODE_MODULES): void {
  const path = join(dir, name);
  const [root] = openRoots([dir]);
  requireProof(target, { path, identity: identityOf(path, Deno.lstatSync(path)) }, root!, listNames);
}

Deno.test("proof is the name and the marker, both as they are now", () =>
  withDir((dir) => {
    plant(dir, { "node_modules/x": "", "modules/x": "" });
    assertRefused(() => prove(dir, "node_modules"), "unproven");
    plant(dir, { "package.json": "" });
    prove(dir, "node_modules");
    assertRefused(() => prove(dir, "modules"), "unproven");
  }));

Deno.test("what does not come back vetoes a proof", () =>
  withDir((dir) => {
    plant(dir, { "venv/pyvenv.cfg": "" });
    prove(dir, "venv", VENV);
    plant(dir, { "venv/app.py": "" });
    assertRefused(() => prove(dir, "venv", VENV), "irreplaceable");
  }));

Deno.test("a quarantine is proven by the directory its name speaks of, for its own target", () =>
  withDir((dir) => {
    plant(dir, { "x/file": "" });
    const name = quarantineName("node-modules", identityOf(dir, Deno.lstatSync(join(dir, "x"))));
    Deno.renameSync(join(dir, "x"), join(dir, name));
    prove(dir, name);
    assertRefused(() => prove(dir, name, VENV), "unproven");
  }));

Deno.test("another directory under the name of a quarantine is proven only while it is empty", () =>
  withDir((dir) => {
    const name = quarantineName("node-modules", { device: 1, inode: 2, born: 3 });
    plant(dir, { [`${name}/`]: "" });
    prove(dir, name);
    plant(dir, { [`${name}/file`]: "" });
    assertRefused(() => prove(dir, name), "unproven");
  }));

Deno.test("version control, mounts and unread places inside each refuse", () => {
  const measure = newMeasure([], 0);
  requireDisposable(measure);
  assertRefused(() => requireDisposable({ ...measure, versionControl: "/x/.git" }), "version-control");
  assertRefused(() => requireDisposable({ ...measure, mount: "/x/m" }), "mount");
  assertRefused(() => requireDisposable({ ...measure, unreadable: 1 }), "unreadable");
});

Deno.test("tracked and unknown both refuse", () => {
  requireUntracked("/x", () => ({ kind: "untracked" }));
  assertRefused(() => requireUntracked("/x", () => ({ kind: "tracked", repository: "/", files: 1 })), "tracked");
  assertRefused(() => requireUntracked("/x", () => ({ kind: "unknown", repository: "/", why: "?" })), "tracked");
});

Deno.test("another device and another mount each refuse", () =>
  withDir((dir) => {
    const [root] = openRoots([dir]);
    const info = Deno.lstatSync(dir);
    const own = { isForeign: () => false, areApart: () => false };
    requireOwnMount(root!, own, dir, info);
    assertRefused(() => requireOwnMount(root!, { ...own, isForeign: () => true }, dir, info), "mount");
    assertRefused(() => requireOwnMount(root!, { ...own, areApart: () => true }, dir, info), "mount");
  }));

Deno.test("a reason names all that would have been proof", () => {
  const reason = unprovenReason([VENV], join("/code", "venv"));
  for (const part of ["pyproject.toml or requirements.txt", "./pyvenv.cfg inside"]) {
    assertEquals(reason.includes(part), true, reason);
  }
});

Deno.test("attack: a directory that cannot be listed passes for one that holds nothing of worth", () =>
  withDir((dir) => {
    const unreadable = join(dir, "x".repeat(300)); // ENAMETOOLONG stands for every error, as of too many open files
    assertRefused(() => requireReplaceable(VENV, unreadable), "unreadable");
    plant(dir, { file: "" });
    requireReplaceable(VENV, join(dir, "missing"));
    requireReplaceable(VENV, join(dir, "file"));
  }));
