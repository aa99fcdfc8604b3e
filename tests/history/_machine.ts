/**
 * A home directory with histories in it, laid out as on any of the three systems.
 *
 * @module
 */
import {
  discover,
  type DiscoverOptions,
  type HistoryFile,
  type Host,
  type HostOs,
  isUnscanned,
  type ResolvedSource,
  resolveSource,
  sourceByKey,
  type Unscanned,
} from "../../src/history/mod.ts";

/** The systems whose layouts are tested. */
export const SYSTEMS: readonly HostOs[] = ["linux", "darwin", "windows"];

/** Runs `test` with a fresh home directory, whose real path it is given; `dir` is where it is made. */
export async function withHome(test: (home: string) => void | Promise<void>, dir?: string): Promise<void> {
  const home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "history-", ...(dir !== undefined && { dir }) }));
  try {
    await test(home);
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
}

/** A host whose layout is that of `os` and whose paths exist on the machine that runs the test. */
export function hostAt(home: string, os: HostOs = "linux", env: Host["env"] = {}): Host {
  const separator = Deno.build.os === "windows" ? "\\" : "/";
  return { os, env: { HOME: home, USERPROFILE: home, ...env }, separator };
}

/** A source on a host. */
export function resolved(key: string, host: Host, root?: string): ResolvedSource {
  const spec = sourceByKey(key);
  if (spec === undefined) throw new RangeError(`No source ${key}`);
  return resolveSource(spec, host, root === undefined ? {} : { root });
}

/** All that discovery yields. */
export async function found(
  sources: readonly ResolvedSource[],
  options: DiscoverOptions = {},
): Promise<{ files: HistoryFile[]; unscanned: Unscanned[] }> {
  const [files, unscanned]: [HistoryFile[], Unscanned[]] = [[], []];
  for await (const event of discover(sources, options)) {
    if (isUnscanned(event)) unscanned.push(event);
    else files.push(event);
  }
  return { files, unscanned };
}

/** Writes a file, with the directories that lead to it. */
export function put(path: string, text = "{}\n"): void {
  Deno.mkdirSync(path.replace(/[/\\][^/\\]*$/, ""), { recursive: true });
  Deno.writeTextFileSync(path, text);
}
