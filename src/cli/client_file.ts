/**
 * Putting a server's entry into the configuration that a client has already, and keeping all else that stands there.
 *
 * @module
 */

import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { Refusal } from "../guard/mod.ts";

/** A configuration with the server in it. */
export interface Merged {
  /** The whole text. */
  readonly text: string;
  /** What became of the server's entry. */
  readonly change: "added" | "replaced" | "none";
}

/** What stands in the file where a server is described: `{ [key]: { [name]: entry } }`. */
interface Entry {
  readonly key: string;
  readonly name: string;
  readonly value: unknown;
}

/**
 * The text of a client's JSON configuration with the one entry of `snippet` in it. Every byte beside it stays.
 *
 * @param before What the file holds. Empty counts as no configuration yet.
 * @param isForced Whether another entry under the same name is replaced.
 * @throws {Refusal} `argument`, in half a sentence after the file's name, when the entry cannot be put there.
 */
export function mergedJson(before: string, snippet: string, isForced: boolean): Merged {
  if (before.trim() === "") return { text: `${snippet}\n`, change: "added" };
  const entry = entryOf(snippet);
  const { key, name, value } = entry;
  const config = parsed(before);
  if (!isObject(config)) throw new Refusal("argument", "holds no object, as this client's configuration would");
  const servers = Object.hasOwn(config, key) ? config[key] : {};
  if (!isObject(servers)) throw new Refusal("argument", `holds something else than an object under ${key}`);
  const isThere = Object.hasOwn(servers, name);
  if (isThere && isSame(servers[name], value)) return { text: before, change: "none" };
  if (isThere && !isForced) {
    throw new Refusal("argument", `has another entry ${name} already; --force replaces it`);
  }
  const text = edited(before, entry);
  if (!isSame(parsed(text), { ...config, [key]: { ...servers, [name]: value } })) {
    throw new Refusal("argument", "names a key twice, so it is not clear which one the client reads");
  }
  return { text, change: isThere ? "replaced" : "added" };
}

function entryOf(snippet: string): Entry {
  const [[key, servers]] = Object.entries(JSON.parse(snippet)) as [[string, Record<string, unknown>]];
  const [[name, value]] = Object.entries(servers) as [[string, unknown]];
  return { key, name, value };
}

/** Comments and trailing commas are taken by some clients and not by others, so nothing is guessed there. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("argument", "is not plain JSON (it may have comments)");
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]));
}

function edited(text: string, { key, name, value }: Entry): string {
  const top = parseTree(text)!;
  const there = findNodeAtLocation(top, [key, name]);
  const unit = /^\r?\n([ \t]+)/.exec(gapBefore(text, top.children?.[0]))?.[1] ?? "  ";
  if (there) {
    const indent = /[ \t]*$/.exec(gapBefore(text, there.parent))?.[0] ?? "";
    return text.slice(0, there.offset) + laidOut(text, there.parent, value, unit, indent) +
      text.slice(there.offset + there.length);
  }
  const servers = findNodeAtLocation(top, [key]);
  return servers ? withMember(text, servers, name, value, unit) : withMember(text, top, key, { [name]: value }, unit);
}

/** The text with one more member at the end of `object`, set as the member before it. */
function withMember(text: string, object: Node, key: string, value: unknown, unit: string): string {
  const last = object.children?.at(-1);
  const gap = gapBefore(text, last);
  const indent = /[ \t]*$/.exec(gap)![0];
  const end = last ? last.offset + last.length : object.offset + 1;
  if (last) {
    const member = `${JSON.stringify(key)}: ${laidOut(text, last, value, unit, indent)}`;
    return `${text.slice(0, end)},${gap === "" ? " " : gap}${member}${text.slice(end)}`;
  }
  const outer = /[ \t]*$/.exec(gapBefore(text, object.parent))![0];
  const eol = eolOf(text) || "\n";
  const member = `${JSON.stringify(key)}: ${pretty(value, unit, outer + unit, eol)}`;
  return `${text.slice(0, end)}${eol}${outer}${unit}${member}${eol}${outer}${
    text.slice(object.offset + object.length - 1)
  }`;
}

/** A value on lines of its own where `neighbour` begins a line, else in one line. */
function laidOut(text: string, neighbour: Node | undefined, value: unknown, unit: string, indent: string): string {
  const hasLines = /\n[ \t]*$/.test(gapBefore(text, neighbour));
  return hasLines ? pretty(value, unit, indent, eolOf(text)) : JSON.stringify(value);
}

function pretty(value: unknown, unit: string, indent: string, eol: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${indent}`);
}

function eolOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "";
}

/** The white space that stands before a node. */
function gapBefore(text: string, node: Node | undefined): string {
  return node ? /[ \t\r\n]*$/.exec(text.slice(0, node.offset))![0] : "";
}
