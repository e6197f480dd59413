import { z } from "zod";

import { yearRule } from "../calendar/period.rules.ts";
import { clientUuidRule, idRule, wholeNumber } from "../input/page.rules.ts";
import { textRule } from "../input/texts.rules.ts";
import { mostCommentCharacters, mostReportQuestions } from "./reportQuarter.rules.ts";

/** Rules for quarterly reports: one scope in one fiscal quarter. */

const mostSentences = 2;

/**
 * How many sentences a text has. One ends with a full stop, a question mark or an exclamation mark after a word of three
 * letters or more, a number or a bracket, so that "Dr. Banda" is not cut.
 */
export const sentencesOf = (text: string): number =>
  text
    .trim()
    .split(/(?<=(?:\p{L}{3}|[\d%)"”])[.!?])\s+(?=\S)/u)
    .filter((sentence) => sentence !== "").length;

const commentRule = textRule(mostCommentCharacters).refine(
  (comment) => sentencesOf(comment) <= mostSentences,
  `may have at most ${mostSentences} sentences`,
);

const scopeShape = {
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
};
const quarterShape = {
  year: yearRule,
  quarter: wholeNumber.refine((quarter) => quarter >= 1 && quarter <= 4, "must be 1 to 4"),
};
export const reportScopeRules = z.strictObject(scopeShape);
export const reportAskedRules = z.strictObject({ ...scopeShape, ...quarterShape });
export type ReportAsked = z.output<typeof reportAskedRules>;
export const newReportRules = z.strictObject({ ...scopeShape, ...quarterShape, comment: commentRule });
export type NewReport = z.output<typeof newReportRules>;

const numberRule = wholeNumber.refine((number) => number >= 1 && number <= 2147483647, "is not a report's number");
export const reportNumberRules = z.strictObject({ number: numberRule });
export const reportCommentRules = z.strictObject({
  number: numberRule,
  comment: commentRule,
  questions: z
    .array(clientUuidRule)
    .max(mostReportQuestions, `may be at most ${mostReportQuestions}`)
    .refine((uuids) => new Set(uuids).size === uuids.length, "names a question twice")
    .nullish(),
});
export type ReportWords = z.output<typeof reportCommentRules>;
