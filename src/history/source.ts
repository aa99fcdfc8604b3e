/**
 * What a source is: one agent, and where and in which form it keeps its history.
 *
 * @module
 */
import type { Places } from "./places.ts";

/** Operating systems whose layouts are known. */
export type HostOs = "linux" | "darwin" | "windows";

/** The facts about a machine that paths depend on, passed in as data so that every layout is testable anywhere. */
export interface Host {
  /** Which layout applies. */
  readonly os: HostOs;
  /** Environment variables; one that is empty counts as unset. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * What stands between the parts of a path.
   *
   * @default `\` for `windows`, else `/`
   */
  readonly separator?: "/" | "\\";
}

/** How a file's bytes become strings. */
export type Format = "jsonl" | "json" | "text" | "xml" | "sqlite";

/** How a file's bytes are packed; the format is that of the content. */
export type Compression = "zstd";

/** Files of one kind below a tree's root. */
export interface FilePattern {
  /** Glob relative to the tree's root; see {@linkcode compileGlob}. */
  readonly glob: string;
  /**
   * Format of the files.
   *
   * @default what the file's name says; see {@linkcode formatOf}
   */
  readonly format?: Format;
}

/** Files or directories that hold history in a form that cannot be read; they are reported, never passed over. */
export interface OpaquePattern {
  /** Glob relative to the tree's root. A directory that matches is reported once, not entered. */
  readonly glob: string;
  /** Why its strings cannot be read. */
  readonly reason: string;
}

/**
 * What lies below a root beside histories:
 *
 * - `store`: little; an agent keeps the directory for itself
 * - `projects`: a user's projects; the directories of dependencies, tools and caches are not entered
 * - `home`: projects, too, and directly below it the directories of the system
 */
export type WalkKind = "store" | "projects" | "home";

/** One place where a source keeps files. */
export interface Tree {
  /** Absolute path. */
  readonly root: string;
  /** What to read below the root; a bare string is a glob whose files' names tell their format. */
  readonly files: readonly (string | FilePattern)[];
  /** What cannot be read below the root. */
  readonly opaque?: readonly OpaquePattern[];
  /**
   * What else lies below the root, and so what is not entered.
   *
   * @default "store"
   */
  readonly walk?: WalkKind;
  /**
   * The root is shared with much else, so only the named files below it are asked for, never the whole root.
   *
   * @default false
   */
  readonly narrow?: boolean;
}

/** One agent, declared. */
export interface SourceSpec {
  /** Stable kebab-case key. Public: tools, ignore files and fingerprints name it. */
  readonly key: string;
  /** Human name. */
  readonly display: string;
  /**
   * The storage was derived from research and is not confirmed on a real install.
   *
   * @default false
   */
  readonly experimental?: boolean;
  /** Names by which the running agent is recognised: executables, or script paths such as `@openai/codex`. */
  readonly processes: readonly string[];
  /**
   * Names of editors that run it as an extension, or of other builds of its own: executables, applications, or folders in
   * which a server of the editor lies, ending in `/`.
   *
   * @default none
   */
  readonly hosts?: readonly string[];
  /** Where it keeps files on a machine; the first tree's root is the default root. */
  readonly trees: (at: Places) => readonly Tree[];
}

/** A file found by discovery. */
export interface HistoryFile {
  /** Key of the source. */
  readonly source: string;
  /** Absolute path. */
  readonly path: string;
  /** Root of the tree that the file was found in. */
  readonly root: string;
  /** Path below the root, its parts separated by `/` on every system. */
  readonly relpath: string;
  /** How its bytes become strings. */
  readonly format: Format;
  /** How its bytes are packed; absent where they are not. */
  readonly compression?: Compression;
  /** Whether it is a leftover copy (`*.bak`) of a history file. */
  readonly backup: boolean;
  /** Bytes. */
  readonly size: number;
  /** Time of the last change in milliseconds since 1970; 0 where the system does not say. */
  readonly mtime: number;
  /**
   * Time of the last change of the content or of what the system notes of the file, which no program can set; Deno tells
   * it in whole seconds. 0 where the system does not say.
   */
  readonly ctime: number;
  /** Device; 0 where the system does not say. */
  readonly dev: number;
  /** Inode; 0 where the system does not say. */
  readonly ino: number;
}

/** A file or directory that holds or may hold history and was not read. */
export interface Unscanned {
  /** Key of the source. */
  readonly source: string;
  /** Absolute path. */
  readonly file: string;
  /** Why, in words that never quote content. */
  readonly reason: string;
}
