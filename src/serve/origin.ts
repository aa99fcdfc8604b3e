/**
 * Where the program was loaded from, which decides how it can narrow itself and what its Workers may read.
 *
 * @module
 */

import { dirname, fromFileUrl, join } from "@std/path";
import { IS_BUNDLE } from "../concurrency/own_worker.ts";

/** How the program was loaded. */
export type Origin =
  /** From a folder with the project's own `deno.json`, or a compiled binary: a Worker can be narrowed. */
  | { readonly kind: "local"; readonly modules: readonly string[] }
  /** As `jsr:`, from a server, or a single file: only a child process can be narrowed. */
  | { readonly kind: "remote"; readonly modules: readonly string[] };

/**
 * Where the program came from, with the own files that its Workers must be able to read.
 *
 * @param main URL of the main module.
 */
export function originOf(main: string): Origin {
  if (Deno.build.standalone) return { kind: "local", modules: [] };
  if (!main.startsWith("file:")) return { kind: "remote", modules: [] };
  const path = fromFileUrl(main);
  if (IS_BUNDLE) return { kind: "remote", modules: [path] };
  const folder = dirname(path);
  const modules = [join(folder, "src"), join(folder, "tools", "offline", "std")];
  const elsewhere: Origin = { kind: "remote", modules: [] };
  // Imported from somewhere else by another program's main module.
  if (new URL("./src/serve/origin.ts", main).href !== import.meta.url) return elsewhere;
  try {
    const config: { unstable?: string[] } = JSON.parse(Deno.readTextFileSync(join(folder, "deno.json")));
    return config.unstable?.includes("worker-options") ? { kind: "local", modules } : { kind: "remote", modules };
  } catch (error) {
    // Deno itself read the file to resolve the imports, whether or not the program may.
    return error instanceof Deno.errors.NotCapable ? { kind: "local", modules } : { kind: "remote", modules };
  }
}
