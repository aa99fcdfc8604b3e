/**
 * Why a history file, or a part of one, could not be read. A reason is made of fixed sentences and numbers and quotes
 * nothing from the file.
 *
 * @module
 */

/** Kinds of problem; each has its fixed sentence in {@linkcode PROBLEMS}. */
export type ProblemKind = keyof typeof PROBLEMS;

/** Something that was not read, or may not have been. */
export interface Problem {
  /** The kind, for programs. */
  readonly kind: ProblemKind;
  /** The reason, for people. */
  readonly reason: string;
}

/** Takes each problem as it is met. */
export type Report = (problem: Problem) => void;

/** The sentence of every kind of problem. */
export const PROBLEMS = {
  "vanished": "it no longer exists",
  "denied": "the operating system denies reading it",
  "not-granted": "the sandbox does not allow reading it: start Deno with --allow-read for it",
  "link": "it is a link, and links are not followed",
  "directory": "it is a directory, not a file",
  "special": "it is a pipe, socket or device, not a file",
  "io": "reading it failed",
  "shrunk": "it became shorter while it was read",
  "empty": "it is empty, which is no database",
  "not-a-database": "it is not a database, or it is encrypted",
  "locked":
    "another process holds a lock on the database: it was read without one and what is being written may be missing",
  "changed": "the database changed whenever it was read: newest rows may be missing",
  "corrupt": "the database is damaged: what is on the damaged pages was not read",
  "schema": "the schema of a table could not be understood: its columns have numbers for names",
  "drifted": "a table or column that this store should have is missing: the agent may keep its history elsewhere now",
  "journal": "the log beside the database could not be read: what it holds was not",
  "packed":
    "it is packed (gzip, zip, bzip2, xz, 7z, RAR, lz4 or an unnamed zstd): what is in it was not read; unpack it beside it and scan again",
  "misnamed": "it is a database under a name that says otherwise: what goes over several of its pages was not read",
  "compressed": "a compressed cell is damaged or larger than the limit: the rest of it was not read",
} as const;

/** Creates a problem; `detail` must hold nothing that comes from the file. */
export function problem(kind: ProblemKind, detail?: string): Problem {
  const sentence: string = PROBLEMS[kind];
  return { kind, reason: detail === undefined ? sentence : `${sentence} (${detail})` };
}
