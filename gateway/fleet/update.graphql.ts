import { builder } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { DownloadPartEnum } from "../download/download.graphql.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import { type UpdateOutcome, type UpdateReason, updateReportRules } from "./rollout.rules.ts";
import * as acts from "./update.ts";

/** GraphQL types and fields of the files that a facility should fetch and apply, and of its reports. */

const UpdateOutcomeEnum = builder.enumType("UpdateOutcome", {
  description: "What was reported of a file.",
  values: {
    APPLIED: { value: "applied", description: "It was applied." },
    FAILED: { value: "failed", description: "It failed." },
  } satisfies Record<string, { value: UpdateOutcome; description: string }>,
});
const UpdateReasonEnum = builder.enumType("UpdateReason", {
  description: "Why a facility has nothing to fetch.",
  values: {
    NO_ROLLOUT: { value: "noRollout", description: "No running rollout covers it." },
    PAUSED: { value: "paused", description: "Its rollout is paused." },
    REACHED: { value: "reached", description: "It runs the version, or a newer one." },
    REPORTED: {
      value: "reported",
      description: "It reported the last file as applied; a TDB or visit that shows the version is not there yet.",
    },
    NO_PATH: { value: "noPath", description: "No files lead from what it runs to the version." },
  } satisfies Record<string, { value: UpdateReason; description: string }>,
});

const UpdateReport = builder.objectRef<acts.Report>("UpdateReport").implement({
  description: "What a facility reported of a file.",
  fields: (t) => ({
    uuid: t.exposeString("uuid", { description: "Names the report." }),
    downloadUuid: t.exposeString("downloadUuid", { description: "The file's." }),
    name: t.exposeString("name", { description: "The file's." }),
    version: t.exposeString("version", { nullable: true, description: "The file's of today." }),
    outcome: t.field({
      type: UpdateOutcomeEnum,
      description: "Whether it was applied.",
      resolve: ({ outcome }) => outcome,
    }),
    why: t.exposeString("why", { nullable: true, description: "Why it failed." }),
    reportedDate: t.field({
      type: "Date",
      description: "The day of the report.",
      resolve: ({ reportedDate }) => reportedDate,
    }),
    reportedTime: t.exposeString("reportedTime", { description: "HH:MM." }),
  }),
});
const Update = builder.objectRef<acts.Update>("Update").implement({
  description: "A file to fetch and apply.",
  fields: (t) => ({
    uuid: t.string({ description: "The file's.", resolve: ({ file }) => file.uuid }),
    name: t.string({ description: "The file's.", resolve: ({ file }) => file.name }),
    fileName: t.string({ description: "Name under which it is saved.", resolve: ({ file }) => file.fileName }),
    version: t.string({ description: "The version that the site runs after it.", resolve: ({ file }) => file.version }),
    installs: t.field({
      type: [DownloadPartEnum],
      description: "What it installs.",
      resolve: ({ file }) => file.installs,
    }),
    size: t.float({ description: "Bytes.", resolve: ({ file }) => file.size }),
    sha256: t.string({ description: "SHA-256 of the file, in hexadecimal.", resolve: ({ file }) => file.sha256 }),
    digest: t.exposeString("digest", { description: "As in the header Repr-Digest of its GET." }),
    address: t.string({ description: "Where it is fetched.", resolve: ({ file }) => `/api/v1/download/${file.uuid}` }),
    report: t.field({
      type: UpdateReport,
      nullable: true,
      description: "What was last reported of it.",
      resolve: ({ report }) => report,
    }),
  }),
});
const Updates = builder.objectRef<acts.Updates>("Updates").implement({
  description: "What a facility is to fetch.",
  fields: (t) => ({
    facilityUuid: t.exposeString("facilityUuid", { description: "The facility's." }),
    presentVersion: t.exposeString("presentVersion", {
      nullable: true,
      description: "What runs there, by the latest TDB or visit that names a version.",
    }),
    presentDate: t.field({
      type: "Date",
      nullable: true,
      description: "Of that TDB or visit.",
      resolve: ({ presentDate }) => presentDate,
    }),
    target: t.exposeString("target", { nullable: true, description: "The version that it should get." }),
    rolloutUuid: t.exposeString("rolloutUuid", { nullable: true, description: "The rollout's." }),
    dueDate: t.field({
      type: "Date",
      nullable: true,
      description: "Since when the first file is due.",
      resolve: ({ dueDate }) => dueDate,
    }),
    reason: t.field({
      type: UpdateReasonEnum,
      nullable: true,
      description: "Why nothing is to be fetched.",
      resolve: ({ reason }) => reason,
    }),
    updates: t.field({
      type: [Update],
      description: "In the order in which they are applied.",
      resolve: ({ updates }) => updates,
    }),
  }),
});

const facilityUuid = "The facility's uuid.";
const needs = "Needs viewAssessments, editAssessments, uploadTdbs or administrator.";
builder.queryFields((t) => ({
  updates: t.field({
    type: Updates,
    nullable: true,
    description: `What a facility is to fetch and apply, in order. ${needs}`,
    args: { facilityUuid: t.arg.string({ required: true, description: facilityUuid }) },
    resolve: (_, asked, context) => acts.readUpdates(context, asked.facilityUuid),
  }),
  updateReports: t.connection({
    type: UpdateReport,
    nullable: true,
    description: `What was reported of the files that a facility applied, the newest first. ${needs}`,
    args: {
      facilityUuid: t.arg.string({ required: true, description: facilityUuid }),
      offset: t.arg.int({ description: "Rows to skip, for numbered pages." }),
    },
    resolve: (_, { facilityUuid: uuid, ...page }, context, info) =>
      readConnection(acts.listUpdateReports, context, { facilityUuid: uuid, page: parse(connectionRules, page) }, info),
  }),
}));

const ReportUpdateInput = builder.inputType("ReportUpdateInput", {
  description: "What happened to a file at a facility.",
  fields: (t) => ({
    facilityUuid: t.string({ required: true, description: facilityUuid }),
    downloadUuid: t.string({ required: true, description: "The file's uuid." }),
    outcome: t.field({ type: UpdateOutcomeEnum, required: true, description: "Whether it was applied." }),
    why: t.string({ description: "Why it failed; required for a failed outcome." }),
  }),
});
const ReportUpdatePayload = builder
  .objectRef<{ report?: acts.Report; errors: InputError[] }>("ReportUpdatePayload")
  .implement({
    description: "The stored report.",
    fields: (t) => ({
      report: t.field({
        type: UpdateReport,
        nullable: true,
        description: "The report.",
        resolve: ({ report }) => report,
      }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong with the input; empty when it was done.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });

builder.mutationField("reportUpdate", (t) =>
  t.field({
    type: ReportUpdatePayload,
    description:
      "Reports for a facility that a file was applied, or why it failed. Needs editAssessments or administrator.",
    args: { input: t.arg({ type: ReportUpdateInput, required: true, description: "The report." }) },
    resolve: (_, { input: { facilityUuid: uuid, downloadUuid, ...report } }, context) =>
      withErrors(async () => {
        acts.checkMayReport(context);
        return {
          report: await acts.reportUpdate(
            context,
            { facilityUuid: uuid, downloadUuid },
            parse(updateReportRules, report),
          ),
        };
      }),
  }),
);
