/**
 * The name under which a find stands between the decision to delete it and its end.
 *
 * @module
 */

import type { Identity } from "../guard/identity.ts";

/** What the name of a quarantine says. */
export interface Quarantine {
  /** Key of the target that the directory was found as. */
  readonly target: string;
  /** Which directory was to be moved there. */
  readonly identity: Identity;
}

const PREFIX = ".agentsweep-quarantine.";
const SHAPE = /^\.agentsweep-quarantine\.([a-z0-9-]+)\.([0-9a-z]+)-([0-9a-z]+)-(-?[0-9a-z]+|_)\.[0-9a-f]{16}$/;

/**
 * A random name for the quarantine of a directory. It carries which directory belongs there, so that what another
 * process slipped in is told apart even after a crash.
 */
export function quarantineName(target: string, { device, inode, born }: Identity): string {
  // Exactly: some systems number inodes beyond what a number's own digits tell.
  const identity = [device, inode].map((number) => BigInt(number).toString(36));
  identity.push(born === null ? "_" : Math.trunc(born).toString(36));
  return `${PREFIX}${target}.${identity.join("-")}.${crypto.getRandomValues(new Uint8Array(8)).toHex()}`;
}

/** Whether `name` claims to be a quarantine. */
export function isQuarantineName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** What the name of a quarantine says, or null where it is none. */
export function parseQuarantineName(name: string): Quarantine | null {
  const parts = SHAPE.exec(name);
  if (!parts) return null;
  const [, target, device, inode, born] = parts as unknown as [string, string, string, string, string];
  return {
    target,
    identity: {
      device: numberOf(device),
      inode: numberOf(inode),
      born: born === "_" ? null : parseInt(born, 36),
    },
  };
}

function numberOf(digits: string): number {
  return Number([...digits].reduce((number, digit) => number * 36n + BigInt(parseInt(digit, 36)), 0n));
}
