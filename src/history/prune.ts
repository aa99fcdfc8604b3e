/**
 * Which directories a walk does not enter, by rule.
 *
 * @module
 */
import type { WalkKind } from "./source.ts";

/** Never entered: what version control and package managers keep for themselves. */
const EVERYWHERE: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/** Not entered while looking for histories beside a user's projects: dependencies and the caches of tools. */
const IN_PROJECTS: ReadonlySet<string> = new Set([
  "__pycache__",
  "__pypackages__",
  "site-packages",
  "bower_components",
  "venv",
  ".venv",
  "virtualenv",
  ".virtualenvs",
  ".conda",
  "miniconda3",
  "anaconda3",
  ".tox",
  ".nox",
  ".eggs",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".cache",
  ".npm",
  ".pnpm-store",
  ".yarn",
  ".bun",
  ".cargo",
  ".rustup",
  ".gradle",
  ".m2",
  ".ivy2",
  ".nuget",
  ".gem",
  ".rbenv",
  ".pyenv",
  ".nvm",
  ".fnm",
  ".volta",
  ".asdf",
  ".sdkman",
  ".terraform",
  ".next",
  ".nuxt",
  ".svelte-kit",
  ".turbo",
  ".parcel-cache",
]);

/** Likewise, by the names of a directory and of the one that it lies in: the module cache of Go, the SDK of Android. */
const PAIRS_IN_PROJECTS: ReadonlySet<string> = new Set(["pkg/mod", "Android/Sdk"]);

/** Not entered directly under a home directory; further down a project may bear such a name. */
const UNDER_HOME: ReadonlySet<string> = new Set(["appdata", "library", ".trash", "trash", ".local"]);

/**
 * Whether a directory is left out of a walk by rule.
 *
 * @param names The names that lead from the root to the directory, its own last.
 * @param walk The kind of walk.
 */
export function isPruned(names: readonly string[], walk: WalkKind): boolean {
  const name = names.at(-1) ?? "";
  if (EVERYWHERE.has(name)) return true;
  if (walk === "store") return false;
  return IN_PROJECTS.has(name) || PAIRS_IN_PROJECTS.has(names.slice(-2).join("/")) ||
    (walk === "home" && names.length === 1 && UNDER_HOME.has(name.toLowerCase()));
}
