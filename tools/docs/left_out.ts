/**
 * What the catalogue of targets leaves out on purpose or takes with a warning, and why: the reasons are documentation,
 * the names are tested.
 *
 * @module
 */

/** Directories with something to say about them. */
export interface Remark {
  /** Names or relative paths, as a target would match them. */
  readonly names: readonly string[];
  /** What would be lost, or what proof is missing. */
  readonly reason: string;
}

/** Targets whose directory may hold something that no command brings back. */
export const CAVEATS: readonly Remark[] = [
  { names: [".terraform"], reason: "the record of the backend" },
  { names: [".serverless"], reason: "state that old versions of Serverless Components kept there" },
  {
    names: [".venv", "venv"],
    reason: "whatever somebody put there, beside Python files and notebooks, which are refused",
  },
  {
    names: ["build", "dist"],
    reason: "Python: sources of that name beside a `pyproject.toml` that git does not track",
  },
  { names: ["build"], reason: "CMake: options given on the command line, which only `CMakeCache.txt` remembers" },
  { names: [".ipynb_checkpoints"], reason: "the last save by hand of each notebook" },
  { names: [".hypothesis"], reason: "the examples that made a test fail" },
  { names: ["bin"], reason: ".NET: scripts and tools of that name beside a `*.sln` that git does not track" },
  { names: [".vite"], reason: "inside a `dist`: the manifest that a server reads" },
  { names: ["node_modules", "vendor", "deps"], reason: "edits made in place" },
];

/** Every deliberate omission: directories that another cleaner deletes, or whose name suggests it. */
export const LEFT_OUT: readonly Remark[] = [
  { names: [".git", ".hg", ".svn", ".jj"], reason: "history; a directory that holds one is refused too" },
  { names: [".env", "env", "ENV"], reason: "configuration, or an environment in which people keep their project" },
  { names: [".vagrant"], reason: "the only link to the machines that Vagrant created, with their keys" },
  { names: [".pulumi"], reason: "the state itself when the backend is local" },
  { names: ["terraform.tfstate.d"], reason: "state of the workspaces" },
  { names: [".dvc", ".dvc/cache"], reason: "configuration, and data that may never have been pushed" },
  { names: ["mlruns", ".mlruns", "outputs"], reason: "results of experiments; running again gives others" },
  {
    names: [".snakemake", ".nextflow", "work"],
    reason: "provenance and resume state of runs that may have taken days",
  },
  { names: [".benchmarks"], reason: "recorded measurements" },
  { names: ["Saved"], reason: "Unreal: autosaves, logs, screenshots and save games" },
  { names: ["Binaries"], reason: "Unreal: also holds third-party libraries and plugins that come without source" },
  { names: ["Build", "Builds"], reason: "Unity and Unreal: finished builds, icons and platform files" },
  { names: ["Temp"], reason: "Unity: unsaved scenes after a crash; only its build parts are a target" },
  { names: ["Logs", "MemoryCaptures"], reason: "Unity: records of what happened once" },
  { names: [".godot"], reason: "holds `export_credentials.cfg`, the signing passwords; only its caches are a target" },
  { names: [".vs"], reason: "holds `launch.vs.json` and breakpoints; only its indexes are a target" },
  { names: [".swiftpm"], reason: "schemes, mirrors and registries that people configure" },
  { names: [".idea", ".vscode", ".Rproj.user"], reason: "settings and unsaved documents" },
  { names: [".bundle"], reason: "settings and credentials of Bundler; only installed gems are a target" },
  { names: [".vercel", ".netlify"], reason: "the link to the hosted project; only build output is a target" },
  { names: [".wrangler/state", ".netlify/blobs-serve"], reason: "local databases and stores" },
  { names: [".sst", ".nx", ".pixi", ".yarn"], reason: "configuration beside the cache; only the caches are a target" },
  { names: ["deno_cache", ".deno_dir"], reason: "localStorage and KV databases; only the module caches are a target" },
  { names: [".devenv", ".devbox"], reason: "data of the databases that they run" },
  { names: [".m2", ".ivy2"], reason: "artifacts that were installed locally and exist nowhere else" },
  { names: [".ansible"], reason: "tokens, and collections that people develop in place" },
  { names: [".conda", "envs", "_opam"], reason: "installed by hand; no file says what was in it" },
  { names: [".cache"], reason: "everybody's name: only Gatsby's, clangd's and ansible-lint's are told apart" },
  { names: ["bazel-bin", "bazel-out", "bazel-testlogs"], reason: "links; the output lies outside the project" },
  { names: ["charts"], reason: "Helm: unpacked dependencies and charts written by hand look the same" },
  { names: ["platforms"], reason: "Cordova, NativeScript: native code that people edit" },
  { names: ["vendor", "dist", "build", "out", "lib"], reason: "without one of the proofs above they may be sources" },
  { names: [".eslintcache", ".stylelintcache", ".coverage"], reason: "files" },
  { names: ["broadcast", "build/contracts"], reason: "Foundry, Truffle: addresses of deployed contracts" },
];
