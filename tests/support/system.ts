/**
 * What only some systems and users can do. In continuous integration on Linux everything must be possible: a test that
 * cannot run there fails.
 *
 * @module
 */

import { command } from "./tree.ts";

/** Whether tests run as the superuser of a Unix. */
export const IS_SUPERUSER: boolean = Deno.build.os !== "windows" && Deno.uid() === 0;

/** Whether the system has Unix's modes, pipes and links. */
export const IS_UNIX: boolean = Deno.build.os !== "windows";

const MAY_SKIP = Deno.build.os !== "linux" || Deno.env.get("CI") !== "true";

/** A test for Unix systems. @param permissions What it may do. @default everything */
export function unixTest(name: string, run: () => unknown, permissions: Deno.PermissionOptions = "inherit"): void {
  Deno.test({ name, ignore: !IS_UNIX, permissions, fn: async () => void await run() });
}

/** A test that mounts file systems: it needs Linux and its superuser. */
export function mountTest(name: string, run: () => unknown): void {
  Deno.test({ name, ignore: MAY_SKIP && !canMount(), fn: async () => void await run() });
}

let mountable: boolean | undefined;

function canMount(): boolean {
  if (mountable !== undefined) return mountable;
  if (Deno.build.os !== "linux" || !IS_SUPERUSER) return mountable = false;
  const dir = Deno.makeTempDirSync();
  try {
    command("mount", ["-t", "tmpfs", "none", dir]);
    command("umount", [dir]);
    return mountable = true;
  } catch {
    return mountable = false;
  } finally {
    Deno.removeSync(dir);
  }
}

/** Mounts at `place` (an empty tmpfs, or `source` by a bind mount) while `use` runs. */
export async function withMount(place: string, source: string | null, use: () => unknown): Promise<void> {
  command("mount", source === null ? ["-t", "tmpfs", "none", place] : ["--bind", source, place]);
  try {
    await use();
  } finally {
    unmountAll(place);
  }
}

/** Unmounts what `place` names, also where it was renamed with a directory above it. */
function unmountAll(place: string): void {
  const [last, top] = [place.slice(place.lastIndexOf("/")), /^.*?agentsweep-test-[^/]*/.exec(place)?.[0] ?? place];
  for (const line of Deno.readTextFileSync("/proc/self/mountinfo").split("\n").reverse()) {
    const point = line.split(" ")[4]?.replaceAll(/\\(\d{3})/g, (_, code) => String.fromCharCode(parseInt(code, 8)));
    if (point?.startsWith(top) && point.endsWith(last)) command("umount", [point]);
  }
}
