/**
 * The flags of `serve`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { checkedPath, Refusal } from "../guard/mod.ts";
import { sourceByKey, SOURCES } from "../history/sources/mod.ts";

/** What a human says when starting the server. Plain data: it is handed over to a Worker. */
export interface ServeOptions {
  /** Directories where Reclaim may look and delete, as written. */
  readonly roots: readonly string[];
  /** Whether the Reclaim tools are served. */
  readonly hasReclaim: boolean;
  /** Whether the Audit tools are served. */
  readonly hasAudit: boolean;
  /** Other roots that the human named, by key of the source. */
  readonly history: ReadonlyMap<string, string>;
  /** Whether destructive calls need the human's own yes. */
  readonly requireHuman: boolean;
  /** Whether the server may run with more permissions than it needs. */
  readonly allowUnsandboxed: boolean;
  /** Globs that every scan leaves out. */
  readonly exclude: readonly string[];
  /** Levels that a scan goes down where it does not say; undefined for the built-in number. */
  readonly maxDepth: number | undefined;
  /** Whether this process was started by itself with exact flags. Set by the program, not by people. */
  readonly isNarrowed: boolean;
}

/** The flags of `serve`, for completions; each with `value` takes one. */
export const SERVE_FLAGS = {
  "root": { value: "DIR", repeatable: true, summary: "where Reclaim may look and delete" },
  "require-human": { summary: "destructive calls need your own yes through the client" },
  "exclude": { value: "GLOB", repeatable: true, summary: "leave out of every scan" },
  "max-depth": { value: "N", summary: "how many levels a scan goes down (64)" },
  "audit-only": { summary: "serve the Audit tools alone; needs no --root" },
  "no-audit": { summary: "serve the Reclaim tools alone" },
  "history": { value: "SOURCE=DIR", repeatable: true, summary: "look for a source's history in DIR instead" },
  "allow-unsandboxed": { summary: "run even with more permissions than needed" },
} as const;

/** How `serve` is used, for people. */
export const SERVE_HELP =
  `agentsweep: an MCP server that deletes only what it found, and finds secrets without showing them

Usage: main.ts [serve] --root DIR [--root DIR ...]
       main.ts serve DIR [DIR ...]
       main.ts [serve] --audit-only

  --root DIR             where Reclaim may look and delete; repeatable, no default
  --require-human        destructive calls need your own yes through the client
  --exclude GLOB         leave out of every scan; repeatable
  --max-depth N          how many levels a scan goes down (64)
  --audit-only           serve the Audit tools alone; needs no --root
  --no-audit             serve the Reclaim tools alone
  --history SOURCE=DIR   look for a source's history in DIR instead; repeatable
  --allow-unsandboxed    run even with more permissions than needed
  --help, --version

Standard output carries JSON-RPC and nothing else; diagnostics go to standard error.`;

/** The same for a program that is called in another way. */
export function serveHelp(program: string): string {
  return SERVE_HELP.replaceAll(" main.ts ", () => ` ${program} `);
}

/**
 * Reads the flags of `serve`.
 *
 * @param takesRoots Whether folders may stand beside flags, as behind the word `serve`.
 * @throws {Refusal} `argument`, with what is wrong and what to write.
 */
export function parseServeOptions(args: readonly string[], takesRoots = false): ServeOptions {
  const { values, positionals } = parsed(args);
  const [auditOnly, noAudit] = [values["audit-only"] ?? false, values["no-audit"] ?? false];
  if (auditOnly && noAudit) throw new Refusal("argument", "--audit-only and --no-audit leave nothing to serve");
  if (positionals.length > 0 && !takesRoots) {
    throw new Refusal("argument", `unexpected argument ${positionals[0]}; a root is given as --root ${positionals[0]}`);
  }
  const roots = [...values.root ?? [], ...positionals];
  if (roots.length === 0 && !auditOnly) {
    throw new Refusal(
      "no-roots",
      "no --root was given; name the directories where this server may look and delete, or serve with --audit-only; " +
        "help lists the commands for people",
    );
  }
  if (roots.length > 0 && auditOnly) {
    throw new Refusal("argument", "--root is for Reclaim, which --audit-only leaves out");
  }
  return {
    roots,
    hasReclaim: !auditOnly,
    hasAudit: !noAudit,
    history: historyRoots(values.history ?? []),
    requireHuman: values["require-human"] ?? false,
    allowUnsandboxed: values["allow-unsandboxed"] ?? false,
    exclude: values.exclude ?? [],
    maxDepth: values["max-depth"] === undefined ? undefined : wholeNumber("--max-depth", values["max-depth"]),
    isNarrowed: values.narrowed ?? false,
  };
}

/** Reads `SOURCE=DIR`, each source once. */
function historyRoots(entries: readonly string[]): Map<string, string> {
  const roots = new Map<string, string>();
  for (const entry of entries) {
    const [, source = "", root = ""] = /^([^=]+)=(.+)$/s.exec(entry) ?? [];
    if (root === "") throw new Refusal("argument", `--history ${entry} is not of the form SOURCE=DIR`);
    if (!sourceByKey(source)) {
      const keys = SOURCES.map(({ key }) => key).join(", ");
      throw new Refusal("argument", `--history names the unknown source ${source}; the sources are ${keys}`);
    }
    if (roots.has(source)) throw new Refusal("argument", `--history names ${source} twice`);
    roots.set(source, checkedPath(root));
  }
  return roots;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        "root": { type: "string", multiple: true },
        "audit-only": { type: "boolean" },
        "no-audit": { type: "boolean" },
        "history": { type: "string", multiple: true },
        "require-human": { type: "boolean" },
        "allow-unsandboxed": { type: "boolean" },
        "exclude": { type: "string", multiple: true },
        "max-depth": { type: "string" },
        "narrowed": { type: "boolean" },
      },
    });
  } catch (error) {
    throw new Refusal("argument", error instanceof Error ? firstSentence(error.message) : "the flags cannot be read");
  }
}

/** The parser's advice after its first sentence is not about this program, or more than one line. */
function firstSentence(message: string): string {
  return `${message.split(/\. |\n/)[0]!.replace(/\.$/, "")}; --help lists the flags`;
}

function wholeNumber(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Refusal("argument", `${flag} is ${text}; it must be a whole number, 0 or more`);
}
