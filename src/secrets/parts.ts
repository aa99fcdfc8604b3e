/**
 * The secret parts of secrets that name a user or a place, too; {@linkcode Rule.part} names them.
 *
 * @module
 */

import { decodePair } from "./checks.ts";

/** The password of `user:password`, quoted or not; the user where there is no password, as with `key:`. */
export function passwordOf(pair: string): string {
  const colon = pair.indexOf(":");
  const [user = "", password = ""] = [pair.slice(0, colon), pair.slice(colon + 1)].map((part) =>
    part.replace(/^["']|["']$/g, "")
  );
  return colon < 0 ? pair : password || user || pair;
}

/** The password in the base64 of `user:password`; a text that is no such base64 as it is. */
export function passwordInBase64(text: string): string {
  const pair = decodePair(text);
  return pair === undefined ? text : passwordOf(pair);
}

/** What stands behind the last `mark` in an address, and in front of the last `end`. */
export function behind(mark: string, end = ""): (address: string) => string {
  return (address) => {
    const to = end === "" ? address.length : address.lastIndexOf(end);
    return address.slice(address.lastIndexOf(mark, to - 1) + mark.length, to) || address;
  };
}
