/**
 * Which of several candidates at one place stands.
 *
 * @module
 */

import type { Candidate } from "./candidates.ts";

/** Marks from this length on belong to one provider; shorter ones such as `sk-` are shared. */
const OWN_MARK = 4;

/** Sure rules first, then those that know the provider, then those that know the secret by its own marks. */
function bySpecificity(left: Candidate, right: Candidate): number {
  return rank(right) - rank(left);
}

function rank({ rule, marks }: Candidate): number {
  return (rule.confidence === "low" ? 0 : 4) + (rule.generic ? 0 : 2) + (marks < OWN_MARK ? 0 : 1);
}

function byLength(left: Candidate, right: Candidate): number {
  return (right.end - right.start) - (left.end - left.start);
}

/**
 * Of two that begin at one place, `sk-ant-...` beats `sk-...`, `STABILITY_KEY=sk-...` beats the latter, and the text that
 * the file means beats its escapes.
 */
function forOnePlace(left: Candidate, right: Candidate): number {
  const own = ({ marks }: Candidate) => marks < OWN_MARK ? 0 : marks;
  return bySpecificity(left, right) || own(right) - own(left) || right.evidence - left.evidence ||
    right.depth - left.depth || byLength(left, right) || left.order - right.order;
}

/** Of two that overlap, the specific one beats the generic one, then the longer one the shorter. */
function forOverlap(left: Candidate, right: Candidate): number {
  return bySpecificity(left, right) || byLength(left, right) || right.evidence - left.evidence ||
    left.order - right.order || left.start - right.start;
}

/** Resolves candidates that overlap: no two of those returned share a byte. In order of their places. */
export function resolveOverlaps<Place extends Candidate>(candidates: readonly Place[]): Place[] {
  const bestAt = new Map<number, Place>();
  for (const candidate of candidates) {
    const best = bestAt.get(candidate.start);
    if (best === undefined || forOnePlace(candidate, best) < 0) bestAt.set(candidate.start, candidate);
  }
  const standing: Place[] = [];
  for (const candidate of [...bestAt.values()].sort(forOverlap)) {
    if (standing.every((other) => candidate.end <= other.start || candidate.start >= other.end)) {
      standing.push(candidate);
    }
  }
  return standing.sort((left, right) => left.start - right.start);
}
