import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { createMachine, startAudit } from "../support/audit.ts";
import { plantSecrets, program, withFolder } from "./_program.ts";

Deno.test("a history that is not there is told as absent, never as clean", () =>
  withFolder(async (home) => {
    plantSecrets(home, ["codex"]);
    const one = await program(["scan", "--source", "goose"], { home });
    assertEquals(one.code, 0);
    assertStringIncludes(one.stdout, "No history of Goose here (looked in ");
    assertStringIncludes(one.stdout, home);
    assert(!/everything was read|Nothing was found/.test(one.stdout), one.stdout);
    const json = await program(["scan", "--source", "goose", "--json"], { home });
    assertEquals([json.code, json.stdout], [0, "[]\n"]);
    assertStringIncludes(json.stderr, "No history of Goose here");
    const both = await program(["scan", "--source", "goose", "--source", "codex"], { home });
    assertStringIncludes(both.stdout, "No history of Goose here");
    assertStringIncludes(both.stdout, "of 1 agent");
    const all = await program(["scan"], { home });
    assertStringIncludes(all.stdout, "1 of 43 agents has a history here.");
    const empty = join(home, "empty");
    await Deno.mkdir(empty);
    const copy = await program(["scan", "--source", "codex", "--root", empty], { home });
    assertStringIncludes(copy.stdout, `No history of Codex here (looked in ${empty})`);
  }));

Deno.test("with a wrong HOME a scan of all says that nothing was scanned, and where it looked", () =>
  withFolder(async (folder) => {
    const home = join(folder, "wrong");
    const html = join(folder, "report.html");
    const { code, stdout } = await program(["scan", "--html", html], { home });
    assertEquals(code, 0);
    assertStringIncludes(
      stdout.replaceAll(/\s+/g, " "),
      `None of the 43 agents has a history here (the home is ${home}), so nothing was scanned.`,
    );
    assert(!/everything was read|Nothing was found/.test(stdout), stdout);
    const page = await Deno.readTextFile(html);
    assert(page.includes("Nothing was scanned") && !/No secrets were found|Everything was read/.test(page));
    assertStringIncludes((await program(["scan", "--sarif"], { home })).stderr, "so nothing was scanned");
  }));

Deno.test("scan_history tells an absent history from a clean one", async () => {
  await using machine = await createMachine();
  await using server = await startAudit(machine.home);
  const { summary, next_steps } = await server.call("scan_history", { source: "goose" });
  assertEquals([summary.complete, summary.findings, summary.sources_scanned], [true, 0, 0]);
  assertEquals(next_steps.length, 1);
  assertStringIncludes(next_steps[0], "No history of goose is here (looked in ");
  await machine.write(".codex/history.jsonl", '{"text":"nothing"}\n');
  const clean = await server.call("scan_history", { source: "codex" });
  assertEquals(clean.next_steps, ["Nothing was found, and everything was read."]);
});
