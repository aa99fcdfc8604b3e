import { assert, assertEquals } from "@std/assert";
import { type ScanContext, scanFile } from "../../../src/engine/audit/scan_file.ts";
import { createBits, openPieces } from "../../../src/engine/audit/pieces.ts";
import { createCache } from "../../../src/engine/audit/cache.ts";
import type { HistoryFile } from "../../../src/history/mod.ts";
import { parseIgnore } from "../../../src/secrets/mod.ts";
import { createMachine, token } from "../../support/audit.ts";

const key = new Uint8Array(32).fill(7);
const context: ScanContext = {
  key,
  ignore: parseIgnore(),
  pieces: openPieces(createBits(), key),
  isStopped: () => false,
};

function historyFile(path: string): HistoryFile {
  const { size, mtime, dev, ino } = Deno.statSync(path);
  const place = { source: "codex", path, root: path.slice(0, path.lastIndexOf("/")), relpath: "a.jsonl" };
  return { ...place, format: "jsonl", backup: false, size, mtime: mtime!.getTime(), ctime: 0, dev, ino: ino ?? 0 };
}

Deno.test("a line that is written byte by byte, scanned after each: found once it is there, and only once", async () => {
  await using machine = await createMachine();
  const path = await machine.write("a.jsonl", "");
  const cache = createCache();
  const line = (index: number) => JSON.stringify({ text: `it is ${token(index)} and more` }) + "\n";
  using file = Deno.openSync(path, { append: true });
  let scans = 0;
  for (let index = 0; index < 40; index++) {
    const bytes = new TextEncoder().encode(line(index));
    const end = line(index).indexOf(token(index)) + token(index).length;
    for (let at = 0; at < bytes.length; at++) {
      file.writeSync(bytes.subarray(at, at + 1));
      const { known, task, remember } = cache.plan(historyFile(path), []);
      const { findings, outcome } = known ?? remember(await scanFile(task, context));
      scans++;
      assertEquals(outcome.problems, []);
      // Up to the character behind it a secret may go on.
      const least = index + (at > end ? 1 : 0);
      assert(findings.length === least || findings.length === index + 1, `${findings.length} at ${index}, ${at}`);
      findings.forEach(({ line, masked }, place) => {
        assertEquals([line, masked.slice(0, 5)], [place + 1, token(place).slice(0, 5)]);
      });
    }
  }
  assert(scans > 1500);
});
