import { z } from "zod";

import { facilityUuidRule, modeRule, modes } from "../facility/facility.rules.ts";
import { clientUuidRule, idRule, sentBackRule, uuidRule } from "../input/page.rules.ts";
import { dateRule, endRule, inOrder, startRule } from "../calendar/period.rules.ts";
import { phoneForm } from "../input/identity.rules.ts";
import { lineRule, textIn } from "../input/texts.rules.ts";
import {
  type AnswerName,
  answerNames,
  areaTextLimits,
  formOf,
  type positionNames,
  textLimits,
} from "./fields.rules.ts";
import type { Values } from "./content.rules.ts";
import { instantRule } from "./visitTime.rules.ts";

export {
  type AnswerName,
  answerNames,
  areaTextLimits,
  positionNames,
  type TextName,
  textLimits,
} from "./fields.rules.ts";
import { visitActionsRule } from "./visitActions.rules.ts";

/** The filter of a list of assessments by facility or scope. */
export const filterShape = {
  facilityUuid: facilityUuidRule.nullish(),
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
};
/** A part of a note. */
export const notesSearchRule = lineRule(128)
  .min(3, "must have at least 3 characters")
  .nullish()
  .describe(
    "Only those with this text in a note: on power, of a service area, other issues or closing comments; in any case",
  );
const answerNameRule = z.enum(answerNames, { error: `must be one of ${answerNames.join(", ")}` });
/** Filters of a list of assessments: facility or scope, author, findings, and first and last day of the visit. */
export const assessmentFilterRules = z
  .strictObject({
    ...filterShape,
    userUuid: uuidRule.nullish(),
    mode: modeRule.nullish(),
    modes: z.array(modeRule).min(1, "must name a mode").max(modes.length, "names a mode twice").nullish(),
    smartCareFunctional: z.boolean().nullish(),
    notRecorded: z
      .array(answerNameRule)
      .min(1, "must name an answer")
      .max(answerNames.length, "names an answer twice")
      .nullish(),
    search: notesSearchRule,
    setAside: z.boolean().nullish(),
    held: z.boolean().nullish(),
    start: startRule.nullish(),
    end: endRule.nullish(),
  })
  .refine(...inOrder);
export type AssessmentFilter = z.output<typeof assessmentFilterRules>;

const text = (name: string, most: number) =>
  textIn(formOf(name), most)
    .overwrite(name.endsWith("Phone") ? phoneForm : (value) => value)
    .nullable()
    .optional()
    .transform((value) => (value === "" ? null : value));
const texts = <Name extends string>(limits: Record<Name, number>) =>
  Object.fromEntries(Object.entries<number>(limits).map(([name, most]) => [name, text(name, most)])) as Record<
    Name,
    ReturnType<typeof text>
  >;
const answer = z.boolean("must be true, false or null").nullable().optional();
const answers = Object.fromEntries(answerNames.map((name) => [name, answer])) as Record<AnswerName, typeof answer>;
const degrees = (most: number) =>
  z
    .number("must be a number")
    .min(-most, `must be between -${most} and ${most}`)
    .max(most, `must be between -${most} and ${most}`);

const isRequired = "is required";
const orRequired = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null || issue.input === "" ? isRequired : message;
const required = {
  functionalityStatusMode: z.enum(modes, { error: orRequired(`must be one of ${modes.join(", ")}`) }),
  dateOfLastUpgrade: z.string(isRequired).min(1, isRequired).pipe(dateRule),
  numberOfStaffTrainedInSmartCare: z
    .number({ error: orRequired("must be a whole number") })
    .int("must be a whole number")
    .min(0, "must not be negative")
    .max(10_000, "must be at most 10,000"),
};
const optional = {
  ...answers,
  ...texts(textLimits),
  latitude: degrees(90).nullable().optional(),
  longitude: degrees(180).nullable().optional(),
  positionAccuracy: z
    .number("must be a number")
    .min(0, "must not be negative")
    .max(100_000_000, "is too large")
    .nullable()
    .optional()
    .describe("Radius in metres, as the device says."),
  positionAt: instantRule.nullable().optional().describe("When the device found the position, ISO 8601 with its zone."),
} satisfies Record<Exclude<keyof Values, keyof typeof required>, z.ZodType>;

const areaRules = z.strictObject({ serviceAreaId: idRule, smartCareFunctional: answer, ...texts(areaTextLimits) });

/** Fields of an answer that a caller may send back unchanged, but not change. */
const given = {
  userUuid: sentBackRule,
  userName: sentBackRule,
  assessmentDate: sentBackRule,
  assessmentTime: sentBackRule,
  assessedAt: instantRule.nullish(),
  receivedAt: instantRule.nullish(),
  setAside: sentBackRule,
  held: sentBackRule,
};
type GivenName = keyof typeof given;
export const givenNames = Object.keys(given) as GivenName[];

/** A caller may send back what it has read. The distance is computed from what is stored. */
const distance = degrees(20_100_000).nullish().describe("Ignored: it is computed.");

type Areas = { serviceAreaId: number }[] | null | undefined;
const eachAreaOnce = ({ serviceAreaAssessments }: { serviceAreaAssessments?: Areas }, context: z.RefinementCtx) => {
  const seen = new Set<number>();
  for (const [index, { serviceAreaId }] of (serviceAreaAssessments ?? []).entries()) {
    if (seen.has(serviceAreaId))
      context.addIssue({
        code: "custom",
        path: ["serviceAreaAssessments", index, "serviceAreaId"],
        message: "has an entry already: a service area is assessed once",
      });
    seen.add(serviceAreaId);
  }
};

type Position = { [Name in (typeof positionNames)[number]]?: unknown };

/** What is wrong with a position as a whole: one coordinate alone, or accuracy or instant without coordinates. */
export function positionErrors({ latitude, longitude, ...about }: Position): { path: string; message: string }[] {
  if ((latitude == null) !== (longitude == null))
    return [{ path: latitude == null ? "latitude" : "longitude", message: "is needed with the other coordinate" }];
  if (latitude != null) return [];
  return (["positionAccuracy", "positionAt"] as const)
    .filter((name) => about[name] != null)
    .map((path) => ({ path, message: "is accepted only with latitude and longitude" }));
}
const wholePosition = (position: Position, context: z.RefinementCtx) => {
  for (const { path, message } of positionErrors(position)) context.addIssue({ code: "custom", path: [path], message });
};

const areaList = z.array(areaRules).max(1000, "has too many entries").nullish();

/**
 * A new assessment. Its author is the caller. Its time is that of the visit, or the moment at which the server stores
 * it.
 */
export const newAssessmentRules = z
  .strictObject({
    assessmentUuid: clientUuidRule
      .nullish()
      .describe("Made by the client, so that a repeated call stores once; else the server makes one."),
    facilityUuid: z.string(isRequired).pipe(facilityUuidRule),
    version: z.null().optional(),
    ...given,
    assessedAt: given.assessedAt.describe(
      "Time of the visit, ISO 8601 with its zone: from 60 days back to 5 minutes ahead; else now.",
    ),
    distanceFromFacility: distance,
    ...required,
    ...optional,
    serviceAreaAssessments: areaList.describe("Of the facility's active service areas, each at most once."),
    actions: visitActionsRule,
  })
  .superRefine(eachAreaOnce)
  .superRefine(wholePosition);
export type NewAssessment = z.output<typeof newAssessmentRules>;

/**
 * Changes of an assessment. A field that is not given is not changed. `version` is the version that the caller has
 * read; without one the present version is changed.
 */
export const assessmentChangeRules = z
  .strictObject({
    assessmentUuid: clientUuidRule,
    version: z.number("must be a whole number").int("must be a whole number").min(1, "must be 1 or more").optional(),
    facilityUuid: facilityUuidRule.nullish(),
    ...given,
    distanceFromFacility: distance,
    functionalityStatusMode: required.functionalityStatusMode.optional(),
    dateOfLastUpgrade: required.dateOfLastUpgrade.optional(),
    numberOfStaffTrainedInSmartCare: required.numberOfStaffTrainedInSmartCare.optional(),
    ...optional,
    serviceAreaAssessments: areaList.describe("Changes of existing entries, found by serviceAreaId."),
  })
  .superRefine(eachAreaOnce);
export type AssessmentChange = z.output<typeof assessmentChangeRules>;
