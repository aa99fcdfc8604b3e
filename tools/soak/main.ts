/**
 * `deno task soak`: a large history of every format is redacted, searched, compared and put back, and the commands are
 * killed at random instants. It takes minutes, and is no part of the tests; a small one is.
 *
 *     deno task soak [--mb 200] [--kills 100] [--seed N] [--dir FOLDER]
 *
 * @module
 */

import { parseArgs } from "node:util";
import { join } from "@std/path";
import { formatBytes } from "../../src/text/units.ts";
import { openMachine } from "./child.ts";
import { type KillOutcome, killRounds } from "./kills.ts";
import { soak, type SourceOutcome } from "./soak.ts";

/** Pieces without a secret for each piece with one: thousands of secrets in 200 MB. */
const CLEAN = 12;
/** Bytes of all sources together from which the histories that are killed are cut. */
const KILLED_BYTES = 4_000_000;
const KILLED_SOURCES = ["codex", "opencode", "cursor", "jetbrains-ai"] as const;

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`;
const sum = <T>(items: readonly T[], of: (item: T) => number): number => items.reduce((all, item) => all + of(item), 0);

function shownSource(outcome: SourceOutcome): string {
  const { source, files, bytes, planted, redacted, named, leftNamed, markers, fix, undo } = outcome;
  const rate = (bytes / 1e6 / fix.seconds).toFixed(1);
  return [
    `${source}: ${files} files, ${formatBytes(bytes)}, ${planted} secrets planted; ${redacted} files redacted, ` +
    `${markers} places replaced; fix ${fix.seconds.toFixed(1)} s (${rate} MB/s), at most ${formatBytes(fix.peak)}; ` +
    `undo ${undo.seconds.toFixed(1)} s`,
    ...named.map(({ file, reason }) => `  left and named: ${file}: ${reason}`),
    ...(leftNamed > 0 ? [`  secrets left in files that were named: ${leftNamed}`] : []),
    ...outcome.unplanted.map(([rule, count]) => `  replaced though not planted: ${rule}, ${count}`),
    ...outcome.failures.map((failure) => `  FAILED: ${failure}`),
  ].join("\n");
}

async function soakAll(folder: string, bytes: number, seed: number): Promise<number> {
  const home = join(folder, "home");
  Deno.mkdirSync(home);
  const machine = await openMachine(home);
  const outcomes: SourceOutcome[] = [];
  const began = performance.now();
  for await (const outcome of soak(folder, machine, { seed, bytes, clean: CLEAN, hasObstacles: true })) {
    outcomes.push(outcome);
    console.log(shownSource(outcome));
  }
  const [size, time] = [sum(outcomes, ({ bytes }) => bytes), sum(outcomes, ({ fix }) => fix.seconds)];
  const failed = sum(outcomes, ({ failures }) => failures.length);
  console.log(
    `all: ${formatBytes(size)} in ${sum(outcomes, ({ files }) => files)} files of ${outcomes.length} sources, ` +
      `${sum(outcomes, ({ planted }) => planted)} secrets planted, ${sum(outcomes, ({ markers }) => markers)} places ` +
      `replaced, ${sum(outcomes, ({ beyond }) => beyond)} bytes beyond what was planted, ` +
      `${sum(outcomes, ({ leftNamed }) => leftNamed)} secrets left in ${sum(outcomes, ({ named }) => named.length)} ` +
      `named files, 0 elsewhere unless it says FAILED; fix ${time.toFixed(0)} s (${(size / 1e6 / time).toFixed(1)} ` +
      `MB/s), at most ${formatBytes(Math.max(...outcomes.map(({ fix }) => fix.peak)))}; ${failed} failures; ` +
      `with writing and checking ${seconds(began)}`,
  );
  return failed;
}

async function killAll(folder: string, fixes: number, seed: number): Promise<number> {
  const began = performance.now();
  const outcomes: KillOutcome[] = [];
  const others = Math.ceil(fixes / 4);
  const rounds = { fix: fixes, undo: others, purge: others };
  for await (const outcome of killRounds(folder, { seed, sources: KILLED_SOURCES, bytes: KILLED_BYTES, rounds })) {
    outcomes.push(outcome);
    const { killed, source, at, landed, leftToHuman, failures } = outcome;
    if (leftToHuman.length > 0) console.log(`${killed} of ${source}, left to a human: ${leftToHuman.join("; ")}`);
    for (const failure of failures) {
      console.log(`FAILED: ${killed} of ${source} at ${at.toFixed(0)} ms, ${landed}: ${failure}`);
    }
  }
  const landings = new Map<string, number>();
  for (const { killed, landed } of outcomes) {
    landings.set(`${killed}: ${landed}`, (landings.get(`${killed}: ${landed}`) ?? 0) + 1);
  }
  for (const [landing, count] of [...landings].sort(([one], [other]) => one < other ? -1 : 1)) {
    console.log(`  ${landing}: ${count}`);
  }
  const failed = sum(outcomes, ({ failures }) => failures.length);
  console.log(`all: ${outcomes.length} kills, ${failed} failures, ${seconds(began)}`);
  return failed;
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      mb: { type: "string", default: "200" },
      kills: { type: "string", default: "100" },
      seed: { type: "string", default: String(Date.now() % 100_000) },
      dir: { type: "string" },
    },
  });
  const [mb, kills, seed] = [Number(values.mb), Number(values.kills), Number(values.seed)];
  if (![mb, kills, seed].every((number) => Number.isInteger(number) && number >= 0)) {
    console.error("--mb, --kills and --seed are whole numbers");
    Deno.exit(2);
  }
  const folder = Deno.realPathSync(
    Deno.makeTempDirSync({ prefix: "agentsweep-soak-", ...values.dir && { dir: values.dir } }),
  );
  console.log(
    `seed ${seed}, Deno ${Deno.version.deno}, ${Deno.build.os} ${Deno.build.arch}, ${navigator.hardwareConcurrency} cores`,
  );
  let failed = 0;
  try {
    if (mb > 0) failed += await soakAll(folder, mb * 1e6, seed);
    if (kills > 0) failed += await killAll(join(folder, "kills"), kills, seed);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
  Deno.exit(failed === 0 ? 0 : 1);
}
