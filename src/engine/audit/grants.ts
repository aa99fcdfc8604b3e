/**
 * What the sandbox was not told to allow, and what a human can do about it without allowing too much.
 *
 * @module
 */

import type { Host, Unscanned } from "../../history/source.ts";

/** How every reason begins that says so. */
const DENIED = "the sandbox does not allow reading it";

/** Whether something was not read because the sandbox keeps it closed. */
export function isDenied({ reason }: Pick<Unscanned, "reason">): boolean {
  return reason.startsWith(DENIED);
}

/**
 * The same, but for sources that look in every project, and so in the whole home: no server should be allowed that much,
 * so the reason names what is narrower.
 */
export function withoutHome(entry: Unscanned, { env }: Host): Unscanned {
  const { source, file } = entry;
  if (!isDenied(entry) || file !== env.HOME && file !== env.USERPROFILE) return entry;
  return {
    ...entry,
    reason: `${DENIED}, and no server should be allowed the whole home: name the folder of your projects with ` +
      `--history ${source}=DIR and --allow-read=DIR, or scan it on the command line: scan --source ${source}`,
  };
}
