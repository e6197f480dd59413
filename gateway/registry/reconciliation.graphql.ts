import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { builder } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { type InputError, Problem } from "../problem.ts";
import * as acts from "./reconciliation.ts";
import {
  findingChoiceRules,
  findingDecisionRules,
  type FindingKind,
  type FindingState,
  type FindingTrend,
  type ListForm,
  sourceRules,
} from "./reconciliation.rules.ts";
import { ReviewedImport } from "./registryImport.graphql.ts";

/** GraphQL types, fields and mutations of comparisons of the registry with other lists. */

const needed = "Needs editRegistry or administrator.";

const Form = builder.enumType("ReconciliationForm", {
  description: "What a registry was compared with.",
  values: {
    LIST: { value: "list", description: "A list of facilities." },
    ORGANISATION_UNITS: { value: "organisationUnits", description: "DHIS2's organisation units." },
  } satisfies Record<string, { value: ListForm; description: string }>,
});
const Kind = builder.enumType("ReconciliationFindingKind", {
  description: "What was found.",
  values: {
    ONLY_HERE: { value: "onlyHere", description: "An open facility that their list does not have." },
    ONLY_THERE: { value: "onlyThere", description: "A facility of theirs that the registry does not have." },
    DIFFERS: { value: "differs", description: "A facility that both have, with other values." },
    UNCLEAR: {
      value: "unclear",
      description: "A row of theirs that repeats another one, or could be several facilities.",
    },
  } satisfies Record<string, { value: FindingKind; description: string }>,
});
const Trend = builder.enumType("ReconciliationTrend", {
  description: "How a finding is beside the previous comparison with the same source.",
  values: {
    NEW: { value: "new", description: "It was not found then." },
    CHANGED: { value: "changed", description: "It was found with other values." },
    STILL: { value: "still", description: "It was found the same." },
    GONE: { value: "gone", description: "It was found then, and is no longer." },
  } satisfies Record<string, { value: FindingTrend; description: string }>,
});
const State = builder.enumType("ReconciliationState", {
  description: "What was decided about a finding.",
  values: {
    OPEN: { value: "open", description: "Nothing yet." },
    DONE: { value: "done", description: "It was settled in one of the lists: found again, it is open again." },
    IGNORED: { value: "ignored", description: "It may stay, as long as it is the same." },
  } satisfies Record<string, { value: FindingState; description: string }>,
});

const Reconciliation = builder.objectRef<acts.ReconciliationRow>("RegistryReconciliation").implement({
  description: "A comparison of the registry with another list of facilities.",
  fields: (t) => ({
    uuid: t.exposeString("uuid", { description: "Names the comparison." }),
    source: t.exposeString("source", { description: "Whose list it is." }),
    fileName: t.exposeString("fileName", { description: "The name of the file." }),
    form: t.expose("form", { type: Form, description: "What it was compared with." }),
    rows: t.exposeInt("rows", { description: "Facilities of their list." }),
    here: t.exposeInt("here", { description: "Open facilities of the registry." }),
    equal: t.exposeInt("equal", { description: "Facilities that are the same in both." }),
    found: t.exposeInt("found", { description: "Findings, without those that are gone." }),
    open: t.exposeInt("open", { description: "Findings that are open." }),
    compared: t.exposeStringList("compared", {
      description: "The fields that were compared: those that their list has.",
    }),
    notes: t.exposeStringList("notes", { description: "What was left out of their list." }),
    previousUuid: t.exposeString("previousUuid", {
      nullable: true,
      description: "The comparison with the same source before it.",
    }),
    isNewest: t.exposeBoolean("isNewest", {
      description: "Whether it is the newest one with its source: decisions are taken there.",
    }),
    createdDate: t.exposeString("createdDate", { description: "The day on which it was made." }),
    createdTime: t.exposeString("createdTime", { description: "The time at which it was made." }),
    userName: t.exposeString("userName", { nullable: true, description: "Who sent the list, or ran the command." }),
  }),
});
const KindCount = builder.objectRef<acts.FindingCount>("ReconciliationKindCount").implement({
  description: "How many findings of a kind there are.",
  fields: (t) => ({
    kind: t.expose("kind", { type: Kind, description: "The kind." }),
    found: t.exposeInt("found", { description: "All of them, without those that are gone." }),
    open: t.exposeInt("open", { description: "Those that are open." }),
    done: t.exposeInt("done", { description: "Those that are done." }),
    ignored: t.exposeInt("ignored", { description: "Those that are ignored." }),
    new: t.exposeInt("new", { description: "Those that were not found the previous time." }),
    changed: t.exposeInt("changed", { description: "Those that were found with other values." }),
    still: t.exposeInt("still", { description: "Those that were found the same." }),
    gone: t.exposeInt("gone", { description: "Those of the previous time that are no longer found." }),
  }),
});
const FieldCount = builder.objectRef<acts.Reconciliation["fields"][number]>("ReconciliationFieldCount").implement({
  description: "In how many facilities a field differs.",
  fields: (t) => ({
    field: t.exposeString("field", { description: "The field, or the system of an identifier." }),
    found: t.exposeInt("found", { description: "Facilities." }),
  }),
});
const Counted = builder.objectRef<acts.Reconciliation>("CountedRegistryReconciliation").implement({
  description: "A comparison with the counts of its findings.",
  fields: (t) => ({
    reconciliation: t.field({ type: Reconciliation, description: "The comparison.", resolve: (found) => found }),
    kinds: t.field({ type: [KindCount], description: "Its findings by kind.", resolve: ({ kinds }) => kinds }),
    fields: t.field({
      type: [FieldCount],
      description: "What differs, the most first.",
      resolve: ({ fields }) => fields,
    }),
  }),
});

const Difference = builder.objectRef<acts.FindingRow["differences"][number]>("ReconciliationDifference").implement({
  description: "A value that differs.",
  fields: (t) => ({
    field: t.exposeString("field", { description: "Which value, or the system of an identifier." }),
    ours: t.exposeString("ours", { nullable: true, description: "What the registry has." }),
    theirs: t.exposeString("theirs", { nullable: true, description: "What the other list has." }),
  }),
});
const Warning = builder.objectRef<acts.FindingRow["warnings"][number]>("ReconciliationWarning").implement({
  description: "What is odd about a row of theirs.",
  fields: (t) => ({
    column: t.exposeString("column", { description: "The column or key." }),
    message: t.exposeString("message", { description: "What is odd." }),
  }),
});
const Finding = builder.objectRef<acts.FindingRow>("ReconciliationFinding").implement({
  description: "What a comparison found of one facility.",
  fields: (t) => ({
    number: t.exposeInt("number", { description: "Names the finding within the comparison." }),
    kind: t.expose("kind", { type: Kind, description: "What was found." }),
    trend: t.expose("trend", { type: Trend, description: "How that is beside the previous comparison." }),
    state: t.expose("state", { type: State, description: "What was decided about it." }),
    note: t.exposeString("note", { nullable: true, description: "Why." }),
    facilityUuid: t.exposeString("facilityUuid", { nullable: true, description: "The facility of the registry." }),
    theirId: t.exposeString("theirId", { nullable: true, description: "Their DHIS2 UID or code." }),
    facilityName: t.exposeString("facilityName"),
    place: t.exposeString("place", { description: "District and province." }),
    score: t.exposeFloat("score", { nullable: true, description: "How sure the match is, 0 to 1." }),
    reason: t.exposeString("reason", { description: "Why it was matched, or what is doubtful." }),
    warnings: t.field({
      type: [Warning],
      description: "What is odd about their row.",
      resolve: ({ warnings }) => warnings,
    }),
    differences: t.field({
      type: [Difference],
      description: "What differs.",
      resolve: ({ differences }) => differences,
    }),
    decidedDate: t.exposeString("decidedDate", { nullable: true, description: "The day of the last decision." }),
    decidedBy: t.exposeString("decidedBy", { nullable: true, description: "Who took it." }),
  }),
});

builder.queryFields((t) => ({
  registryReconciliations: t.connection({
    type: Reconciliation,
    nullable: true,
    description: `Comparisons with other lists, the newest first. ${needed}`,
    args: { offset: t.arg.int({ description: "Rows to skip, for numbered pages." }) },
    resolve: (_, page, context, info) =>
      readConnection(acts.listReconciliations, context, { page: parse(connectionRules, page) }, info),
  }),
  registryReconciliation: t.field({
    type: Counted,
    nullable: true,
    description: `A comparison with its counts. ${needed}`,
    args: { uuid: t.arg.string({ required: true, description: "Of the comparison." }) },
    resolve: (_, { uuid }, context) => acts.readReconciliation(context, uuid),
  }),
  registryReconciliationFindings: t.connection({
    type: Finding,
    nullable: true,
    description: `What a comparison found. ${needed}`,
    args: {
      uuid: t.arg.string({ required: true, description: "Of the comparison." }),
      kind: t.arg({ type: Kind, description: "Only findings of this kind." }),
      trend: t.arg({
        type: Trend,
        description: "Only those that are so beside the previous comparison; without it all but those that are gone.",
      }),
      state: t.arg({ type: State, description: "Only findings in this state." }),
      field: t.arg.string({ description: "Only findings that differ in this field." }),
      offset: t.arg.int({ description: "Rows to skip, for numbered pages." }),
    },
    resolve: (_, { uuid, kind, trend, state, field, ...page }, context, info) =>
      readConnection(
        (each: Context, input: Parameters<typeof acts.listFindings>[2]) => acts.listFindings(each, uuid, input),
        context,
        { kind, trend, state, field, page: parse(connectionRules, page) },
        info,
      ),
  }),
}));

const payload = (name: string) =>
  builder.objectRef<{ result?: acts.Reconciliation; errors: InputError[] }>(name).implement({
    description: "The comparison afterwards.",
    fields: (t) => ({
      result: t.field({
        type: Counted,
        nullable: true,
        description: "The comparison afterwards.",
        resolve: ({ result }) => result,
      }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong with the input; empty when it was done.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });
const ImportPayload = builder
  .objectRef<{ review?: Awaited<ReturnType<typeof acts.importFindings>>; errors: InputError[] }>(
    "ImportReconciliationFindingsPayload",
  )
  .implement({
    description: "The import that was made, to be reviewed.",
    fields: (t) => ({
      review: t.field({
        type: ReviewedImport,
        nullable: true,
        description: "The import.",
        resolve: ({ review }) => review,
      }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong with the input; empty when it was done.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });
const choice = (t: Parameters<Parameters<typeof builder.inputType>[1]["fields"]>[0]) => ({
  uuid: t.string({ required: true, description: "Of the comparison." }),
  numbers: t.intList({ description: "The numbers of the findings, at most 1,000." }),
  kind: t.field({ type: Kind, description: "All findings of this kind." }),
  all: t.boolean({ description: "true: all findings." }),
});
const DecideInput = builder.inputType("DecideReconciliationFindingsInput", {
  description: "A decision on some findings, on all of a kind, or on all: one of numbers, kind and all.",
  fields: (t) => ({
    ...choice(t),
    state: t.field({ type: State, required: true, description: "What is decided." }),
    note: t.string({ description: "Why; null erases it, without it the note stays." }),
  }),
});
const ImportInput = builder.inputType("ImportReconciliationFindingsInput", {
  description: "Which open findings: one of numbers, kind and all.",
  fields: (t) => choice(t),
});

builder.mutationFields((t) => ({
  reconcileRegistry: t.field({
    type: payload("ReconcileRegistryPayload"),
    description: `Compares the registry with a list: CSV as of an import, or DHIS2's organisation units as CSV or JSON. No facility is changed. ${needed}`,
    args: {
      file: t.arg({ type: "Upload", required: true, description: "The list." }),
      source: t.arg.string({
        required: true,
        description: "Whose list it is, for example DHIS2: it is compared with the previous one of the same source.",
      }),
      level: t.arg.int({
        description: "The level of the organisation units that are facilities; without it the deepest.",
      }),
    },
    resolve: (_, { file, ...source }, context) =>
      withErrors(async () => {
        acts.checkMayReconcile(context);
        const asked = parse(sourceRules, source);
        const upload = await file.catch((error: Error) => {
          throw new Problem("MALFORMED", error.message);
        });
        return {
          result: await acts.reconcile(context, {
            ...asked,
            fileName: upload.filename ?? "",
            content: upload.createReadStream(),
          }),
        };
      }, ["MALFORMED", "TOO_LARGE"]),
  }),
  decideReconciliationFindings: t.field({
    type: payload("DecideReconciliationFindingsPayload"),
    description: `Notes that findings are done, ignored or open. ${needed}`,
    args: { input: t.arg({ type: DecideInput, required: true, description: "The decision." }) },
    resolve: (_, { input: { uuid, ...input } }, context) =>
      withErrors(async () => {
        requireRight(context, "editRegistry");
        return { result: await acts.decideFindings(context, uuid, parse(findingDecisionRules, input)) };
      }),
  }),
  importReconciliationFindings: t.field({
    type: ImportPayload,
    description: `Makes an import of what their list says of open findings, to be reviewed there. ${needed}`,
    args: { input: t.arg({ type: ImportInput, required: true, description: "Which findings." }) },
    resolve: (_, { input: { uuid, ...input } }, context) =>
      withErrors(async () => {
        requireRight(context, "editRegistry");
        return { review: await acts.importFindings(context, uuid, parse(findingChoiceRules, input)) };
      }),
  }),
}));
