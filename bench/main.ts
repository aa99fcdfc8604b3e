/**
 * The benchmarks: `deno task bench` runs all, `deno task bench reclaim startup` the named ones.
 *
 * @module
 */

import { benchAudit } from "./audit.ts";
import { benchReclaim } from "./reclaim.ts";
import { benchStartup } from "./startup.ts";

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  audit: benchAudit,
  reclaim: benchReclaim,
  startup: benchStartup,
};

if (import.meta.main) {
  const unknown = Deno.args.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) {
    console.error(`unknown benchmark ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}`);
    Deno.exit(2);
  }
  const { cpu, memory } = { cpu: navigator.hardwareConcurrency, memory: Deno.systemMemoryInfo().total };
  console.log(
    `Deno ${Deno.version.deno}, ${Deno.build.os} ${Deno.build.arch}, ${cpu} cores, ${
      (memory / 2 ** 30).toFixed(0)
    } GiB`,
  );
  for (const name of Deno.args.length > 0 ? Deno.args : Object.keys(BENCHES)) {
    console.log(`\n== ${name}`);
    await BENCHES[name]!();
  }
}
