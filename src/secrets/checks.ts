/**
 * Tests of a secret that no regular expression can make: encodings that must decode, and whether a text can
 * be a password at all. Each takes the secret and says whether it may be one; {@linkcode Rule.valid} names them.
 *
 * @module
 */

/** The bytes of a base64 or base64url text as one-byte characters; undefined if it is neither. */
export function decodeBase64(text: string): string | undefined {
  try {
    return atob(text.replace(/-/g, "+").replace(/_/g, "/").replace(/=+$/, ""));
  } catch {
    return undefined;
  }
}

/** The JSON object that a base64url text encodes; undefined if it encodes none. */
function decodeJsonObject(text: string): Record<string, unknown> | undefined {
  const json = decodeBase64(text);
  if (json === undefined || !json.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value as Record<string, unknown> : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a dotted text is a signed (three parts) or encrypted (five parts) JSON Web Token. One without a signature
 * counts only if its header says so: else it is a shortened quotation.
 */
export function isJwt(token: string): boolean {
  const parts = token.split(".");
  const header = decodeJsonObject(parts[0] ?? "");
  if (header === undefined) return false;
  if (parts.length === 5) return typeof header["enc"] === "string";
  const signed = (parts[2] ?? "") !== "" || header["alg"] === "none";
  return parts.length === 3 && signed && decodeBase64(parts[1] ?? "")?.startsWith("{") === true;
}

/** Whether a base64 text encodes a JSON Web Token. */
export function isEncodedJwt(text: string): boolean {
  return isJwt(decodeBase64(text)?.trim() ?? "");
}

/** Words that passwords in documentation, tests and default set-ups are made of. */
const PLACEHOLDER_WORDS: ReadonlySet<string> = new Set(
  ("password passwd passphrase passwort passw pass pwd pw secret token key api user username usr name admin " +
    "administrator root login change changeme changeit please me it my your yours the a an some any here this that " +
    "is in to of for with and or not example sample test tests testing tester testuser demo dummy fake mock " +
    "placeholder default guest anonymous foo bar baz qux quux hello world postgres postgresql pg mysql mariadb mongo " +
    "mongodb redis rabbit rabbitmq elastic neo minio database db sql local localhost dev prod development production " +
    "staging docker app apps application service server client host domain super superuser strong secure safe very " +
    "random value string text redacted hidden masked insert replace enter put todo none null nil undefined true " +
    "false abc abcd abcde abcdef xyz asdf qwerty letmein access auth account basic cred creds credential credentials " +
    "new old first second id url uri email mail git github oauth oauth2 jenkins grafana kafka airflow wordpress " +
    "odoo keycloak nextcloud vault env var secretkey apikey authtoken accesstoken personal private public open sesame option wrong tiger connection")
    .split(" "),
);

const LONGEST_WORD = Math.max(...[...PLACEHOLDER_WORDS].map((word) => word.length));

/** Whether lower-case `letters` can be cut into placeholder words. */
function isMadeOfWords(letters: string): boolean {
  // reachable[end]: the text up to `end` can be cut into words.
  const reachable = [true];
  for (let end = 1; end <= letters.length; end++) {
    for (let length = 1; length <= LONGEST_WORD && length <= end && !reachable[end]; length++) {
      reachable[end] = reachable[end - length] === true && PLACEHOLDER_WORDS.has(letters.slice(end - length, end));
    }
  }
  return reachable[letters.length] === true;
}

/** Lower-case text without URL encoding and the usual disguises of letters. */
function unmask(text: string): string {
  return text.replace(/%[0-7][0-9a-fA-F]/g, (code) => String.fromCharCode(parseInt(code.slice(1), 16)))
    .toLowerCase().replace(/@/g, "a").replace(/\$/g, "s").replace(/0/g, "o");
}

/** What a shell, a template or a program fills in, and what hides a value that was there. */
const INTERPOLATION =
  /^(?:\$|%[sdvq(A-Z]|\{|<|\[|\(|@|#\{|\\\(|`)|\$\{|\$\(|\{\{|\}\}|<[\w -]+>|\*{3}|\.{3}|\u2026|\u2022{2}|^[^\w]*$/;

/**
 * Whether a text can be a real password: neither a variable, a template or asterisks, nor made of the words and
 * counting digits of documentation (`my-secret-pw`, `password123`), nor one character or a sequence repeated.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(!isPlausiblePassword("your_password_here"));
 * assert(isPlausiblePassword("k2:Vq" + "9!tz"));
 * ```
 */
export function isPlausiblePassword(text: string): boolean {
  if (text.length < 4 || INTERPOLATION.test(text)) return false;
  if (/^(.{1,3})\1+$/.test(text) || /^x{3,}|x{6,}/i.test(text)) return false;
  const letters = unmask(text).replace(/[^a-z]/g, "");
  if (letters === "") return !/^(?:0*1?2345?6?7?8?9?0?|9?8?7?6?54321|20\d\d)$/.test(text);
  return !isMadeOfWords(letters) || /\d{5,}/.test(text) && !/12345/.test(text);
}

/** Whether `user:password` holds a credential: a plausible password that is not the user's name again. */
export function isCredential(pair: string): boolean {
  const colon = pair.indexOf(":");
  if (colon < 0) return false;
  const [user, password] = [pair.slice(0, colon), pair.slice(colon + 1)].map((part) =>
    part.replace(/^["']|["']$/g, "")
  );
  if (password === "") return user !== undefined && user.length >= 8 && isPlausiblePassword(user) && mixes(user);
  return password !== undefined && password !== user && isPlausiblePassword(password);
}

/** The printable text that a base64 text encodes, if it reads as `user:password`. */
export function decodePair(base64: string): string | undefined {
  const pair = decodeBase64(base64);
  return pair !== undefined && /^[ -~]*:[ -~]*$/.test(pair) ? pair : undefined;
}

/** Whether a base64 text is what follows `Authorization: Basic`: a printable `user:password`. */
export function isBasicCredential(base64: string): boolean {
  return isCredential(decodePair(base64) ?? "");
}

/** Whether a text that stands in an HTTP header can be a token, or the base64 of a credential. */
export function isHeaderCredential(text: string): boolean {
  const pair = decodePair(text);
  return pair === undefined ? mixes(text) && isPlausiblePassword(text) : isCredential(pair);
}

/** How many decimal digits a text holds. */
export function digitCount(text: string): number {
  return text.replace(/[^0-9]/g, "").length;
}

/** Changes of case a letter above which a text is not a name in camel case (random text: every second letter). */
const CASE_CHANGES = 0.38;

/**
 * Whether a text looks random rather than like words or a name: letters with digits, or at least letters whose case
 * changes about as often as it does by chance.
 */
export function mixes(text: string): boolean {
  if (!/[A-Za-z]/.test(text)) return false;
  return /[0-9]/.test(text) ||
    (text.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g) ?? []).length > text.length * CASE_CHANGES;
}

/** Whether a text looks like random base 62 or base64 with letters of both cases, rather than a digest or a constant. */
export function mixesCases(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text) && mixes(text);
}

/** Whether a text is not merely hexadecimal, as digests are. */
export function isNotHex(text: string): boolean {
  return !/^[0-9a-fA-F]+$/.test(text);
}

/**
 * Whether a text with dashes and underscores is random rather than a digest or a name of several words: letters of
 * both cases, or so many digits that it cannot be a name with a version.
 */
export function isRandomText(text: string): boolean {
  return isNotHex(text) && (mixesCases(text) || digitCount(text) >= 4);
}

/** Whether an armoured private key holds key material: at least one line of mixed base64 rather than `...` or code. */
export function isPrivateKeyBlock(block: string): boolean {
  const body = block.replace(/-{4,5} ?[A-Z0-9 ]{5,50}-{4,5}/g, "");
  // A line of dots stands for the rest of the key in documentation.
  if (/(?:\n|\\n)[ \t]*\.{1,6}[ \t]*(?:\r?\n|\\+n)/.test(body)) return false;
  return (body.match(/[A-Za-z0-9+/=]{32,}/g) ?? []).some((line) => mixesCases(line) && new Set(line).size >= 16);
}
