import { assertEquals, assertRejects } from "@std/assert";
import { createTurns } from "../../src/concurrency/turns.ts";

/** Work that is under way until it is told to end. */
function workload() {
  const ends: (() => void)[] = [];
  let [atOnce, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, ++atOnce);
    await new Promise<void>((resolve) => ends.push(resolve));
    return --atOnce;
  };
  return { work, ends, most: () => most };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("no more than the limit are let in, and all come to their turn in order", async () => {
  const { work, ends, most } = workload();
  const turns = createTurns(2);
  const order: number[] = [];
  const all = [0, 1, 2, 3, 4].map((n) => turns.take(work, undefined).then(() => order.push(n)));
  while (order.length < 5) {
    await settled();
    ends.shift()?.();
  }
  await Promise.all(all);
  assertEquals([most(), order], [2, [0, 1, 2, 3, 4]]);
});

Deno.test("a turn that fails, or whose signal aborted while it waited, makes way for the next", async () => {
  const { work, ends } = workload();
  const turns = createTurns(1);
  const controller = new AbortController();
  const failing = turns.take(() => Promise.reject(new Error("failed")), undefined);
  const aborted = turns.take(work, controller.signal);
  const last = turns.take(work, undefined);
  controller.abort(new Error("enough"));
  await assertRejects(() => failing, Error, "failed");
  await assertRejects(() => aborted, Error, "enough");
  await settled();
  ends.shift()!();
  assertEquals(await last, 0);
});
