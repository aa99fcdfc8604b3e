/**
 * How this program is called on this machine, for help and advice.
 *
 * @module
 */

import { basename, fromFileUrl } from "@std/path";
import { commandLine } from "../text/shell.ts";

/**
 * The words before a command's name, as a human types them.
 *
 * @param module URL of the main module.
 */
export function programOf(module: string): string {
  if (Deno.build.standalone) return commandLine([basename(Deno.execPath())], Deno.build.os);
  const main = module.startsWith("file:") ? fromFileUrl(module) : specifierOf(module);
  return commandLine(["deno", "run", "-A", main], Deno.build.os);
}

/** What is typed instead of a module's URL on jsr.io. */
export function specifierOf(module: string): string {
  const [, name, version] = /^https:\/\/jsr\.io\/(@[^/]+\/[^/]+)\/([^/]+)\/main\.ts$/.exec(module) ?? [];
  return name === undefined ? module : `jsr:${name}@${version}`;
}
