/**
 * Kills the real command line at random instants, and looks whether anything was lost or left.
 *
 * @module
 */

import { join } from "@std/path";
import { randomFrom } from "../../src/secrets/sample.ts";
import { type Machine, openMachine } from "./child.ts";
import { type History, writeHistory } from "./history.ts";
import type { Search } from "./search.ts";
import { flagsOf, searchOf } from "./soak.ts";
import { type Found, landingOf, stateOf } from "./states.ts";
import { copyTree, differences, type Tree, treeOf } from "./tree.ts";
import { leftIn } from "./verify.ts";

/** What is killed. */
export type Killed = "fix" | "undo" | "purge";

/** How often, and with what. */
export interface KillOptions {
  /** Seed of every choice. */
  readonly seed: number;
  /** Sources whose histories are taken in turn. */
  readonly sources: readonly string[];
  /** About how many bytes they have, as in {@linkcode HistoryOptions}. */
  readonly bytes: number;
  /** Kills of each command. */
  readonly rounds: Readonly<Record<Killed, number>>;
  /**
   * What runs the commands that end a killed one's work.
   *
   * @default the real command line
   */
  readonly follower?: (home: string) => Machine;
  /** In every how many rounds all is redacted and purged for good in the end. @default 1 */
  readonly purgedEvery?: number;
}

/** What became of one kill. */
export interface KillOutcome {
  readonly killed: Killed;
  readonly source: string;
  /** Milliseconds from the start of the process. */
  readonly at: number;
  /** Where it landed, as far as can be seen from outside. */
  readonly landed: string;
  /** What the next `fix` left to a human, with what it told to do. */
  readonly leftToHuman: readonly string[];
  readonly failures: readonly string[];
}

/** A history to be copied, with all that is known of it. */
interface Template {
  readonly history: History;
  readonly machine: Machine;
  readonly follower: Machine;
  readonly search: Search;
  /** The history as it was written. */
  readonly before: Tree;
  /** The history after `fix`, with its backups. */
  readonly after: Tree;
  /** Usual duration of each command, in milliseconds. */
  readonly usual: Readonly<Record<Killed, number>>;
  /** Puts history and home back to how they were before or after `fix`. */
  readonly reset: (to: "before" | "after") => void;
}

async function prepare(source: string, folder: string, { seed, bytes, follower }: KillOptions): Promise<Template> {
  const [root, home] = [join(folder, "live", source), join(folder, "home")];
  Deno.mkdirSync(home, { recursive: true });
  const history = writeHistory(source, root, { seed, bytes, clean: 4, hasObstacles: false });
  const machine = await openMachine(home);
  const keep = (name: string) => {
    Deno.mkdirSync(join(folder, name));
    copyTree(root, join(folder, name, "history"));
    copyTree(home, join(folder, name, "home"));
  };
  const reset = (to: "before" | "after") => {
    for (const [from, path] of [["history", root], ["home", home]] as const) {
      Deno.removeSync(path, { recursive: true });
      copyTree(join(folder, to, from), path);
    }
  };
  const before = treeOf(root);
  keep("before");
  const run = async (command: Killed) => {
    const { code, seconds, stdout, stderr } = await machine.run([command, ...flagsOf(history)]);
    if (code !== 0) throw new Error(`${command} of ${source}, not killed, ended with ${code}: ${stdout}${stderr}`);
    return seconds * 1000;
  };
  const fix = await run("fix");
  const after = treeOf(root);
  keep("after");
  const undo = await run("undo");
  reset("after");
  const purge = await run("purge");
  const usual = { fix, undo, purge };
  const search = searchOf(history);
  return { history, machine, follower: follower?.(home) ?? machine, search, before, after, usual, reset };
}

/** Goes all rounds, the sources in turn. */
export async function* killRounds(folder: string, options: KillOptions): AsyncGenerator<KillOutcome> {
  const random = randomFrom(options.seed);
  const templates: Template[] = [];
  for (const source of options.sources) {
    const own = join(folder, source);
    Deno.mkdirSync(own, { recursive: true });
    templates.push(await prepare(source, own, options));
  }
  for (const killed of ["fix", "undo", "purge"] as const) {
    for (let round = 0; round < options.rounds[killed]; round++) {
      const template = templates[round % templates.length]!;
      // Every other kill falls late: before that, the program is mostly starting, and of undo and purge it is nearly all.
      const late = killed === "fix" ? 0.5 : 0.8;
      const at = template.usual[killed] * (round % 2 === 0 ? random() : late + random() * (1.02 - late));
      const isPurged = round % (options.purgedEvery ?? 1) === 0;
      yield await ROUNDS[killed](template, at, isPurged);
    }
  }
}

const ROUNDS = { fix: killFix, undo: killUndo, purge: killPurge } as const;

async function kill(template: Template, killed: Killed, at: number): Promise<{ found: Found; landed: string }> {
  const { history, machine, before, after } = template;
  const { code } = await machine.run([killed, ...flagsOf(history)], at);
  const found = stateOf(history.root, machine.home, before, after);
  return { found, landed: code === null ? landingOf(killed, found) : "it had ended" };
}

async function killFix(template: Template, at: number, isPurged: boolean): Promise<KillOutcome> {
  const { history, before } = template;
  template.reset("before");
  const { found, landed } = await kill(template, "fix", at);
  const failures = [...found.failures];
  const next = await run(template, "fix", failures, true);
  const leftToHuman = (next.skipped ?? []).map(({ reason }) => reason);
  for (const reason of leftToHuman) {
    if (!/\b(?:undo|purge)\b/.test(reason)) failures.push(`the next fix does not say what to do: ${reason}`);
  }
  await run(template, "undo", failures);
  failures.push(...differences(before, treeOf(history.root)).map((said) => `after undo, ${said}`));
  if (isPurged) failures.push(...await cleanedUp(template));
  return { killed: "fix", source: history.source, at, landed, leftToHuman, failures };
}

async function killUndo(template: Template, at: number, isPurged: boolean): Promise<KillOutcome> {
  const { history, before } = template;
  template.reset("after");
  const { found, landed } = await kill(template, "undo", at);
  const failures = [...found.failures];
  await run(template, "undo", failures);
  failures.push(...differences(before, treeOf(history.root)).map((said) => `after undo, ${said}`));
  if (isPurged) failures.push(...await cleanedUp(template));
  return { killed: "undo", source: history.source, at, landed, leftToHuman: [], failures };
}

async function killPurge(template: Template, at: number): Promise<KillOutcome> {
  const { history, after } = template;
  template.reset("after");
  const { landed } = await kill(template, "purge", at);
  const failures: string[] = [];
  const now = treeOf(history.root);
  const there = new Map([...after].filter(([path]) => !path.endsWith(".bak") || now.has(path)));
  failures.push(...differences(there, now));
  await run(template, "purge", failures);
  const histories = new Map([...after].filter(([path]) => !path.endsWith(".bak")));
  failures.push(...differences(histories, treeOf(history.root)).map((said) => `after purge, ${said}`));
  failures.push(...remaining(template));
  return { killed: "purge", source: history.source, at, landed, leftToHuman: [], failures };
}

interface Report {
  readonly skipped?: readonly { readonly file: string; readonly reason: string }[];
}

/** Runs a command to its end; anything but success is a failure, unless it may say what is left to a human. */
async function run(template: Template, command: Killed, failures: string[], mayRefuse = false): Promise<Report> {
  const { code, stdout, stderr } = await template.follower.run([command, ...flagsOf(template.history)]);
  if (code !== 0 && !(mayRefuse && code === 2)) failures.push(`${command} ended with ${code}: ${stdout}${stderr}`);
  if (template.search.in(new TextEncoder().encode(stdout + stderr)).length > 0) {
    failures.push(`${command} said a secret`);
  }
  try {
    return JSON.parse(stdout);
  } catch {
    failures.push(`${command} gave no report: ${stdout}${stderr}`);
    return {};
  }
}

/** Redacts and purges for good: nothing is left then, anywhere. */
async function cleanedUp(template: Template): Promise<string[]> {
  const failures: string[] = [];
  for (const command of ["fix", "purge"] as const) await run(template, command, failures);
  const { history, before } = template;
  for (const path of treeOf(history.root).keys()) {
    if (!before.has(path)) failures.push(`in the end, ${path} is left over`);
  }
  return [...failures, ...remaining(template)];
}

/** Secrets that are still there, in the history, in its backups or at home. */
function remaining({ history, machine, search }: Template): string[] {
  return [history.root, machine.home].flatMap((folder) =>
    leftIn(folder, treeOf(folder), search, true).map(({ file, where }) => `a secret is left in ${file}, ${where}`)
  );
}
