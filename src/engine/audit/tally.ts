/**
 * Counting findings, and how many of them lie before a line that is known only later.
 *
 * @module
 */

/** Counts of findings. */
export interface Counts {
  /** Findings that are told. */
  readonly findings: number;
  /** Findings that an ignore file names. */
  readonly suppressed: number;
}

/** A running count. */
export interface Tally {
  /** Counts a finding on `line`. */
  add(line: number, isSuppressed: boolean): void;
  /** Says that {@linkcode before} will not be asked about any line below this one. */
  passed(line: number): void;
  /** What there is on the lines below `line`. */
  before(line: number): Counts;
  /** What there is in all. */
  total(): Counts;
}

interface Line {
  readonly line: number;
  findings: number;
  suppressed: number;
}

/** A count of nothing. */
export function createTally(): Tally {
  let settled: Counts = { findings: 0, suppressed: 0 };
  let open: Line[] = [];
  const before = (line: number): Counts => {
    let { findings, suppressed } = settled;
    for (const entry of open) {
      if (entry.line >= line) continue;
      findings += entry.findings;
      suppressed += entry.suppressed;
    }
    return { findings, suppressed };
  };
  return {
    add(line, isSuppressed) {
      let last = open.at(-1);
      if (last?.line !== line) open.push(last = { line, findings: 0, suppressed: 0 });
      if (isSuppressed) last.suppressed++;
      else last.findings++;
    },
    passed(line) {
      if (open.length === 0) return;
      settled = before(line);
      open = open.filter((entry) => entry.line >= line);
    },
    before,
    total: () => before(Infinity),
  };
}
