/**
 * `fix`, `undo` and `purge` without a process of their own: the service that the command line uses, for tests that run
 * many of them.
 *
 * @module
 */

import { redactionReport } from "../../../src/engine/redact/report.ts";
import { createRedaction } from "../../../src/engine/redact/service.ts";
import { backupReport } from "../../../src/cli/redaction.ts";
import { hostOf } from "../../../src/history/mod.ts";
import type { Machine } from "../../../tools/soak/child.ts";

/** A machine whose commands run here. It takes the arguments of the three commands alone, and answers in JSON. */
export function inProcess(home: string): Machine {
  return {
    home,
    async run([command, , source = "", , root = ""]) {
      const began = performance.now();
      const service = createRedaction({
        host: hostOf(Deno.build.os, { HOME: home, USERPROFILE: home }),
        history: new Map([[source, root]]),
        workingDirectory: null,
        workerModules: null,
        agentState: () => Promise.resolve("idle"),
      });
      const report = command === "fix"
        ? redactionReport(await service.redact(source))
        : backupReport(await (command === "undo" ? service.undo(source) : service.purge(source)));
      const code = report.skipped.length === 0 ? 0 : 2;
      const seconds = (performance.now() - began) / 1000;
      return { code, stdout: JSON.stringify(report), stderr: "", seconds, peak: 0 };
    },
  };
}
