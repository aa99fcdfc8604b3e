/**
 * The modules of this program's own Workers, also where the whole program is one file.
 *
 * @module
 */

/** Whether the program was bundled: this module then has no file of its own. */
export const IS_BUNDLE: boolean = !new URL(import.meta.url).pathname.endsWith("/concurrency/own_worker.ts");

/** What begins the name of a Worker that a bundle starts of itself; the rest says which one it is. */
const PREFIX = "agentsweep:";

/** How a Worker is to be started. */
export interface OwnWorker {
  /** Its module. */
  readonly url: URL;
  /** Its name. */
  readonly name: string;
}

/**
 * Where the Worker `name` is to be started from.
 *
 * @param module Its module, where it has a file of its own.
 */
export function ownWorker(name: string, module: URL): OwnWorker {
  return IS_BUNDLE ? { url: new URL(import.meta.url), name: `${PREFIX}${name}` } : { url: module, name };
}

/** Which of its own Workers a bundle is being run as; null where it is the program itself. */
export function workerRole(): string | null {
  const { name } = globalThis as { name?: unknown };
  return IS_BUNDLE && typeof name === "string" && name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null;
}

/** Loads the module that a Worker of a bundle is made of. What it was sent in the meantime is handed over. */
export async function becomeWorker(load: () => Promise<unknown>): Promise<void> {
  const scope = globalThis as unknown as { onmessage: ((event: MessageEvent) => unknown) | null };
  const early: MessageEvent[] = [];
  const keep = (event: MessageEvent) => early.push(event);
  scope.onmessage = keep;
  await load();
  if (scope.onmessage !== keep) { for (const event of early) scope.onmessage?.(event); }
}
