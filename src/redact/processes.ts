/**
 * Whether an agent is running, told by whole words of what runs: the executable's name, or the path of the script that
 * an interpreter runs. Never by a part of a word, so that `vllm` is not `llm`.
 *
 * @module
 */

import type { AgentState } from "./gates.ts";

/** A process as the system lists it. */
export interface Running {
  /** Its number. */
  readonly pid: number;
  /** Name or path of the executable, as far as the system tells. */
  readonly executable: string;
  /** Its command line; empty where the system does not tell. */
  readonly words: readonly string[];
}

/** Program that lists processes on each system. */
export const PROCESS_LISTER: string = Deno.build.os === "windows" ? "tasklist" : "ps";

const INTERPRETERS = /^(?:node|nodejs|bun|deno|npx|python[\d.]*|pypy[\d.]*|ruby|uv|uvx|pipx|sh|bash|zsh|dash|env)$/;
/** Longest name that Linux keeps of a process. */
const LINUX_NAME = 15;

/**
 * Whether one of `names` (executables, or packages such as `@openai/codex`) is running. A source without names has no
 * process to end. Where the system does not tell, the answer is `unknown`.
 *
 * Needs `--allow-run` for {@linkcode PROCESS_LISTER}.
 */
export async function agentState(names: readonly string[]): Promise<AgentState> {
  if (names.length === 0) return "idle";
  try {
    return Deno.build.os === "windows" ? windowsState(names, await tasks()) : posixState(names, await processes());
  } catch {
    return "unknown";
  }
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command(program, {
    args: [...args],
    stdin: "null",
    stderr: "null",
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (!success || text.trim() === "") throw new TypeError("the processes cannot be listed");
  return text;
}

async function processes(): Promise<Running[]> {
  // Names and command lines come in two lists: both may hold spaces, so that one line cannot be split.
  const [names, lines] = await Promise.all([
    output(PROCESS_LISTER, ["-A", "-ww", "-o", "pid=,comm="]),
    output(PROCESS_LISTER, ["-A", "-ww", "-o", "pid=,args="]),
  ]);
  const args = new Map(rows(lines));
  return rows(names).map(([pid, executable]) => ({
    pid,
    executable,
    words: (args.get(pid) ?? "").split(/\s+/).filter((word) => word !== ""),
  }));
}

function rows(text: string): [number, string][] {
  return text.split("\n").flatMap((line): [number, string][] => {
    const [, pid, rest] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || rest === undefined ? [] : [[Number(pid), rest.trim()]];
  });
}

/** What a list of processes, whole as Linux and macOS give it, says of names. */
export function posixState(names: readonly string[], running: readonly Running[]): AgentState {
  const others = running.filter(({ pid }) => pid !== Deno.pid);
  // A list without a process is no list.
  if (running.length === 0) return "unknown";
  return others.some((process) => names.some((name) => isCalled(process, name))) ? "running" : "idle";
}

function isCalled({ executable, words }: Running, name: string): boolean {
  const [program = executable, ...rest] = words;
  // A shell that logs in is called with a dash in front of its name.
  const own = baseOf(program).replace(/^-/, "");
  const paths = [executable, program, own];
  if (INTERPRETERS.test(own) || INTERPRETERS.test(baseOf(executable))) paths.push(...scriptsOf(rest));
  return paths.some((path) => isNamed(path, name)) ||
    (name.length > LINUX_NAME && executable === name.slice(0, LINUX_NAME));
}

/** What an interpreter runs: the module behind `-m`, the task, the words that are no flags up to the first such that is a path. */
function scriptsOf(words: readonly string[]): string[] {
  const scripts: string[] = [];
  for (const [index, word] of words.entries()) {
    // Behind the name of a task stand its arguments, which may well be the name of an agent.
    if (word === "-m" || word === "task") return [...scripts, words[index + 1] ?? ""];
    if (word.startsWith("-")) continue;
    scripts.push(word);
    if (/[/\\.]/.test(word) && !INTERPRETERS.test(baseOf(word))) break;
  }
  return scripts;
}

/** Whether a path names an executable, a script or a package: by whole segments. */
function isNamed(path: string, name: string): boolean {
  const segments = path.split(/[/\\]/);
  const last = segments.at(-1) ?? "";
  if (!name.includes("/")) {
    if (last === name || last.replace(/\.(?:[cm]?js|ts|py|exe|sh|AppImage)$/i, "") === name) return true;
    return segments.includes(`${name}.app`) || hasRun(segments, ["node_modules", name]);
  }
  return hasRun(segments, name.split("/"));
}

function hasRun(segments: readonly string[], wanted: readonly string[]): boolean {
  return segments.some((_, at) => wanted.every((part, index) => segments[at + index] === part));
}

function baseOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? "";
}

async function tasks(): Promise<Running[]> {
  const text = await output(PROCESS_LISTER, ["/FO", "CSV", "/NH"]);
  return text.split("\n").flatMap((line): Running[] => {
    const [, executable, pid] = /^"([^"]+)","(\d+)"/.exec(line.trim()) ?? [];
    return executable === undefined ? [] : [{ executable, pid: Number(pid), words: [] }];
  });
}

/** What a list of images says of names: scripts are not in it, so that a running interpreter may be any of them. */
export function windowsState(names: readonly string[], running: readonly Running[]): AgentState {
  if (running.length === 0) return "unknown";
  const images = running.filter(({ pid }) => pid !== Deno.pid)
    .map(({ executable }) => executable.toLowerCase().replace(/\.exe$/, ""));
  if (names.some((name) => images.includes(name.toLowerCase()))) return "running";
  return images.some((image) => /^(?:node|bun|deno|python[\d.]*|pythonw|py)$/.test(image)) ? "unknown" : "idle";
}
