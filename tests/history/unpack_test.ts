import { assert, assertEquals, assertLess } from "@std/assert";
import { zstdCompressSync } from "node:zlib";
import { unpackZstd } from "../../src/history/mod.ts";
import { concat } from "./_formats.ts";
import { withHome } from "./_machine.ts";

/** Unpacks bytes; what came out, and what was reported. */
async function unpacked(home: string, bytes: Uint8Array): Promise<{ size: number; text: string; reasons: string[] }> {
  const path = `${home}/a.jsonl.zst`;
  Deno.writeFileSync(path, bytes);
  const reasons: string[] = [];
  const decoder = new TextDecoder();
  let [size, text] = [0, ""];
  for await (const chunk of unpackZstd(path, ({ reason }) => reasons.push(reason))) {
    size += chunk.length;
    if (text.length < 1 << 20) text += decoder.decode(chunk, { stream: true });
  }
  return { size, text, reasons };
}

const LINES = Array.from({ length: 5000 }, (_, index) => `{"n":${index},"x":"${index * 7919 % 65537}"}\n`).join("");
const PACKED = zstdCompressSync(LINES);

Deno.test("a compressed file is unpacked whole", () =>
  withHome(async (home) => {
    assertEquals(await unpacked(home, PACKED), { size: LINES.length, text: LINES, reasons: [] });
  }));

Deno.test("frames behind one another, skippable ones among them, are all unpacked", () =>
  withHome(async (home) => {
    const skippable = Uint8Array.of(0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
    const single = zstdCompressSync("x");
    const { text, reasons } = await unpacked(home, Uint8Array.from([...PACKED, ...skippable, ...single]));
    assertEquals([text, reasons], [`${LINES}x`, []]);
  }));

Deno.test("a file torn anywhere gives what it holds and says that the rest is missing", () =>
  withHome(async (home) => {
    for (const length of [3, 5, 100, PACKED.length >> 1, PACKED.length - 1]) {
      const { text, reasons } = await unpacked(home, PACKED.subarray(0, length));
      assert(LINES.startsWith(text), `${length}`);
      assertEquals(reasons.length, 1, `${length}`);
    }
  }));

Deno.test("bytes that are not compressed, damaged bytes and a missing file are reported without their content", () =>
  withHome(async (home) => {
    const damaged = PACKED.slice();
    damaged.fill(0xff, damaged.length >> 1, (damaged.length >> 1) + 64);
    for (const bytes of [new TextEncoder().encode("sensitive text"), damaged]) {
      const { reasons } = await unpacked(home, bytes);
      assertEquals(reasons, ["its compressed data is damaged: the rest was not read"]);
    }
    assertEquals(await unpacked(home, new Uint8Array()), { size: 0, text: "", reasons: [] });
    const kinds: string[] = [];
    Deno.symlinkSync("a.jsonl.zst", `${home}/link.zst`);
    for (const name of ["none.zst", "link.zst"]) {
      for await (const _ of unpackZstd(`${home}/${name}`, ({ kind }) => kinds.push(kind)));
    }
    assertEquals(kinds, ["vanished", "link"]);
  }));

Deno.test("what unpacks to 20,000 times its size is unpacked in bounded memory", () =>
  withHome(async (home) => {
    const frame = zstdCompressSync(new Uint8Array(256 << 20));
    const before = Deno.memoryUsage().rss;
    const { size, reasons } = await unpacked(home, concat(...Array.from({ length: 8 }, () => frame)));
    assertEquals([size, reasons], [8 * (256 << 20), []]);
    // A quarter of what was unpacked: when memory is given back is the runtime's choice.
    assertLess(Deno.memoryUsage().rss - before, 512 << 20);
  }));

Deno.test("damage inside a frame is reported and does not end the process", async () => {
  const packed = zstdCompressSync(new Uint8Array(5_000_000).map((_, index) => 65 + (index * index) % 26));
  packed[100]! ^= 0x55;
  const path = await Deno.makeTempFile({ suffix: ".zst" });
  try {
    await Deno.writeFile(path, packed);
    const reasons: string[] = [];
    for await (const _ of unpackZstd(path, ({ reason }) => reasons.push(reason)));
    assertEquals(reasons.length, 1);
  } finally {
    await Deno.remove(path);
  }
});
