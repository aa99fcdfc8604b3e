import { assert, assertEquals, assertRejects } from "@std/assert";
import { inSlices } from "../../src/concurrency/slices.ts";

/** Exchanges messages with a worker between slices, and prints how many came back. */
const EXCHANGE = (slices: string) => `
  import { breathe } from ${JSON.stringify(slices)};
  const code = "globalThis.onmessage = ({ data }) => globalThis.postMessage(data);";
  const worker = new Worker("data:text/javascript," + encodeURIComponent(code), { type: "module" });
  let heard = 0;
  worker.onmessage = () => {
    heard++;
    worker.postMessage(null);
  };
  worker.postMessage(null);
  while (heard === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const before = heard;
  for (let breath = 0; breath < ${BREATHS}; breath++) {
    for (const end = performance.now() + 10; performance.now() < end;);
    await breathe();
  }
  console.log(heard - before);
  worker.terminate();
`;
const BREATHS = 24;

function holdThread(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

Deno.test("what a worker posts is heard at the next breath", async () => {
  const module = new URL("../../src/concurrency/slices.ts", import.meta.url).href;
  // In processes of their own: what else waits there changes how often a worker is heard.
  for (let round = 0; round < 3; round++) {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-config", "--no-lock", EXCHANGE(module)],
      stderr: "inherit",
    }).output();
    const heard = Number(new TextDecoder().decode(stdout));
    assert(heard >= BREATHS / 2, `${heard} answers in ${BREATHS} breaths`);
  }
});

Deno.test("timers run between slices", async () => {
  let fired = 0;
  const timer = setInterval(() => fired++, 1);
  try {
    let slices = 0;
    await inSlices(() => void holdThread(4), () => slices++ > 20, undefined);
    assert(fired >= 10, `${fired}`);
  } finally {
    clearInterval(timer);
  }
});

Deno.test("a signal that aborts in a slice ends the work after it, with its reason", async () => {
  const controller = new AbortController();
  let steps = 0;
  const step = () => {
    if (++steps === 3) controller.abort(new Error("enough"));
  };
  await assertRejects(() => inSlices(step, () => false, controller.signal), Error, "enough");
  assertEquals(steps, 3);
});
