/**
 * What a target is: one kind of directory that a build tool makes again.
 *
 * @module
 */

/**
 * One kind of regenerable directory.
 *
 * A directory counts as this kind when its name matches and, unless `marker` is null, something on disk proves that it
 * can be rebuilt: one of the `beside` names stands in the directory that holds it, or one of the `inside` paths exists
 * in it.
 */
export interface Target {
  /** Stable kebab-case key, e.g. `node-modules`. Public: `only` and scripts name it. */
  readonly key: string;
  /** Lower-case name of the ecosystem, e.g. `javascript`. */
  readonly ecosystem: string;
  /**
   * Names of the directory. `*` stands for any characters inside one name. A name of several components
   * (`vendor/bundle`) matches the last one below the others; the markers then stand beside the first.
   */
  readonly matches: readonly string[];
  /** What proves that it can be rebuilt; null for a pure cache, which its name alone declares. */
  readonly marker: Marker | null;
  /**
   * Relative paths inside whose presence means that the directory holds more than what comes back: keys, state, sources.
   * Written like those of {@linkcode Marker.inside}.
   *
   * @default none
   */
  readonly unless?: readonly string[];
  /** Short command or event that brings it back, e.g. `npm install`. */
  readonly regenerateWith: string;
  /** Where the tool documents that the directory is its own and regenerable. */
  readonly documentation: string;
}

/** Files that prove a target. One of either list is enough. */
export interface Marker {
  /** Names of files beside the directory; `*` stands for any characters inside the name. */
  readonly beside?: readonly string[];
  /** Relative paths of files inside the directory, e.g. `pyvenv.cfg`; `*` stands for any characters inside one name. */
  readonly inside?: readonly string[];
}
