/**
 * Finding secrets in text and bytes: the library part of its own, without MCP and without file system.
 *
 * @module
 */

export {
  findRule,
  type Guidance,
  rotationGuidance,
  ruleCatalogue,
  type RuleChoice,
  type RuleSummary,
} from "./catalogue.ts";
export { type FindingPlace, fingerprint } from "./fingerprint.ts";
export { type IgnoreList, isIgnored, parseIgnore } from "./ignore.ts";
export { mask } from "./mask.ts";
export type { Confidence, RuleInfo } from "./rule.ts";
export {
  createScanner,
  type Finding,
  scanBytes,
  type Scanner,
  type ScannerOptions,
  type ScanOptions,
  scanText,
} from "./scan.ts";
