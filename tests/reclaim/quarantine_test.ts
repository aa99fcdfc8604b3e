import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { isQuarantineName, parseQuarantineName, quarantineName } from "../../src/reclaim/quarantine.ts";
import { TARGETS } from "../../src/reclaim/targets/mod.ts";

const IDENTITY = { device: 2049, inode: 123456789, born: 1_790_000_000_123 };

Deno.test("a name says which target and which directory it is for", () => {
  const name = quarantineName("node-modules", IDENTITY);
  assert(isQuarantineName(name));
  assertEquals(parseQuarantineName(name), { target: "node-modules", identity: IDENTITY });
});

Deno.test("the largest numbers and a missing time of creation survive the name", () => {
  const identity = { device: 2 ** 32 - 1, inode: Number.MAX_SAFE_INTEGER, born: null };
  assertEquals(parseQuarantineName(quarantineName("x", identity))?.identity, identity);
});

Deno.test("every target has a name that is read back, and that a file system takes", () => {
  for (const { key } of TARGETS) {
    const name = quarantineName(key, { device: 2 ** 32, inode: Number.MAX_SAFE_INTEGER, born: 8.64e15 });
    assertEquals(parseQuarantineName(name)?.target, key);
    assert(name.length <= 143, name);
  }
});

Deno.test("names are random: no two of one directory collide", () => {
  const names = new Set(Array.from({ length: 10_000 }, () => quarantineName("x", IDENTITY)));
  assertEquals(names.size, 10_000);
  assertMatch([...names][0]!, /\.[0-9a-f]{16}$/);
});

Deno.test("a name that was tampered with claims to be a quarantine and is none", () => {
  const name = quarantineName("node-modules", IDENTITY);
  const wrong = [
    `${name}0`,
    name.slice(0, -1),
    name.toUpperCase(),
    `${name}/x`,
    `${name}\n`,
    name.replace(".n", "..n"),
  ];
  for (const text of [...wrong, ".agentsweep-quarantine.", ".agentsweep-quarantine.x"]) {
    assertEquals(parseQuarantineName(text), null, text);
  }
  assert(isQuarantineName(".agentsweep-quarantine.x"));
  assert(!isQuarantineName("x.agentsweep-quarantine.x"));
  assertNotEquals(parseQuarantineName(name), null);
});

Deno.test("attack: inodes beyond 2^53 and a creation before 1970 leave a quarantine that nobody recognises", () => {
  for (const inode of [17253998777443762000, 2 ** 53 + 2, 2 ** 63 + 4096, 18446744073709550000]) {
    const identity = { device: 2049, inode, born: -86_400_000 };
    assertEquals(parseQuarantineName(quarantineName("x", identity))?.identity, identity);
  }
});
