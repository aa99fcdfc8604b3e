import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { identityOf, Refusal, sameIdentity } from "../../src/guard/mod.ts";
import { withDir } from "../support/tree.ts";

Deno.test("a directory keeps its identity when it is renamed and when it changes", () =>
  withDir((dir) => {
    const [before, after] = [join(dir, "before"), join(dir, "after")];
    Deno.mkdirSync(before);
    const identity = identityOf(before, Deno.lstatSync(before));
    Deno.renameSync(before, after);
    Deno.writeTextFileSync(join(after, "file"), "new");
    assert(sameIdentity(identity, identityOf(after, Deno.lstatSync(after))));
  }));

Deno.test("two directories differ", () =>
  withDir((dir) => {
    const [one, other] = ["one", "other"].map((name) => {
      const path = join(dir, name);
      Deno.mkdirSync(path);
      return identityOf(path, Deno.lstatSync(path));
    });
    assert(!sameIdentity(one!, other!));
  }));

Deno.test("each part of an identity counts", () => {
  const identity = { device: 1, inode: 2, born: 3 };
  assert(sameIdentity(identity, { ...identity }));
  assert(!sameIdentity(identity, { ...identity, device: 9 }));
  assert(!sameIdentity(identity, { ...identity, inode: 9 }));
  assert(!sameIdentity(identity, { ...identity, born: 9 }));
  assert(!sameIdentity(identity, { ...identity, born: null }));
});

Deno.test("without an inode number nothing can be told apart, so it is refused", () =>
  withDir((dir) => {
    const info = { ...Deno.lstatSync(dir), ino: null };
    assertEquals(assertThrows(() => identityOf(dir, info), Refusal).code, "unreadable");
  }));
