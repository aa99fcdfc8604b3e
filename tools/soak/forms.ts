/**
 * The ways in which one text is written in files. Apart from the product on purpose: what redaction claims to find is
 * stated here a second time.
 *
 * @module
 */

import { Buffer } from "node:buffer";

const each = (text: string, write: (code: number) => string): string =>
  Array.from(text, (character) => write(character.charCodeAt(0))).join("");
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");

/** Every character as JSON can write it. */
export const asUnicodeEscapes = (text: string): string => each(text, (code) => `\\u${hex(code, 4)}`);
/** Every byte as URLs can write it. */
export const asPercents = (text: string): string => each(text, (code) => `%${hex(code, 2)}`);
/** Every character as XML can write it. */
export const asReferences = (text: string): string => each(text, (code) => `&#${code};`);
/** Text as XML must write it. */
export const asXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
/** Base64 of a longer text that holds this one behind `lead`. */
export const asBase64 = (text: string, lead = ""): string => Buffer.from(`${lead}${text}:x`).toString("base64");
/** Hexadecimal digits. */
export const asHex = (text: string): string => Buffer.from(text).toString("hex");
/** The inside of a JSON string. */
export const asJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The base64 digits that the text alone decides, at each of its three places in a longer text. */
function base64Digits(text: string): string[] {
  return [0, 1, 2].map((lead) => {
    const length = lead + Buffer.byteLength(text);
    const digits = Buffer.from("\0".repeat(lead) + text).toString("base64");
    return digits.slice(Math.ceil(lead * 8 / 6), Math.floor(length * 8 / 6));
  });
}

/** All byte strings in which a text may stand. */
export function formsOf(text: string): Uint8Array[] {
  const nested = [text, asJson(text), asJson(asJson(text)), asJson(asJson(asJson(text)))];
  const escaped = [
    ...nested,
    ...nested.map((form) => form.replaceAll("/", "\\/")),
    asUnicodeEscapes(text),
    each(text, (code) => `\\u${hex(code, 4).toUpperCase()}`),
    asJson(asUnicodeEscapes(text)),
    asXml(text),
    asReferences(text),
    each(text, (code) => `&#x${hex(code, 2)};`),
    encodeURIComponent(text),
    asPercents(text),
    asPercents(text).toUpperCase(),
    each(text, (code) => `%25${hex(code, 2)}`),
    asHex(text),
    asHex(text).toUpperCase(),
    ...base64Digits(text),
    ...base64Digits(text).map((digits) => digits.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  const wide = [text, asJson(text)].flatMap((form) => {
    const little = Buffer.from(form, "utf16le");
    return [little, Buffer.from(little).swap16()];
  });
  const forms = new Map(
    [...escaped.map((form) => Buffer.from(form)), ...wide].map((form) => [form.toString("latin1"), form]),
  );
  return [...forms.values()];
}
