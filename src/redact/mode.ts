/**
 * Which permission bits a file gets in place of another, so that nobody may do more with it than with that one.
 *
 * @module
 */

import { dirname } from "@std/path";
import { accessTo } from "../history/access.ts";

const GROUP = 0o070;
const OTHERS = 0o007;
/** Who may enter a folder, besides its owner. */
const ENTERED_BY_OTHERS = 0o011;

/**
 * The mode of a file that takes the place of one with `mode` at `path`.
 *
 * Access lists cannot be read here, and are lost. Of a file with one, the bits of the group are the most that any entry of
 * the list allows, and not what the group itself may. So the group keeps no more than all others have, unless nobody but
 * the owner gets to the file anyway.
 */
export function modeInPlaceOf(path: string, mode: number, isKnownSheltered = false): number {
  if (isKnownSheltered || isSheltered(path)) return mode;
  return mode & ~GROUP | mode & GROUP & (mode & OTHERS) << 3;
}

/** Whether a folder above a path lets nobody but its owner in, as far as folders may be looked at. */
export function isSheltered(path: string): boolean {
  if (Deno.build.os === "windows") return true;
  if (accessTo(path) !== "granted") return false;
  try {
    for (let folder = dirname(Deno.realPathSync(path)); accessTo(folder) === "granted"; folder = dirname(folder)) {
      if (((Deno.lstatSync(folder).mode ?? OTHERS) & ENTERED_BY_OTHERS) === 0) return true;
      if (dirname(folder) === folder) return false;
    }
  } catch {
    // What cannot be looked at shelters nothing.
  }
  return false;
}
