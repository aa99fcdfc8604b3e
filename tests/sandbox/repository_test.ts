import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { repositoryFilesAbove } from "../../src/reclaim/git.ts";
import { exactPermissions, initialize, startRaw } from "../support/server.ts";
import { createWorkspace, writeTree } from "../support/workspace.ts";

/** Makes the workspace a repository in which the `dist` of the root below it is committed and its `build` is not. */
async function commitDist(base: string, root: string): Promise<void> {
  await writeTree(root, { "pyproject.toml": "", "dist/only.js": "by hand", "build/made.js": "" });
  for (const args of [["init", "--quiet"], ["add", join(root, "dist")]]) {
    const { success } = await new Deno.Command("git", { args, cwd: base }).output();
    assertEquals(success, true);
  }
}

async function offered(root: string, permissions: readonly string[]): Promise<{ paths: string[]; reasons: string }> {
  await using server = startRaw({ roots: [root], permissions, args: ["--no-audit"] });
  await initialize(server);
  const { finds, skipped } = await server.call("scan", { path: root });
  return {
    paths: finds.map(({ path }: { path: string }) => path.slice(root.length + 1)),
    reasons: skipped.map(({ reason }: { reason: string }) => reason).join("\n"),
  };
}

Deno.test("what a repository above the root tracks is not offered by a server that narrowed itself", async () => {
  await using workspace = await createWorkspace();
  await commitDist(workspace.base, workspace.root);
  const { paths, reasons } = await offered(workspace.root, ["-A"]);
  assertEquals(paths, ["build"]);
  assertStringIncludes(reasons, "tracks 1 file");
});

Deno.test("under exact flags the few files of a repository above the root are enough to ask it", async () => {
  await using workspace = await createWorkspace();
  const { base, root } = workspace;
  await commitDist(base, root);
  const files = repositoryFilesAbove(root);
  assertEquals(files.every((file) => file.startsWith(join(base, ".git") + "/")), true);
  const exact = exactPermissions([root]).map((flag) =>
    flag.replace("--allow-read=", `--allow-read=${files.join(",")},`)
  );
  assertEquals((await offered(root, exact)).paths, ["build"]);
});

Deno.test("a linked worktree above the root is asked through its own index", async () => {
  await using workspace = await createWorkspace("repo");
  const { base, root: repository } = workspace;
  await writeTree(repository, { "pkg/dist/only.js": "by hand", "pkg/pyproject.toml": "" });
  const git = (...args: string[]) =>
    new Deno.Command("git", {
      args: ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args],
      cwd: repository,
    }).output();
  for (const args of [["init", "-q"], ["add", "."], ["commit", "-qm", "all"], ["worktree", "add", "-q", "../tree"]]) {
    assertEquals((await git(...args)).success, true, args.join(" "));
  }
  const { paths, reasons } = await offered(join(base, "tree", "pkg"), ["-A"]);
  assertEquals(paths, []);
  assertStringIncludes(reasons, "tracks 1 file");
});
