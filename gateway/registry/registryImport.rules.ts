import { z } from "zod";

import { importDecisions, importKinds } from "../../db/registry/registryImport.rules.ts";
import { listChoiceShape } from "./reading/reading.rules.ts";

/** Rules for imports of facility lists, for REST, GraphQL and the screen. */

export {
  type ImportDecision,
  importDecisions,
  type ImportKind,
  importKinds,
  type ImportStatus,
  importStatuses,
} from "../../db/registry/registryImport.rules.ts";

export const mostImportRows = 120_000;
export const mostImportBytes = 64 * 1024 * 1024;

const decisionRule = z.enum(importDecisions, { error: `must be one of ${importDecisions.join(", ")}` });
const kindRule = z.enum(importKinds, { error: `must be one of ${importKinds.join(", ")}` });

export const importRowFilterShape = {
  kind: kindRule.nullish().describe("Only rows of this kind"),
  decision: decisionRule.nullish().describe("Only rows on which this was decided"),
  warned: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((text) => text === "true")
    .nullish()
    .describe("Only rows with a warning, or only those without one"),
};

/** A decision about some rows, about all of a kind, or about all. */
export const importDecisionRules = z
  .strictObject({
    decision: decisionRule,
    lines: z
      .array(z.int("must be a whole number").min(1).max(2_147_483_647))
      .min(1)
      .max(1000)
      .nullish()
      .describe("The lines of the rows in the file"),
    kind: kindRule.nullish().describe("All rows of this kind"),
    warned: z.literal(true, { error: "must be true" }).nullish().describe("All rows with a warning"),
    all: z
      .literal(true, { error: "must be true" })
      .nullish()
      .describe("All rows; those that change an identifier are accepted by their lines only"),
  })
  .refine(({ lines, kind, warned, all }) => [lines, kind, warned, all].filter((one) => one != null).length === 1, {
    path: ["all"],
    message: "say which rows: one of lines, kind, warned and all",
  })
  .refine(({ decision, kind }) => decision !== "accepted" || kind !== "identifierChange", {
    path: ["kind"],
    message: "rows that change an identifier are not accepted together: name their lines",
  });
export type DecisionInput = z.output<typeof importDecisionRules>;

/** Whether decisions about the rows of an import are possible: not after it was applied. */
export const mayDecide = ({ status }: { status: string }): boolean => status !== "applied" && status !== "read";

/**
 * Whether an import can be read in another way, or be discarded: while nothing of it was ever applied. What was applied
 * stays as a record.
 */
export const mayReadAgain = ({ status }: { status: string }): boolean => status === "read" || status === "ready";

const importSteps = ["read", "review"] as const;
/** The fields of the form that sends a list, beside the file. */
export const sentListRules = z.strictObject({
  ...listChoiceShape,
  step: z
    .enum(importSteps, { error: `must be one of ${importSteps.join(", ")}` })
    .nullish()
    .describe("read: the list is only read, and waits to be reviewed; without it, it is reviewed at once"),
});
export type SentListInput = z.output<typeof sentListRules>;
