/**
 * File-name patterns, matched in time linear in pattern and name: the patterns come from a model.
 *
 * @module
 */

/**
 * Whether `name`, one path segment, matches `pattern`: `*` stands for any characters, `?` for one, everything else for
 * itself.
 */
export function matchesName(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < name.length) {
    if (pattern[p] === "*") {
      star = p++;
      resume = n;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (star >= 0) {
      // Only the last star can still give: what an earlier one took was the shortest that fits.
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** Whether the segments of a path match those of a pattern, in which `**` stands for any number of segments. */
function matchesSegments(pattern: readonly string[], path: readonly string[]): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < path.length) {
    if (pattern[p] === "**") {
      star = p++;
      resume = n;
    } else if (p < pattern.length && matchesName(pattern[p]!, path[n]!)) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === "**") p++;
  return p === pattern.length;
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
