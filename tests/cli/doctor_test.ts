import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { secret } from "../redact/_histories.ts";
import { unixTest } from "../support/system.ts";
import { plantSecrets, program, withFolder } from "./_program.ts";

/** What doctor says, as data. */
interface Diagnosis {
  readonly posture: string;
  readonly sources: { readonly readable: string[]; readonly denied: string[] };
  readonly problems: { readonly problem: string; readonly mend: string }[];
}

Deno.test("doctor names leftovers and what is denied, each with the command that mends it", () =>
  withFolder(async (home) => {
    plantSecrets(home, ["codex"]);
    const clean = await program(["doctor", "--json"], { home });
    const healthy: Diagnosis = JSON.parse(clean.stdout);
    assertEquals([clean.code, healthy.problems, healthy.sources.readable], [0, [], ["codex"]]);
    assertStringIncludes(healthy.posture, "worker");

    const [file] = Array.from(Deno.readDirSync(join(home, ".codex"))).filter(({ isFile }) => isFile);
    await Deno.copyFile(join(home, ".codex", file!.name), join(home, ".codex", "history.jsonl.bak"));
    const quarantine = join(home, "code", ".agentsweep-quarantine.node-modules.1-1-_.0123456789abcdef");
    await Deno.mkdir(quarantine, { recursive: true });
    const { code, stdout } = await program(["doctor", "--root", join(home, "code"), "--json"], { home });
    const { problems }: Diagnosis = JSON.parse(stdout);
    assertEquals(code, 1);
    assert(
      problems.some(({ problem, mend }) =>
        /leftover backup of codex/.test(problem) && /purge --source codex/.test(mend)
      ),
    );
    assert(problems.some(({ problem, mend }) => problem.includes(quarantine) && /sweep .* --delete/.test(mend)));

    const permissions = ["--no-prompt", "--allow-env=HOME,USERPROFILE"];
    const denied: Diagnosis = JSON.parse((await program(["doctor", "--json"], { home, permissions })).stdout);
    assert(denied.sources.denied.includes("codex"));
    assert(
      denied.problems.some(({ mend }) => mend.startsWith("add --allow-read=") && mend.includes(join(home, ".codex"))),
    );
    assertStringIncludes(denied.posture, "process-flags");
    const blind: Diagnosis = JSON.parse((await program(["doctor", "--json"], { permissions: ["--no-prompt"] })).stdout);
    assertEquals(blind.problems.map(({ mend }) => mend), ["add --allow-env=HOME,USERPROFILE"]);
  }));

unixTest(
  "doctor, which reads no history, tells no secret in the names that it finds there",
  () =>
    withFolder(async (home) => {
      const sessions = join(home, ".codex", "sessions");
      await Deno.mkdir(join(sessions, "2025"), { recursive: true });
      const outside = join(home, "outside.jsonl");
      await Deno.writeTextFile(outside, "{}\n");
      const hidden = [secret(7), "q7" + "R!xZ", "Zk9v-Q4mT" + "-x7Lp"];
      for (const name of hidden) {
        await Deno.writeTextFile(join(sessions, `${name}.jsonl`), "{}\n");
        await Deno.writeTextFile(join(sessions, `${name}.jsonl.agentsweep-tmp`), "{}\n");
        await Deno.symlink(outside, join(sessions, "2025", `${name}.jsonl`));
      }
      for (const more of [["--json"], []]) {
        const { stdout, stderr } = await program(["doctor", ...more], { home });
        for (const name of hidden) assert(!(stdout + stderr).includes(name.slice(-12)), stdout + stderr);
        assertStringIncludes(stdout, `beside ${join(sessions, "********.jsonl")} stands`);
        assertStringIncludes(stdout, `${join(sessions, "2025", "********.jsonl")}: a link`);
      }
    }),
);
