import { z } from "zod";

import { fieldFilters, type FieldMatch } from "../../db/facility/facilityFields.rules.ts";
import { clientUuidRule, idRule } from "../input/page.rules.ts";
import { endRule, namedPeriodRules, startRule } from "../calendar/period.rules.ts";
import { lineRule } from "../input/texts.rules.ts";
import { facilityUuidRule, modeRule, modes } from "./facility.rules.ts";
import { listedModes, notRecordedNames } from "./listFilter.rules.ts";

/**
 * Rules for the filter of a list or grouping of facilities, in addition to its scope: conditions on facilities and on
 * their assessments.
 */

const flag = z.boolean("must be true or false").nullish();
const text = lineRule(256).min(1, "must not be empty").nullish();
/** Yes-or-no answers that may change between two days. */
export const answers = [
  "smartCareFunctional",
  "primaryPower",
  "primaryPowerWorking",
  "backupPower",
  "backupPowerWorking",
  "libraryVersionConsistent",
] as const;
const someOf = <Value extends z.ZodType>(value: Value, most: number, what: string) =>
  z.array(value).min(1, `must name ${what}`).max(most, `names ${what} twice`).nullish();
const someModes = someOf(modeRule, modes.length, "a mode");
const someAnswers = someOf(
  z.enum(answers, { error: `must be one of ${answers.join(", ")}` }),
  answers.length,
  "an answer",
);
const version = lineRule(64).regex(/\d/, "must have a number").nullish();
const ids = z.array(idRule).min(1, "must name one").max(1000, "may name at most 1,000").nullish();
const count = z.number().int().min(0, "must not be negative").max(2147483647).nullish();

/** Conditions on what is not an open fact, but only in the record of a visit. */
export const recordNames = [
  "libraryVersionConsistent",
  "staffTrainedFrom",
  "staffTrainedTo",
  "upgradedBefore",
  "upgradedFrom",
] as const;

/** Conditions on a facility's latest assessment: of a period, as at a day, or of all time. */
const assessmentMatchRules = z
  .strictObject({
    period: namedPeriodRules.nullish(),
    asOf: endRule.nullish(),
    exists: flag,
    mode: someModes,
    smartCareFunctional: flag,
    primaryPower: flag,
    primaryPowerWorking: flag,
    backupPower: flag,
    backupPowerWorking: flag,
    libraryVersionConsistent: flag,
    notRecorded: someAnswers,
    libraryVersion: text,
    staffTrainedFrom: count,
    staffTrainedTo: count,
    libraryVersionBelow: version,
    libraryVersionFrom: version,
    upgradedBefore: startRule.nullish(),
    upgradedFrom: startRule.nullish(),
    assessedBefore: startRule.nullish(),
    assessedFrom: startRule.nullish(),
  })
  .superRefine(({ period, asOf, exists, ...match }, context) => {
    if (asOf != null && period != null)
      context.addIssue({ code: "custom", path: ["asOf"], message: "cannot be given together with period" });
    if (exists !== false) return;
    for (const [name, value] of Object.entries(match))
      if (value != null)
        context.addIssue({ code: "custom", path: [name], message: "cannot be given together with exists: false" });
  });

/** What must differ between a facility's states as at two days. */
const changeRules = z
  .strictObject({
    from: startRule.nullish(),
    fromEndOf: namedPeriodRules.nullish(),
    to: endRule.nullish(),
    movedFrom: someModes,
    movedTo: someModes,
    lost: someAnswers,
    gained: someAnswers,
    clientsFell: flag,
  })
  .superRefine(({ from, fromEndOf, to, ...asked }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if ((from == null) === (fromEndOf == null)) refuse("from", "or fromEndOf is needed, and not both");
    if (from != null && to != null && to < from) refuse("to", "must not be before from");
    if (Object.values(asked).every((value) => value == null))
      refuse("movedTo", "is needed, or movedFrom, lost or gained");
  });

type FieldRules = {
  [Name in keyof FieldMatch]-?: z.ZodOptional<z.ZodNullable<z.ZodType<NonNullable<FieldMatch[Name]>>>>;
};
const fieldRules = Object.fromEntries(
  fieldFilters.map(({ argument, compare }) => [argument, compare === "same" ? text : count]),
) as object as FieldRules;

/** A position in degrees, and a distance. */
export const positionRules = {
  latitude: z.number().min(-90, "must be from -90 to 90").max(90, "must be from -90 to 90"),
  longitude: z.number().min(-180, "must be from -180 to 180").max(180, "must be from -180 to 180"),
};
export const kilometresRule = z.number().positive("must be more than 0").max(1000, "may be at most 1,000");

export const facilityMatchRules = z.strictObject({
  facilityUuids: z.array(facilityUuidRule).max(20_000, "may name at most 20,000").nullish(),
  province: text,
  district: text,
  implementingPartner: text,
  provinceIds: ids,
  districtIds: ids,
  implementingPartnerIds: ids,
  serviceAreaId: idRule.nullish(),
  ...fieldRules,
  hasHmisCode: flag,
  hasImplementingPartner: flag,
  connectivityPresent: flag,
  mobileCoverage: flag,
  hasPosition: flag,
  positionOutside: z.array(z.number().min(-999).max(999)).length(4, "must be west, south, east and north").nullish(),
  near: z
    .strictObject({
      ...positionRules,
      kilometres: kilometresRule.nullish(),
      fromKilometres: z.number().min(0, "must not be negative").max(1000, "may be at most 1,000").nullish(),
    })
    .superRefine(({ kilometres: to, fromKilometres: from }, context) => {
      if (to == null ? from != null : to > (from ?? 0)) return;
      const message = to == null ? "or fromKilometres is needed" : "must be more than fromKilometres";
      context.addIssue({ code: "custom", path: ["kilometres"], message });
    })
    .nullish(),
  assessed: flag,
  assessedBefore: startRule.nullish(),
  functional: flag,
  power: flag,
  notRecorded: someOf(
    z.enum(notRecordedNames, { error: `must be one of ${notRecordedNames.join(", ")}` }),
    notRecordedNames.length,
    "an answer",
  ),
  silent: flag,
  noTdbSince: startRule.nullish(),
  hasSentTdb: flag,
  oldVersion: flag,
  libraryVersion: text,
  modes: z
    .array(z.enum(listedModes))
    .min(1, "must name a mode")
    .max(listedModes.length, "names a mode twice")
    .nullish(),
  closed: flag,
  fieldList: clientUuidRule.nullish(),
  lastAssessedBefore: startRule.nullish(),
  upgradedBefore: startRule.nullish(),
  latestAssessment: assessmentMatchRules.nullish(),
  earlierAssessment: assessmentMatchRules.nullish(),
  change: changeRules.nullish(),
  inARow: z
    .strictObject({
      visits: z.int().min(2, "must be 2 or more").max(12, "may be at most 12"),
      answer: z.enum(answers, { error: `must be one of ${answers.join(", ")}` }),
      said: z.boolean("must be true or false"),
    })
    .nullish(),
});
/**
 * The argument `filter`. It is checked as part of an object so that errors have the whole path, for example
 * filter.modes.
 */
export const facilityMatchArgument = z.strictObject({ filter: facilityMatchRules.nullish() });
export type FacilityMatch = z.output<typeof facilityMatchRules>;
