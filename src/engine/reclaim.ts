/**
 * Reclaim as one service: the allowlist, the tickets and the catalogue of one process.
 *
 * @module
 */

import {
  type Contained,
  containExactly,
  createTickets,
  Refusal,
  refusalFrom,
  revalidate,
  type Root,
  type Tickets,
} from "../guard/mod.ts";
import { createTurns } from "../concurrency/turns.ts";
import { createCrew } from "../reclaim/crew.ts";
import { type Find, requireDisposable, requireOwnMount, requireProof, requireUntracked } from "../reclaim/find.ts";
import { createTrackingLookup, type IndexCache } from "../reclaim/git.ts";
import { listNames } from "../reclaim/match.ts";
import { createMounts } from "../reclaim/mounts.ts";
import { removeFind } from "../reclaim/remove.ts";
import { foldersTo, requireWorkingTree, scan, type ScanOutcome, type ScanProgress } from "../reclaim/scan.ts";
import { type MeasureOptions, measureTrees } from "../reclaim/size_pool.ts";
import type { Target } from "../reclaim/target.ts";
import { globMatcher } from "../text/glob.ts";
import { MEBIBYTE } from "../text/units.ts";

/** What a scan is asked for. */
export interface ScanInput {
  /** Absolute path of the directory to scan, inside a root. */
  readonly path: string;
  /** Keys of the targets to look for. @default all */
  readonly only?: readonly string[] | undefined;
  /** Least apparent size in MiB. @default 0 */
  readonly minSizeMb?: number | undefined;
  /** Least age in days. @default any */
  readonly olderThanDays?: number | undefined;
  /** Levels below the path. @default the server's own */
  readonly maxDepth?: number | undefined;
  /** Globs to leave out, beside the server's own. @default none */
  readonly exclude?: readonly string[] | undefined;
}

/** How a caller follows and ends long work. */
export interface Following {
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told now and then how far it is. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
}

/** A scan's outcome under the path that was really scanned. */
export interface Scanned extends ScanOutcome {
  /** The path, in its one accepted spelling. */
  readonly path: string;
  /** How long it took. */
  readonly seconds: number;
}

/** A ticket that still holds. */
export interface Planned {
  /** The ticket. */
  readonly id: string;
  /** What it stands for. */
  readonly find: Find;
}

/** A ticket that does not hold. */
export interface RefusedId {
  /** The id as it was given. */
  readonly id: string;
  /** Why, in one sentence. */
  readonly reason: string;
}

/** What a call with ids comes to. */
export interface Decision {
  /** Tickets that hold, or were redeemed, in the order given. */
  readonly accepted: readonly Planned[];
  /** The others. */
  readonly refused: readonly RefusedId[];
}

/** Reclaim, as both the tools and the command line use it. */
export interface ReclaimService {
  /** The directories that the human allowed. */
  readonly roots: readonly Root[];
  /** The catalogue. */
  readonly targets: readonly Target[];
  /**
   * Looks for targets. Changes nothing on disk.
   *
   * @throws {Refusal} When the path is not inside a root, or an argument is not valid.
   */
  scan(input: ScanInput, following?: Following): Promise<Scanned>;
  /** A ticket for a find of this process. */
  ticketFor(find: Find): string;
  /** Checks tickets against the disk as it is now, until `signal` aborts. Deletes nothing. */
  plan(ids: readonly string[], signal?: AbortSignal): Promise<Decision>;
  /**
   * Redeems tickets: checks each against the disk as it is now and deletes what it stands for. Where `signal` aborts, the
   * one that was begun is finished and the others are refused.
   */
  redeem(ids: readonly string[], signal?: AbortSignal): Promise<Decision>;
  /** Resolves when no deletion is under way. */
  settled(): Promise<void>;
  /** Ends workers that were kept; the service can be used on. */
  close(): void;
}

/** What the human set when the process started. */
export interface ReclaimSettings {
  /** Globs that every scan leaves out, wherever it begins; one with `/` is relative to the root. @default none */
  readonly exclude?: readonly string[] | undefined;
  /** Levels that a scan goes down where it does not say. @default 64 */
  readonly maxDepth?: number | undefined;
  /** Whether the workers that walk and measure stay for the next call; {@linkcode ReclaimService.close} ends them. @default false */
  readonly keepsWorkers?: boolean | undefined;
}

const DEFAULT_DEPTH = 64;
/** Scans that run at once; more of them would only make each other, and every other answer, late. */
const MAX_SCANS = 4;

/**
 * The Reclaim service of a process that may look and delete inside `roots`.
 *
 * @example
 * ```ts
 * import { createReclaim, openRoots, TARGETS } from "@agentsweep/mcp";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * await Deno.mkdir(`${root}/app/node_modules/left-pad`, { recursive: true });
 * await Deno.writeTextFile(`${root}/app/package.json`, "{}");
 *
 * const reclaim = createReclaim(openRoots([root]), TARGETS);
 * const { finds } = await reclaim.scan({ path: root });
 * const { accepted, refused } = await reclaim.redeem(finds.map(reclaim.ticketFor));
 * console.log(accepted.map(({ find }) => find.path), refused);
 * ```
 */
export function createReclaim(
  roots: readonly Root[],
  targets: readonly Target[],
  settings: ReclaimSettings = {},
): ReclaimService {
  const tickets: Tickets<Find> = createTickets();
  const crew = settings.keepsWorkers ? createCrew() : undefined;
  const isLeftOut = globMatcher(settings.exclude ?? []);
  const indexes: IndexCache = new Map();
  const underWay = new Set<Promise<unknown>>();
  const turns = createTurns(MAX_SCANS);
  return {
    roots,
    targets,
    ticketFor: (find) => tickets.issue(find),
    scan: (input, following = {}) =>
      turns.take(async () => {
        const began = performance.now();
        const { path, root } = containExactly(roots, input.path);
        requireDirectory(path);
        requireWorkingTree(root, path);
        const isHidden = (folder: string) => isLeftOut(slashed(folder), slashed(folder.slice(root.path.length + 1)));
        if (foldersTo(root, path).some((folder) => folder !== root.path && isHidden(folder))) {
          throw new Refusal("disabled", `${path} is left out by the --exclude that this server was started with`);
        }
        const outcome = await scan({
          start: path,
          root,
          roots,
          targets: chosenTargets(targets, input.only),
          minBytes: atLeastZero("min_size_mb", input.minSizeMb ?? 0) * MEBIBYTE,
          olderThanDays: input.olderThanDays === undefined ? null : atLeastZero("older_than_days", input.olderThanDays),
          maxDepth: atLeastZero("max_depth", input.maxDepth ?? settings.maxDepth ?? DEFAULT_DEPTH),
          exclude: input.exclude ?? [],
          excludeInRoot: settings.exclude ?? [],
          crew,
          indexes,
          ...following,
        });
        return { ...outcome, path, seconds: (performance.now() - began) / 1000 };
      }, following.signal),
    plan: (ids, signal) => decide(ids, tickets, signal, (find) => examine(roots, find, indexes, { crew, signal })),
    async redeem(ids, signal) {
      const work = decide(ids, tickets, signal, async (find, id) => {
        const contained = await examine(roots, find, indexes, null);
        await removeFind(find, contained, undefined, crew);
        tickets.forget(id);
      });
      underWay.add(work);
      try {
        return await work;
      } finally {
        underWay.delete(work);
      }
    },
    settled: async () => void await Promise.allSettled(underWay),
    close: () => crew?.end(),
  };
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

function requireDirectory(path: string): void {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch (error) {
    throw refusalFrom(path, error, "--allow-read");
  }
  if (info.isSymlink) throw new Refusal("link", `${path} is a link; give the directory that it points to`);
  if (!info.isDirectory) throw new Refusal("not-a-directory", `${path} is not a directory`);
}

function chosenTargets(targets: readonly Target[], only: readonly string[] | undefined): readonly Target[] {
  if (only === undefined) return targets;
  const unknown = only.filter((key) => !targets.some((target) => target.key === key));
  if (unknown.length > 0) {
    throw new Refusal(
      "argument",
      `unknown target keys in only: ${unknown.join(", ")}; list_targets names the valid ones`,
    );
  }
  if (only.length === 0) throw new Refusal("argument", "only is empty; leave it out to look for every target");
  return targets.filter(({ key }) => only.includes(key));
}

function atLeastZero(name: string, value: number): number {
  if (value >= 0 && Number.isFinite(value)) return value;
  throw new Refusal("argument", `${name} is ${value}; it must be 0 or more`);
}

/** Runs `accept` for each id once; a refusal of one leaves the others alone. */
async function decide(
  ids: readonly string[],
  tickets: Tickets<Find>,
  signal: AbortSignal | undefined,
  accept: (find: Find, id: string) => Promise<unknown>,
): Promise<Decision> {
  if (ids.length === 0) throw new Refusal("argument", "no ids were given; pass the ids that a scan returned");
  const accepted: Planned[] = [];
  const refused: RefusedId[] = [];
  for (const id of new Set(ids)) {
    let path = id;
    try {
      if (signal?.aborted) {
        throw new Refusal("disabled", "the call was ended before this one; nothing was deleted of it");
      }
      const find = tickets.look(id);
      path = find.path;
      await accept(find, id);
      accepted.push({ id, find });
    } catch (error) {
      // Whatever went wrong: what was deleted before must still be reported.
      refused.push({ id, reason: refusalFrom(path, error, "--allow-write").message });
    }
  }
  return { accepted, refused };
}

/**
 * Everything that must hold for a find at this moment.
 *
 * @param inside How its inside is looked at; null where that is left to the deletion, which looks once the directory is
 * out of reach of others.
 */
async function examine(
  roots: readonly Root[],
  find: Find,
  indexes: IndexCache,
  inside: MeasureOptions | null,
): Promise<Contained> {
  const contained = revalidate(roots, find);
  const mounts = createMounts(find.root.path, find.root.identity.device);
  requireProof(find.target, find, find.root, listNames);
  requireUntracked(find.path, createTrackingLookup(find.root.path, undefined, indexes));
  requireOwnMount(find.root, mounts, find.path, Deno.lstatSync(find.path));
  if (inside) {
    const [measure] = await measureTrees([find], Infinity, { roots, ...inside });
    requireDisposable(measure!);
  }
  return contained;
}
