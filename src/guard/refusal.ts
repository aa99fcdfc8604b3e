/**
 * How the guard says no.
 *
 * @module
 */

/** Which rule refused. Stable: scripts may rely on it. */
export type RefusalCode =
  | "no-roots"
  | "bad-path"
  | "outside"
  | "missing"
  | "link"
  | "not-a-directory"
  | "root"
  | "unreadable"
  | "changed"
  | "unproven"
  | "irreplaceable"
  | "disabled"
  | "version-control"
  | "tracked"
  | "mount"
  | "unknown-id"
  | "human"
  | "incomplete"
  | "argument";

/**
 * A refusal: one sentence that says which rule fired and what to do, without content of any file.
 *
 * Thrown by the guard and by what stands on it; callers show its message as it is.
 */
export class Refusal extends Error {
  /** Always `Refusal`. */
  override readonly name = "Refusal";
  /** Which rule refused. */
  readonly code: RefusalCode;

  /** A refusal under the rule `code` with the sentence `message`. */
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * What went wrong with a path, as a refusal: names the flag where the sandbox said no.
 *
 * @param path The path that was looked at.
 * @param error What the operating system or Deno's sandbox threw.
 * @param flag The Deno flag that would have allowed it.
 *
 * @example
 * ```ts
 * import { refusalFrom } from "@agentsweep/mcp";
 *
 * try {
 *   await Deno.lstat("/not/there");
 * } catch (error) {
 *   console.log(refusalFrom("/not/there", error, "--allow-read").code); // missing
 * }
 * ```
 */
export function refusalFrom(path: string, error: unknown, flag: "--allow-read" | "--allow-write"): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Deno.errors.NotFound) return new Refusal("missing", `${path} does not exist`);
  if (error instanceof Deno.errors.NotCapable) {
    return new Refusal(
      "unreadable",
      `Deno's sandbox does not allow access to ${path}; start the server with ${flag}=${path}`,
    );
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return new Refusal("unreadable", `the operating system denies access to ${path}`);
  }
  return new Refusal("unreadable", `${path} cannot be read (${errorCode(error)})`);
}

/**
 * The system's short code of an error (`EACCES`), or its name: never its message, which may quote content.
 *
 * @example
 * ```ts
 * import { errorCode } from "@agentsweep/mcp";
 *
 * try {
 *   await Deno.lstat("/not/there");
 * } catch (error) {
 *   console.log(errorCode(error)); // ENOENT
 * }
 * ```
 */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
