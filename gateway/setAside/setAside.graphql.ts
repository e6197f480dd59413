import type { ObjectRef } from "@pothos/core";

import { requireRight } from "../access/access.ts";
import { Assessment } from "../assessment/assessment.graphql.ts";
import type { AssessmentRow } from "../assessment/assessment.ts";
import type { Context } from "../context.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { uuidTextRule } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { heldAbout } from "../input/setAside.rules.ts";
import type { InputError } from "../problem.ts";
import { Situation } from "../situation/situation.graphql.ts";
import { Tdb } from "../tdb/tdb.graphql.ts";
import type { TdbRow } from "../tdb/tdb.ts";
import * as act from "./setAside.ts";
import { setAsideRules } from "./setAside.rules.ts";

/** Fields and mutations of what was set aside, or is held. */

const SetAside = builder.objectRef<act.SetAside>("SetAside").implement({
  description: "When, why and by whom a record was set aside: it stays, and no figure counts it.",
  fields: (t) => ({
    at: t.exposeString("at", { description: "ISO 8601 in UTC." }),
    reason: t.exposeString("reason", { description: "Why." }),
    userName: t.exposeString("userName", { description: "The user name of who set it aside." }),
  }),
});
const about = "Set aside by an administrator; null if it is counted.";
const standing = <Row extends { setAside: act.SetAside | null; held: string | null }>(
  of: ObjectRef<SchemaTypes, Row>,
) =>
  builder.objectFields(of, (t) => ({
    setAside: t.field({ type: SetAside, nullable: true, description: about, resolve: ({ setAside }) => setAside }),
    held: t.string({ nullable: true, description: `${heldAbout}.`, resolve: ({ held }) => held }),
  }));
standing(Assessment);
standing(Tdb);

const NotCounted = builder.objectRef<{ held: number; setAside: number }>("NotCounted").implement({
  description: "How many records of a scope no figure counts.",
  fields: (t) => ({
    held: t.exposeInt("held", { description: "Those that are held." }),
    setAside: t.exposeInt("setAside", { description: "Those that were set aside." }),
  }),
});
builder.objectFields(Situation, (t) => ({
  assessmentsNotCounted: t.field({
    type: NotCounted,
    nullable: true,
    description: "Assessments that these figures leave out. Needs viewAssessments, editAssessments or administrator.",
    resolve: ({ scope }, _, context) => act.countAssessmentsNotCounted(context, scope),
  }),
  tdbsNotCounted: t.field({
    type: NotCounted,
    nullable: true,
    description: "TDBs that these figures leave out. Needs uploadTdbs or administrator.",
    resolve: ({ scope }, _, context) => act.countTdbsNotCounted(context, scope),
  }),
}));

const now = "As it is stored now.";
const errors = "What was wrong; empty when it was done.";
const assessmentPayload = (name: string) =>
  builder.objectRef<{ assessment?: AssessmentRow; errors: InputError[] }>(name).implement({
    fields: (t) => ({
      assessment: t.field({
        type: Assessment,
        nullable: true,
        description: now,
        resolve: ({ assessment }) => assessment,
      }),
      errors: t.field({ type: [InputErrorType], description: errors, resolve: (payload) => payload.errors }),
    }),
  });
const tdbPayload = (name: string) =>
  builder.objectRef<{ tdb?: TdbRow; errors: InputError[] }>(name).implement({
    fields: (t) => ({
      tdb: t.field({ type: Tdb, nullable: true, description: now, resolve: ({ tdb }) => tdb }),
      errors: t.field({ type: [InputErrorType], description: errors, resolve: (payload) => payload.errors }),
    }),
  });

const reason = { required: true, description: "Why: 1 to 512 characters." } as const;
const OfAssessment = builder.inputType("SetAssessmentAsideInput", {
  description: "Which visit, and why.",
  fields: (t) => ({
    assessmentUuid: t.string({ required: true, description: "The visit." }),
    reason: t.string(reason),
  }),
});
const OfTdb = builder.inputType("SetTdbAsideInput", {
  description: "Which TDB, and why.",
  fields: (t) => ({ uuid: t.string({ required: true }), reason: t.string(reason) }),
});

type Given<Key extends string> = Record<Key | "reason", string>;
/** Checks the right first, then the input. */
const changed = <Key extends "assessmentUuid" | "uuid", Result extends object>(
  context: Context,
  key: Key,
  { [key]: uuid, ...rest }: Given<Key>,
  change: (asked: Given<Key>) => Promise<Result>,
) =>
  withErrors(async () => {
    requireRight(context, "setAside");
    return change({ [key]: parse(uuidTextRule, uuid, key), ...parse(setAsideRules, rest) } as Given<Key>);
  });

const AcceptAssessmentInput = builder.inputType("AcceptAssessmentInput", {
  description: "Which visit.",
  fields: (t) => ({ assessmentUuid: t.string({ required: true, description: "The visit." }) }),
});
const AcceptTdbInput = builder.inputType("AcceptTdbInput", {
  description: "Which TDB.",
  fields: (t) => ({ uuid: t.string({ required: true }) }),
});
const accepted = <Result extends object>(
  context: Context,
  path: string,
  asked: string,
  accept: (uuid: string) => Promise<Result>,
) =>
  withErrors(async () => {
    requireRight(context, "setAside");
    return accept(parse(uuidTextRule, asked, path));
  });

const stays =
  "It stays in lists, exports and the feed, shown as set aside, and leaves every figure. Needs administrator.";
const counts = "Figures count it again. Needs administrator.";
builder.mutationFields((t) => ({
  setAssessmentAside: t.field({
    type: assessmentPayload("SetAssessmentAsidePayload"),
    description: `Sets an assessment aside. ${stays}`,
    args: { input: t.arg({ type: OfAssessment, required: true }) },
    resolve: (_, { input }, context) =>
      changed(context, "assessmentUuid", input, (asked) => act.setAssessmentAside(context, asked)),
  }),
  restoreAssessment: t.field({
    type: assessmentPayload("RestoreAssessmentPayload"),
    description: `Restores an assessment that was set aside. ${counts}`,
    args: { input: t.arg({ type: OfAssessment, required: true }) },
    resolve: (_, { input }, context) =>
      changed(context, "assessmentUuid", input, (asked) => act.restoreAssessment(context, asked)),
  }),
  acceptAssessment: t.field({
    type: assessmentPayload("AcceptAssessmentPayload"),
    description: "Accepts an assessment that is held. Figures count it. Needs administrator.",
    args: { input: t.arg({ type: AcceptAssessmentInput, required: true }) },
    resolve: (_, { input }, context) =>
      accepted(context, "assessmentUuid", input.assessmentUuid, (assessmentUuid) =>
        act.acceptAssessment(context, { assessmentUuid }),
      ),
  }),
  acceptTdb: t.field({
    type: tdbPayload("AcceptTdbPayload"),
    description: "Accepts a TDB that is held. Figures count it. Needs administrator.",
    args: { input: t.arg({ type: AcceptTdbInput, required: true }) },
    resolve: (_, { input }, context) =>
      accepted(context, "uuid", input.uuid, async (uuid) => ({ tdb: await act.acceptTdb(context, { uuid }) })),
  }),
  setTdbAside: t.field({
    type: tdbPayload("SetTdbAsidePayload"),
    description: `Sets a TDB aside; its file stays too. ${stays}`,
    args: { input: t.arg({ type: OfTdb, required: true }) },
    resolve: (_, { input }, context) =>
      changed(context, "uuid", input, async (asked) => ({ tdb: await act.setTdbAside(context, asked) })),
  }),
  restoreTdb: t.field({
    type: tdbPayload("RestoreTdbPayload"),
    description: `Restores a TDB that was set aside. ${counts}`,
    args: { input: t.arg({ type: OfTdb, required: true }) },
    resolve: (_, { input }, context) =>
      changed(context, "uuid", input, async (asked) => ({ tdb: await act.restoreTdb(context, asked) })),
  }),
}));
