/**
 * File-name patterns, matched in time linear in pattern and name: the patterns come from a model.
 *
 * @module
 */

/**
 * Whether the items of a text match those of a pattern, in which a star stands for any number of items.
 *
 * @param fits Whether an item of the pattern that is no star matches an item of the text.
 */
function matches(
  pattern: ArrayLike<string>,
  items: ArrayLike<string>,
  star: string,
  fits: (wanted: string, item: string) => boolean,
): boolean {
  let p = 0;
  let n = 0;
  let lastStar = -1;
  let resume = 0;
  while (n < items.length) {
    if (p < pattern.length && pattern[p] === star) {
      lastStar = p++;
      resume = n;
    } else if (p < pattern.length && fits(pattern[p]!, items[n]!)) {
      p++;
      n++;
    } else if (lastStar >= 0) {
      // Only the last star can still give: what an earlier one took was the shortest that fits.
      p = lastStar + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.length && pattern[p] === star) p++;
  return p === pattern.length;
}

/**
 * Whether `name`, one path segment, matches `pattern`: `*` stands for any characters, `?` for one, everything else for
 * itself.
 */
export function matchesName(pattern: string, name: string): boolean {
  return matches(pattern, name, "*", (wanted, character) => wanted === "?" || wanted === character);
}

/** Whether the segments of a path match those of a pattern, in which `**` stands for any number of segments. */
export function matchesSegments(pattern: readonly string[], path: readonly string[]): boolean {
  return matches(pattern, path, "**", matchesName);
}

/**
 * A test of paths against globs (`*`, `?`, and `**` for any number of folders). A glob without `/` is compared with the
 * last name alone; one with `/` with the whole path below the folder that is searched, or with the absolute path when it
 * starts with `/`.
 *
 * @returns A function of the absolute path and of the path relative to the folder searched, both with `/`.
 */
export function globMatcher(globs: readonly string[]): (path: string, relative: string) => boolean {
  const tests = globs.map((glob) => {
    const pattern = glob.replace(/\/+$/, "").split("/");
    if (pattern.length === 1) return (path: readonly string[]) => matchesName(pattern[0]!, path.at(-1) ?? "");
    const absolute = pattern[0] === "" || /^[A-Za-z]:$/.test(pattern[0]!);
    return (path: readonly string[], relative: readonly string[]) =>
      matchesSegments(pattern, absolute ? path : relative);
  });
  if (tests.length === 0) return () => false;
  return (path, relative) => {
    const [whole, below] = [path.split("/"), relative.split("/")];
    return tests.some((test) => test(whole, below));
  };
}
