/**
 * Opening a history file without being led elsewhere, blocked or surprised by what stands at its path.
 *
 * @module
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
} from "node:fs";
import { openItself } from "../../guard/open.ts";
import { accessTo } from "../access.ts";
import { type Problem, problem } from "./problem.ts";

/** Options of {@linkcode openHistory}. */
export interface OpenOptions {
  /** Whether a link at the very end of the path is followed. @default false */
  readonly follow?: boolean;
  /** The folder below which no link may stand on the way to the file; its own links are the human's. @default not asked */
  readonly root?: string;
}

/** A regular file, open for reading. */
export interface HistoryHandle {
  /** Size in bytes when it was opened. */
  readonly size: number;
  /** Size and time of the last change as they are now, for telling whether anything changed. */
  stamp(): string;
  /** Reads at an offset and returns how many bytes; fewer than asked for only at the end of the file. */
  read(into: Uint8Array, offset: number): number;
  /** Closes it. */
  close(): void;
}

/** Keeps the call that opens from waiting for a pipe's writer. Windows has no such flag. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

const CODES: Readonly<Record<string, Problem>> = {
  ENOENT: problem("vanished"),
  ENOTDIR: problem("vanished"),
  EACCES: problem("denied"),
  EPERM: problem("denied"),
  EBUSY: problem("denied"),
  ELOOP: problem("link"),
  EISDIR: problem("directory"),
  ENXIO: problem("special"),
};

/** Whether an error comes from the operating system or the sandbox. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable ||
    (error instanceof Error && "code" in error && typeof error.code === "string" && /^E[A-Z0-9]+$/.test(error.code));
}

/** The problem that an error of the file system stands for. Its message is dropped, since it quotes the path. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Deno.errors.NotCapable) return problem("not-granted");
  const code = isSystemError(error) ? (error as { code: string }).code : "";
  return CODES[code] ?? problem("io", code || undefined);
}

function kindProblem(info: BigIntStats, follow: boolean): Problem | undefined {
  if (info.isSymbolicLink() && !follow) return problem("link");
  if (info.isDirectory()) return problem("directory");
  return info.isFile() || info.isSymbolicLink() ? undefined : problem("special");
}

/**
 * How often it is asked where the file that was opened stands. Who swaps a folder and a link in a loop got past one look
 * once in a hundred thousand openings; each further look must be got past by the same luck.
 */
const LOOKS = 4;

/**
 * Whether the file that was opened stands below `root` without a link on the way. A folder on the way may have become a
 * link for the moment of the opening alone: where the path leads is asked before and after each look at the file.
 */
function isInPlace(opened: BigIntStats, path: string, root: string | undefined): boolean {
  // Where single files of a folder are allowed, the folder cannot be resolved, and on a terminal Deno would ask for it;
  // nothing stands between it and them.
  if (root === undefined || accessTo(root) !== "granted") return true;
  const place = realpathSync(root) + path.slice(root.length);
  if (realpathSync(path) !== place) return false;
  for (let look = 0; look < LOOKS; look++) {
    const there = lstatSync(path, { bigint: true });
    if (there.dev !== opened.dev || there.ino !== opened.ino || realpathSync(path) !== place) return false;
  }
  return true;
}

/**
 * Opens a regular file, or says why not. It never waits for a pipe or device, and what it opened is what it checked:
 * both are asked of the open file itself.
 *
 * Needs `--allow-read` for the path.
 */
export function openHistory(path: string, options: OpenOptions = {}): HistoryHandle | Problem {
  const follow = options.follow ?? false;
  let fd: number | undefined;
  try {
    const before = kindProblem(lstatSync(path, { bigint: true }), follow);
    if (before !== undefined) return before;
    fd = follow ? openSync(path, constants.O_RDONLY | NO_WAIT) : openItself(path, constants.O_RDONLY);
    const info = fstatSync(fd, { bigint: true });
    const after = kindProblem(info, false) ?? (isInPlace(info, path, options.root) ? undefined : problem("link"));
    if (after === undefined) return handle(fd, Number(info.size));
    closeSync(fd);
    return after;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    return problemOf(error);
  }
}

function handle(fd: number, size: number): HistoryHandle {
  return {
    size,
    stamp() {
      const info = fstatSync(fd, { bigint: true });
      return `${info.size}:${info.mtimeNs}`;
    },
    read(into, offset) {
      let done = 0;
      while (done < into.length) {
        const count = readSync(fd, into, done, into.length - done, offset + done);
        if (count === 0) break;
        done += count;
      }
      return done;
    },
    close: () => closeSync(fd),
  };
}

/** Whether {@linkcode openHistory} succeeded. */
export function isOpen(opened: HistoryHandle | Problem): opened is HistoryHandle {
  return "read" in opened;
}
