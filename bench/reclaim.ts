/**
 * How fast Reclaim finds and measures, against `du`, `find` and the Python `sweep`.
 *
 * @module
 */

import { createReclaim, type ReclaimService } from "../src/engine/reclaim.ts";
import { openRoots } from "../src/guard/mod.ts";
import { TARGETS } from "../src/reclaim/targets/mod.ts";
import { formatBytes } from "../src/text/units.ts";
import { compare, isInstalled, line, median, timeCommand } from "./measure.ts";
import { makeModules, makeProjects } from "./trees.ts";

const RUNS = 7;
const services: ReclaimService[] = [];

/** Time of one scan, as a server takes for it: its workers stay from scan to scan. */
function scanTime(root: string): () => Promise<number> {
  const service = createReclaim(openRoots([root]), TARGETS, { keepsWorkers: true });
  services.push(service);
  return async () => {
    const began = performance.now();
    await service.scan({ path: root });
    return performance.now() - began;
  };
}

async function sizing(folder: string): Promise<void> {
  console.log("Sizing one node_modules: ours, the other, ratio");
  await makeModules(`${folder}/large`, 109_000);
  const scan = scanTime(`${folder}/large`);
  console.log(
    line(
      "109,000 files, against du -s",
      await compare(scan, () => timeCommand("du", ["-s", `${folder}/large`]), RUNS),
      1.5,
    ),
  );
  const find = () => timeCommand("find", [`${folder}/large`, "-printf", "%b\\n"]);
  console.log(line("109,000 files, against find -printf %b", await compare(scan, find, RUNS)));
  if (await isInstalled("dust", "--version")) {
    console.log(
      line(
        "109,000 files, against dust",
        await compare(scan, () => timeCommand("dust", ["-d", "0", `${folder}/large`]), RUNS),
      ),
    );
  }

  console.log("Growth of a scan, and memory");
  for (const files of [1_000, 10_000, 100_000]) {
    const root = `${folder}/growth-${files}`;
    await makeModules(root, files);
    const times: number[] = [];
    const scan = scanTime(root);
    for (let run = 0; run < RUNS; run++) times.push(await scan());
    const each = median(times) * 1000 / files;
    console.log(
      `  ${files.toLocaleString("en").padStart(7)} files ${median(times).toFixed(0).padStart(6)} ms, ${
        each.toFixed(2)
      } µs each`,
    );
  }
  console.log(`  resident memory of this process after them: ${formatBytes(Deno.memoryUsage().rss)}`);
}

async function finding(folder: string): Promise<void> {
  console.log("Finding targets among 2,000 projects: ours, the other, ratio");
  const root = `${folder}/projects`;
  makeProjects(root, 2_000);
  const scan = scanTime(root);
  console.log(line("against find -type d", await compare(scan, () => timeCommand("find", [root, "-type", "d"]), RUNS)));
  const python = await pythonSweep(folder);
  if (python === null) {
    console.log("  the Python sweep could not be installed (needs python3 with pip, and PyPI): not compared");
    return;
  }
  const sweep = () =>
    timeCommand(python, [
      "-c",
      `from sweep import scan; from pathlib import Path; scan([Path(${JSON.stringify(root)})])`,
    ]);
  console.log(line("against the Python sweep", await compare(scan, sweep, RUNS), 0.5));
  // Starting Python is not sweep's work: the same without it.
  const starts: number[] = [];
  for (let run = 0; run < 3; run++) starts.push(await timeCommand(python, ["-c", "from sweep import scan"]));
  const idle = median(starts);
  const net = await compare(scan, async () => await sweep() - idle, RUNS);
  console.log(line("against the Python sweep, its start left out", net, 0.5));
}

/** A Python that has the Python `sweep` (PyPI: `sweep-reclaim`), or null. */
async function pythonSweep(folder: string): Promise<string | null> {
  if (!await isInstalled("python3", "-m", "venv", `${folder}/python`)) return null;
  const python = `${folder}/python/bin/python`;
  return await isInstalled(python, "-m", "pip", "install", "--quiet", "sweep-reclaim") ? python : null;
}

/** Prints the comparison. */
export async function benchReclaim(): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "agentsweep-bench-" }));
  try {
    await sizing(folder);
    await finding(folder);
  } finally {
    for (const service of services) service.close();
    await Deno.remove(folder, { recursive: true });
  }
}
