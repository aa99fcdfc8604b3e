/**
 * The guard: what may be looked at and what may be deleted. It decides and knows nothing of any protocol.
 *
 * @module
 */

export { type Identity, identityOf, sameIdentity } from "./identity.ts";
export { checkedPath, isFileSystemRoot, isWithin, MAX_PATH_LENGTH } from "./path.ts";
export { errorCode, Refusal, type RefusalCode, refusalFrom } from "./refusal.ts";
export { revalidate } from "./revalidate.ts";
export { contain, type Contained, containExactly, openRoots, type Root } from "./roots.ts";
export { type Claim, createTickets, type Tickets } from "./tickets.ts";
