import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { FunctionalityStatusMode } from "../facility/facility.graphql.ts";
import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { parse } from "../parse.ts";
import { Problem } from "../problem.ts";
import { Assessment } from "./assessment.graphql.ts";
import { type AssessmentRow, type AssessmentState, readAssessment } from "./assessment.ts";
import {
  answerNames,
  areaTextLimits,
  assessmentChangeRules,
  newAssessmentRules,
  type TextName,
  textLimits,
} from "./assessment.rules.ts";
import { createAssessment, updateAssessment } from "./saveAssessment.ts";

/** Saves of assessments as mutations. */

type Payload = { assessment?: AssessmentRow; errors: { path: string; message: string }[] };
const payload = (name: string, description: string) =>
  builder.objectRef<Payload>(name).implement({
    fields: (t) => ({
      assessment: t.field({ type: Assessment, nullable: true, description, resolve: ({ assessment }) => assessment }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const present = "As it is stored now; with a conflict (an error at `version` or `assessmentUuid`) the state that is in the way.";
const CreatePayload = payload("CreateAssessmentPayload", present);
const UpdatePayload = payload("UpdateAssessmentPayload", present);

const AreaInput = builder.inputType("ServiceAreaAssessmentInput", {
  fields: (t) => ({
    serviceAreaId: t.int({ required: true }),
    smartCareFunctional: t.boolean(),
    libraryVersion: t.string({ description: `At most ${areaTextLimits.libraryVersion} characters.` }),
    databaseVersion: t.string({ description: `At most ${areaTextLimits.databaseVersion} characters.` }),
    additionalNotes: t.string({ description: `At most ${areaTextLimits.additionalNotes} characters.` }),
  }),
});

type Fields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]["fields"]>>[0];
const contentFields = (t: Fields) => ({
  ...Object.fromEntries(answerNames.map((name) => [name, t.boolean()])),
  ...Object.fromEntries(
    (Object.keys(textLimits) as TextName[]).map((name) => [name, t.string({ description: `At most ${textLimits[name]} characters.` })]),
  ),
  latitude: t.float(),
  longitude: t.float(),
  serviceAreaAssessments: t.field({ type: [AreaInput] }),
});

const CreateInput = builder.inputType("CreateAssessmentInput", {
  fields: (t) => ({
    assessmentUuid: t.string({ description: "Made by the client, so that a repeated call stores once; else the server makes one." }),
    facilityUuid: t.string({ required: true }),
    functionalityStatusMode: t.field({ type: FunctionalityStatusMode }),
    dateOfLastUpgrade: t.field({ type: "Date" }),
    numberOfStaffTrainedInSmartCare: t.int(),
    ...contentFields(t),
  }),
});
const UpdateInput = builder.inputType("UpdateAssessmentInput", {
  description: "What is not given stays.",
  fields: (t) => ({
    assessmentUuid: t.string({ required: true }),
    version: t.int({ required: true, description: "The version that was changed: an old one is refused." }),
    functionalityStatusMode: t.field({ type: FunctionalityStatusMode }),
    dateOfLastUpgrade: t.field({ type: "Date" }),
    numberOfStaffTrainedInSmartCare: t.int(),
    ...contentFields(t),
  }),
});

/** Saves and answers the assessment; with a conflict the one that is in the way. */
async function saved(context: Context, conflictPath: string, save: () => Promise<AssessmentState>) {
  let inTheWay: AssessmentState | undefined;
  const result = await withErrors(async () => {
    requireRight(context, "editAssessments");
    const { assessmentUuid } = await save().catch((error: unknown) => {
      if (error instanceof Problem && error.code === "CONFLICT") inTheWay = error.extra.present as AssessmentState;
      throw error;
    });
    return { assessment: await readAssessment(context, assessmentUuid) };
  });
  if (!inTheWay) return result;
  const errors = result.errors.map(({ message }) => ({ path: conflictPath, message }));
  return { assessment: await readAssessment(context, inTheWay.assessmentUuid), errors };
}

builder.mutationFields((t) => ({
  createAssessment: t.field({
    type: CreatePayload,
    description: "Stores a visit: its author is the caller, its date and time are now. Needs editAssessments or administrator.",
    args: { input: t.arg({ type: CreateInput, required: true }) },
    resolve: (_, { input }, context) =>
      saved(context, "assessmentUuid", () => createAssessment(context, parse(newAssessmentRules, input))),
  }),
  updateAssessment: t.field({
    type: UpdatePayload,
    description: "Needs editAssessments or administrator.",
    args: { input: t.arg({ type: UpdateInput, required: true }) },
    resolve: (_, { input }, context) => saved(context, "version", () => updateAssessment(context, parse(assessmentChangeRules, input))),
  }),
}));
