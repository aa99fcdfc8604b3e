/**
 * The builder of context rules: a value without a shape of its own, which only the provider's name in the identifier
 * that it is assigned to tells apart from a hash or an id.
 *
 * @module
 */

/** How {@linkcode assigned} may be tightened. */
export interface AssignedOptions {
  /**
   * Words of which one must stand between the name and the operator, e.g. `["secret"]` where the same provider has
   * other values of the same shape. With hints, plain white space also counts as an operator (`--acme-key VALUE`).
   *
   * @default [] (any identifier that holds the name)
   */
  readonly hints?: readonly string[];
  /**
   * Whether the name must start an identifier or one of its words (`ACME`, `my_acme`, `myAcme`, not `placme`). For
   * short names that are part of other words.
   *
   * @default false
   */
  readonly wholeWord?: boolean;
  /**
   * What may not follow the value: the inside of a character class.
   *
   * @default "\\w+/=-" (also a longer base64, hex or dashed text is another value)
   */
  readonly notBefore?: string;
}

/** Words that say that a value may be a credential; for {@linkcode AssignedOptions.hints}. */
export const CREDENTIAL_HINTS: readonly string[] = ["key", "token", "secret", "pass", "pwd", "auth", "cred", "api"];

/** The source of a pattern for a UUID in lower case. */
export const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** Identifiers with one of these words hold a digest or a version of a thing rather than its key. */
const DIGEST_WORDS = ["sha1", "sha256", "sha512", "hash", "digest", "checksum", "commit", "md5", "integrity", "etag"];

/** A word of a name ends where one of these may or may not stand. */
const SEPARATORS = ["", "_", "-", ".", " "];

/** `\w`, dots and dashes after the name, up to three more words, then the quotes and brackets that end the identifier. */
const IDENTIFIER_END = "[\\w.-]{0,40}(?:[ \\t][\\w.-]{1,20}){0,3}[\\\\\"'`\\])]{0,4}[ \\t]{0,4}";

/** A type between the identifier and `=`, as in `let key: string = ...`. */
const TYPE = "(?::[ \\t]{0,2}[A-Za-z][\\w.]{0,20}\\??[ \\t]{1,4}(?==))?";

/** A second field after the one that holds the name: `"name": "ACME_KEY", "value": "..."`. */
const VALUE_FIELD = "[,;]?\\s{0,12}[\\\\\"']{0,3}[Vv]alue[\\\\\"']{0,3}[ \\t]{0,2}[:=]";

const OPERATOR = `[:?|+.]{0,3}={1,3}>?|\\|\\||${VALUE_FIELD}|[:,>]`;

/** White space, a line break at most of a pretty-printed element, and what opens the value. */
const VALUE_START = "\\s{0,12}(?:[Bb]earer |[Tt]oken |[Bb]asic )?[\\\\\"'`(\\[]{0,4}";

/** The source of a pattern for `text` in any case, without the flag that would blur the value's alphabet too. */
export function anyCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)
    .replace(/[.\-/]/g, (mark) => mark === "-" ? "-" : `\\${mark}`);
}

/** The spellings of a name: its words with each separator, the same one throughout. */
function spellings(name: string): string[] {
  const words = name.split(" ");
  return words.length === 1 ? words : SEPARATORS.map((separator) => words.join(separator));
}

/** The source of a pattern for one name. */
function namePattern(name: string): string {
  return name.split(" ").length === 2
    ? name.split(" ").map(anyCase).join("[-_. ]?")
    : spellings(name).map(anyCase).join("|");
}

/** An alternation of names or words in any case. */
function anyOf(words: readonly string[]): string {
  return `(?:${words.map(namePattern).join("|")})`;
}

/**
 * The keywords of a rule built by {@linkcode assigned} from the same names: each name in each of its spellings.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(nameKeywords(["new relic"]).includes("new_relic"));
 * ```
 */
export function nameKeywords(names: readonly string[]): string[] {
  return names.flatMap(spellings).map((spelling) => spelling.toLowerCase());
}

/**
 * A pattern for a value that is assigned to an identifier holding one of `names`: source code, environment files,
 * YAML, JSON, INI, XML, URL queries, calls such as `set("ACME_KEY", "...")` and pairs of `name` and `value` fields.
 *
 * The value is the group `secret`. Names are compared without regard to case, and a space in one stands for an
 * optional separator (`new relic` also matches `newrelic`, `NEW_RELIC`), the same one throughout. The value's pattern keeps its case.
 * Identifiers that say `sha256`, `commit` or the like do not match.
 *
 * A rule that uses it needs an entropy floor, since words and placeholders have the value's alphabet too.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(assigned(["acme"], "[0-9a-f]{32}").test(`ACME_KEY = "${"0123456789abcdef".repeat(2)}"`));
 * ```
 */
export function assigned(names: readonly string[], value: string, options: AssignedOptions = {}): RegExp {
  const { hints = [], wholeWord = false, notBefore = "\\w+/=-" } = options;
  const start = wholeWord ? "(?:(?<![A-Za-z0-9])|(?<=[a-z])(?=[A-Z]))" : "";
  const hint = hints.length > 0 ? `(?=[ \\t\\w.-]{0,40}${anyOf(hints)})` : "";
  const operator = hints.length > 0 ? `${OPERATOR}|[ \\t]` : OPERATOR;
  return new RegExp(
    `${start}${anyOf(names)}${hint}(?![ \\t\\w.-]{0,40}${anyOf(DIGEST_WORDS)})${IDENTIFIER_END}${TYPE}` +
      `(?:${operator})${VALUE_START}(?<secret>${value})(?![${notBefore}])`,
  );
}
