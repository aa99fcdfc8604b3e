/**
 * Java, Kotlin, Scala and Clojure.
 *
 * @module
 */
import type { Target } from "../target.ts";

/** Build files beside which a Scala tool keeps its working directory. */
const SCALA_BUILDS = [
  "build.sbt",
  "build.sc",
  "build.mill",
  "project.scala",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  // sbt's own build is a build too: these stand in its `project` directory.
  "build.properties",
  "plugins.sbt",
];

/** Class files that IntelliJ IDEA compiled, for packages up to five names deep. */
const COMPILED_CLASSES = [1, 2, 3, 4, 5, 6].map((depth) => `production/${"*/".repeat(depth)}*.class`);

/** Kinds of the JVM tool chains beyond the common 24. */
export const jvmTargets: readonly Target[] = [
  {
    key: "sbt-target",
    ecosystem: "jvm",
    matches: ["target", "project/target", "project/project/target"],
    marker: { beside: ["build.sbt"], inside: ["streams/compile"] },
    regenerateWith: "sbt compile",
    documentation: "https://www.scala-sbt.org/1.x/docs/Directories.html",
  },
  {
    key: "bloop",
    ecosystem: "jvm",
    matches: [".bloop"],
    marker: { beside: SCALA_BUILDS },
    regenerateWith: "bloopInstall",
    documentation: "https://scalacenter.github.io/bloop/docs/build-tools/sbt",
  },
  {
    key: "metals",
    ecosystem: "jvm",
    matches: [".metals"],
    marker: null,
    regenerateWith: "next metals import",
    documentation: "https://scalameta.org/metals/docs/editors/new-editor/",
  },
  {
    key: "scala-cli",
    ecosystem: "jvm",
    matches: [".scala-build"],
    marker: null,
    regenerateWith: "scala-cli compile",
    documentation: "https://scala-cli.virtuslab.org/docs/commands/clean",
  },
  {
    key: "mill-out",
    ecosystem: "jvm",
    matches: ["out"],
    marker: { inside: ["mill-profile.json"] },
    regenerateWith: "mill compile",
    documentation: "https://mill-build.org/mill/fundamentals/out-dir.html",
  },
  {
    key: "kotlin-sessions",
    ecosystem: "jvm",
    matches: [".kotlin"],
    marker: { beside: ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"] },
    regenerateWith: "gradle build",
    documentation: "https://kotlinlang.org/docs/gradle-compilation-and-caches.html",
  },
  {
    key: "intellij-out",
    ecosystem: "jvm",
    matches: ["out"],
    marker: { inside: COMPILED_CLASSES },
    regenerateWith: "Build > Rebuild Project",
    documentation: "https://www.jetbrains.com/help/idea/compiling-applications.html",
  },
  {
    key: "clojure-classpath-cache",
    ecosystem: "jvm",
    matches: [".cpcache"],
    marker: null,
    regenerateWith: "next clj run",
    documentation: "https://clojure.org/reference/clojure_cli",
  },
  {
    key: "clojure-analysis-cache",
    ecosystem: "jvm",
    matches: [".clj-kondo/.cache", ".lsp/.cache"],
    marker: null,
    regenerateWith: "next clj-kondo run",
    documentation: "https://github.com/clj-kondo/clj-kondo/blob/master/README.md#project-setup",
  },
  {
    key: "shadow-cljs",
    ecosystem: "jvm",
    matches: [".shadow-cljs"],
    marker: { beside: ["shadow-cljs.edn"] },
    regenerateWith: "shadow-cljs compile",
    documentation: "https://shadow-cljs.github.io/docs/UsersGuide.html",
  },
  {
    key: "clojure-target",
    ecosystem: "jvm",
    matches: ["target"],
    marker: { beside: ["project.clj", "build.clj"] },
    regenerateWith: "lein compile",
    documentation: "https://codeberg.org/leiningen/leiningen/src/branch/stable/sample.project.clj",
  },
];
