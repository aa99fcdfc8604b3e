/**
 * Which directories a walk does not enter, by rule.
 *
 * @module
 */

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

/** Not entered directly under a home directory; further down a project may bear such a name. */
const UNDER_HOME: ReadonlySet<string> = new Set(["appdata", "library", ".trash", "trash", ".local"]);

/**
 * Whether a directory is left out of a walk by rule.
 *
 * @param name The directory's own name.
 * @param depth How many directories lie between it and the root; 0 directly below the root.
 * @param walk The kind of walk.
 */
export function isPruned(name: string, depth: number, walk: "store" | "projects"): boolean {
  if (EVERYWHERE.has(name)) return true;
  if (walk === "store") return false;
  return IN_PROJECTS.has(name) || (depth === 0 && UNDER_HOME.has(name.toLowerCase()));
}
