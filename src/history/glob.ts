/**
 * Globs that guide a walk: besides matching a path, they say which directories can still lead to a match, so that
 * nothing else is entered, and which names can be asked for where a directory may not be listed.
 *
 * @module
 */

/** One part of a glob: a literal name, a pattern for one name, or any number of directories. */
type Part = string | RegExp | typeof ANY;
const ANY = Symbol("**");

/** A compiled glob. A position is an index into its parts: what stands before it has been matched. */
export interface Glob {
  /** Its parts in order. */
  readonly parts: readonly Part[];
}

/** What can come next at a position. */
export interface Step {
  /** Positions in the directory of that name. */
  readonly inside: readonly number[];
  /** Whether a file of that name matches. */
  readonly matches: boolean;
}

function compilePart(part: string): Part {
  if (part === "**") return ANY;
  if (!/[*?{]/.test(part)) return part;
  const source = part.replace(/[.+^$()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*").replaceAll("?", ".")
    .replace(/\{([^{}]*)\}/g, (_, alternatives: string) => `(?:${alternatives.split(",").join("|")})`);
  return new RegExp(`^${source}$`, "isu");
}

/**
 * Compiles a glob: parts are separated by `/`; `*` and `?` stay within a name, `{a,b}` is either, `**` is any number of
 * directories (at the end: every file below). Letter case is ignored, as by the
 * file systems that most histories lie on.
 */
export function compileGlob(glob: string): Glob {
  return { parts: glob.split("/").map(compilePart) };
}

/** Positions reachable without a name: `**` may stand for no directory at all. */
function settle(glob: Glob, position: number): number[] {
  return glob.parts[position] === ANY && position + 1 < glob.parts.length
    ? [position, ...settle(glob, position + 1)]
    : [position];
}

/** Positions at the root. */
export function start(glob: Glob): readonly number[] {
  return settle(glob, 0);
}

/** What an entry called `name` is at one of `positions`. */
export function step(glob: Glob, positions: readonly number[], name: string): Step {
  const inside = new Set<number>();
  let matches = false;
  const last = glob.parts.length - 1;
  for (const position of positions) {
    const part = glob.parts[position];
    if (part === ANY) {
      if (position === last) matches = true;
      for (const next of settle(glob, position)) inside.add(next);
    } else if (part instanceof RegExp ? part.test(name) : part?.toLowerCase() === name.toLowerCase()) {
      if (position === last) matches = true;
      else for (const next of settle(glob, position + 1)) inside.add(next);
    }
  }
  return { inside: [...inside], matches };
}

/** The only names that can come next, or `undefined` where any may. */
export function literals(glob: Glob, positions: readonly number[]): readonly string[] | undefined {
  const parts = positions.map((position) => glob.parts[position]);
  return parts.every((part) => typeof part === "string") ? parts : undefined;
}
