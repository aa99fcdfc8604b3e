/**
 * Tickets: the only names under which anything can be deleted.
 *
 * @module
 */

import { type Identity, sameIdentity } from "./identity.ts";
import { Refusal } from "./refusal.ts";

/** What a ticket stands for: a directory that a scan of this process found. */
export interface Claim {
  /** Path of the directory. */
  readonly path: string;
  /** Which directory it was when it was found. */
  readonly identity: Identity;
  /**
   * Time of its own last change of any kind in milliseconds (`ctime`), null where unknown. Where a file system keeps no
   * time of creation, it is what tells a directory from a later one that was given the same inode number.
   *
   * @default not asked
   */
  readonly changed?: number | null | undefined;
}

/** The tickets of one process. */
export interface Tickets<C extends Claim> {
  /** A ticket for `claim`: `f-` and 12 random hexadecimal digits. The same directory keeps the id that it has. */
  issue(claim: C): string;
  /**
   * What `id` stands for.
   *
   * @throws {Refusal} `unknown-id` when this process issued no such ticket, or it was redeemed.
   */
  look(id: string): C;
  /** Ends a ticket: a deleted directory cannot be redeemed twice. */
  forget(id: string): void;
}

/**
 * An empty store of tickets. They live in memory, as long as the process.
 *
 * @example
 * ```ts
 * import { createTickets, identityOf } from "@agentsweep/mcp";
 *
 * const path = await Deno.makeTempDir();
 * const tickets = createTickets();
 * const id = tickets.issue({ path, identity: identityOf(path, await Deno.lstat(path)) });
 * console.log(tickets.look(id).path === path);
 * ```
 */
export function createTickets<C extends Claim>(): Tickets<C> {
  const claims = new Map<string, C>();
  const idOfPath = new Map<string, string>();
  return {
    issue(claim) {
      const known = idOfPath.get(claim.path);
      if (known !== undefined) {
        const before = claims.get(known);
        if (before && sameIdentity(before.identity, claim.identity)) {
          claims.set(known, claim);
          return known;
        }
        claims.delete(known);
      }
      const id = freshId(claims);
      claims.set(id, claim);
      idOfPath.set(claim.path, id);
      return id;
    },
    look(id) {
      const claim = claims.get(id);
      if (claim) return claim;
      throw new Refusal(
        "unknown-id",
        "no such id: ids come from a scan of this server process and end with it, or when they are redeemed",
      );
    },
    forget(id) {
      const claim = claims.get(id);
      if (!claim) return;
      claims.delete(id);
      if (idOfPath.get(claim.path) === id) idOfPath.delete(claim.path);
    },
  };
}

function freshId(taken: ReadonlyMap<string, unknown>): string {
  for (;;) {
    const bytes = crypto.getRandomValues(new Uint8Array(6));
    const id = `f-${bytes.toHex()}`;
    if (!taken.has(id)) return id;
  }
}
