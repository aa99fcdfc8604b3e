/**
 * gitleaks' cases: how they are stored, and how our rules answer to them.
 *
 * @module
 */

import { type Finding, ruleCatalogue, scanText } from "../../src/secrets/mod.ts";

/** The contents of `fixtures/secrets/gitleaks.json`. */
export interface GitleaksCases {
  readonly note: string;
  readonly repository: string;
  readonly commit: string;
  /** For each of gitleaks' rule ids: encoded texts that it must and must not match. */
  readonly rules: Readonly<Record<string, { readonly match: readonly string[]; readonly noMatch: readonly string[] }>>;
}

/** A text in the form in which the data file holds it: reversed bytes in base64. */
export function encodeCase(text: string): string {
  return new TextEncoder().encode(text).reverse().toBase64();
}

/** The text again. */
export function decodeCase(encoded: string): string {
  return new TextDecoder().decode(Uint8Array.fromBase64(encoded).reverse());
}

/** A case in which our answer is not gitleaks'. */
export interface Disagreement {
  /** gitleaks' rule id. */
  readonly rule: string;
  /** `missed`: gitleaks finds it; `found`: gitleaks does not. */
  readonly kind: "missed" | "found";
  /** Index in the rule's list of cases. */
  readonly index: number;
  /** What we find in it, masked. */
  readonly findings: readonly string[];
}

/** How our rules answer to gitleaks' cases. */
export interface Score {
  readonly match: { readonly total: number; readonly agreed: number };
  readonly noMatch: { readonly total: number; readonly agreed: number };
  /** gitleaks' rules without a counterpart. */
  readonly uncovered: readonly string[];
  readonly disagreements: readonly Disagreement[];
}

/**
 * Runs all rules over gitleaks' cases. A must-match case is agreed on if our counterpart finds it, or any rule that
 * runs by default; a must-not-match case if our counterpart does not. `counterparts` holds the ids that differ.
 */
export function scoreCases(cases: GitleaksCases, counterparts: Readonly<Record<string, string>>): Score {
  const known = new Set(ruleCatalogue().map((rule) => rule.id));
  const match = { total: 0, agreed: 0 };
  const noMatch = { total: 0, agreed: 0 };
  const uncovered: string[] = [];
  const disagreements: Disagreement[] = [];
  for (const [rule, texts] of Object.entries(cases.rules)) {
    const ours = counterparts[rule] ?? rule;
    if (!known.has(ours)) uncovered.push(rule);
    const shown = ({ rule, masked }: Finding) => `${rule} ${masked}`;
    texts.match.forEach((encoded, index) => {
      const text = decodeCase(encoded);
      match.total++;
      if (scanText(text).length > 0 || known.has(ours) && scanText(text, { rules: [ours] }).length > 0) match.agreed++;
      else disagreements.push({ rule, kind: "missed", index, findings: [] });
    });
    texts.noMatch.forEach((encoded, index) => {
      const found = known.has(ours) ? scanText(decodeCase(encoded), { rules: [ours] }) : [];
      noMatch.total++;
      if (found.length === 0) noMatch.agreed++;
      else disagreements.push({ rule, kind: "found", index, findings: found.map(shown) });
    });
  }
  return { match, noMatch, uncovered, disagreements };
}
