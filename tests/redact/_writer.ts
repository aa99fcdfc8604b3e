/**
 * Redacts one file in a process of its own, which ends itself at a step or is ended from outside.
 *
 * @module
 */

import { redactFile } from "../../src/redact/file.ts";
import type { HistoryFile } from "../../src/history/mod.ts";
import { fileAt, settingsFor } from "./_histories.ts";

const [path, format, root, home, step] = Deno.args as [string, HistoryFile["format"], string, string, string];
const result = await redactFile(
  fileAt(path, format, root),
  settingsFor(root, home, {
    onStep(now) {
      if (now === step) Deno.kill(Deno.pid, "SIGKILL");
    },
  }),
);
console.log(JSON.stringify(result));
