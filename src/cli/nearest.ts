/**
 * What somebody who mistyped a word probably meant.
 *
 * @module
 */

/** How many edits away a word may be at most, and at most a third of its length. */
const MAX_EDITS = 3;

/** The candidate nearest to `word`; undefined where none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let [best, least]: [string | undefined, number] = [undefined, Infinity];
  for (const candidate of candidates) {
    const edits = word !== "" && candidate.startsWith(word) ? 0.5 : editsBetween(word, candidate);
    const limit = Math.min(MAX_EDITS, Math.ceil(Math.max(word.length, candidate.length) / 3));
    if (edits <= limit && edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

/** `; did you mean X?`, or nothing where no candidate is near. */
export function suggestion(word: string, candidates: Iterable<string>, prefix = ""): string {
  const near = nearest(word, candidates);
  return near === undefined ? "" : `; did you mean ${prefix}${near}?`;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editsBetween(one: string, other: string): number {
  // A long word is near nothing, and must not cost its length squared.
  if (Math.abs(one.length - other.length) > MAX_EDITS) return Infinity;
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const replace = rows[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      let least = Math.min(replace, rows[i - 1]![j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      }
      row.push(least);
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
}
