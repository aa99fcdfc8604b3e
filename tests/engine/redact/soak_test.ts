import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { openMachine } from "../../../tools/soak/child.ts";
import { killRounds } from "../../../tools/soak/kills.ts";
import { soakSource } from "../../../tools/soak/soak.ts";
import { inProcess } from "./_in_process.ts";
import { withDir } from "../../support/tree.ts";

/** A small round of what `deno task soak` does with 200 MB and a hundred kills. */
const BYTES = 1_500_000;
/** Together they have every format, encoding and kind of database. */
const SOURCES = ["claude-code", "codex", "cursor", "jetbrains-ai"] as const;

for (const source of SOURCES) {
  Deno.test(`a history of ${source} in every format: redacted by the command line, searched, compared, put back`, () =>
    withDir(async (dir) => {
      const home = join(dir, "home");
      Deno.mkdirSync(home);
      const options = { seed: 5, bytes: BYTES, clean: 6, hasObstacles: true };
      const outcome = await soakSource(source, dir, await openMachine(home), options);
      assertEquals(outcome.failures, []);
      assertEquals(outcome.unplanted, []);
      assert(outcome.markers >= outcome.redacted && outcome.redacted > 0);
      assertEquals(outcome.named.length, source === "codex" ? 4 : 0);
    }));
}

Deno.test({
  name: "killed at random instants, fix, undo and purge lose nothing, and the next commands end the work",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withDir(async (dir) => {
      const rounds = { fix: 4, undo: 1, purge: 1 };
      const all = async (source: string) => {
        const options = {
          seed: Date.now() % 1000,
          sources: [source],
          bytes: 600_000,
          rounds,
          purgedEvery: 2,
          follower: inProcess,
        };
        const failures: string[] = [];
        let kills = 0;
        for await (const outcome of killRounds(join(dir, source), options)) {
          kills++;
          for (const failure of outcome.failures) failures.push(`seed ${options.seed}, ${outcome.landed}: ${failure}`);
        }
        return { failures, kills };
      };
      const outcomes = await Promise.all(["codex", "jetbrains-ai"].map(all));
      assertEquals(outcomes.flatMap(({ failures }) => failures), []);
      assertEquals(outcomes.map(({ kills }) => kills), [6, 6]);
    }),
});
