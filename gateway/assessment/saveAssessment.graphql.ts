import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { FunctionalityStatusMode } from "../facility/facility.graphql.ts";
import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { parse } from "../input/parse.ts";
import { type InputError, Problem } from "../problem.ts";
import { Assessment } from "./assessment.graphql.ts";
import { type AssessmentRow, type AssessmentState, readAssessment, type WholeAssessment } from "./assessment.ts";
import {
  answerNames,
  areaTextLimits,
  assessmentChangeRules,
  newAssessmentRules,
  type TextName,
  textLimits,
} from "./assessment.rules.ts";
import { answerDescriptions, areaDescriptions, textDescriptions } from "./descriptions.rules.ts";
import { createAssessment, updateAssessment } from "./saveAssessment.ts";

/** Mutations that save assessments. */

type Payload = { assessment?: AssessmentRow; warnings?: InputError[] | undefined; errors: InputError[] };
const payload = (name: string, description: string, isNew = false) =>
  builder.objectRef<Payload>(name).implement({
    description: "The result of a save.",
    fields: (t) => ({
      ...(isNew
        ? {
            warnings: t.field({
              type: [InputErrorType],
              description:
                "What is doubtful about what was saved: a visit after the day on which its facility was closed, or one that is held.",
              resolve: ({ warnings }) => warnings ?? [],
            }),
          }
        : {}),
      assessment: t.field({ type: Assessment, nullable: true, description, resolve: ({ assessment }) => assessment }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong; empty when it was saved.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });
const present =
  "As it is stored now; with a conflict (an error at `version` or `assessmentUuid`) the state that is in the way.";
const CreatePayload = payload("CreateAssessmentPayload", present, true);
const UpdatePayload = payload("UpdateAssessmentPayload", present);

const AreaInput = builder.inputType("ServiceAreaAssessmentInput", {
  description: "What is said about one service area of the facility.",
  fields: (t) => ({
    serviceAreaId: t.int({ required: true, description: "The service area; each at most once." }),
    smartCareFunctional: t.boolean({ description: areaDescriptions.smartCareFunctional }),
    ...Object.fromEntries(
      (Object.keys(areaTextLimits) as (keyof typeof areaTextLimits)[]).map((name) => [
        name,
        t.string({ description: `${areaDescriptions[name]} At most ${areaTextLimits[name]} characters.` }),
      ]),
    ),
  }),
});

type Fields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]["fields"]>>[0];
const contentFields = (t: Fields, areasAbout: string) => ({
  ...Object.fromEntries(answerNames.map((name) => [name, t.boolean({ description: answerDescriptions[name] })])),
  ...Object.fromEntries(
    (Object.keys(textLimits) as TextName[]).map((name) => [
      name,
      t.string({ description: `${textDescriptions[name]} At most ${textLimits[name]} characters.` }),
    ]),
  ),
  functionalityStatusMode: t.field({
    type: FunctionalityStatusMode,
    description: "The deployment mode that was found. A new assessment needs it.",
  }),
  dateOfLastUpgrade: t.field({ type: "Date", description: "Not after the visit. A new assessment needs it." }),
  numberOfStaffTrainedInSmartCare: t.int({ description: "0 to 10,000. A new assessment needs it." }),
  latitude: t.float({ description: "Degrees north, together with longitude." }),
  longitude: t.float({ description: "Degrees east, together with latitude." }),
  positionAccuracy: t.float({ description: "Radius in metres, 0 or more; only with latitude and longitude." }),
  positionAt: t.string({
    description: "When the device found the position, ISO 8601 with its zone; only with latitude and longitude.",
  }),
  serviceAreaAssessments: t.field({ type: [AreaInput], description: areasAbout }),
});

const VisitActionInput = builder.inputType("VisitActionInput", {
  description: "What was agreed at a visit.",
  fields: (t) => ({
    actionUuid: t.string({ required: true, description: "Made by the client, so that a repeated call stores once." }),
    text: t.string({ required: true, description: "What is to be done, at most 500 characters." }),
    responsible: t.string({
      description: "Who is to do it: a name of at most 128 characters. Needed unless a partner is named.",
    }),
    implementingPartnerId: t.int({ description: "The implementing partner that is to do it." }),
    dueDay: t.field({
      type: "Date",
      required: true,
      description: "Until when: from the day of the visit to two years after it.",
    }),
  }),
});
const CreateInput = builder.inputType("CreateAssessmentInput", {
  description: "A visit. A missing field means that there is no answer.",
  fields: (t) => ({
    assessmentUuid: t.string({
      description: "Made by the client, so that a repeated call stores once; else the server makes one.",
    }),
    facilityUuid: t.string({ required: true, description: "The facility that was visited." }),
    assessedAt: t.string({
      description:
        "Time of the visit, ISO 8601 with its zone: from 60 days back to 5 minutes ahead; now where it is left out.",
    }),
    ...contentFields(t, "Of the facility's active service areas, each at most once."),
    actions: t.field({ type: [VisitActionInput], description: "What was agreed at the visit, at most 20 actions." }),
  }),
});
const UpdateInput = builder.inputType("UpdateAssessmentInput", {
  description: "What is not given stays.",
  fields: (t) => ({
    assessmentUuid: t.string({ required: true, description: "The assessment to change." }),
    version: t.int({ required: true, description: "The version that was changed: an old one is refused." }),
    ...contentFields(t, "Changes of existing entries, found by serviceAreaId."),
  }),
});

/** Saves and returns the assessment. After a conflict it returns the stored one. */
async function saved(context: Context, conflictPath: string, save: () => Promise<WholeAssessment>) {
  let inTheWay: AssessmentState | undefined;
  const result = await withErrors(async () => {
    requireRight(context, "editAssessments", "somewhere");
    const { assessment, warnings } = await save().catch((error: unknown) => {
      if (error instanceof Problem && error.code === "CONFLICT") inTheWay = error.extra.present as AssessmentState;
      throw error;
    });
    return { assessment, warnings };
  });
  if (!inTheWay) return result;
  const errors = result.errors.map(({ message }) => ({ path: conflictPath, message }));
  return { assessment: await readAssessment(context, inTheWay.assessmentUuid), errors };
}

builder.mutationFields((t) => ({
  createAssessment: t.field({
    type: CreatePayload,
    description:
      "Stores a visit: its author is the caller, its time is `assessedAt`, or now. Needs editAssessments or administrator.",
    args: { input: t.arg({ type: CreateInput, required: true, description: "The visit." }) },
    resolve: (_, { input }, context) =>
      saved(context, "assessmentUuid", () => createAssessment(context, parse(newAssessmentRules, input))),
  }),
  updateAssessment: t.field({
    type: UpdatePayload,
    description: "Changes a visit's record. Needs editAssessments or administrator.",
    args: { input: t.arg({ type: UpdateInput, required: true, description: "The changes." }) },
    resolve: (_, { input }, context) =>
      saved(context, "version", () => updateAssessment(context, parse(assessmentChangeRules, input))),
  }),
}));
