/**
 * Redaction as one service: finds a source's files, asks the gates of the source, lets a worker do the files.
 *
 * @module
 */

import { dirname, join } from "@std/path";
import { ownWorker } from "../../concurrency/own_worker.ts";
import { accessTo } from "../../history/access.ts";
import { discover, isUnscanned } from "../../history/discover.ts";
import { pathsOf, type ResolvedSource, resolveSource } from "../../history/resolve.ts";
import type { HistoryFile, Host } from "../../history/source.ts";
import { sourceByKey, SOURCES } from "../../history/sources/mod.ts";
import { Refusal } from "../../guard/mod.ts";
import { auditLogPath } from "../../redact/audit_log.ts";
import { enderOf, NOT_REACHED, removeWork, sharedEnding, STAGE } from "../../redact/ending.ts";
import type { BackupResult } from "../../redact/backups.ts";
import { isThere } from "../../redact/remains.ts";
import type { FileResult } from "../../redact/file.ts";
import type { AuditFinding } from "../audit/service.ts";
import { familiarIn } from "../audit/unread.ts";
import { agentGate, type AgentState, productionGate, restGate } from "../../redact/gates.ts";
import { isSheltered } from "../../redact/mode.ts";
import { fingerprint } from "../../secrets/fingerprint.ts";
import { backupOf, BESIDE, LOOKED_AT } from "../../redact/names.ts";
import { type DefaultPlace, isProduction } from "../../redact/production.ts";
import type { Deed, RedactReply, RedactRequest, RedactSetup } from "./types.ts";

/** Where a finding is. */
type Place = Pick<AuditFinding, "file" | "line" | "rule" | "fingerprint">;

/** What the human set when the process started. */
export interface RedactionSettings {
  /** The machine whose layout applies. */
  readonly host: Host;
  /** Other roots that the human named, by key of the source. */
  readonly history: ReadonlyMap<string, string>;
  /** Folder whose ignore file counts for every source; null for none. */
  readonly workingDirectory: string | null;
  /** Own modules that a narrowed worker must read; null where workers cannot be narrowed. */
  readonly workerModules: readonly string[] | null;
  /** Tells whether one of the names is running. */
  readonly agentState: (source: string) => Promise<AgentState>;
}

/** Which gates a human opened on the command line. No tool has a way to say any of it. */
export interface Waivers {
  /** The agent's own root may be redacted. @default false */
  readonly allowsProduction?: boolean;
  /** A running agent and a file that was just modified do not matter. @default false */
  readonly isForced?: boolean;
  /** No backups are kept. @default false */
  readonly hasNoBackup?: boolean;
}

/** What became of one file. */
export interface FileReport {
  /** The file, as it may be shown. */
  readonly file: string;
  /** What became of it. */
  readonly result: FileResult | BackupResult;
}

/** What became of a source. */
export interface RedactionReport {
  /** The root that was redacted. */
  readonly root: string;
  /** Files in which something was to be done, in the order of discovery. */
  readonly files: readonly FileReport[];
  /** How many files hold nothing to be done. */
  readonly untouched: number;
}

/** What a redaction of a source would look at. */
export interface Survey {
  /** The root. */
  readonly root: string;
  /** The files, as they may be shown. */
  readonly files: readonly string[];
  /** Bytes of them all. */
  readonly bytes: number;
}

/** Redaction, as both the tool and the command line use it. */
export interface RedactionService {
  /** The source on this machine. @throws {Refusal} `argument` for an unknown key. */
  source(key: string): ResolvedSource;
  /** Whether this source may be redacted at all. @throws {Refusal} `disabled`, with the reason of the gate. */
  admit(key: string, waivers?: Waivers): Promise<void>;
  /**
   * Redacts a source's files. The signal ends it within the file that it is at, which is then as it was.
   *
   * @throws {Refusal} As {@linkcode RedactionService.admit} does.
   */
  redact(key: string, waivers?: Waivers, signal?: AbortSignal): Promise<RedactionReport>;
  /** Puts the backups of a source back. @throws {Refusal} While the agent runs. */
  undo(key: string, signal?: AbortSignal): Promise<RedactionReport>;
  /** The files that a redaction of a source would look at. */
  survey(key: string, signal?: AbortSignal): Promise<Survey>;
  /**
   * Those of `findings` whose files are left as they are without force, since they, or the log of a database, were just
   * modified. Findings tell their files by their fingerprints, since a name may be shown otherwise than it is.
   */
  restless(key: string, findings: readonly Place[], signal?: AbortSignal): Promise<Place[]>;
  /** The backups of a source. */
  backups(key: string, signal?: AbortSignal): Promise<Survey>;
  /** Deletes the backups of a source. */
  purge(key: string, signal?: AbortSignal): Promise<RedactionReport>;
}

const IGNORE_FILE = ".agentsweepignore";
const CANNOT_NAME = "(name not shown)";

/** Which files each deed is done with. */
const MEANT: Readonly<Record<Deed, (file: HistoryFile) => boolean>> = {
  redact: ({ backup }) => !backup,
  restore: () => true,
  purge: () => true,
};

/** The paths that a server with redaction writes: the histories that a human named, and the audit log. */
export function redactionPaths(host: Host, history: ReadonlyMap<string, string>): string[] {
  return [...history.values(), dirname(auditLogPath(homeOf(host)))];
}

function homeOf({ os, env }: Host): string {
  const home = os === "windows" ? env.USERPROFILE || env.HOME : env.HOME || env.USERPROFILE;
  return home ?? "";
}

/**
 * Where the agents of a machine keep their histories. Of the source that is meant, a home directory counts as a whole where
 * its histories may lie anywhere in it; of others it does not, or no copy could be made there.
 */
function defaultPlaces(host: Host, meant: string): DefaultPlace[] {
  return SOURCES.map((spec) => resolveSource(spec, host)).flatMap(({ key, trees }) =>
    trees.flatMap((tree) =>
      pathsOf(tree, join).map((path) => ({ path, isSearched: tree.walk === "home" && key !== meant }))
    )
  );
}

/** Makes the service. Nothing is read before it is asked. */
export function createRedaction(settings: RedactionSettings): RedactionService {
  const { host, history } = settings;

  function source(key: string): ResolvedSource {
    const spec = sourceByKey(key);
    if (!spec) throw new Refusal("argument", "there is no such source");
    const root = history.get(key);
    return resolveSource(spec, host, root === undefined ? {} : { root });
  }

  async function admit(key: string, waivers: Waivers = {}): Promise<void> {
    const shut = waivers.allowsProduction ? null : productionGate(isOwn(key));
    if (shut !== null) throw new Refusal("disabled", `${key} is not redacted: ${shut}`);
    await requireIdle(key, waivers.isForced ?? false);
  }

  /** Whether a source's root is one of an agent's own, of whatever agent: its name may be another, or a link. */
  function isOwn(key: string): boolean {
    const { isDefault, roots } = source(key);
    return isDefault || isProduction(roots, defaultPlaces(host, key));
  }

  async function requireIdle(key: string, isForced: boolean): Promise<void> {
    const shut = isForced ? null : agentGate(await settings.agentState(key));
    if (shut !== null) throw new Refusal("disabled", `${key} is not touched: ${shut}`);
  }

  async function filesOf(key: string, isMeant: (file: HistoryFile) => boolean, signal?: AbortSignal) {
    const files: HistoryFile[] = [];
    const unread: { file: string; reason: string }[] = [];
    /** Whether there are no other files, whose secrets would remain unknown. */
    let isWhole = true;
    for await (const event of discover([source(key)], signal ? { signal } : {})) {
      if (isUnscanned(event)) unread.push(event);
      else if (isMeant(event)) files.push(event);
      else isWhole = false;
    }
    return { files, unread, isWhole };
  }

  async function perform(key: string, deed: Deed, waivers: Waivers, signal?: AbortSignal): Promise<RedactionReport> {
    const resolved = source(key);
    const { files, unread, isWhole } = await filesOf(key, MEANT[deed], signal);
    const worker = startWorker(settings, resolved, waivers, signal);
    try {
      const reports: FileReport[] = [];
      const touched: { readonly path: string; readonly report: FileReport }[] = [];
      let untouched = 0;
      for (const file of files) {
        const reply = signal?.aborted ? null : await worker.ask({ kind: "file", deed, file });
        if (reply?.kind === "done") {
          const { shown, result } = reply;
          if (result.kind === "clean") untouched++;
          else touched.push({ path: file.path, report: { file: shown, result } });
        } else if (signal?.aborted) {
          // What was done is told all the same.
          reports.push({ file: resolved.root, result: { kind: "skipped", reason: NOT_REACHED } });
          break;
        } else {
          reports.push({ file: CANNOT_NAME, result: { kind: "skipped", reason: "the worker failed on it" } });
          break;
        }
      }
      // Only now is it known which names are secrets that stand in a file.
      const isTold = deed === "redact" && reports.length === 0 && !signal?.aborted;
      const paths = [...touched.map(({ path }) => path), ...unread.map(({ file }) => file)];
      const named = isTold ? await worker.ask({ kind: "show", paths, isWhole }) : null;
      const names = named?.kind === "shown" ? named.paths : [];
      const done = touched.map(({ report }, index) =>
        names[index] === undefined ? report : renamed(report, names[index])
      );
      const left = isTold ? unread : [];
      const passed = left.map(({ file, reason }, index): FileReport => {
        const shown = names[touched.length + index] ?? CANNOT_NAME;
        return { file: shown, result: { kind: "skipped", reason: reason.replaceAll(file, () => shown) } };
      });
      return { root: resolved.root, files: [...done, ...reports, ...passed], untouched };
    } finally {
      worker.end();
    }
  }

  async function survey(key: string, isMeant: (file: HistoryFile) => boolean, signal?: AbortSignal): Promise<Survey> {
    const { files } = await filesOf(key, isMeant, signal);
    const resolved = source(key);
    const worker = startWorker(settings, resolved, {}, signal);
    try {
      const names = await worker.ask({ kind: "show", paths: files.map(({ path }) => path), isWhole: false });
      signal?.throwIfAborted();
      const shown = names?.kind === "shown" ? names.paths : [];
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      return { root: resolved.root, files: files.map((_, index) => shown[index] ?? CANNOT_NAME), bytes };
    } finally {
      worker.end();
    }
  }

  return {
    source,
    admit,
    async redact(key, waivers = {}, signal) {
      await admit(key, waivers);
      return await perform(key, "redact", waivers, signal);
    },
    async undo(key, signal) {
      await requireIdle(key, false);
      return await perform(key, "restore", {}, signal);
    },
    survey: (key, signal) => survey(key, MEANT.redact, signal),
    async restless(key, findings, signal) {
      const { files } = await filesOf(key, (file) => MEANT.redact(file) && !isAtRest(file, Date.now()), signal);
      return findings.filter(({ line, rule, fingerprint: own }) =>
        files.some(({ relpath }) => fingerprint({ source: key, path: relpath, line, rule }) === own)
      );
    },
    backups: (key, signal) => survey(key, ({ backup }) => backup, signal),
    purge: (key, signal) => perform(key, "purge", {}, signal),
  };
}

/** A report under the name that its file has now, and with it the backup. */
function renamed({ result }: FileReport, file: string): FileReport {
  if (result.kind !== "redacted" || result.backup === null) return { file, result };
  return { file, result: { ...result, backup: backupOf(file) } };
}

/** As the gate will see it, of what may be looked at. */
function isAtRest({ path, format, mtime }: HistoryFile, now: number): boolean {
  const beside = format === "sqlite" ? BESIDE.map((ending) => modifiedAt(path + ending)) : [];
  return [mtime, ...beside].every((time) => time === null || restGate(time, now) === null);
}

function modifiedAt(path: string): number | null {
  try {
    return accessTo(path) === "granted" ? Deno.lstatSync(path).mtime?.getTime() ?? null : null;
  } catch {
    return null;
  }
}

interface RedactWorker {
  /** The answer, or null where the worker failed; it must not be asked again then. */
  ask(request: RedactRequest): Promise<RedactReply | null>;
  end(): void;
}

/** How long a redaction in a private folder may take to end by itself, in milliseconds; then its thread is ended. */
const GRACE_MS = 300;

function startWorker(
  settings: RedactionSettings,
  source: ResolvedSource,
  waivers: Waivers,
  signal: AbortSignal | undefined,
): RedactWorker {
  const shared = sharedEnding();
  const logPath = auditLogPath(homeOf(settings.host));
  const folders = [...source.roots, ...settings.workingDirectory === null ? [] : [settings.workingDirectory]];
  const ignoreFiles = [...new Set(folders)].map((folder) => `${folder.replace(/[\\/]$/, "")}/${IGNORE_FILE}`);
  const setup: RedactSetup = {
    roots: source.roots,
    logPath,
    ignoreFiles,
    keepsBackup: !waivers.hasNoBackup,
    isForced: waivers.isForced ?? false,
    familiar: familiarIn([source]),
    // Of what is not there, nothing is written.
    isSheltered: source.roots.filter(isThere).every(isSheltered),
    ending: shared,
  };
  const worker = newWorker(settings, source, logPath, ignoreFiles);
  let settle: (reply: RedactReply | null) => void = () => {};
  /** What was asked and not answered yet. */
  let current: { readonly path: string | null } | null = null;
  const answered = (reply: RedactReply | null) => {
    current = null;
    settle(reply);
  };
  worker.onmessage = ({ data }: MessageEvent<RedactReply>) => answered(data);
  worker.onerror = (event) => {
    event.preventDefault();
    answered(null);
  };
  const ask = (request: RedactRequest) =>
    new Promise<RedactReply | null>((resolve) => {
      current = { path: request.kind === "file" ? request.file.path : null };
      settle = resolve;
      worker.postMessage(request);
    });
  const ready = ask({ kind: "setup", setup });
  const ender = enderOf(shared);
  /** Ends the thread where nothing is half done; while files are moved it ends by itself, and tells what came of it. */
  const onAbort = async () => {
    ender.end();
    const patience = performance.now() + GRACE_MS;
    while (current !== null && ender.stage() !== STAGE.reading) {
      if (ender.stage() === STAGE.copying && performance.now() > patience) {
        worker.terminate();
        if (current.path !== null) await removeWork(current.path);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    worker.terminate();
    if (current !== null) settle(null);
  };
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  return {
    ask: async (request) => await ready === null || signal?.aborted ? null : await ask(request),
    end() {
      signal?.removeEventListener("abort", onAbort);
      worker.terminate();
    },
  };
}

function newWorker(
  { workerModules }: RedactionSettings,
  source: ResolvedSource,
  logPath: string,
  ignoreFiles: readonly string[],
): Worker {
  const { url, name } = ownWorker("redact", new URL("./worker.ts", import.meta.url));
  if (workerModules === null) return new Worker(url, { type: "module", name });
  const own = source.trees.filter(({ narrow }) => narrow !== true).map(({ root }) => root);
  const single = source.roots.filter((path) => !own.includes(path));
  const files = [source.root, ...own, ...single.flatMap((path) => LOOKED_AT.map((ending) => path + ending))];
  const write = [...files, dirname(logPath)];
  // A narrow worker can be given no more than this thread has.
  const isAllowed = (name: "read" | "write", path: string) =>
    Deno.permissions.querySync({ name, path }).state === "granted";
  return new Worker(url, {
    type: "module",
    name,
    deno: {
      permissions: {
        read: [...workerModules, ...files, ...ignoreFiles, dirname(logPath)].filter((path) =>
          accessTo(path) === "granted"
        ),
        write: write.filter((path) => isAllowed("write", path)),
        net: false,
        env: false,
        run: false,
        ffi: false,
        sys: false,
        import: false,
      },
    },
  });
}
