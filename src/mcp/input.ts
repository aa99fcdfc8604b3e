/**
 * Schemas of arguments whose complaints quote nothing: an argument may be a secret.
 *
 * @module
 */

import { z } from "zod";

/** The schema of a tool's arguments: those of `shape` and no others. The name of an unknown one is not told back. */
export function argumentsOf<Shape extends z.ZodRawShape>(shape: Shape): ReturnType<typeof z.strictObject<Shape>> {
  const names = Object.keys(shape);
  const unknown = `unknown argument; ${names.length === 0 ? "there are none" : `there are ${names.join(", ")}`}`;
  return z.strictObject(shape, { error: ({ code }) => code === "unrecognized_keys" ? unknown : undefined });
}
