import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { Refusal } from "../../src/guard/mod.ts";
import { denoCommand } from "../support/child.ts";
import { describe, onlyFind, plantProject, reasonOf, reclaimIn, stands, ticketsIn, withDir } from "../support/tree.ts";

function randomId(): string {
  return `f-${crypto.getRandomValues(new Uint8Array(6)).toHex()}`;
}

Deno.test("attack: 10,000 random ids", () =>
  withDir(async (dir) => {
    plantProject(dir);
    const service = reclaimIn(dir);
    await onlyFind(service, dir);
    const before = describe(dir);
    const ids = Array.from({ length: 10_000 }, randomId);
    const { accepted, refused } = await service.redeem(ids);
    assertEquals([accepted.length, refused.length], [0, new Set(ids).size]);
    assertEquals(describe(dir), before);
  }));

Deno.test("attack: guessed and sequential ids", () =>
  withDir(async (dir) => {
    plantProject(dir);
    const service = reclaimIn(dir);
    const { id, find } = await onlyFind(service, dir);
    const number = parseInt(id.slice(2), 16);
    const near = [-2, -1, 1, 2].map((step) => `f-${(number + step).toString(16).padStart(12, "0")}`);
    const counted = Array.from({ length: 1000 }, (_, n) => `f-${n.toString(16).padStart(12, "0")}`);
    const guesses = [find.path, "node_modules", "*", "f-*", ".*", "", "f-", id.toUpperCase(), ` ${id}`, `${id}\n`];
    const prototype = ["__proto__", "constructor", "hasOwnProperty", "toString"];
    const { accepted } = await service.redeem([...near, ...counted, ...guesses, ...prototype, "f".repeat(1_000_000)]);
    assertEquals(accepted, []);
    assert(stands(find.path));
  }));

Deno.test("attack: a reused id", () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    const service = reclaimIn(dir);
    const { id } = await onlyFind(service, dir);
    assertEquals((await service.redeem([id])).accepted.length, 1);
    plantProject(dir);
    assert(reasonOf(await service.redeem([id])).includes("no such id"));
    const again = await onlyFind(service, dir);
    assert(again.id !== id);
    assert(reasonOf(await service.redeem([id])).includes("no such id"));
    assert(stands(path));
  }));

Deno.test("attack: a foreign id, from another process", () =>
  withDir(async (dir) => {
    const path = plantProject(dir);
    const script = new URL("../support/tree.ts", import.meta.url).href;
    const source = `const { onlyFind, reclaimIn } = await import(${JSON.stringify(script)});
      console.log((await onlyFind(reclaimIn(Deno.args[0]), Deno.args[0])).id);`;
    const module = `data:application/typescript,${encodeURIComponent(source)}`;
    const [program, args] = await denoCommand(module, [dir]);
    const { stdout } = await new Deno.Command(program, { args, stderr: "inherit" }).output();
    const foreign = new TextDecoder().decode(stdout).trim();
    assert(/^f-[0-9a-f]{12}$/.test(foreign), foreign);
    const service = reclaimIn(dir);
    await onlyFind(service, dir);
    assert(reasonOf(await service.redeem([foreign])).includes("no such id"));
    assert(stands(path));
  }));

Deno.test("attack: one id given many times in one call", () =>
  withDir(async (dir) => {
    plantProject(dir);
    const service = reclaimIn(dir);
    const { id } = await onlyFind(service, dir);
    const { accepted, refused } = await service.redeem(Array(1000).fill(id));
    assertEquals([accepted.length, refused.length], [1, 0]);
  }));

Deno.test("attack: one id redeemed by many calls at once is one deletion", () =>
  withDir(async (dir) => {
    for (let round = 0; round < 20; round++) {
      plantProject(dir);
      const service = reclaimIn(dir);
      const { id } = await onlyFind(service, dir);
      const calls = await Promise.all(Array.from({ length: 5 }, () => service.redeem([id])));
      assertEquals(calls.flatMap(({ accepted }) => accepted).length, 1);
      assertEquals(calls.flatMap(({ refused }) => refused).length, 4);
      assertEquals([...describe(dir).keys()], ["package.json", "src", "src/index.js"]);
    }
  }));

Deno.test("attack: scanning, planning and redeeming all at once", () =>
  withDir(async (dir) => {
    for (let n = 0; n < 20; n++) plantProject(join(dir, `app${n}`));
    const service = reclaimIn(dir);
    const ids = [...(await ticketsIn(service, dir)).values()];
    const [first, second, , planned] = await Promise.all([
      service.redeem(ids),
      service.redeem([...ids].reverse()),
      service.scan({ path: dir }),
      service.plan(ids),
    ]);
    assertEquals(first.accepted.length + second.accepted.length, 20);
    assertEquals(planned.accepted.length + planned.refused.length, 20);
    assertEquals([...describe(dir).values()].filter((content) => content.includes("precious")).length, 20);
    assertEquals((await service.scan({ path: dir })).finds, []);
  }));

Deno.test("one bad id does not stop the others, and no ids are an error", () =>
  withDir(async (dir) => {
    const paths = ["a", "b", "c"].map((name) => plantProject(join(dir, name)));
    const service = reclaimIn(dir);
    const tickets = await ticketsIn(service, dir);
    Deno.removeSync(join(dir, "b", "package.json"));
    const ids = ["f-000000000000", ...paths.map((path) => tickets.get(path)!)];
    const { accepted, refused } = await service.redeem(ids);
    assertEquals(accepted.map(({ find }) => find.path), [paths[0]!, paths[2]!]);
    assertEquals(refused.map(({ id }) => id), [ids[0]!, ids[2]!]);
    for (const call of [service.plan, service.redeem]) {
      assertEquals((await assertRejects(() => call([]), Refusal)).code, "argument");
    }
  }));
