/**
 * What the sandbox allows of a source.
 *
 * @module
 */
import type { ResolvedSource } from "./resolve.ts";

/** Whether a path may be read. */
export type Access = "granted" | "denied";

/** A path that a source needs, and whether it may be read. */
export interface RootAccess {
  /** Absolute path. */
  readonly root: string;
  /** Whether the sandbox allows to read it and everything below. */
  readonly access: Access;
}

/**
 * Whether the sandbox allows to read `path` and everything below; asks nobody.
 *
 * @example
 * ```ts
 * import { accessTo } from "@agentsweep/mcp/history";
 *
 * console.log(accessTo("/home/ada/.codex")); // granted or denied
 * ```
 */
export function accessTo(path: string): Access {
  return Deno.permissions.querySync({ name: "read", path }).state === "granted" ? "granted" : "denied";
}

/**
 * Whether the sandbox allows to read the source's root; its further roots are in {@linkcode rootAccess}.
 *
 * @example
 * ```ts
 * import { accessOf, hostOf, resolveSource, sourceByKey } from "@agentsweep/mcp/history";
 *
 * const host = hostOf("linux", { HOME: "/home/ada" });
 * console.log(accessOf(resolveSource(sourceByKey("codex")!, host))); // granted or denied
 * ```
 */
export function accessOf(source: ResolvedSource): Access {
  return accessTo(source.root);
}

/**
 * What the sandbox allows for each of the source's roots.
 *
 * @example
 * ```ts
 * import { hostOf, resolveSource, rootAccess, sourceByKey } from "@agentsweep/mcp/history";
 *
 * const host = hostOf("linux", { HOME: "/home/ada" });
 * console.log(rootAccess(resolveSource(sourceByKey("codex")!, host)));
 * ```
 */
export function rootAccess(source: ResolvedSource): RootAccess[] {
  return source.roots.map((root) => ({ root, access: accessTo(root) }));
}
