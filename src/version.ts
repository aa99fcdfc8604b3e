/**
 * The version of this program. A test holds it equal to `deno.json`'s.
 *
 * @module
 */

/** Semantic version. */
export const VERSION = "0.1.0";
