/**
 * The catalogue of targets. A new kind is one entry in the table of its ecosystem.
 *
 * @module
 */
import type { Target } from "../target.ts";
import { dotnetTargets } from "./dotnet.ts";
import { functionalTargets } from "./functional.ts";
import { gameTargets } from "./games.ts";
import { infraTargets } from "./infra.ts";
import { javascriptTargets } from "./javascript.ts";
import { jvmTargets } from "./jvm.ts";
import { mobileTargets } from "./mobile.ts";
import { nativeTargets } from "./native.ts";
import { pythonTargets } from "./python.ts";
import { scriptingTargets } from "./scripting.ts";
import { sweepTargets } from "./sweep.ts";
import { webTargets } from "./web.ts";

export type { Marker, Target } from "../target.ts";

/** Directories of any name that declare themselves a cache; whoever reads the tag must check its signature. */
const cachedirTag: Target = {
  key: "cachedir-tag",
  ecosystem: "any",
  matches: ["*"],
  marker: { inside: ["CACHEDIR.TAG"] },
  regenerateWith: "next run of its tool",
  documentation: "https://bford.info/cachedir/",
};

/**
 * Every kind of directory that Reclaim may offer, the first that fits a directory being the one that counts: the 24
 * common kinds, then those of each ecosystem, then the declared caches.
 *
 * @example
 * ```ts
 * import { TARGETS } from "./mod.ts";
 *
 * const keys = TARGETS.map((target) => target.key);
 * console.log(keys.includes("node-modules")); // true
 * ```
 */
export const TARGETS: readonly Target[] = [
  ...sweepTargets,
  ...javascriptTargets,
  ...webTargets,
  ...pythonTargets,
  ...jvmTargets,
  ...nativeTargets,
  ...dotnetTargets,
  ...mobileTargets,
  ...functionalTargets,
  ...scriptingTargets,
  ...infraTargets,
  ...gameTargets,
  cachedirTag,
];
