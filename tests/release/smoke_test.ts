import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { CHECKOUT, OFFLINE, runToEnd } from "../support/server.ts";
import { environment, withFolder } from "../cli/_program.ts";

Deno.test("what a release demands of each binary on its own system holds for the program as it is", () =>
  withFolder(async (folder) => {
    if (Deno.build.os === "windows") return;
    // Stands for the compiled binary, which takes long to make: it runs the same program.
    const binary = join(folder, "agentsweep-test");
    const { DENO_DIR } = environment(folder);
    const run = [Deno.execPath(), "run", "-A", "--quiet", ...OFFLINE, join(CHECKOUT, "main.ts")];
    const quoted = run.map((word) => `'${word}'`).join(" ");
    await Deno.writeTextFile(binary, `#!/bin/sh\nexport DENO_DIR='${DENO_DIR}'\nexec ${quoted} "$@"\n`, {
      mode: 0o755,
    });
    const smoke = join(CHECKOUT, "tools", "release", "smoke.ts");
    const { code, stdout, stderr } = await runToEnd([Deno.execPath(), "run", "-A", "--no-config", smoke, binary]);
    assertEquals(code, 0, stderr);
    assertEquals(stdout.match(/^ok: /gm)?.length, 7, stdout);
  }));

Deno.test("every Worker of the program is in a compiled binary, whatever its system", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(join(CHECKOUT, "deno.json")));
  const started = new Set<string>();
  const visit = (folder: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(join(CHECKOUT, folder))) {
      if (isDirectory) visit(`${folder}/${name}`);
      else {
        const text = Deno.readTextFileSync(join(CHECKOUT, folder, name));
        for (const [, module] of text.matchAll(/new URL\("\.\/([\w/]+\.ts)", import\.meta\.url\)/g)) {
          if (text.includes("ownWorker(")) started.add(`${folder}/${module}`);
        }
      }
    }
  };
  visit("src");
  for (const [name, line] of Object.entries<string>(tasks)) {
    if (!name.startsWith("compile:")) continue;
    const included = [...line.matchAll(/--include (\S+)/g)].map(([, module]) => module!);
    assertEquals(included.sort(), [...started].sort(), name);
    // A Worker of a binary is narrowed only with this flag, and there is no deno.json beside it to say so.
    assertEquals(line.includes(" --unstable-worker-options ") && line.includes(" --no-prompt "), true, name);
  }
});
