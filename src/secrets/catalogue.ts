/**
 * What is known about each kind of secret, as public metadata.
 *
 * @module
 */

import { BIP39_RULE, ELECTRUM_RULE } from "./phrase.ts";
import type { Confidence, Rule, RuleInfo } from "./rule.ts";
import { RULES } from "./rules/mod.ts";

/** Public metadata of a rule. */
export interface RuleSummary extends RuleInfo {
  /** Whether the rule runs by default: `low` ones do not. */
  readonly confidence: Confidence;
}

/** Advice on one rule. */
export interface Guidance {
  /** The rule's id. */
  readonly rule: string;
  /** The rule's human name. */
  readonly display: string;
  /** What to do when such a secret leaked. */
  readonly rotation: string;
}

/** Rules that no pattern states: seed phrases, found by word lists and checksums. */
export const MNEMONIC_RULES: readonly RuleInfo[] = [BIP39_RULE, ELECTRUM_RULE];

const SUMMARIES: ReadonlyMap<string, RuleSummary> = new Map(
  [...RULES, ...MNEMONIC_RULES].map((rule) => [rule.id, summaryOf(rule)]),
);

function summaryOf(rule: RuleInfo): RuleSummary {
  const { id, display, provider, confidence = "high", rotation, documentation } = rule;
  return { id, display, provider, confidence, rotation, documentation };
}

/**
 * Every kind of secret that can be found, sorted by id.
 *
 * @example
 * ```ts
 * import { ruleCatalogue } from "@agentsweep/mcp/secrets";
 *
 * for (const { id, display } of ruleCatalogue()) console.log(id, display);
 * ```
 */
export function ruleCatalogue(): RuleSummary[] {
  return [...SUMMARIES.values()].sort((left, right) => left.id < right.id ? -1 : 1);
}

/**
 * The metadata of one rule, or `undefined` for an id that is none.
 *
 * @example
 * ```ts
 * import { findRule } from "@agentsweep/mcp/secrets";
 *
 * console.log(findRule("github-pat")?.display, findRule("no-such-rule")); // the second is undefined
 * ```
 */
export function findRule(id: string): RuleSummary | undefined {
  return SUMMARIES.get(id);
}

/**
 * What to do when secrets of these kinds leaked; for every kind when no ids are given. Ids that are none come back in
 * `unknownRules`.
 *
 * @example
 * ```ts
 * import { rotationGuidance } from "@agentsweep/mcp/secrets";
 *
 * const { guidance } = rotationGuidance(["github-pat"]);
 * ```
 */
export function rotationGuidance(ids?: readonly string[]): { guidance: Guidance[]; unknownRules: string[] } {
  const wanted = [...new Set(ids ?? ruleCatalogue().map((rule) => rule.id))];
  const guidance = wanted.flatMap((id) => {
    const rule = findRule(id);
    return rule === undefined ? [] : [{ rule: id, display: rule.display, rotation: rule.rotation }];
  });
  return { guidance, unknownRules: wanted.filter((id) => findRule(id) === undefined) };
}

/** Which rules a scan uses. */
export interface RuleChoice {
  /**
   * Ids of the only rules to use, rules of low confidence among them if named.
   *
   * @default {undefined} (every rule of high confidence)
   */
  readonly rules?: readonly string[];
  /**
   * Whether rules of low confidence are used too.
   *
   * @default {false}
   */
  readonly includeLowConfidence?: boolean;
}

/** The rules that a scan runs. */
export interface ChosenRules {
  readonly rules: readonly Rule[];
  readonly mnemonics: boolean;
}

const chosen = new Map<string, ChosenRules>();

/**
 * The rules for a choice; the same object for the same choice, since rules are compiled once for each.
 *
 * @throws {RangeError} If an id is not that of a rule.
 */
export function chooseRules(choice: RuleChoice): ChosenRules {
  const { rules, includeLowConfidence = false } = choice;
  const unknown = rules?.filter((id) => findRule(id) === undefined) ?? [];
  if (unknown.length > 0) throw new RangeError(`no such rule: ${unknown.join(", ")}`);
  const key = JSON.stringify([rules === undefined ? undefined : [...new Set(rules)].sort(), includeLowConfidence]);
  const known = chosen.get(key);
  if (known !== undefined) return known;
  const wanted = (rule: RuleInfo) => {
    return rules === undefined ? includeLowConfidence || rule.confidence !== "low" : rules.includes(rule.id);
  };
  const made = { rules: RULES.filter(wanted), mnemonics: MNEMONIC_RULES.some(wanted) };
  chosen.set(key, made);
  return made;
}
