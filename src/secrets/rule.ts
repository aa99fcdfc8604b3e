/**
 * What a rule is. A rule cannot be built without examples that must and must not match, guidance on rotation, and
 * the place where its format is documented.
 *
 * @module
 */

/** How sure a match is. `low` rules are off unless asked for. */
export type Confidence = "high" | "low";

/** What is said about one kind of secret, however it is found. */
export interface RuleInfo {
  /** Stable kebab-case id, e.g. `github-pat`. Public: ignore files and redaction markers name it. */
  readonly id: string;
  /** Human name, e.g. `GitHub personal access token`. */
  readonly display: string;
  /** Provider's name, e.g. `GitHub`. */
  readonly provider: string;
  /**
   * How sure a match is.
   *
   * @default "high"
   */
  readonly confidence?: Confidence;
  /**
   * Whether the rule tells that something is a secret but not whose (a header, a URL, an assignment), so that any rule
   * that knows the provider wins.
   *
   * @default false
   */
  readonly generic?: boolean;
  /** What to do when such a secret leaked: names the provider's own page or command. */
  readonly rotation: string;
  /** Where the format is documented. */
  readonly documentation: string;
}

/** One kind of secret: how it looks, and what to do when it leaked. */
export interface Rule extends RuleInfo {
  /**
   * Lower-case ASCII literals of at least three characters. Every match contains at least one of them, compared
   * without regard to ASCII case; the pattern runs only in a bounded window around one.
   */
  readonly keywords: readonly string[];
  /**
   * The pattern. Every quantifier is bounded and no two neighbours can match the same text in more than one way. The
   * secret is the group named `secret` where there is one, else the whole match.
   */
  readonly pattern: RegExp;
  /**
   * The secret part of the secret, where the rest is public or encoded: the password behind a user's name, the key at the
   * end of an address. What is masked, and looked for elsewhere, is that part; what the finding's place covers stays.
   *
   * @default the secret as it is
   */
  readonly part?: (secret: string) => string;
  /** Least Shannon entropy of the secret, in bits a character. */
  readonly entropy?: number;
  /** A checksum or other structural test of the secret; false rejects the match. */
  readonly valid?: (secret: string) => boolean;
  /** Lower-case literals that make a match a placeholder when the secret contains one, beside the engine's own list. */
  readonly stopWords?: readonly string[];
  /** Texts that must and must not match; built at run time from parts, so that this file holds no whole secret. */
  readonly examples: {
    readonly match: () => readonly string[];
    readonly noMatch: () => readonly string[];
  };
}
