/**
 * Audit as one service: which histories there are, and what leaked into them.
 *
 * @module
 */

import { basename } from "@std/path";
import { checkedPath, isWithin, Refusal, refusalFrom } from "../../guard/mod.ts";
import { accessTo, rootAccess } from "../../history/access.ts";
import { detect, discover, isUnscanned } from "../../history/discover.ts";
import { readPaths, type ResolvedSource, resolveSource } from "../../history/resolve.ts";
import type { HistoryFile, Host, Unscanned } from "../../history/source.ts";
import { SOURCES } from "../../history/sources/mod.ts";
import { createCache, type Scanned } from "./cache.ts";
import { createPool, type Pool } from "./pool.ts";
import type { PlaceFinding, ScanTask } from "./types.ts";

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

/** What a scan came to. */
export interface AuditOutcome {
  /** Keys of the sources in which there is history, or may be. */
  readonly sources: readonly string[];
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
const TIMED_OUT = "the scan was ended before it was read";
const FAILED = "the scanning worker failed on it";

/**
 * The paths that reading the histories needs, without the home directory itself: sources that look in every project ask
 * for it, and it holds too much else.
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

/** The Audit service of a process. */
export function createAudit(settings: AuditSettings): AuditService {
  const sources = resolveAll(settings.host, settings.history);
  const key = crypto.getRandomValues(new Uint8Array(32));
  const cache = createCache();
  const names = new Map<string, string>();
  return {
    keys: sources.map(({ key }) => key),
    allowsRoot: settings.allowsRoot,
    async list(signal) {
      const found = await detect(sources, signal ? { signal } : {});
      return sources.map((source) => ({
        source,
        isDetected: found.has(source.key),
        isGranted: rootAccess(source).every(({ access }) => access === "granted"),
      }));
    },
    async scan(request) {
      const chosen = request.root === undefined
        ? sources.filter((source) => request.sources.includes(source.key))
        : [overridden(settings, sources, request.sources[0]!, request.root)];
      const ignoreFiles = ignoreFilesOf(settings, chosen);
      cache.keepFor(stampOf(ignoreFiles));
      const run = createRun(request, cache);
      const readOnly = settings.workerModules && narrowed([
        ...settings.workerModules,
        ...chosen.flatMap(({ roots }) => roots),
        ...ignoreFiles,
      ]);
      const pool = createPool({ setup: { key, ignoreFiles }, readOnly, onFindings: run.onFindings });
      const end = () => pool.end();
      request.signal?.addEventListener("abort", end);
      try {
        await run.discover(chosen, pool);
        // The workers that scanned are gone when the scan was ended; names still need one.
        const still = request.signal?.aborted
          ? createPool({ setup: { key, ignoreFiles }, readOnly, onFindings() {} })
          : pool;
        try {
          return await run.outcome(chosen, (files) => shownNames(files, names, still));
        } finally {
          still.end();
        }
      } finally {
        request.signal?.removeEventListener("abort", end);
        pool.end();
      }
    },
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

function ignoreFilesOf({ workingDirectory }: AuditSettings, sources: readonly ResolvedSource[]): string[] {
  const folders = sources.flatMap(({ roots }) => roots).filter((root) => basename(root) !== "");
  if (workingDirectory !== null) folders.push(workingDirectory);
  return [...new Set(folders)].map((folder) => `${folder.replace(/[\\/]$/, "")}/${IGNORE_FILE}`);
}

/** Changes whenever an ignore file does. */
function stampOf(paths: readonly string[]): string {
  return paths.map((path) => {
    try {
      const { size, mtime } = Deno.statSync(path);
      return `${path} ${size} ${mtime?.getTime()}`;
    } catch {
      return "";
    }
  }).join("\n");
}

/** Makes file names showable. */
type Show = (files: readonly string[]) => Promise<readonly string[]>;

interface Run {
  onFindings(task: ScanTask, findings: readonly PlaceFinding[]): void;
  discover(sources: readonly ResolvedSource[], pool: Pool): Promise<void>;
  outcome(sources: readonly ResolvedSource[], show: Show): Promise<AuditOutcome>;
}

/** One scan: files as they are discovered go to the pool, or are answered from memory. */
function createRun({ signal, onProgress }: AuditRequest, cache: ReturnType<typeof createCache>): Run {
  const began = performance.now();
  const results: { file: HistoryFile; scanned: Scanned }[] = [];
  const unscanned: Unscanned[] = [];
  const seen = new Set<string>();
  const parts = new Map<number, PlaceFinding[]>();
  const pending: Promise<void>[] = [];
  let files = 0;
  let done = 0;

  const settle = (file: HistoryFile, scanned: Scanned) => {
    results.push({ file, scanned });
    onProgress?.(++done, files);
  };
  const scan = async (task: ScanTask, pool: Pool) => {
    const outcome = await pool.scan(task);
    const findings = parts.get(task.id) ?? [];
    parts.delete(task.id);
    if (outcome) return settle(task.file, cache.remember(task, { outcome, findings }));
    unscanned.push({ source: task.file.source, file: task.file.path, reason: signal?.aborted ? TIMED_OUT : FAILED });
    if (findings.length > 0) settle(task.file, { outcome: partial(findings.length), findings });
  };
  return {
    onFindings(task, findings) {
      const known = parts.get(task.id);
      if (known) known.push(...findings);
      else parts.set(task.id, [...findings]);
    },
    async discover(sources, pool) {
      try {
        for await (const event of discover(sources, signal ? { signal } : {})) {
          seen.add(event.source);
          if (isUnscanned(event)) {
            unscanned.push(event);
            continue;
          }
          const id = files++;
          const known = cache.unchanged(event);
          if (known) settle(event, known);
          else pending.push(scan(cache.task(id, event), pool));
        }
      } catch (error) {
        if (!signal?.aborted) throw error;
        for (const { key, root } of sources) unscanned.push({ source: key, file: root, reason: TIMED_OUT });
      }
      await Promise.all(pending);
    },
    async outcome(sources, show) {
      const order = new Map(sources.map(({ key }, index) => [key, index]));
      const unread = await show(unscanned.map(({ file }) => file));
      const named = unscanned.map((entry, index) => ({ ...entry, file: unread[index]! }));
      const partials = results.filter(({ scanned }) => scanned.outcome.shown === "");
      const shown = await show(partials.map(({ file }) => file.path));
      const shownOf = new Map(partials.map(({ file }, index) => [file, shown[index]!]));
      const problems = results.flatMap(({ file, scanned }) =>
        scanned.outcome.problems.map((reason) => ({ source: file.source, file: scanned.outcome.shown, reason }))
      );
      const findings = results.flatMap(({ file, scanned }) =>
        scanned.findings.map((finding) => ({
          source: file.source,
          file: shownOf.get(file) ?? scanned.outcome.shown,
          ...finding,
        }))
      );
      const outcomes = results.map(({ scanned }) => scanned.outcome);
      const all = [...named, ...problems].sort((one, other) =>
        order.get(one.source)! - order.get(other.source)! || compare(one.file, other.file)
      );
      return {
        sources: sources.map(({ key }) => key).filter((key) => seen.has(key)),
        findings: findings.sort((one, other) =>
          order.get(one.source)! - order.get(other.source)! || compare(one.file, other.file) ||
          one.line - other.line || one.column - other.column || compare(one.rule, other.rule)
        ),
        total: sum(outcomes.map(({ findings }) => findings)),
        unscanned: all,
        files: results.length,
        bytes: sum(outcomes.map(({ bytes }) => bytes)),
        strings: sum(outcomes.map(({ strings }) => strings)),
        suppressed: sum(outcomes.map(({ suppressed }) => suppressed)),
        truncated: outcomes.filter(({ isTruncated }) => isTruncated).length,
        backups: results.filter(({ file, scanned }) => file.backup && scanned.outcome.findings > 0).length,
        isComplete: all.length === 0 && !signal?.aborted,
        seconds: (performance.now() - began) / 1000,
      };
    },
  };
}

/** What is known of a file whose scan was ended: its name is yet to be made showable. */
function partial(findings: number): Scanned["outcome"] {
  return {
    shown: "",
    bytes: 0,
    strings: 0,
    findings,
    suppressed: 0,
    problems: [],
    isTruncated: true,
    isResumed: false,
    resume: null,
  };
}

/** File names as they may be shown; what is known is not asked again. Without a worker nothing of a name is shown. */
async function shownNames(files: readonly string[], known: Map<string, string>, pool: Pool): Promise<string[]> {
  const unknown = [...new Set(files)].filter((file) => !known.has(file));
  const shown = unknown.length === 0 ? [] : await pool.scrub(unknown);
  shown?.forEach((name, index) => known.set(unknown[index]!, name));
  return files.map((file) => known.get(file) ?? "(name not shown)");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
