/**
 * How fast secrets are found, and what each stage costs:
 *
 *     deno run -A bench/secrets.ts [MEGABYTES]
 *
 * Generates a JSONL corpus of agent history without secrets in a temporary folder. Numbers are of this run only.
 *
 * @module
 */

import { emptyHits, PADDING } from "../src/secrets/automaton.ts";
import { searchStretch } from "../src/secrets/candidates.ts";
import { chooseRules } from "../src/secrets/catalogue.ts";
import { compileRules } from "../src/secrets/compile.ts";
import { lineCounter } from "../src/secrets/lines.ts";
import { findMnemonics } from "../src/secrets/mnemonic.ts";
import { scanSpans } from "../src/secrets/spans.ts";
import { wideStretches } from "../src/secrets/stretch.ts";
import { corpus, writeCorpus } from "./secrets_corpus.ts";
import type { Measured, Task } from "./secrets_worker.ts";

const ROUNDS = 3;
const CHUNK = 1 << 18;
const BLOCK = 1 << 20;

function startWorker(): { run(task: Task): Promise<Measured>; stop(): void } {
  const worker = new Worker(new URL("secrets_worker.ts", import.meta.url), { type: "module" });
  return {
    run(task) {
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = reject;
        worker.postMessage(task);
      });
    },
    stop: () => worker.terminate(),
  };
}

function rate(bytes: number, milliseconds: number): string {
  return `${(bytes / 1e3 / milliseconds).toFixed(0)} MB/s`;
}

/** The best of a few rounds, in milliseconds. */
function best(run: () => void): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    run();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

function inMemory(size: number): void {
  const bytes = corpus(size);
  const all = best(() => {
    const scanner = scanSpans({ ...chooseRules({}), onSpan: () => {} });
    for (let at = 0; at < bytes.length; at += CHUNK) scanner.push(bytes.subarray(at, at + CHUNK));
    scanner.finish();
  });
  console.log(`one worker, reading excluded: ${rate(bytes.length, all)}`);
}

function stages(size: number): void {
  const bytes = corpus(size);
  const rules = compileRules(chooseRules({}).rules);
  const hits = emptyHits();
  const work = { hits: 0, windows: 0, characters: 0 };
  const search = { rules, hits, work, found: () => true };
  const copy = new Uint8Array(BLOCK + PADDING);
  const each = (run: (length: number) => void) => () => {
    for (let at = 0; at < bytes.length; at += BLOCK) {
      const block = bytes.subarray(at, at + BLOCK);
      copy.set(block);
      run(block.length);
    }
  };
  const base = best(each(() => {}));
  const cost = (name: string, milliseconds: number) => {
    console.log(`  ${name}: ${(milliseconds * 1e6 / bytes.length).toFixed(2)} ns a byte`);
  };
  console.log("stages, each alone:");
  cost("copying into the buffer", base);
  const keywords = best(each((length) => rules.automaton.find(copy, 0, length, hits))) - base;
  cost("looking for keywords", keywords);
  const windows = best(each((length) => searchStretch({ bytes: copy, length, base: 0, scale: 1 }, search))) - base;
  cost("decoding windows and running patterns", windows - keywords);
  const phrases = best(each((length) => findMnemonics({ bytes: copy, length, base: 0, scale: 1 }, () => true))) - base;
  cost("looking for seed phrases", phrases);
  cost("looking for UTF-16", best(each((length) => wideStretches(copy, length, 0))) - base);
  cost("counting lines", best(each((length) => lineCounter().positionOf(length, copy, 0))) - base);
}

async function main(): Promise<void> {
  const size = Number(Deno.args[0] ?? 200) * 1e6;
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/history.jsonl`;
    await writeCorpus(path, size);
    const { size: length } = await Deno.stat(path);
    const whole = { path, from: 0, to: length };
    const started = performance.now();
    compileRules(chooseRules({}).rules);
    console.log(`${chooseRules({}).rules.length} rules made ready in ${(performance.now() - started).toFixed(0)} ms`);
    const [first, second] = [startWorker(), startWorker()];
    await first.run({ ...whole, to: BLOCK });
    await second.run({ ...whole, to: BLOCK });
    const one = await first.run(whole);
    console.log(`one worker, reading included: ${rate(length, one.milliseconds)}, ${one.findings} findings`);
    console.log(`most memory of the process: ${(one.memory / 1e6).toFixed(0)} MB`);
    const half = Math.floor(length / 2);
    const begun = performance.now();
    await Promise.all([first.run({ ...whole, to: half }), second.run({ ...whole, from: half })]);
    const both = performance.now() - begun;
    console.log(`two workers: ${rate(length, both)}, ${(one.milliseconds / both).toFixed(2)} x one`);
    first.stop();
    second.stop();
    inMemory(Math.min(size, 2e8));
    stages(Math.min(size, 3.2e7));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) await main();
