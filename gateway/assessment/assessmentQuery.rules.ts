import { z } from "zod";

import { type Mode, modeRule } from "../facility/facility.rules.ts";
import { queryRuleOf, sortRuleOf } from "../input/listQuery.rules.ts";
import { listQueryRules, uuidRule } from "../input/page.rules.ts";
import { heldQueryRule, setAsideQueryRule } from "../input/setAside.rules.ts";
import { type AnswerName, answerNames, filterShape, notesSearchRule } from "./assessment.rules.ts";
import { assessmentParameters } from "./listFilter.rules.ts";

/** Query parameters of the REST lists and files of assessments. */

/** The orders of a list, as REST names them. */
const sorts = {
  assessed: "oldest",
  "-assessed": "newest",
  facility: "facility",
  "-facility": "facilityDescending",
  mode: "mode",
  "-mode": "modeDescending",
} as const;

/** The filters (scope, author and findings) and the order of a list or a file. */
const notRecordedParameter = {
  kind: "choices",
  label: "Not recorded",
  about: `Only those that record no answer to any of these, with commas between them: ${answerNames.join(", ")}.`,
  choices: Object.fromEntries(answerNames.map((name) => [name, name])),
} as const;
const queryShape = {
  ...filterShape,
  userUuid: uuidRule.nullish(),
  mode: modeRule.nullish(),
  modes: queryRuleOf(assessmentParameters.modes).transform((text) => text?.split(",") as Mode[] | undefined),
  smartCareFunctional: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((text) => text === "true")
    .nullish(),
  notRecorded: queryRuleOf(notRecordedParameter).transform((text) => text?.split(",") as AnswerName[] | undefined),
  search: notesSearchRule,
  setAside: setAsideQueryRule,
  held: heldQueryRule,
  sort: sortRuleOf(["assessed", "facility", "mode"], "The latest visit first.").transform((by) => by && sorts[by]),
};
/** Query parameters of the files of a period. */
export const assessmentScopeRules = z.strictObject(queryShape);
/** Query parameters of the lists: page, filters and order. */
export const assessmentListRules = listQueryRules.extend(queryShape);
