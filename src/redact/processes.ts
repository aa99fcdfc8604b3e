/**
 * Whether an agent is running, told by whole words of what runs: the executable's name, or the path of the script that
 * an interpreter runs, in whatever case of letters. Never by a part of a word, so that `vllm` is not `llm`.
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

/** By what a running agent is known. */
export interface Known {
  /** Executables, or packages such as `@openai/codex`. */
  readonly names: readonly string[];
  /** Editors that run it as an extension; see `SourceSpec`. @default none */
  readonly hosts?: readonly string[] | undefined;
}

/** Program that lists processes on each system. */
export const PROCESS_LISTER: string = Deno.build.os === "windows" ? "tasklist" : "ps";

/** Programs that run others, whatever their version. */
const INTERPRETERS =
  /^(?:node|nodejs|bun|bunx|deno|npm|npx|pnpm|yarn|tsx|electron|pythonw?|pypy|ruby|uvx?|pipx|sh|bash|zsh|dash|env)[-.\d]*$/i;
/** Words between an interpreter and what it runs. */
const RUNS = new Set(["run", "task", "x", "exec", "tool", "dlx"]);
/** Options whose value is the next word, by the interpreter that takes them. */
const VALUED: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:node|bun$|tsx|electron)/i,
    /^(?:-[rC]|--(?:require|import|preload|loader|experimental-loader|env-file|env-file-if-exists|conditions|title|tsconfig|cwd))$/,
  ],
  [/^deno/i, /^(?:-c|--(?:config|import-map|lock|cert|location|preload|import))$/],
  [/^py/i, /^-[WXQ]$/],
  [/^(?:np[mx]|pnpm|yarn|bunx)/i, /^(?:-[pw]|--(?:package|prefix|workspace))$/],
  [/^(?:uv|pipx)/i, /^(?:-p|--(?:with|from|spec|python|directory|project|index|env-file))$/],
  [/^ruby/i, /^-[IrC]$/],
  [/^env/i, /^-[uC]$/],
  [/sh$/i, /^(?:-[oO]|--rcfile|--init-file)$/],
];
/** Longest name that Linux keeps of a process. */
const LINUX_NAME = 15;

/**
 * Whether an agent is running, and as which process. A source without names has no process to end. Where the system does not tell, the answer is `unknown`.
 *
 * Needs `--allow-run` for {@linkcode PROCESS_LISTER}.
 */
export async function agentState(known: Known): Promise<AgentState> {
  if (known.names.length === 0) return "idle";
  try {
    return Deno.build.os === "windows" ? windowsState(known, await tasks()) : posixState(known, await processes());
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

/** What a list of processes, whole as Linux and macOS give it, says of an agent. */
export function posixState({ names, hosts = [] }: Known, running: readonly Running[]): AgentState {
  // A list without a process is no list.
  if (running.length === 0) return "unknown";
  for (const process of running) {
    if (process.pid === Deno.pid) continue;
    const name = names.find((name) => isCalled(process, name)) ?? hosts.find((name) => isHost(process, name));
    if (name !== undefined) return { running: name, pid: process.pid };
  }
  return "idle";
}

function isCalled({ executable, words }: Running, name: string): boolean {
  const [program = executable, ...rest] = words;
  // A shell that logs in is called with a dash in front of its name.
  const own = baseOf(program).replace(/^-/, "");
  if ([executable, program, own].some((path) => isNamed(path, name)) || isCut(executable, name)) return true;
  const interpreter = [own, baseOf(executable)].find((base) => INTERPRETERS.test(base));
  if (interpreter === undefined) return false;
  return scriptsOf(interpreter, rest).some((path) => isNamed(path, name)) ||
    rest.some((word) => !word.startsWith("-") && isInstalled(word, name));
}

/** Editors are known by their executable alone: a script may well be called `code.js`. */
function isHost({ executable, words: [program = executable] }: Running, host: string): boolean {
  const folder = host.endsWith("/") ? host.slice(0, -1) : null;
  return isCut(executable, host) ||
    [executable, program].some((path) => folder === null ? isNamed(path, host) : hasRun(segmentsOf(path), [folder]));
}

function isCut(executable: string, name: string): boolean {
  return name.length > LINUX_NAME && executable.toLowerCase() === name.slice(0, LINUX_NAME).toLowerCase();
}

/**
 * What an interpreter runs, as far as it may be that: the module behind `-m`, or the first word that is neither an option,
 * nor the value of one, nor another interpreter. What follows are its arguments, which may well be the name of an agent.
 */
function scriptsOf(interpreter: string, words: readonly string[]): string[] {
  const scripts: string[] = [];
  let runner = interpreter;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word === "-m" && /^py/i.test(runner)) return [...scripts, ...moduleNames(words[index + 1] ?? "")];
    if (word.startsWith("-")) {
      if (VALUED.some(([program, option]) => program.test(runner) && option.test(word))) index++;
      continue;
    }
    // Variables of `env`.
    if (/^[A-Za-z_]\w*=/.test(word) || RUNS.has(word)) continue;
    scripts.push(word);
    if (!INTERPRETERS.test(baseOf(word))) break;
    runner = baseOf(word);
  }
  return scripts;
}

/** A module of Python and the package that it is in, as they are installed. */
function moduleNames(module: string): string[] {
  return [module, module.split(".")[0]!.replaceAll("_", "-")];
}

/** Whether a path names an executable, a script or a package: by whole segments. */
function isNamed(path: string, name: string): boolean {
  const segments = segmentsOf(path);
  const wanted = name.toLowerCase();
  const last = segments.at(-1) ?? "";
  if (!wanted.includes("/")) {
    if (last === wanted || last.replace(/\.(?:[cm]?js|ts|py|exe|sh|appimage)$/, "") === wanted) return true;
    return segments.includes(`${wanted}.app`) || hasRun(segments, ["node_modules", wanted]);
  }
  return hasRun(segments, wanted.split("/"));
}

/**
 * Whether any word of an interpreter's is an agent's package, or its program in a folder of programs: where an option is
 * not known to take a value, that is not yet the script.
 */
function isInstalled(word: string, name: string): boolean {
  const segments = segmentsOf(word);
  const wanted = name.toLowerCase();
  if (wanted.includes("/")) return hasRun(segments, wanted.split("/"));
  return segments.at(-1) === wanted && /^(?:\.?bin|scripts)$/.test(segments.at(-2) ?? "");
}

/** The parts of a path, in small letters. */
function segmentsOf(path: string): string[] {
  return path.toLowerCase().split(/[/\\]/);
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

/** What a list of images says of an agent: scripts are not in it, so that a running interpreter may be any of them. */
export function windowsState({ names, hosts = [] }: Known, running: readonly Running[]): AgentState {
  if (running.length === 0) return "unknown";
  const images = running.filter(({ pid }) => pid !== Deno.pid)
    .map(({ pid, executable }) => ({ pid, image: executable.toLowerCase().replace(/\.exe$/, "") }));
  for (const name of [...names, ...hosts]) {
    const own = name.toLowerCase();
    // Programs of JetBrains say in their name for which machine they are.
    const found = images.find(({ image }) => image === own || image === `${own}64`);
    if (found) return { running: name, pid: found.pid };
  }
  const isOpen = ({ image }: { image: string }) => /^(?:node(?:js)?|bun|deno|electron|pythonw?|py)[-.\d]*$/.test(image);
  return images.some(isOpen) ? "unknown" : "idle";
}
