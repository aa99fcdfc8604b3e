/**
 * Writes the pages that are made from the program itself.
 *
 * @example
 * ```sh
 * deno task docs
 * ```
 *
 * @module
 */

import { commandsPage } from "./commands.ts";
import { enforcementPage, readmeWithMatrix } from "./enforcement.ts";
import { formatted } from "./markdown.ts";
import { setupPage } from "./setup.ts";
import { toolsPage } from "./tools.ts";

/** The text of each page, by its path in the repository. */
export async function pages(): Promise<Readonly<Record<string, string>>> {
  return {
    "docs/commands.md": await formatted(await commandsPage()),
    "docs/enforcement.md": await formatted(enforcementPage()),
    "docs/setup.md": await formatted(setupPage()),
    "docs/tools.md": await formatted(await toolsPage()),
    "README.md": await formatted(
      readmeWithMatrix(await Deno.readTextFile(new URL("../../README.md", import.meta.url))),
    ),
  };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await pages())) {
    await Deno.writeTextFile(new URL(`../../${path}`, import.meta.url), text);
  }
}
