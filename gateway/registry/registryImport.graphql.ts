import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { builder } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { type InputError, Problem } from "../problem.ts";
import { applyRegistryImport, revertRegistryImport } from "./applyImport.ts";
import { listChoiceRules } from "./reading/reading.rules.ts";
import { ChoiceFields, choiceOf, ReadingType } from "./reading/reading.graphql.ts";
import * as acts from "./registryImport.ts";
import {
  type ImportDecision,
  importDecisionRules,
  type ImportKind,
  type ImportStatus,
} from "./registryImport.rules.ts";

/** GraphQL types, fields and mutations of imports of facility lists. */

const needed = "Needs editRegistry or administrator.";

const Status = builder.enumType("RegistryImportStatus", {
  description: "How far an import is.",
  values: {
    READ: { value: "read", description: "Its file was read; it waits to be reviewed." },
    READY: { value: "ready", description: "It waits for review." },
    APPLIED: { value: "applied", description: "What was accepted is in the registry." },
    REVERTED: { value: "reverted", description: "It was taken back; it can be applied again." },
  } satisfies Record<string, { value: ImportStatus; description: string }>,
});
const Kind = builder.enumType("RegistryImportKind", {
  description: "What a row would do.",
  values: {
    NEW: { value: "new", description: "It adds a facility." },
    CHANGED: { value: "changed", description: "It changes a facility." },
    SAME: { value: "same", description: "It changes nothing." },
    IDENTIFIER_CHANGE: {
      value: "identifierChange",
      description: "It would change or remove an identifier of a facility: it is accepted by its line only.",
    },
    DUPLICATE: { value: "duplicate", description: "It repeats another row, or an identifier of it." },
    CONFLICT: { value: "conflict", description: "Its identifiers name another facility than the one that it is." },
    MERGE_CANDIDATE: { value: "mergeCandidate", description: "Several stored facilities look like it." },
    UNKNOWN_PLACE: { value: "unknownPlace", description: "Its province or district is not known." },
  } satisfies Record<string, { value: ImportKind; description: string }>,
});
const Decision = builder.enumType("RegistryImportDecision", {
  description: "What was decided about a row.",
  values: {
    UNDECIDED: { value: "undecided", description: "Nothing yet: it is not applied." },
    ACCEPTED: { value: "accepted", description: "It is applied." },
    REJECTED: { value: "rejected", description: "It is not applied." },
  } satisfies Record<string, { value: ImportDecision; description: string }>,
});

const KindCount = builder.objectRef<acts.KindCount>("RegistryImportKindCount").implement({
  description: "How many rows of an import there are of a kind.",
  fields: (t) => ({
    kind: t.expose("kind", { type: Kind, description: "The kind." }),
    rows: t.exposeInt("rows", { description: "All of them." }),
    undecided: t.exposeInt("undecided", { description: "Those without a decision." }),
    accepted: t.exposeInt("accepted", { description: "Those that were accepted." }),
    rejected: t.exposeInt("rejected", { description: "Those that were rejected." }),
    warned: t.exposeInt("warned", { description: "Those with a warning." }),
    acceptable: t.exposeInt("acceptable", { description: "Those that can be accepted." }),
  }),
});

const RegistryImport = builder
  .objectRef<Omit<acts.Import, "kinds"> & { kinds?: acts.KindCount[] }>("RegistryImport")
  .implement({
    description: "A list of facilities that is imported with review.",
    fields: (t) => ({
      uuid: t.exposeString("uuid", { description: "Names the import." }),
      fileName: t.exposeString("fileName", { description: "The name of the file." }),
      status: t.expose("status", { type: Status, description: "How far it is." }),
      rows: t.exposeInt("rows", { description: "How many rows it has." }),
      ignored: t.exposeStringList("ignored", { description: "Columns of the file that are not used." }),
      createdDate: t.exposeString("createdDate", { description: "The day on which it was sent." }),
      createdTime: t.exposeString("createdTime", { description: "The time at which it was sent." }),
      userName: t.exposeString("userName", { nullable: true, description: "Who sent it." }),
      appliedDate: t.exposeString("appliedDate", {
        nullable: true,
        description: "The day on which it was applied last.",
      }),
      appliedBy: t.exposeString("appliedBy", { nullable: true, description: "Who applied it last." }),
      revertedDate: t.exposeString("revertedDate", {
        nullable: true,
        description: "The day on which it was reverted, if it is.",
      }),
      revertedBy: t.exposeString("revertedBy", { nullable: true, description: "Who reverted it." }),
    }),
  });
const Reviewed = builder.objectRef<acts.Import>("ReviewedRegistryImport").implement({
  description: "An import with the counts of its rows.",
  fields: (t) => ({
    reading: t.field({
      type: ReadingType,
      nullable: true,
      description: "How its file was read; null if its rows do not come from a file.",
      resolve: async ({ uuid }, _, context) => {
        const { reading, choice } = await acts.readReading(context, uuid);
        return reading && { ...reading, choice: choice ?? {} };
      },
    }),
    import: t.field({ type: RegistryImport, description: "The import.", resolve: (found) => found }),
    kinds: t.field({ type: [KindCount], description: "Its rows by kind.", resolve: ({ kinds }) => kinds }),
  }),
});

/** An import with its counts, for other mutations. */
export { Reviewed as ReviewedImport };

const Warning = builder.objectRef<acts.ReviewRow["warnings"][number]>("RegistryImportWarning").implement({
  description: "What is odd about a row, and imported all the same.",
  fields: (t) => ({
    column: t.exposeString("column", { description: "The column of the file." }),
    message: t.exposeString("message", { description: "What is odd." }),
  }),
});
const Change = builder.objectRef<acts.ReviewRow["changes"][number]>("RegistryImportChange").implement({
  description: "A value that a row would change.",
  fields: (t) => ({
    field: t.exposeString("field", { description: "Which value, or the system of an identifier." }),
    present: t.exposeString("present", { nullable: true, description: "What is stored." }),
    proposed: t.exposeString("proposed", { nullable: true, description: "What the row says; null: it is erased." }),
  }),
});
const Row = builder.objectRef<acts.ReviewRow>("RegistryImportRow").implement({
  description: "A row of an import.",
  fields: (t) => ({
    line: t.exposeInt("line", { description: "Its line in the file." }),
    kind: t.expose("kind", { type: Kind, description: "What it would do." }),
    decision: t.expose("decision", { type: Decision, description: "What was decided." }),
    acceptable: t.exposeBoolean("acceptable", { description: "Whether it can be accepted." }),
    facilityName: t.exposeString("facilityName"),
    place: t.exposeString("place", { description: "District and province." }),
    facilityUuid: t.exposeString("facilityUuid", {
      nullable: true,
      description: "The facility that it was matched with, or the uuid of the new one.",
    }),
    score: t.exposeFloat("score", { nullable: true, description: "How sure the match is, 0 to 1." }),
    reason: t.exposeString("reason", { description: "Why it was matched, or what is doubtful." }),
    warnings: t.field({ type: [Warning], description: "What is odd about it.", resolve: ({ warnings }) => warnings }),
    changes: t.field({ type: [Change], description: "What it would change.", resolve: ({ changes }) => changes }),
  }),
});

builder.queryFields((t) => ({
  registryImports: t.connection({
    type: RegistryImport,
    nullable: true,
    description: `Imports of facilities, the newest first. ${needed}`,
    args: { offset: t.arg.int({ description: "Rows to skip, for numbered pages." }) },
    resolve: (_, page, context, info) =>
      readConnection(acts.listRegistryImports, context, { page: parse(connectionRules, page) }, info),
  }),
  registryImport: t.field({
    type: Reviewed,
    nullable: true,
    description: `An import with its counts. ${needed}`,
    args: { uuid: t.arg.string({ required: true, description: "Of the import." }) },
    resolve: (_, { uuid }, context) => acts.readRegistryImport(context, uuid),
  }),
  registryImportRows: t.connection({
    type: Row,
    nullable: true,
    description: `Rows of an import, in the order of the file. ${needed}`,
    args: {
      uuid: t.arg.string({ required: true, description: "Of the import." }),
      kind: t.arg({ type: Kind, description: "Only rows of this kind." }),
      decision: t.arg({ type: Decision, description: "Only rows on which this was decided." }),
      warned: t.arg.boolean({ description: "true: only rows with a warning; false: only those without one." }),
      offset: t.arg.int({ description: "Rows to skip, for numbered pages." }),
    },
    resolve: (_, { uuid, kind, decision, warned, ...page }, context, info) =>
      readConnection(
        (each: Context, input: Parameters<typeof acts.listRegistryImportRows>[2]) =>
          acts.listRegistryImportRows(each, uuid, input),
        context,
        { kind, decision, warned, page: parse(connectionRules, page) },
        info,
      ),
  }),
}));

const payload = (name: string) =>
  builder.objectRef<{ review?: acts.Import; errors: InputError[] }>(name).implement({
    description: "The import afterwards.",
    fields: (t) => ({
      review: t.field({
        type: Reviewed,
        nullable: true,
        description: "The import afterwards.",
        resolve: ({ review }) => review,
      }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong with the input; empty when it was done.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });
const DecideInput = builder.inputType("DecideRegistryImportInput", {
  description:
    "A decision on some rows, on all of a kind, on all with a warning, or on all: one of lines, kind, warned and all.",
  fields: (t) => ({
    uuid: t.string({ required: true, description: "Of the import." }),
    decision: t.field({ type: Decision, required: true, description: "What is decided." }),
    lines: t.intList({ description: "The lines of the rows in the file, at most 1,000." }),
    kind: t.field({ type: Kind, description: "All rows of this kind." }),
    warned: t.boolean({ description: "true: all rows with a warning." }),
    all: t.boolean({ description: "true: all rows. Rows that change an identifier are accepted by their lines only." }),
  }),
});
const ReadInput = builder.inputType("ReadRegistryImportInput", {
  description: "How the file of an import is read. What is left out is guessed.",
  fields: (t) => ({ uuid: t.string({ required: true, description: "Of the import." }), ...ChoiceFields(t) }),
});
const Discarded = builder.objectRef<{ uuid?: string; errors: InputError[] }>("DiscardRegistryImportPayload").implement({
  description: "The import that is gone.",
  fields: (t) => ({
    uuid: t.string({ nullable: true, description: "Of the import.", resolve: ({ uuid }) => uuid }),
    errors: t.field({
      type: [InputErrorType],
      description: "What was wrong with the input; empty when it was done.",
      resolve: ({ errors }) => errors,
    }),
  }),
});
const done = (context: Context, act: () => Promise<acts.Import>) =>
  withErrors(async () => {
    requireRight(context, "editRegistry");
    return { review: await act() };
  });
const args = builder.args((t) => ({ uuid: t.string({ required: true, description: "Of the import." }) }));

builder.mutationFields((t) => ({
  prepareRegistryImport: t.field({
    type: payload("PrepareRegistryImportPayload"),
    description: `Takes a list of facilities (CSV) for review; no facility is changed. ${needed}`,
    args: { file: t.arg({ type: "Upload", required: true, description: "The list." }) },
    resolve: (_, { file }, context) =>
      withErrors(async () => {
        acts.checkMayImport(context);
        const upload = await file.catch((error: Error) => {
          throw new Problem("MALFORMED", error.message);
        });
        return {
          review: await acts.prepareImport(context, {
            fileName: upload.filename ?? "",
            content: upload.createReadStream(),
          }),
        };
      }, ["MALFORMED", "TOO_LARGE"]),
  }),
  readRegistryImport: t.field({
    type: payload("ReadRegistryImportPayload"),
    description: `Reads the stored file of an import in another way; an earlier review is deleted. ${needed}`,
    args: { input: t.arg({ type: ReadInput, required: true, description: "How it is read." }) },
    resolve: (_, { input: { uuid, ...input } }, context) =>
      done(context, () => acts.readImportAgain(context, uuid, parse(listChoiceRules, choiceOf(input)))),
  }),
  reviewRegistryImport: t.field({
    type: payload("ReviewRegistryImportPayload"),
    description: `Reviews an import that was read; no facility is changed. ${needed}`,
    args,
    resolve: (_, { uuid }, context) => done(context, () => acts.reviewReadImport(context, uuid)),
  }),
  discardRegistryImport: t.field({
    type: Discarded,
    description: `Deletes an import that nothing was applied of, with its file. ${needed}`,
    args,
    resolve: (_, { uuid }, context) =>
      withErrors(async () => {
        requireRight(context, "editRegistry");
        await acts.discardImport(context, uuid);
        return { uuid };
      }),
  }),
  decideRegistryImport: t.field({
    type: payload("DecideRegistryImportPayload"),
    description: `Accepts or rejects rows of an import; what cannot be accepted stays out. ${needed}`,
    args: { input: t.arg({ type: DecideInput, required: true, description: "The decision." }) },
    resolve: (_, { input: { uuid, ...input } }, context) =>
      done(context, () => acts.decideRegistryImport(context, uuid, parse(importDecisionRules, input))),
  }),
  applyRegistryImport: t.field({
    type: payload("ApplyRegistryImportPayload"),
    description: `Applies the accepted rows of an import, in one transaction. ${needed}`,
    args,
    resolve: (_, { uuid }, context) => done(context, () => applyRegistryImport(context, uuid)),
  }),
  revertRegistryImport: t.field({
    type: payload("RevertRegistryImportPayload"),
    description: `Reverts an import as a whole, while nothing newer touched its rows. ${needed}`,
    args,
    resolve: (_, { uuid }, context) => done(context, () => revertRegistryImport(context, uuid)),
  }),
}));
