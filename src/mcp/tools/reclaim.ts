/**
 * The tool `reclaim`.
 *
 * @module
 */

import { z } from "zod";
import type { Decision, ReclaimService } from "../../engine/reclaim.ts";
import { deletionReport, dryRunReport } from "../../engine/reclaim_report.ts";
import { formatBytes, plural } from "../../text/units.ts";
import { visible } from "../../text/visible.ts";
import type { HumanConfirmation } from "../confirmation.ts";
import { argumentsOf } from "../input.ts";
import type { Tool } from "../tool.ts";

/** The one string that makes a call delete. */
const CONFIRM = "delete";
/** Ids of one call at most. */
const MAX_IDS = 10_000;
/** Longest id that is told back. */
const MAX_ID = 64;
/** How many paths the human is shown. */
const MAX_SHOWN = 50;

const INPUT = argumentsOf({
  ids: z.array(z.string()).max(MAX_IDS).describe("Ids that scan returned, at most 10,000. Paths are not accepted."),
  confirm: z.string().optional().describe('Exactly "delete" to delete; anything else is a dry run.'),
});

const ENTRY = z.strictObject({
  id: z.string(),
  path: z.string(),
  size: z.string(),
  size_bytes: z.int().nonnegative(),
  regenerate_with: z.string(),
});

const OUTPUT = z.strictObject({
  dry_run: z.boolean(),
  would_delete: z.array(ENTRY).optional().describe("Of a dry run: what a confirmed call would delete."),
  would_reclaim: z.string().optional(),
  deleted: z.array(ENTRY).optional().describe("Of a deletion: what was deleted."),
  reclaimed: z.string().optional(),
  refused: z.array(z.strictObject({ id: z.string(), reason: z.string() })).describe(
    "Ids that were refused, each with its reason; they do not stop the others.",
  ),
  note: z.string().optional(),
});

/** Deletes what scan found. */
export function reclaim(
  service: ReclaimService,
  confirmation: HumanConfirmation,
): Tool<typeof INPUT, typeof OUTPUT> {
  return {
    name: "reclaim",
    title: "Delete scanned directories",
    description:
      "Deletes directories that scan found, named by the ids it returned; a path cannot be deleted. Without " +
      'confirm: "delete" it is a dry run that shows what would go. Each id is checked again against the disk at the ' +
      "moment of deletion, and one that no longer holds is refused without stopping the others. The client may be asked " +
      "for the human's own yes first.",
    readOnly: false,
    destructive: true,
    idempotent: false,
    input: INPUT,
    output: OUTPUT,
    async run({ ids, confirm }, { context, signal }) {
      const plan = shortIds(await service.plan(ids, signal));
      if (confirm !== CONFIRM) return dryRunReport(plan);
      if (plan.accepted.length === 0) return deletionReport(plan);
      const accepted = plan.accepted.map(({ id }) => id);
      const answer = confirmation.ask(context, accepted.join(" "), () => question(plan));
      if (answer.kind === "pending") return answer.request;
      if (answer.kind === "no") {
        const declined = accepted.map((id) => ({ id, reason: answer.reason }));
        return deletionReport({ accepted: [], refused: [...plan.refused, ...declined] });
      }
      const done = await service.redeem(accepted, signal);
      return deletionReport({ accepted: done.accepted, refused: [...plan.refused, ...done.refused] });
    },
    render({ would_delete, would_reclaim, deleted, reclaimed, refused, note }) {
      const entries = would_delete ?? deleted ?? [];
      const what = plural(entries.length, "directory", "directories");
      return [
        would_delete
          ? `Dry run: ${what} would be deleted, which frees ${would_reclaim}.`
          : `Deleted ${what}, which freed ${reclaimed}.`,
        ...entries.map(({ id, size, path, regenerate_with }) =>
          `${id}  ${size}  ${path}  (back by ${regenerate_with})`
        ),
        ...(refused.length > 0 ? ["Refused:"] : []),
        ...refused.map(({ id, reason }) => `  ${id}: ${reason}`),
        ...(note === undefined ? [] : [note]),
      ].join("\n");
    },
  };
}

/** Ids that are no tickets may be of any length; they are told back shortened. */
function shortIds({ accepted, refused }: Decision): Decision {
  return {
    accepted,
    refused: refused.map(({ id, reason }) => ({ id: id.length > MAX_ID ? `${id.slice(0, MAX_ID)}…` : id, reason })),
  };
}

/** What a human is asked. The largest come first, whatever order the model gave: it does not choose what is not shown. */
function question({ accepted }: Decision): string {
  const finds = accepted.map(({ find }) => find).sort((one, other) => other.bytes - one.bytes);
  const bytes = finds.reduce((total, find) => total + find.bytes, 0);
  const paths = finds.slice(0, MAX_SHOWN).map((find) => `${visible(find.path)} (${formatBytes(find.bytes)})`);
  const more = finds.length - paths.length;
  return [
    `Delete ${plural(accepted.length, "directory", "directories")} (${formatBytes(bytes)})?`,
    ...paths,
    ...(more > 0 ? [`... and ${more} more, none of them over ${formatBytes(finds[MAX_SHOWN]!.bytes)}`] : []),
  ].join("\n");
}
