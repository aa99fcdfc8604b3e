/**
 * Audit as one service: which histories there are, and what leaked into them.
 *
 * @module
 */

import { basename } from "@std/path";
import { checkedPath, isWithin, Refusal, refusalFrom } from "../../guard/mod.ts";
import { accessTo, rootAccess } from "../../history/access.ts";
import { readPaths, type ResolvedSource, resolveSource } from "../../history/resolve.ts";
import type { Host, Unscanned } from "../../history/source.ts";
import { SOURCES } from "../../history/sources/mod.ts";
import { withoutHome } from "./grants.ts";
import type { Scanner } from "./scanner.ts";
import type { PlaceFinding } from "./types.ts";

/** What the human set when the process started. */
export interface AuditSettings {
  /** The machine whose layout applies, with the environment as it was at start. */
  readonly host: Host;
  /** Other roots that the human named, by key of the source. */
  readonly history: ReadonlyMap<string, string>;
  /** Whether a caller may name a root, inside what the human allowed. */
  readonly allowsRoot: boolean;
  /** Folder whose ignore file counts for every source; null for none. */
  readonly workingDirectory: string | null;
  /** Own modules that a narrowed worker must read; null where workers cannot be narrowed. */
  readonly workerModules: readonly string[] | null;
}

/** What to scan. */
export interface AuditRequest {
  /** Keys of the sources. */
  readonly sources: readonly string[];
  /** Another root for the one source. */
  readonly root?: string | undefined;
  /** Ends the scan; what was found so far is given back all the same. */
  readonly signal?: AbortSignal | undefined;
  /** Told after each file. */
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** A finding with its file. */
export interface AuditFinding extends PlaceFinding {
  /** Key of the source. */
  readonly source: string;
  /** The file, as it may be shown. */
  readonly file: string;
}

/** A source that has no history here. */
export interface AbsentSource {
  /** Its key. */
  readonly source: string;
  /** Its human name. */
  readonly display: string;
  /** Where it would be, at least one place. */
  readonly roots: readonly string[];
}

/** What a scan came to. */
export interface AuditOutcome {
  /** Keys of the sources in which there is history, or may be. */
  readonly sources: readonly string[];
  /** Sources of which it is certain that there is no history here, and where it was looked for. */
  readonly absent: readonly AbsentSource[];
  /** By source, file, line and column. */
  readonly findings: readonly AuditFinding[];
  /** Findings in all, also beyond those listed. */
  readonly total: number;
  /** What was not scanned, and why. */
  readonly unscanned: readonly Unscanned[];
  /** Files scanned. */
  readonly files: number;
  /** Bytes scanned. */
  readonly bytes: number;
  /** Strings scanned. */
  readonly strings: number;
  /** Findings that ignore files name. */
  readonly suppressed: number;
  /** Files that ended before their size said. */
  readonly truncated: number;
  /** Leftover backups in which there are secrets. */
  readonly backups: number;
  /** Whether everything was scanned. */
  readonly isComplete: boolean;
  /** How long it took. */
  readonly seconds: number;
}

/** A source as this machine has it. */
export interface SourceState {
  /** The source. */
  readonly source: ResolvedSource;
  /** Whether there is history. */
  readonly isDetected: boolean;
  /** Whether the sandbox allows to read all of its roots. */
  readonly isGranted: boolean;
}

/** Audit, as both the tools and the command line use it. */
export interface AuditService {
  /** Keys of all sources, in their order. */
  readonly keys: readonly string[];
  /** Whether a caller may name a root. */
  readonly allowsRoot: boolean;
  /** Every source as this machine has it. */
  list(signal?: AbortSignal): Promise<SourceState[]>;
  /**
   * Scans histories. Plaintext stays in the scanning workers.
   *
   * @throws {Refusal} For a root that is not inside what the human allowed.
   */
  scan(request: AuditRequest): Promise<AuditOutcome>;
}

const IGNORE_FILE = ".agentsweepignore";

/**
 * The paths that reading the histories needs, without the home directory itself: sources that look in every project ask
 * for it, and it holds too much else.
 *
 * @example
 * ```ts
 * import { historyPaths } from "@agentsweep/mcp";
 * import { readHost } from "@agentsweep/mcp/history";
 *
 * console.log(`--allow-read=${historyPaths({ host: readHost()!, history: new Map() }).join(",")}`);
 * ```
 */
export function historyPaths({ host, history }: Pick<AuditSettings, "host" | "history">): string[] {
  const paths = readPaths(resolveAll(host, history));
  const homes = [host.env.HOME, host.env.USERPROFILE];
  const rest = paths.filter((path) => !homes.includes(path));
  if (rest.length === paths.length) return paths;
  // A home among the paths hides those inside it.
  return readPaths(
    resolveAll(host, history).map((source) => ({
      ...source,
      roots: source.roots.filter((root) => !homes.includes(root)),
    })),
  );
}

function resolveAll(host: Host, history: ReadonlyMap<string, string>): ResolvedSource[] {
  return SOURCES.map((spec) => {
    const root = history.get(spec.key);
    return resolveSource(spec, host, root === undefined ? {} : { root });
  });
}

/**
 * The Audit service of a process.
 *
 * @example
 * ```ts
 * import { createAudit } from "@agentsweep/mcp";
 * import { readHost } from "@agentsweep/mcp/history";
 *
 * const copy = await Deno.makeTempDir();
 * const audit = createAudit({
 *   host: readHost()!,
 *   history: new Map([["codex", copy]]),
 *   allowsRoot: false,
 *   workingDirectory: null,
 *   workerModules: null,
 * });
 * const { findings, unscanned, isComplete } = await audit.scan({ sources: ["codex"] });
 * console.log(findings.length, unscanned, isComplete);
 * ```
 */
export function createAudit(settings: AuditSettings): AuditService {
  const sources = resolveAll(settings.host, settings.history);
  // A server is started far more often than it is asked to scan: what scanning needs is loaded with the first scan.
  let scanner: Promise<Scanner> | undefined;
  const loadScanner = async () => (await import("./scanner.ts")).createScanner();

  async function scan(request: AuditRequest): Promise<AuditOutcome> {
    const chosen = request.root === undefined
      ? sources.filter((source) => request.sources.includes(source.key))
      : [overridden(settings, sources, request.sources[0]!, request.root)];
    const plans = chosen.map((source) => ({ source, ignoreFiles: ignoreFilesOf(settings, source) }));
    const readOnly = settings.workerModules && narrowed([
      ...settings.workerModules,
      ...plans.flatMap(({ source, ignoreFiles }) => [...source.roots, ...ignoreFiles]),
    ]);
    const outcome = await (await (scanner ??= loadScanner())).scan(plans, request, readOnly);
    return { ...outcome, unscanned: outcome.unscanned.map((entry) => withoutHome(entry, settings.host)) };
  }
  return {
    keys: sources.map(({ key }) => key),
    allowsRoot: settings.allowsRoot,
    async list(signal) {
      const { detect } = await import("../../history/discover.ts");
      const found = await detect(sources, signal ? { signal } : {});
      return sources.map((source) => ({
        source,
        isDetected: found.has(source.key),
        isGranted: rootAccess(source).every(({ access }) => access === "granted"),
      }));
    },
    scan,
  };
}

/** An Audit service that says to every call why there is none: unknown is not the same as nothing found. */
export function unavailableAudit(reason: string): AuditService {
  const refuse = () => Promise.reject(new Refusal("unreadable", reason));
  return { keys: SOURCES.map(({ key }) => key), allowsRoot: false, list: refuse, scan: refuse };
}

/** The paths that this thread may read: a worker cannot be given more, and asking for more is an error. */
function narrowed(paths: readonly string[]): string[] {
  return paths.filter((path) => accessTo(path) === "granted");
}

/** The source under a root that a caller named: it must lie inside what the human allowed. */
function overridden(
  { host, allowsRoot }: AuditSettings,
  sources: readonly ResolvedSource[],
  key: string,
  root: string,
): ResolvedSource {
  const source = sources.find((source) => source.key === key)!;
  const spec = SOURCES.find((spec) => spec.key === key)!;
  if (!allowsRoot) throw new Refusal("argument", "root is switched off on this server; scan the source without it");
  const path = quietly("root", () => checkedPath(root));
  const real = quietly("root", () => realPathOf(path));
  const allowed = source.roots.filter((allowed) => isWithin(allowed, path));
  if (!allowed.some((root) => isWithin(realPathOrSame(root), real))) {
    throw new Refusal(
      "outside",
      `root is outside of what was allowed for ${key} (${source.roots.join(", ")}); a human can allow it with ` +
        `--history ${key}=DIR`,
    );
  }
  return resolveSource(spec, host, { root: path });
}

function realPathOf(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    throw refusalFrom("root", error, "--allow-read");
  }
}

function realPathOrSame(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

/** Runs `step`; a refusal of it names the argument and does not tell the path back, which may hold anything. */
function quietly<T>(argument: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const why = error.code === "missing"
      ? "does not exist"
      : error.code === "unreadable"
      ? "cannot be read"
      : "is no valid path";
    throw new Refusal(error.code, `${argument} ${why}; give an absolute path of a directory that was allowed`);
  }
}

/** The ignore files that hold for a source: in its roots and in the working directory. */
function ignoreFilesOf({ workingDirectory }: AuditSettings, { roots }: ResolvedSource): string[] {
  const folders = [...roots.filter((root) => basename(root) !== ""), ...(workingDirectory ? [workingDirectory] : [])];
  return [...new Set(folders)].map((folder) => `${folder.replace(/[\\/]$/, "")}/${IGNORE_FILE}`);
}
