/**
 * The tool `get_rotation_guidance`.
 *
 * @module
 */

import { z } from "zod";
import { Refusal } from "../../guard/mod.ts";
import { argumentsOf } from "../input.ts";
import { DATA_NOTICE, type Tool } from "../tool.ts";

const INPUT = argumentsOf({
  rules: z.array(z.string()).optional().describe(
    "Ids of rules, or their display names, from findings. The whole table by default, which is long.",
  ),
});

const OUTPUT = z.strictObject({
  guidance: z.array(z.strictObject({ rule: z.string(), display: z.string(), rotation: z.string() })),
  unknown_rules: z.array(z.string()),
});

/** Kinds whose guidance the text tells at most: the whole table would fill a model's memory. */
const MAX_TOLD = 100;

/** What ids are made of: short words. Anything else may be a secret that was taken for an id, and is not told back. */
const ID = /^[a-z0-9-]{1,64}$/;
const WORD = /^(?:[a-z0-9]{1,7}|[a-z]{1,16}\d{0,2})?$/;

function shownId(id: string): string {
  return ID.test(id) && id.split("-").every((word) => WORD.test(word)) ? id : "(not an id)";
}

/** The ids of rules that are written by their ids or display names; what is neither stays as it is. */
function idsOf(written: readonly string[], catalogue: readonly { id: string; display: string }[]): string[] {
  const ids = new Set(catalogue.map(({ id }) => id));
  const named = Map.groupBy(catalogue, ({ display }) => display.toLowerCase());
  return written.flatMap((text) =>
    ids.has(text) ? [text] : named.get(text.toLowerCase())?.map(({ id }) => id) ?? [text]
  );
}

/** Says how to rotate each kind of secret. */
export function getRotationGuidance(): Tool<typeof INPUT, typeof OUTPUT> {
  return {
    name: "get_rotation_guidance",
    title: "How to rotate leaked secrets",
    description:
      `Says for each kind of secret where and how its owner revokes and replaces it, from a fixed table. ${DATA_NOTICE}`,
    readOnly: true,
    destructive: false,
    idempotent: true,
    input: INPUT,
    output: OUTPUT,
    async run({ rules }) {
      if (rules?.length === 0) {
        throw new Refusal("argument", "rules is empty; give ids from findings, or leave it out for the whole table");
      }
      const { rotationGuidance, ruleCatalogue } = await import("../../secrets/mod.ts");
      const { guidance, unknownRules } = rotationGuidance(rules && idsOf(rules, ruleCatalogue()));
      return { guidance, unknown_rules: unknownRules.map(shownId) };
    },
    render({ guidance, unknown_rules }) {
      const isLong = guidance.length > MAX_TOLD;
      return [
        ...(isLong
          ? [
            `${guidance.length} kinds of secret, all in the structured result; name up to ${MAX_TOLD} rules to read theirs here.`,
          ]
          : []),
        ...(isLong ? [] : guidance).map(({ rule, display, rotation }) => `${display} (${rule}): ${rotation}`),
        ...(unknown_rules.length > 0 ? [`Unknown rules: ${unknown_rules.join(", ")}`] : []),
      ].join("\n");
    },
  };
}
