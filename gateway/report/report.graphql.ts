import { Kind, parse as parseQuery } from "graphql";

import { requireRight } from "../access/access.ts";
import { Facility } from "../facility/facility.graphql.ts";
import { loadFacility } from "../facility/facility.ts";
import { builder } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { integerId, loadNode } from "../graphql/node.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import { type Reads, weights } from "../reading/reads.rules.ts";
import { SituationLevel, SituationModes } from "../situation/situation.graphql.ts";
import { quartersShown } from "../situation/situation.rules.ts";
import * as acts from "./report.ts";
import {
  newReportRules,
  reportAskedRules,
  reportCommentRules,
  reportNumberRules,
  reportScopeRules,
} from "./report.rules.ts";
import { daysOfQuarter, mostReportQuestions } from "./reportQuarter.rules.ts";

/** Quarterly reports. Only the screens use them, so REST has none. */

const counts = {
  facilities: "Facilities that were open that day.",
  assessed: "Of these, those that somebody assessed by then.",
  functional: "Of the assessed, those where SmartCare works.",
  notRecordedFunctional: "Of the assessed, those whose latest visit does not record whether SmartCare works.",
  power: "Of the assessed, those where primary or backup power works.",
  notRecordedPower: "Of the assessed, those whose latest visit does not record whether power works.",
  expected: "Those that should send TDBs; 0 of a single facility, whose state of an earlier day is a closed fact.",
  silent: "Of these, those that were overdue or never sent.",
} satisfies Record<keyof acts.ReportCounts, string>;

type Quarter = acts.ReportFigures["quarters"][number];
const ReportQuarter = builder.objectRef<Quarter>("ReportQuarter").implement({
  description:
    "How the facilities of a report stood at the end of a fiscal quarter, by their latest visits up to then.",
  fields: (t) => ({
    periodStart: t.field({
      type: "Date",
      description: "The quarter's first day.",
      resolve: ({ periodStart }) => periodStart,
    }),
    ...Object.fromEntries(
      Object.entries(counts).map(([name, description]) => [
        name,
        t.int({ description, resolve: (row) => row[name as keyof acts.ReportCounts] }),
      ]),
    ),
  }),
});

const ReportUnit = builder.objectRef<acts.ReportUnit>("ReportUnit").implement({
  description: "A province, a district, or (in a district) a facility, whose counts are 0 or 1.",
  fields: (t) => ({
    hxId: t.exposeInt("hxId", { nullable: true, description: "Id of the province or district." }),
    facilityUuid: t.exposeString("facilityUuid", { nullable: true, description: "Where the unit is a facility." }),
    name: t.exposeString("name", { description: "Its name when it was counted." }),
    ...Object.fromEntries(
      Object.entries(counts).map(([name, description]) => [
        name,
        t.int({ description, resolve: (row) => row[name as keyof acts.ReportCounts] }),
      ]),
    ),
    modes: t.expose("modes", { type: SituationModes, description: "The facilities by the mode that they had." }),
  }),
});

const ReportFigures = builder.objectRef<acts.ReportFigures>("ReportFigures").implement({
  description:
    "A scope as it stood on the last day of a fiscal quarter, by the latest visit and TDB of each facility up to then; in the running quarter as it stands today.",
  fields: (t) => ({
    asAt: t.exposeString("asAt", { description: "When it was counted, in UTC." }),
    day: t.field({ type: "Date", description: "The day that the figures are of.", resolve: ({ day }) => day }),
    level: t.expose("level", { type: SituationLevel, description: "What its units are." }),
    target: t.exposeFloat("target", {
      nullable: true,
      description: "The share of assessed facilities that should work in the fiscal year, in percent.",
    }),
    quarters: t.expose("quarters", {
      type: [ReportQuarter],
      description: `${quartersShown} quarters; the last one is the report's.`,
    }),
    units: t.expose("units", { type: [ReportUnit], description: "The units one level below, by name." }),
  }),
});

const CorrectionEvent = builder.enumType("ReportCorrectionEvent", {
  description: "What became known after a report was signed.",
  values: {
    RECEIVED: { value: "received", description: "A visit or TDB was received." },
    CORRECTED: { value: "corrected", description: "A visit was corrected." },
    SET_ASIDE: { value: "setAside", description: "A visit or TDB was set aside." },
    RESTORED: { value: "restored", description: "A visit or TDB that was set aside was restored." },
    ACCEPTED: { value: "accepted", description: "A visit or TDB that was held was accepted." },
  } satisfies Record<string, { value: acts.Correction["event"]; description: string }>,
});
const CorrectionSource = builder.enumType("ReportCorrectionSource", {
  description: "What a correction is about.",
  values: {
    VISIT: { value: "visit", description: "A visit." },
    TDB: { value: "tdb", description: "A TDB." },
  } satisfies Record<string, { value: acts.Correction["source"]; description: string }>,
});
const ReportCorrection = builder.objectRef<acts.Correction>("ReportCorrection").implement({
  description:
    "What became known after a report was signed about the days that it counts. It does not change the report.",
  fields: (t) => ({
    event: t.expose("event", { type: CorrectionEvent, description: "What it was." }),
    source: t.expose("source", { type: CorrectionSource, description: "What it is about." }),
    facilityUuid: t.exposeString("facilityUuid", { description: "Where." }),
    facilityName: t.exposeString("facilityName", { description: "Where." }),
    district: t.exposeString("district", { description: "The facility's district." }),
    facility: t.field({
      type: Facility,
      description: "Where.",
      resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid),
    }),
    day: t.field({
      type: "Date",
      description: "The day of the visit, or on which the TDB was made.",
      resolve: ({ day }) => day,
    }),
    knownDay: t.field({
      type: "Date",
      description: "The day on which it became known.",
      resolve: ({ knownDay }) => knownDay,
    }),
  }),
});

const ReportQuestion = builder.objectRef<acts.ReportQuestion>("ReportQuestion").implement({
  description: "A saved question that stands in a report, as it was when it was added.",
  fields: (t) => ({
    uuid: t.exposeString("uuid", { description: "Of the saved question. It may have changed since, or be removed." }),
    name: t.exposeString("name", { description: "Its name." }),
    query: t.exposeString("query", { description: "The GraphQL query." }),
    answer: t.string({
      nullable: true,
      description: "The data of its answer as JSON text, as it was when the report was signed; null of a draft.",
      resolve: ({ answer }) => (answer === null ? null : JSON.stringify(answer)),
    }),
  }),
});

const builderLists = new Set(["facilityGroups", "assessmentGroups", "tdbGroups"]);
/** Answers questions of the builder, which ask for one list of groups: nothing in them is about the caller. */
const ask: acts.Ask = async (context, query) => {
  const isOfBuilder = parseQuery(query).definitions.every(
    (one) =>
      one.kind === Kind.OPERATION_DEFINITION &&
      one.selectionSet.selections.every((field) => field.kind === Kind.FIELD && builderLists.has(field.name.value)),
  );
  if (!isOfBuilder) return { errors: [{ message: "it was not made with the question builder" }] };
  // By the database of the caller's transaction.
  return context.ask!({ ...context, replica: undefined }, query);
};

/** Sums of each unit and quarter, and the facilities, which are counted at the end of each. */
const reads: Reads = (_, { provinces, facilities }) => ({
  rows: weights.rollup * provinces * 2 * quartersShown + weights.counted * facilities * quartersShown,
});

const ReportState = builder.enumType("ReportState", {
  description: "Whether a report can still change.",
  values: {
    DRAFT: { value: "draft", description: "It is counted each time it is read; it can be changed and discarded." },
    SIGNED: { value: "signed", description: "It does not change any more." },
  },
});
const Report = builder.objectRef<acts.Report>("Report");
builder.node(Report, {
  description: "A quarterly report of the country, a place or a partner. Everybody who is signed in reads it.",
  id: { resolve: ({ number }) => number },
  loadOne: loadNode((id, context) => acts.readReport(context, integerId(id))),
  fields: (t) => ({
    number: t.exposeInt("number", { description: "Its running number, by which it is opened." }),
    provinceId: t.exposeInt("provinceId", { nullable: true, description: "Where it is of a province." }),
    districtId: t.exposeInt("districtId", { nullable: true, description: "Where it is of a district." }),
    implementingPartnerId: t.exposeInt("implementingPartnerId", {
      nullable: true,
      description: "Where it is of a partner's facilities.",
    }),
    place: t.exposeString("place", {
      description: "The name of its place, or National: as it was when the report was signed, or the draft saved.",
    }),
    partner: t.exposeString("partner", { nullable: true, description: "The name of its partner, of the same time." }),
    year: t.exposeInt("year", { description: "Fiscal year." }),
    quarter: t.exposeInt("quarter", { description: "Fiscal quarter, 1 (October to December) to 4." }),
    lastDay: t.field({
      type: "Date",
      description: "The quarter's last day. It can be signed afterwards.",
      resolve: (report) => daysOfQuarter(report).end,
    }),
    comment: t.exposeString("comment", { description: "At most two sentences of its author; may be empty." }),
    state: t.field({
      type: ReportState,
      description: "Whether it can still change.",
      resolve: ({ signedAt }) => (signedAt === null ? "draft" : "signed"),
    }),
    questions: t.expose("questions", {
      type: [ReportQuestion],
      description: `The questions that stand in it, at most ${mostReportQuestions}.`,
    }),
    savedBy: t.exposeString("savedBy", { description: "The user name of who saved it." }),
    savedAt: t.exposeString("savedAt", { description: "When it was saved, in UTC." }),
    signedBy: t.exposeString("signedName", {
      nullable: true,
      description: "The name and partner of who signed it, as they were then; null of a draft.",
    }),
    signedAt: t.exposeString("signedAt", {
      nullable: true,
      description: "When it was signed, in UTC: it counts what had been received by then.",
    }),
    signedDate: t.field({
      type: "Date",
      nullable: true,
      description: "The day on which it was signed.",
      resolve: ({ signedDate }) => signedDate,
    }),
    mayWrite: t.boolean({
      description: "Whether the viewer may sign, change and discard it, as long as it is a draft.",
      resolve: (report, _, context) => acts.mayWrite(context, report),
    }),
    figures: t.field({
      type: ReportFigures,
      nullable: true,
      extensions: { reads },
      description: "As signed; of a draft as counted now, or null if its place or partner is no longer there.",
      resolve: (report, _, context) => acts.readFiguresOf(context, report),
    }),
    sinceThen: t.connection({
      type: ReportCorrection,
      description:
        "What became known after it was signed, the newest first; nothing of a draft. Corrections, and what was set aside, need viewAssessments or editAssessments; TDBs need uploadTdbs.",
      args: { offset: t.arg.int() },
      resolve: (report, page, context, info) =>
        readConnection(acts.listSinceThen, context, { report, page: parse(connectionRules, page) }, info),
    }),
  }),
});

const scopeTexts = {
  provinceId: "Of this province.",
  districtId: "Of this district.",
  implementingPartnerId: "Of this partner's facilities.",
};

builder.queryFields((t) => ({
  reports: t.connection({
    type: Report,
    nullable: true,
    description: "Saved reports, the newest first. Those of a province include those of its districts.",
    args: {
      provinceId: t.arg.int({ description: scopeTexts.provinceId }),
      districtId: t.arg.int({ description: scopeTexts.districtId }),
      implementingPartnerId: t.arg.int({ description: scopeTexts.implementingPartnerId }),
      offset: t.arg.int(),
    },
    resolve: (_, { provinceId, districtId, implementingPartnerId, ...page }, context, info) =>
      readConnection(
        acts.listReports,
        context,
        {
          ...parse(reportScopeRules, { provinceId, districtId, implementingPartnerId }),
          page: parse(connectionRules, page),
        },
        info,
      ),
  }),
  report: t.field({
    type: Report,
    nullable: true,
    description: "The report with this number.",
    args: { number: t.arg.int({ required: true, description: "Its running number." }) },
    resolve: (_, { number }, context) => acts.readReport(context, parse(reportNumberRules, { number }).number),
  }),
  reportFigures: t.field({
    type: ReportFigures,
    nullable: true,
    extensions: { reads },
    description: "What a report would say that is not saved yet.",
    args: {
      year: t.arg.int({ required: true, description: "Fiscal year." }),
      quarter: t.arg.int({ required: true, description: "Fiscal quarter, 1 to 4." }),
      provinceId: t.arg.int({ description: scopeTexts.provinceId }),
      districtId: t.arg.int({ description: scopeTexts.districtId }),
      implementingPartnerId: t.arg.int({ description: scopeTexts.implementingPartnerId }),
    },
    resolve: (_, asked, context) => acts.readFigures(context, parse(reportAskedRules, asked)),
  }),
}));

const SaveReportInput = builder.inputType("SaveReportInput", {
  description: "A report to save as a draft: of the country, a place, a partner's facilities, or those in a place.",
  fields: (t) => ({
    year: t.int({ required: true, description: "Fiscal year." }),
    quarter: t.int({ required: true, description: "Fiscal quarter, 1 to 4, that has begun." }),
    provinceId: t.int({ description: scopeTexts.provinceId }),
    districtId: t.int({ description: scopeTexts.districtId }),
    implementingPartnerId: t.int({ description: scopeTexts.implementingPartnerId }),
    comment: t.string({ required: true, description: "At most two sentences and 500 characters; may be empty." }),
  }),
});
const ReportCommentInput = builder.inputType("ReportCommentInput", {
  description: "A draft, its comment and its questions.",
  fields: (t) => ({
    number: t.int({ required: true, description: "The report's number." }),
    comment: t.string({ required: true, description: "At most two sentences and 500 characters; may be empty." }),
    questions: t.stringList({
      description: `The uuids of the saved questions that stand in it, at most ${mostReportQuestions}: those of the builder that everybody may ask. Without it they stay.`,
    }),
  }),
});

const ReportPayload = builder.objectRef<{ report?: acts.Report; errors: InputError[] }>("ReportPayload").implement({
  description: "The result of saving, changing, signing or discarding a report.",
  fields: (t) => ({
    report: t.field({
      type: Report,
      nullable: true,
      description: "The report as it is now; as it was, if it was discarded.",
      resolve: ({ report }) => report,
    }),
    errors: t.field({
      type: [InputErrorType],
      description: "What was wrong; empty when it was done.",
      resolve: ({ errors }) => errors,
    }),
  }),
});

const right = "Needs administrator, or manageUsers for a report of the own partner.";
builder.mutationFields((t) => ({
  saveReport: t.field({
    type: ReportPayload,
    description: `Saves a report as a draft. ${right}`,
    args: { input: t.arg({ type: SaveReportInput, required: true, description: "The report." }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => {
        requireRight(context, "signReports");
        return { report: await acts.saveReport(context, parse(newReportRules, input)) };
      }),
  }),
  editReport: t.field({
    type: ReportPayload,
    description: `Changes the comment of a draft, and its questions. ${right}`,
    args: {
      input: t.arg({ type: ReportCommentInput, required: true, description: "The comment, and the questions." }),
    },
    resolve: (_, { input }, context) =>
      withErrors(async () => {
        requireRight(context, "signReports");
        return { report: await acts.editReport(context, parse(reportCommentRules, input), ask) };
      }),
  }),
  signReport: t.field({
    type: ReportPayload,
    description: `Signs a draft of a quarter that is over, with this comment: stores its figures, and the answers of its questions, for good. By a session, not by a token. ${right}`,
    args: { input: t.arg({ type: ReportCommentInput, required: true, description: "The comment to sign." }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => {
        requireRight(context, "signReports");
        return { report: await acts.signReport(context, parse(reportCommentRules, input), ask) };
      }),
  }),
  discardReport: t.field({
    type: ReportPayload,
    description: `Removes a draft. ${right}`,
    args: { number: t.arg.int({ required: true, description: "The report's number." }) },
    resolve: (_, { number }, context) =>
      withErrors(async () => {
        requireRight(context, "signReports");
        return { report: await acts.discardReport(context, parse(reportNumberRules, { number }).number) };
      }),
  }),
}));
