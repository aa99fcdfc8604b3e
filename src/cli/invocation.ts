/**
 * How this program is called on this machine, for help and advice.
 *
 * @module
 */

import { basename, dirname, fromFileUrl, join } from "@std/path";
import { commandLine } from "../text/shell.ts";

/**
 * The words before a command's name, as a human types them.
 *
 * @param module URL of the main module.
 */
export function programOf(module: string): string {
  if (Deno.build.standalone) return commandLine([basename(Deno.execPath())], Deno.build.os);
  if (!module.startsWith("file:")) return commandLine(["deno", "run", "-A", specifierOf(module)], Deno.build.os);
  const main = fromFileUrl(module);
  const offline = offlineConfigOf(module);
  return commandLine(["deno", "run", "-A", ...(offline === null ? [] : [`--config=${offline}`]), main], Deno.build.os);
}

/**
 * The configuration that the tasks write where jsr.io does not answer; it says the same as `deno.json`, with stand-ins for
 * the packages from there. Null where there is none, or where that may not be asked.
 */
export function offlineConfigOf(module: string): string | null {
  const path = join(dirname(fromFileUrl(module)), "deno.offline.json");
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return null;
  try {
    return Deno.lstatSync(path).isFile ? path : null;
  } catch {
    return null;
  }
}

/** What is typed instead of a module's URL on jsr.io. */
export function specifierOf(module: string): string {
  const [, name, version] = /^https:\/\/jsr\.io\/(@[^/]+\/[^/]+)\/([^/]+)\/main\.ts$/.exec(module) ?? [];
  return name === undefined ? module : `jsr:${name}@${version}`;
}
