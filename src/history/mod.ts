/**
 * Where AI coding agents keep their histories on this machine, and what can be read of them.
 *
 * @module
 */
export { type Access, accessOf, accessTo, type RootAccess, rootAccess } from "./access.ts";
export { detect, discover, type DiscoverOptions, isUnscanned, MAX_DEPTH } from "./discover.ts";
export { historyVariables, readHost } from "./environment.ts";
export type { OpenOptions } from "./formats/open.ts";
export type { DatabaseOptions } from "./formats/sqlite/mod.ts";
export { compressionOf, formatOf, originalOf, packedIn } from "./names.ts";
export type { Places } from "./places.ts";
export { hostOf, readPaths, type ResolvedSource, type ResolveOptions, resolveSource } from "./resolve.ts";
export type {
  Compression,
  FilePattern,
  Format,
  HistoryFile,
  Host,
  HostOs,
  OpaquePattern,
  SourceSpec,
  Tree,
  Unscanned,
  WalkKind,
} from "./source.ts";
export {
  type Cell,
  type Form,
  type HistoryString,
  type Problem,
  type ProblemKind,
  type ReadOptions,
  readStrings,
  type Report,
} from "./read.ts";
export { PROBLEMS } from "./formats/problem.ts";
export { sourceByKey, SOURCES } from "./sources/mod.ts";
export { stringsOf } from "./strings_of.ts";
export { unpackZstd } from "./unpack.ts";
