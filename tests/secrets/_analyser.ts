/**
 * Tells whether a pattern can be made to backtrack more than its length allows.
 *
 * A backtracking engine tries, from each place where a match may begin, every way in which the pattern can divide the
 * text between its parts. Here the pattern is unrolled into a graph without cycles, and a search looks for the text
 * that has the most ways through it: that text, and how many steps it takes from one place, are the verdict.
 *
 * @module
 */

import { type CharacterSet, codesOf, EVERYTHING, parsePattern, type Pattern } from "../../src/secrets/pattern.ts";

/** The verdict on a pattern. */
export interface Analysis {
  /** What no rule may have. */
  readonly problems: readonly string[];
  /** Steps that the worst text found takes from one place. */
  readonly steps: number;
  /** That text. */
  readonly worst: string;
}

/** Repetitions beyond this many are alike. */
const MOST_COPIES = 64;
/** Characters of the texts that are tried. */
const LONGEST_TEXT = 240;
/** Texts that are followed at once. */
const BEAM = 3;

/** What is known of the texts that a part matches. */
interface Shape {
  readonly empty: boolean;
  readonly fixed: boolean;
  readonly first: CharacterSet;
  /** Characters with which it can go on where it might as well have ended. */
  readonly more: CharacterSet;
}

const NOTHING: Shape = { empty: true, fixed: true, first: 0n, more: 0n };

function shapeOf(pattern: Pattern, problems: Set<string>): Shape {
  switch (pattern.kind) {
    case "set":
      return { empty: false, fixed: true, first: pattern.set, more: 0n };
    case "sequence":
      return pattern.items.map((item) => shapeOf(item, problems)).reduceRight((rest, part) => ({
        empty: part.empty && rest.empty,
        fixed: part.fixed && rest.fixed,
        first: part.first | (part.empty ? rest.first : 0n),
        more: rest.more | (rest.empty ? part.more | rest.first : 0n),
      }), NOTHING);
    case "choice": {
      const branches = pattern.branches.map((branch) => shapeOf(branch, problems));
      return {
        empty: branches.some((branch) => branch.empty),
        fixed: false,
        first: branches.reduce((set, branch) => set | branch.first, 0n),
        more: branches.reduce((set, branch) => set | branch.more, 0n),
      };
    }
    case "repeat": {
      const body = shapeOf(pattern.body, problems);
      const { min, max } = pattern;
      if (max === Infinity) problems.add("a quantifier without bound");
      if (max > 1 && body.empty) problems.add("a repeated part that may be empty");
      if (max > 1 && !body.fixed && (body.more & body.first) !== 0n) {
        problems.add("a repeated part that can be divided in more than one way");
      }
      return {
        empty: body.empty || min === 0,
        fixed: body.fixed && min === max,
        first: body.first,
        more: body.more | (max > min ? body.first : 0n),
      };
    }
    case "look":
      shapeOf(pattern.body, problems);
      return NOTHING;
    default:
      return NOTHING;
  }
}

/** A pattern unrolled: each instruction reads a character of its set, or leads on to others behind it. */
interface Graph {
  readonly sets: (CharacterSet | undefined)[];
  readonly targets: number[][];
}

function unroll(tree: Pattern): Graph {
  const sets: (CharacterSet | undefined)[] = [];
  const targets: number[][] = [];

  function add(set: CharacterSet | undefined): number {
    sets.push(set);
    targets.push([]);
    return sets.length - 1;
  }

  /** Adds a part behind the instructions `from`; returns the instructions that come last. */
  function part(pattern: Pattern, from: readonly number[]): number[] {
    switch (pattern.kind) {
      case "set": {
        const at = add(pattern.set);
        for (const before of from) targets[before]?.push(at);
        return [at];
      }
      case "sequence":
        return pattern.items.reduce<number[]>((last, item) => part(item, last), [...from]);
      case "choice":
        return pattern.branches.flatMap((branch) => part(branch, from));
      case "repeat": {
        const max = Math.min(pattern.max, MOST_COPIES);
        const min = Math.min(pattern.min, max);
        const ends: number[] = min === 0 ? [...from] : [];
        let last = [...from];
        for (let copy = 1; copy <= max; copy++) {
          last = part(pattern.body, last);
          if (copy >= min) ends.push(...last);
        }
        // One join, lest every copy be connected with everything that follows.
        const join = add(undefined);
        for (const end of ends) targets[end]?.push(join);
        return [join];
      }
      default:
        return [...from];
    }
  }

  part(tree, [add(undefined)]);
  return { sets, targets };
}

/** One character for each way in which the sets of a pattern can tell characters apart. */
function representatives(sets: readonly (CharacterSet | undefined)[]): number[] {
  const different = [...new Set(sets)].filter((set) => set !== undefined);
  const byClass = new Map<string, number>();
  for (const code of codesOf(EVERYTHING)) {
    const key = different.map((set) => (set >> BigInt(code) & 1n) === 1n ? "1" : "0").join("");
    if (key.includes("1") && !byClass.has(key)) byClass.set(key, code);
  }
  return [...byClass.values()];
}

/** In how many ways each instruction can have been reached with the text so far. */
type Ways = ReadonlyMap<number, number>;

/** Leads on from instructions that read nothing; all lead forward, so one pass in ascending order is enough. */
function settle(graph: Graph, ways: Map<number, number>): Ways {
  const settled = new Map<number, number>();
  const waiting = [...ways.keys()].sort((left, right) => left - right);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const count = ways.get(next) ?? 0;
    if (graph.sets[next] !== undefined) {
      settled.set(next, count);
      continue;
    }
    for (const target of graph.targets[next] ?? []) {
      if (!ways.has(target)) {
        const place = waiting.findIndex((other) => other > target);
        waiting.splice(place < 0 ? waiting.length : place, 0, target);
      }
      ways.set(target, (ways.get(target) ?? 0) + count);
    }
  }
  return settled;
}

function read(graph: Graph, ways: Ways, code: number): Ways {
  const next = new Map<number, number>();
  for (const [at, count] of ways) {
    if (((graph.sets[at] ?? 0n) >> BigInt(code) & 1n) === 0n) continue;
    for (const target of graph.targets[at] ?? []) next.set(target, (next.get(target) ?? 0) + count);
  }
  return settle(graph, next);
}

function total(ways: Ways): number {
  let sum = 0;
  for (const count of ways.values()) sum += count;
  return sum;
}

function worstText(tree: Pattern): { steps: number; worst: string } {
  const graph = unroll(tree);
  const codes = representatives(graph.sets);
  let beam = [{ ways: settle(graph, new Map([[0, 1]])), steps: 0, text: "" }];
  let best = { steps: 0, worst: "" };
  for (let length = 0; length < LONGEST_TEXT && beam.length > 0; length++) {
    const longer = beam.flatMap(({ ways, steps, text }) =>
      codes.map((code) => {
        const next = read(graph, ways, code);
        const all = total(next);
        return { ways: next, all, steps: steps + all, text: text + String.fromCharCode(Math.min(code, 0xe9)) };
      })
    ).filter(({ all }) => all > 0);
    longer.sort((left, right) => right.steps - left.steps || right.ways.size - left.ways.size);
    beam = longer.slice(0, BEAM);
    const first = beam[0];
    if (first !== undefined && first.steps > best.steps) best = { steps: first.steps, worst: first.text };
  }
  return best;
}

/** The bodies of a pattern's look-arounds. */
function looksOf(pattern: Pattern): Pattern[] {
  switch (pattern.kind) {
    case "sequence":
      return pattern.items.flatMap(looksOf);
    case "choice":
      return pattern.branches.flatMap(looksOf);
    case "repeat":
      return looksOf(pattern.body);
    case "look":
      return [pattern.body, ...looksOf(pattern.body)];
    default:
      return [];
  }
}

/** Analyses a pattern. */
export function analyse(regexp: RegExp): Analysis {
  const problems = new Set<string>();
  const tree = parsePattern(regexp);
  shapeOf(tree, problems);
  if (problems.size > 0) return { problems: [...problems], steps: Infinity, worst: "" };
  const main = worstText(tree);
  const looks = looksOf(tree).reduce((sum, body) => sum + worstText(body).steps, 0);
  return { problems: [], steps: main.steps + looks, worst: main.worst };
}
