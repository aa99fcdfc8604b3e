import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { startRaw } from "../support/server.ts";
import { environment, program, withFolder } from "./_program.ts";

Deno.test("config and serve warn of a root that is the home folder or above it, and of no other", () =>
  withFolder(async (home) => {
    await Deno.mkdir(join(home, "code"));
    const config = ["config", "--client", "zed", "--root"];
    for (const root of [home, dirname(home)]) {
      const { code, stderr } = await program([...config, root], { home });
      assertEquals(code, 0, stderr);
      assertStringIncludes(stderr, `WARNING: the root ${root} is a home folder`);
    }
    assert(!(await program([...config, join(home, "code")], { home })).stderr.includes("WARNING"));
    await using wide = startRaw({ roots: [home], permissions: ["-A"], env: environment(home) });
    await wide.said("serving");
    assertEquals(wide.stderr().split("WARNING").length, 2, wide.stderr());
    await using narrow = startRaw({ roots: [join(home, "code")], permissions: ["-A"], env: environment(home) });
    await narrow.said("serving");
    assert(!narrow.stderr().includes("WARNING"));
  }));
