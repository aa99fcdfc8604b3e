/**
 * The tool `redact_source`. It is there only when a human made redaction possible at the start.
 *
 * @module
 */

import { z } from "zod";
import type { RedactionReport, RedactionService, Survey } from "../../engine/redact/service.ts";
import { redactionReport } from "../../engine/redact/report.ts";
import { Refusal } from "../../guard/mod.ts";
import { commandLine } from "../../text/shell.ts";
import { formatBytes, plural } from "../../text/units.ts";
import { visible } from "../../text/visible.ts";
import type { HumanConfirmation } from "../confirmation.ts";
import { argumentsOf } from "../input.ts";
import { DATA_NOTICE, type Tool } from "../tool.ts";

const COUNT = z.int().nonnegative();
/** How many paths the human is shown. */
const MAX_SHOWN = 50;

const OUTPUT = z.strictObject({
  redacted_files: z.array(z.strictObject({
    file: z.string(),
    backup: z.string().nullable().describe("The file as it was. It still holds the secrets."),
    status: z.literal("redacted"),
    bytes_before: COUNT,
    bytes_after: COUNT,
  })),
  skipped: z.array(z.strictObject({ file: z.string(), reason: z.string() })).describe(
    "Files that were left as they are, each with its reason.",
  ),
  errors: z.array(z.string()).describe("Why nothing was done at all; empty where files were looked at."),
  rotation_reminder: z.string(),
});

function inputOf(keys: readonly string[]) {
  return argumentsOf({
    source: z.enum(keys as [string, ...string[]]).describe("One agent, from list_sources."),
    confirm: z.string().describe('Exactly "REDACT <source>", for example "REDACT codex".'),
  });
}

/** Replaces secrets in the copy of a history that a human named. */
export function redactSource(
  keys: readonly string[],
  service: RedactionService,
  confirmation: HumanConfirmation,
): Tool<ReturnType<typeof inputOf>, typeof OUTPUT> {
  return {
    name: "redact_source",
    title: "Redact secrets in an agent's history",
    description:
      "Replaces each secret in the files of one agent's history by [REDACTED:<rule>] and keeps every file as it was " +
      'beside it (*.bak). Needs confirm: "REDACT <source>", exactly. Works only on a copy that the human named with ' +
      "--history, never on the agent's own folder, and not while the agent is running. The client may be asked for the " +
      `human's own yes first. A secret that leaked must be rotated all the same. ${DATA_NOTICE}`,
    readOnly: false,
    destructive: true,
    idempotent: false,
    input: inputOf(keys),
    output: OUTPUT,
    async run({ source, confirm }, { context, signal }) {
      if (confirm !== `REDACT ${source}`) {
        throw new Refusal("argument", `confirm must be exactly "REDACT ${source}"; nothing was changed`);
      }
      try {
        await service.admit(source);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return refused(error.message);
      }
      const survey = await service.survey(source);
      const answer = confirmation.ask(context, `redact ${source} ${survey.root}`, () => question(source, survey));
      if (answer.kind === "pending") return answer.request;
      if (answer.kind === "no") return refused(answer.reason);
      const purge = commandLine(["purge", "--source", source, "--root", survey.root], Deno.build.os);
      return redactionReport(await service.redact(source, {}, signal), `deno run -A jsr:@agentsweep/mcp ${purge}`);
    },
    render({ redacted_files, skipped, errors, rotation_reminder }) {
      return [
        `Redacted ${plural(redacted_files.length, "file")}.`,
        ...redacted_files.map(({ file, backup, bytes_before, bytes_after }) =>
          `  ${file}: ${bytes_before} bytes before, ${bytes_after} after; as it was: ${backup}`
        ),
        ...(skipped.length > 0 ? ["Left as they are:"] : []),
        ...skipped.map(({ file, reason }) => `  ${file}: ${reason}`),
        ...errors,
        rotation_reminder,
      ].join("\n");
    },
  };
}

function refused(reason: string): z.input<typeof OUTPUT> {
  const nothing: RedactionReport = { root: "", files: [], untouched: 0 };
  return { ...redactionReport(nothing), errors: [reason], rotation_reminder: "Nothing was changed." };
}

function question(source: string, { root, files, bytes }: Survey): string {
  const shown = files.slice(0, MAX_SHOWN).map(visible);
  const more = files.length - shown.length;
  return [
    `Redact the secrets in the history of ${source} at ${visible(root)}, ${plural(files.length, "file")} ` +
    `(${formatBytes(bytes)})? Backups are kept beside the files.`,
    ...shown,
    ...(more > 0 ? [`... and ${more} more`] : []),
  ].join("\n");
}
