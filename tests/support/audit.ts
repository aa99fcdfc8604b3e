/**
 * Machines with agents' histories on them, for the Audit tools to look at.
 *
 * @module
 */

import { dirname, join } from "@std/path";
import { type AuditService, type AuditSettings, createAudit, historyPaths } from "../../src/engine/audit/service.ts";
import type { Host } from "../../src/history/mod.ts";
import { chooseRules } from "../../src/secrets/catalogue.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";
import { scanSpans, type Span } from "../../src/secrets/spans.ts";
import { variableNames } from "../../src/serve/environment.ts";
import {
  connect,
  type Connected,
  type Era,
  exactPermissions,
  initialize,
  type RawServer,
  type Start,
  startRaw,
} from "./server.ts";

/** A home directory that is removed when it is disposed of. */
export interface Machine extends AsyncDisposable {
  /** The home directory, with every link resolved. */
  readonly home: string;
  /** Its layout. */
  readonly host: Host;
  /** Where Claude Code keeps the sessions of one project. */
  readonly sessions: string;
  /** Writes a file below the home directory, its last change in the past. */
  write(path: string, content: string | Uint8Array): Promise<string>;
  /** An Audit service of this process for this machine. */
  audit(settings?: Partial<AuditSettings>): AuditService;
}

/** Makes a machine without any history. */
export async function createMachine(): Promise<Machine> {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "agentsweep-audit-" }));
  const host: Host = { os: "linux", env: { HOME: home } };
  return {
    home,
    host,
    sessions: ".claude/projects/-work-shop",
    async write(path, content) {
      const file = join(home, path);
      await Deno.mkdir(dirname(file), { recursive: true });
      await Deno.writeFile(file, typeof content === "string" ? new TextEncoder().encode(content) : content);
      await settle(file);
      return file;
    },
    audit: (settings) =>
      createAudit({
        host,
        history: new Map(),
        allowsRoot: true,
        workingDirectory: null,
        workerModules: null,
        ...settings,
      }),
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}

let seconds = 1_700_000_000;

/** Dates a file's last change to a moment of its own, long ago: nobody has to wait until its time tells of the next. */
export async function settle(file: string): Promise<void> {
  await Deno.utime(file, ++seconds, seconds);
}

/** Where Deno keeps packages, which a process with another home must be told. */
export const CACHE: string = JSON.parse(
  new TextDecoder().decode(
    new Deno.Command(Deno.execPath(), { args: ["info", "--json", "--no-config"] }).outputSync().stdout,
  ),
).denoDir;

/** How a server is started that audits `home`, with the exact permissions unless `start` says otherwise. */
export function auditStart(home: string, start: Partial<Start> = {}, checkout?: string): Start {
  const { roots = [], args = roots.length === 0 ? ["--audit-only"] : [] } = start;
  const histories = historyPaths({ host: { os: "linux", env: { HOME: home } }, history: new Map() });
  const [prompt, read, ...write] = exactPermissions([...roots], checkout);
  return {
    roots,
    permissions: [
      prompt!,
      `${read},${histories.join(",")}`.replace("=,", "="),
      ...write.filter((flag) => !flag.endsWith("=")),
      `--allow-env=${variableNames().join(",")}`,
    ],
    ...start,
    args,
    env: { HOME: home, USERPROFILE: home, DENO_DIR: CACHE, ...start.env },
  };
}

/** Connects the real client of an era to such a server. Clients hand on little of the environment, so it is set anew. */
export function connectAudit(era: Era, home: string): Promise<Connected> {
  const start = auditStart(home);
  const before = ["env", ...Object.entries(start.env!).map(([name, value]) => `${name}=${value}`)];
  return connect(era, { ...start, before });
}

/** Starts such a server for raw lines; `checkout` is the folder that its modules are in. */
export async function startAudit(home: string, start: Partial<Start> = {}, checkout?: string): Promise<RawServer> {
  const server = startRaw(auditStart(home, start, checkout));
  await initialize(server);
  return server;
}

/** A secret of a rule, in the text that the rule's own example stands in. */
export interface Sample {
  /** Id of the rule. */
  readonly rule: string;
  /** The example. */
  readonly text: string;
  /** Everything in it that is found by default. */
  readonly spans: readonly Span[];
}

/** What is found in a text by default. */
export function spansIn(text: string): Span[] {
  const spans: Span[] = [];
  const scanner = scanSpans({ ...chooseRules({}), onSpan: (span) => spans.push(span) });
  scanner.push(new TextEncoder().encode(text));
  scanner.finish();
  return spans;
}

/** One example of each rule that runs by default. */
export function samples(): Sample[] {
  return chooseRules({}).rules.map((rule) => {
    const text = rule.examples.match()[0]!;
    return { rule: rule.id, text, spans: spansIn(text) };
  });
}

/** The text of a rule's n-th example. */
export function exampleOf(id: string, index = 0): string {
  const rule = RULES.find((rule) => rule.id === id);
  if (!rule) throw new RangeError(`no rule ${id}`);
  return rule.examples.match()[index]!;
}

/** A made token that one rule finds anywhere, another for each seed. */
export function token(seed: number): string {
  const alphabet = "ABCDEFGHIJKLMNPQRSTUVWXYZ234567";
  let state = seed * 2654435761 >>> 0;
  let made = "";
  while (made.length < 16) {
    state = (Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    const next = alphabet[(state >>> 8) % alphabet.length]!;
    if (Math.abs(next.charCodeAt(0) - (made.at(-1) ?? "\0").charCodeAt(0)) > 1) made += next;
  }
  return "AK" + "IA" + made;
}

/** Length of a piece of a secret that must not be shown. */
const PIECE = 8;

/** Looks for pieces of secrets in what was shown. */
export interface Watch {
  /** Pieces of secrets in strings, keys and values of `shown`, each with its surroundings. */
  leaks(shown: unknown): string[];
}

/** Watches for `secrets`, but for pieces that stand in `innocent` texts, which are public. */
export function watchFor(secrets: Iterable<string>, innocent: Iterable<string>): Watch {
  const pieces = new Set<string>();
  for (const secret of secrets) {
    for (let at = 0; at + PIECE <= secret.length; at++) pieces.add(secret.slice(at, at + PIECE));
  }
  for (const text of innocent) {
    for (let at = 0; at + PIECE <= text.length; at++) pieces.delete(text.slice(at, at + PIECE));
  }
  const found: string[] = [];
  const look = (text: string) => {
    for (let at = 0; at + PIECE <= text.length; at++) {
      if (!pieces.has(text.slice(at, at + PIECE))) continue;
      found.push(text.slice(Math.max(0, at - 30), at + 40));
      return;
    }
  };
  const walk = (value: unknown): void => {
    if (typeof value === "string") look(value);
    else if (Array.isArray(value)) value.forEach(walk);
    else if (value instanceof Map) [...value].forEach(walk);
    else if (value !== null && typeof value === "object" && !ArrayBuffer.isView(value)) {
      for (const [key, item] of Object.entries(value)) {
        look(key);
        walk(item);
      }
    }
  };
  return {
    leaks(shown) {
      found.length = 0;
      walk(shown);
      return [...found];
    },
  };
}
