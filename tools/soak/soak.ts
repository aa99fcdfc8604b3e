/**
 * The great round: a history of every format is redacted by the real command line, searched, compared, put back.
 *
 * @module
 */

import { join } from "@std/path";
import type { Machine, Run } from "./child.ts";
import { type History, type HistoryOptions, SOURCES, writeHistory } from "./history.ts";
import { type Search, searchFor } from "./search.ts";
import { copyTree, differences, type Tree, treeOf } from "./tree.ts";
import { compareTrees, leftIn } from "./verify.ts";

/** What became of one source. */
export interface SourceOutcome {
  readonly source: string;
  readonly files: number;
  readonly bytes: number;
  /** Different secrets, each once a file. */
  readonly planted: number;
  /** Files redacted. */
  readonly redacted: number;
  /** Files that the program left and named, with its reason. */
  readonly named: readonly { readonly file: string; readonly reason: string }[];
  /** Secrets left in those. */
  readonly leftNamed: number;
  /** Places that a marker stands for now. */
  readonly markers: number;
  /** Bytes replaced around planted ones. */
  readonly beyond: number;
  /** Markers where nothing was planted, by rule. */
  readonly unplanted: readonly (readonly [rule: string, count: number])[];
  readonly fix: Run;
  readonly undo: Run;
  /** What must not be; empty where all is well. */
  readonly failures: readonly string[];
}

/** The flags that name a history. */
export const flagsOf = ({ source, root }: History): string[] => ["--source", source, "--root", root, "--yes", "--json"];

/** A search for every secret of a history. */
export function searchOf({ planted }: History): Search {
  return searchFor([...new Set(planted.map(({ secret }) => secret))]);
}

/** Goes the round for one source below `folder`, which is empty. */
export async function soakSource(
  source: string,
  folder: string,
  machine: Machine,
  options: HistoryOptions,
): Promise<SourceOutcome> {
  const failures: string[] = [];
  const history = writeHistory(source, join(folder, "written", source), options);
  const { root, planted, obstacles } = history;
  const search = searchOf(history);
  const original = join(folder, "original");
  copyTree(root, original);
  const before = treeOf(root);
  failures.push(...notFound(history, original, before, search));

  const fix = await machine.run(["fix", ...flagsOf(history)]);
  const report = reportOf(fix, failures);
  const redacted = report.redacted_files.map(({ file }) => file.slice(root.length + 1));
  const named = report.skipped.map(({ file, reason }) => ({ file: file.slice(root.length + 1), reason }));
  for (const file of obstacles) {
    if (!named.some((other) => other.file === file)) failures.push(`${file} cannot be redacted, and is not named`);
  }
  for (const { file, reason } of named) {
    if (!obstacles.includes(file)) failures.push(`${file} was left: ${reason}`);
  }
  const after = treeOf(root);
  const left = leftIn(root, after, search);
  for (const { file, where } of left) {
    if (!named.some((other) => isOf(file, other.file))) failures.push(`a secret is left in ${file}, ${where}`);
  }
  for (const { file } of named) if (before.get(file) !== undefined) failures.push(...differ(file, before, after));
  const changes = compareTrees(original, root, redacted, search);
  failures.push(...changes.broken);
  if (changes.untouched > 0) failures.push(`${changes.untouched} planted places in redacted files have no marker`);
  failures.push(...strangers(before, after, redacted));
  for (const text of [fix.stdout + fix.stderr]) {
    if (search.in(new TextEncoder().encode(text)).length > 0) failures.push("the command line said a secret");
  }
  failures.push(
    ...leftIn(machine.home, treeOf(machine.home), search).map(({ file }) => `a secret stands in HOME: ${file}`),
  );

  const undo = await machine.run(["undo", ...flagsOf(history)]);
  if (undo.code !== 0) failures.push(`undo ended with ${undo.code}: ${undo.stdout}${undo.stderr}`);
  failures.push(...differences(before, treeOf(root)).map((difference) => `after undo, ${difference}`));
  Deno.removeSync(original, { recursive: true });
  Deno.removeSync(join(folder, "written"), { recursive: true });

  const files = [...before.values()].filter((entry) => entry !== "folder");
  return {
    source,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    planted: planted.length,
    redacted: redacted.length,
    named,
    leftNamed: left.length,
    markers: changes.markers,
    beyond: changes.beyond,
    unplanted: [...changes.unplanted],
    fix,
    undo,
    failures,
  };
}

/** A search that does not find what is there proves nothing when it finds nothing. */
function notFound({ planted }: History, root: string, tree: Tree, search: Search): string[] {
  const found = new Set(leftIn(root, tree, search).map(({ file, secret }) => `${file}\0${secret}`));
  const missing = planted.filter(({ file, secret }) => {
    return !found.has(`${file}\0${secret}`) && !found.has(`${file}-wal\0${secret}`) &&
      !/torn|sqlite|vscdb|\.db/.test(file);
  });
  return missing.map(({ file }) => `the search does not find a secret that was planted in ${file}`);
}

interface FixReport {
  readonly redacted_files: readonly { readonly file: string }[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

function reportOf({ code, stdout, stderr }: Run, failures: string[]): FixReport {
  try {
    return JSON.parse(stdout);
  } catch {
    failures.push(`fix ended with ${code} and no report: ${stdout}${stderr}`);
    return { redacted_files: [], skipped: [] };
  }
}

const isOf = (file: string, named: string): boolean => file === named || file.startsWith(`${named}-`);

function differ(file: string, before: Tree, after: Tree): string[] {
  const only = (tree: Tree) => new Map([...tree].filter(([path]) => path === file));
  return differences(only(before), only(after)).map((difference) => `left as it is, but ${difference}`);
}

/** Files that are there or changed for no reason that the report gives. */
function strangers(before: Tree, after: Tree, redacted: readonly string[]): string[] {
  const said: string[] = [];
  const backups = new Set(redacted.map((file) => `${file}.bak`));
  for (const [path, entry] of after) {
    const was = before.get(path);
    if (was === undefined) {
      if (!backups.has(path) && !redacted.some((file) => path.startsWith(`${file}-`) && path.endsWith(".bak"))) {
        said.push(`${path} was left behind`);
      }
    } else if (entry !== "folder" && was !== "folder") {
      if (entry.mode !== was.mode || entry.uid !== was.uid || entry.gid !== was.gid) {
        said.push(`${path} has another mode or owner`);
      }
      if (entry.sha256 !== was.sha256 && !redacted.includes(path)) {
        said.push(`${path} changed, and the report does not say so`);
      }
    }
  }
  for (const path of before.keys()) {
    if (!after.has(path) && !redacted.some((file) => path.startsWith(`${file}-`))) said.push(`${path} is gone`);
  }
  return said;
}

/** Goes the round for every source, one after the other. */
export async function* soak(folder: string, machine: Machine, options: HistoryOptions): AsyncGenerator<SourceOutcome> {
  for (const source of SOURCES) {
    const own = join(folder, source);
    Deno.mkdirSync(own);
    yield await soakSource(source, own, machine, options);
  }
}
