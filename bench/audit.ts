/**
 * Scanning histories: one worker against two, the second scan against the first, and memory.
 *
 * @module
 */

import { createBits } from "../src/engine/audit/pieces.ts";
import { createPool } from "../src/engine/audit/pool.ts";
import { createAudit } from "../src/engine/audit/service.ts";
import { discover, isUnscanned, resolveSource, SOURCES } from "../src/history/mod.ts";
import type { HistoryFile, Host } from "../src/history/mod.ts";
import { writeBulk } from "../tools/fixtures/mod.ts";
import { compare, median } from "./measure.ts";

const MIB = 1 << 20;
const RUNS = 3;

/** Time of scanning `files` with so many workers, which are started and warm before. */
async function scanTime(files: readonly HistoryFile[], workers: number): Promise<number> {
  const setup = { key: crypto.getRandomValues(new Uint8Array(32)), pieces: createBits() };
  const pool = createPool({ setup, readOnly: null, workers });
  try {
    await Promise.all(Array.from({ length: workers }, () => pool.scrub(["warm"])));
    const began = performance.now();
    await Promise.all(files.map((file) => pool.scan({ file, ignoreFiles: [], resume: null })));
    return performance.now() - began;
  } finally {
    pool.end();
  }
}

/** Most memory this process ever took, in MiB; NaN where the system does not say. */
function peakMemory(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1]) / 1024;
  } catch {
    return NaN;
  }
}

async function withBulk(bytes: number, use: (host: Host) => Promise<void>): Promise<void> {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "agentsweep-bench-" }));
  const host: Host = { os: "linux", env: { HOME: home } };
  try {
    writeBulk(host, { bytes, fileBytes: bytes / 12 });
    await use(host);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

function verdict(isReached: boolean): string {
  return isReached ? "reached" : "MISSED";
}

async function largeScan(host: Host, bytes: number): Promise<void> {
  const settings = { host, history: new Map(), allowsRoot: false, workingDirectory: null, workerModules: null };
  const began = performance.now();
  const audit = createAudit(settings);
  const { complete } = await audit.scan({ sources: audit.keys }).then(({ isComplete }) => ({ complete: isComplete }));
  const first = performance.now() - began;
  const peak = peakMemory();
  const seconds: number[] = [];
  for (let run = 0; run < 5; run++) {
    const again = performance.now();
    await audit.scan({ sources: audit.keys });
    seconds.push(performance.now() - again);
  }
  const ratio = first / median(seconds);
  console.log(`  ${(bytes / MIB).toFixed(0)} MiB, complete: ${complete}`);
  console.log(
    `  first scan ${first.toFixed(0)} ms, nothing changed ${median(seconds).toFixed(1)} ms, ratio ${
      ratio.toFixed(0)
    } (must be at least 20: ${verdict(ratio >= 20)})`,
  );
  console.log(`  peak memory ${peak.toFixed(0)} MiB (must be below 300: ${verdict(!(peak >= 300))})`);
}

/** Prints the comparisons. */
export async function benchAudit(): Promise<void> {
  // First, while this process has taken no memory for anything else.
  await withBulk(1024 * MIB, (host) => largeScan(host, 1024 * MIB));
  await withBulk(200 * MIB, async (host) => {
    const files: HistoryFile[] = [];
    for await (const event of discover(SOURCES.map((spec) => resolveSource(spec, host)))) {
      if (!isUnscanned(event)) files.push(event);
    }
    const { ours, theirs, ratio } = await compare(() => scanTime(files, 1), () => scanTime(files, 2), RUNS);
    const speed = (time: number) => `${(200 * MIB / 1e6 / (time / 1000)).toFixed(0)} MB/s`;
    console.log(
      `  one worker ${speed(ours)}, two ${speed(theirs)}, ratio ${ratio.toFixed(2)} (must be at least 1.7: ${
        verdict(ratio >= 1.7)
      })`,
    );
  });
}
