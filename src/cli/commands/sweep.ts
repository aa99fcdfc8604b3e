/**
 * `sweep`: Reclaim for people. A report, unless it is told to delete.
 *
 * @module
 */

import { resolve } from "@std/path";
import { createReclaim, type Planned, type ReclaimService, type RefusedId } from "../../engine/reclaim.ts";
import { deletionReport, type FindReport, type ScanReport, scanReport } from "../../engine/reclaim_report.ts";
import { openRoots, Refusal } from "../../guard/mod.ts";
import { TARGETS } from "../../reclaim/targets/mod.ts";
import { commandLine } from "../../text/shell.ts";
import { formatBytes, plural } from "../../text/units.ts";
import { visible, visibleValue } from "../../text/visible.ts";
import { type Command, type Context, EXIT, JSON_FLAG, OUTPUT_FLAG, YES_FLAG } from "../command.ts";
import { sweepPage } from "../html/sweep_page.ts";
import { suggestion } from "../nearest.ts";
import { deliver, requireFolderOf, writeWhole } from "../output.ts";
import { wholeNumber } from "../parse.ts";
import { pick } from "../pick.ts";
import { findsByGain, sweepText } from "../sweep_text.ts";

const FLAGS = {
  delete: { summary: "delete: pick from the list, then type a confirmation" },
  only: {
    value: "KEY",
    repeatable: true,
    summary: "look for this kind alone; list-targets names them",
    completes: TARGETS.map(({ key }) => key) as readonly string[],
  },
  exclude: { value: "GLOB", repeatable: true, summary: "leave out what matches" },
  "min-size-mb": { value: "N", summary: "leave out what is smaller" },
  "older-than-days": { value: "N", summary: "leave out what changed since" },
  "max-depth": { value: "N", summary: "how many levels to go down (64)" },
  yes: YES_FLAG,
  json: JSON_FLAG,
  html: { value: "FILE", summary: "also write a report to look at to FILE: one page with a treemap" },
  output: OUTPUT_FLAG,
} as const;

/** The word to type before something is deleted. */
const CONFIRMATION = "DELETE";

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "sweep",
  summary: "find build directories that can be rebuilt, and delete those you pick",
  details:
    "Without --delete nothing is changed. What git tracks, what holds a repository or a mount, and what nothing " +
    "proves to be rebuildable is never offered. Exit code 0: all was read, whatever was found, and " +
    "what you picked is gone, be it nothing; 2: something could not be read or deleted.",
  flags: FLAGS,
  operands: { name: "DIR", min: 1, max: 64 },
  examples: [
    { text: "what could be freed here", line: "sweep ." },
    { text: "pick and delete", line: "sweep ~/code --delete" },
    {
      text: "everything older than three months, without asking",
      line: "sweep ~/code --older-than-days 90 --delete --yes",
    },
    { text: "to look at rather than to read", line: "sweep ~/code --html space.html" },
    { text: "for a script: an array with one report a folder", line: "sweep ~/code --json" },
  ],
  keeps: ({ delete: deletes, output, html }) => deletes || output !== undefined || html !== undefined ? ["write"] : [],
  async run(context) {
    const { flags, terminal } = context;
    if (flags.yes && !flags.delete) throw new Refusal("argument", "--yes answers the question of --delete; give both");
    if (flags.delete && !flags.yes && (!terminal.canAsk || flags.json)) {
      throw new Refusal("argument", "nobody can be asked here; --delete --yes deletes everything that is found");
    }
    requireFolderOf(flags.output);
    requireFolderOf(flags.html);
    const folders = context.operands.map((folder) => resolve(folder));
    const service = createReclaim(openRoots(folders), TARGETS, { keepsWorkers: true });
    const reports = await scanAll(service, context);
    if (flags.html !== undefined) writeWhole(terminal, sweepPage(reports), flags.html);
    const isWhole = reports.every(({ unreadable }) => unreadable === 0);
    if (flags.delete) return await deletePicked(service, reports, context) && isWhole ? EXIT.clean : EXIT.failed;
    const width = flags.output === undefined ? terminal.width : Infinity;
    deliver(
      terminal,
      flags.json
        ? JSON.stringify(reports, null, 2)
        : sweepText(reports, { width, hasNumbers: false, filters: filtersOf(flags) }),
      flags.output,
    );
    return isWhole ? EXIT.clean : EXIT.failed;
  },
};

async function scanAll(
  service: ReclaimService,
  { flags, terminal, signal }: Context<typeof FLAGS>,
): Promise<ScanReport[]> {
  const keys = TARGETS.map(({ key }) => key);
  const unknown = flags.only.find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    const near = suggestion(unknown, keys);
    throw new Refusal(
      "argument",
      `there is no kind ${unknown}${near}${near ? "" : ";"} list-targets names all of them`,
    );
  }
  const input = {
    only: flags.only.length > 0 ? flags.only : undefined,
    exclude: flags.exclude,
    minSizeMb: wholeNumber("--min-size-mb", flags["min-size-mb"]),
    olderThanDays: wholeNumber("--older-than-days", flags["older-than-days"]),
    maxDepth: wholeNumber("--max-depth", flags["max-depth"]),
  };
  const progress = terminal.progress("looking");
  const reports: ScanReport[] = [];
  try {
    // A root inside another is looked through with the outer one.
    for (
      const { path } of service.roots.filter((root) => !service.roots.some((other) => contains(other.path, root.path)))
    ) {
      const scanned = await service.scan({ ...input, path }, {
        signal,
        onProgress: ({ visited, matched }) => progress.update(visited, null, `directories, ${matched} found`),
      });
      reports.push(visibleValue(scanReport(service, scanned, Infinity, Infinity)));
    }
  } finally {
    progress.end();
  }
  return reports;
}

/** The flags that leave something out, as they were written. */
function filtersOf({ only, exclude, ...numbers }: Context<typeof FLAGS>["flags"]): string {
  const named = (["min-size-mb", "older-than-days", "max-depth"] as const).flatMap((name) =>
    numbers[name] === undefined ? [] : [`--${name}`, numbers[name]]
  );
  const listed = [...only.flatMap((key) => ["--only", key]), ...exclude.flatMap((glob) => ["--exclude", glob])];
  return visible(commandLine([...named, ...listed], Deno.build.os));
}

function contains(outer: string, inner: string): boolean {
  return inner !== outer && inner.startsWith(outer) && /^[\\/]/.test(inner.slice(outer.length));
}

/** Deletes what the human picks; true where all of it went. */
async function deletePicked(
  service: ReclaimService,
  reports: readonly ScanReport[],
  context: Context<typeof FLAGS>,
): Promise<boolean> {
  const { flags, terminal, signal } = context;
  const finds = findsByGain(reports);
  if (!flags.json) {
    const filters = filtersOf(flags);
    terminal.print(sweepText(reports, { width: terminal.width, hasNumbers: !flags.yes, filters }));
  }
  const picked = flags.yes ? finds : await askFor(finds, context);
  const accepted: Planned[] = [];
  const refused: RefusedId[] = [];
  const progress = terminal.progress("deleting");
  const noted = noteWhenEnding(context);
  // One at a time, so that Ctrl-C ends between two directories and never within one.
  for (const { id } of picked) {
    if (signal.aborted) break;
    const decision = await service.redeem([id]);
    accepted.push(...decision.accepted);
    refused.push(...decision.refused);
    progress.update(accepted.length + refused.length, picked.length, "directories");
    await new Promise((resolve) => setTimeout(resolve));
  }
  noted();
  progress.end();
  const report = visibleValue(deletionReport({ accepted, refused }));
  if (flags.json) deliver(terminal, JSON.stringify(report, null, 2), flags.output);
  else {
    terminal.print(`deleted ${plural(accepted.length, "directory", "directories")}, freed ${report.reclaimed}`);
    for (const { id, reason } of report.refused) {
      terminal.note(`not deleted: ${picked.find((find) => find.id === id)?.path ?? id}: ${reason}`);
    }
  }
  const left = picked.length - accepted.length - refused.length;
  if (left > 0) terminal.note(`ended by Ctrl-C; ${plural(left, "directory", "directories")} left as they are`);
  return refused.length === 0 && left === 0;
}

/** How long after Ctrl-C it is said that something is being finished, in milliseconds. */
const PATIENCE_MS = 300;

/** After Ctrl-C a large directory takes a while to be gone; says so. Call what is given back when all is done. */
function noteWhenEnding({ terminal, signal }: Context<typeof FLAGS>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = () =>
    terminal.note("finishing the directory at hand; Ctrl-C again leaves the rest of it to the next sweep");
  const onAbort = () => timer = setTimeout(say, PATIENCE_MS);
  signal.addEventListener("abort", onAbort, { once: true });
  return () => {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(timer);
  };
}

/** What the human picks and confirms; nothing where the answer is anything else than the word. */
async function askFor(
  finds: readonly FindReport[],
  { terminal, signal }: Context<typeof FLAGS>,
): Promise<readonly FindReport[]> {
  if (finds.length === 0) return [];
  const picked = await pick(finds, terminal, signal);
  if (picked.length === 0) return [];
  const bytes = picked.reduce((sum, { reclaimable_bytes }) => sum + reclaimable_bytes, 0);
  const answer = await terminal.ask(
    `Delete ${plural(picked.length, "directory", "directories")} (${formatBytes(bytes)})? Type ${CONFIRMATION}: `,
    signal,
  );
  if (answer === CONFIRMATION) return picked;
  terminal.note("nothing is deleted");
  return [];
}
