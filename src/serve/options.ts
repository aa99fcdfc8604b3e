/**
 * The flags of `serve`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { Refusal } from "../guard/mod.ts";

/** What a human says when starting the server. Plain data: it is handed over to a Worker. */
export interface ServeOptions {
  /** Directories where Reclaim may look and delete, as written. */
  readonly roots: readonly string[];
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

/** How `serve` is used, for people. */
export const SERVE_HELP = `agentsweep: an MCP server that deletes only what it found

Usage: main.ts [serve] --root DIR [--root DIR ...]

  --root DIR             where Reclaim may look and delete; repeatable, no default
  --require-human        destructive calls need your own yes through the client
  --exclude GLOB         leave out of every scan; repeatable
  --max-depth N          how many levels a scan goes down (64)
  --no-audit             serve the Reclaim tools alone
  --allow-unsandboxed    run even with more permissions than needed
  --help, --version

Standard output carries JSON-RPC and nothing else; diagnostics go to standard error.`;

/**
 * Reads the flags of `serve`.
 *
 * @throws {Refusal} `argument`, with what is wrong and what to write.
 */
export function parseServeOptions(args: readonly string[]): ServeOptions {
  const { values, positionals } = parsed(args);
  if (values["audit-only"] || values.history) {
    throw new Refusal("argument", "the Audit tools are not part of this version; leave out --audit-only and --history");
  }
  if (positionals.length > 0) {
    throw new Refusal("argument", `unexpected argument ${positionals[0]}; a root is given as --root ${positionals[0]}`);
  }
  const roots = values.root ?? [];
  if (roots.length === 0) {
    throw new Refusal("no-roots", "no --root was given; name the directories where this server may look and delete");
  }
  return {
    roots,
    requireHuman: values["require-human"] ?? false,
    allowUnsandboxed: values["allow-unsandboxed"] ?? false,
    exclude: values.exclude ?? [],
    maxDepth: values["max-depth"] === undefined ? undefined : wholeNumber("--max-depth", values["max-depth"]),
    isNarrowed: values.narrowed ?? false,
  };
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
