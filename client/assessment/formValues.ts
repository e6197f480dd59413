import { before, changesBetween } from "../../gateway/assessment/content.rules.ts";
import type { AreaContent, Change, Content } from "../../gateway/assessment/content.rules.ts";
import {
  answerNames,
  areaTextLimits,
  positionNames,
  textLimits,
  tickNames,
} from "../../gateway/assessment/fields.rules.ts";
import type { AnswerName, TextName } from "../../gateway/assessment/fields.rules.ts";
import type { Answer } from "../ui/field/AnswerField.tsx";

/** An assessment as the values of its form: texts and choices as they are in the fields. */

type TickName = (typeof tickNames)[number];
type QuestionName = Exclude<AnswerName, TickName>;
const questionNames = answerNames.filter(
  (name): name is QuestionName => !(tickNames as readonly string[]).includes(name),
);
const textNames = Object.keys(textLimits) as TextName[];
const areaTextNames = Object.keys(areaTextLimits) as (keyof typeof areaTextLimits)[];

export type AreaValues = Record<keyof typeof areaTextLimits, string> & {
  serviceAreaId: number;
  smartCareFunctional: Answer;
};
/**
 * Answers of an earlier visit with which the form began, and which nobody has confirmed or changed. They are not part
 * of its content yet.
 */
export type Carried = {
  /** the day of that visit, YYYY-MM-DD */
  date: string;
  /** their paths, as in history: an area by its id */
  fields: string[];
};
/** An action as it is typed. `agreedDay`: the day on which its row was added, before which it cannot be due. */
export type ActionValues = { actionUuid: string; agreedDay: string; text: string; responsible: string; dueDay: string };
/** Where the visit was made, as the device found it until the first save. */
export type Position = Pick<Content, (typeof positionNames)[number]>;
export type FormValues = Record<TickName, boolean | null> &
  Record<QuestionName, Answer> &
  Record<TextName, string> &
  Position & {
    functionalityStatusMode: string;
    dateOfLastUpgrade: string;
    numberOfStaffTrainedInSmartCare: string;
    serviceAreaAssessments: AreaValues[];
    carried?: Carried | null;
    /** what was agreed at a new visit */
    actions: ActionValues[];
    /** the corrected day of the visit, YYYY-MM-DD, if the server refused the saved one */
    visitDay?: string;
  };

const answerOf = (value: boolean | null): Answer => (value === null ? "" : value ? "yes" : "no");
const booleanOf = (answer: Answer | null): boolean | null => (answer === "yes" ? true : answer === "no" ? false : null);
const named = <Name extends string, Value>(names: readonly Name[], valueOf: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;

/** The four values of a position. */
export const positionOf = (of: Partial<Position>): Position => ({
  latitude: of.latitude ?? null,
  longitude: of.longitude ?? null,
  positionAccuracy: of.positionAccuracy ?? null,
  positionAt: of.positionAt ?? null,
});
const isPosition = (field: string): boolean => (positionNames as readonly string[]).includes(field);

/** The fields that a person may change after the first save. The position stays as it was then. */
export const changesByPerson = (from: Content, to: Content): Change[] =>
  changesBetween(from, to).filter(({ field }) => !isPosition(field));

/** The form's values of an assessment. A new one has only its service areas. */
export function toForm(
  content: Partial<Omit<Content, "serviceAreaAssessments">> & {
    serviceAreaAssessments: readonly (Partial<AreaContent> & { serviceAreaId: number })[];
  },
): FormValues {
  return {
    ...named(tickNames, (name) => content[name] ?? null),
    ...named(questionNames, (name) => answerOf(content[name] ?? null)),
    ...named(textNames, (name) => content[name] ?? ""),
    functionalityStatusMode: content.functionalityStatusMode ?? "",
    dateOfLastUpgrade: content.dateOfLastUpgrade ?? "",
    numberOfStaffTrainedInSmartCare: String(content.numberOfStaffTrainedInSmartCare ?? ""),
    ...positionOf(content),
    carried: null,
    actions: [],
    serviceAreaAssessments: content.serviceAreaAssessments.map((area) => ({
      serviceAreaId: area.serviceAreaId,
      smartCareFunctional: answerOf(area.smartCareFunctional ?? null),
      ...named(areaTextNames, (name) => area[name] ?? ""),
    })),
  };
}

/** The form of these service areas without any answer. */
export const blankForm = (areas: readonly { serviceAreaId: number }[]): FormValues =>
  toForm({ serviceAreaAssessments: areas.map(({ serviceAreaId }) => ({ serviceAreaId })) });

const numberOf = (text: string): number | string | null =>
  text.trim() === "" ? null : Number.isNaN(Number(text)) ? text : Number(text);

/** The form's content in the shape of the rules, not checked yet. */
export function fromForm(values: FormValues) {
  return {
    ...named(tickNames, (name) => values[name]),
    ...named(questionNames, (name) => booleanOf(values[name])),
    ...named(textNames, (name) => values[name]),
    functionalityStatusMode: values.functionalityStatusMode,
    dateOfLastUpgrade: values.dateOfLastUpgrade,
    numberOfStaffTrainedInSmartCare: numberOf(values.numberOfStaffTrainedInSmartCare),
    ...positionOf(values),
    serviceAreaAssessments: values.serviceAreaAssessments.map((area) => ({
      serviceAreaId: area.serviceAreaId,
      smartCareFunctional: booleanOf(area.smartCareFunctional),
      ...named(areaTextNames, (name) => area[name]),
    })),
  } satisfies Record<keyof Content, unknown>;
}

/** The form as content that can be compared and sent, without carried-over answers that nobody has confirmed. */
export function contentOfForm(values: FormValues): Content {
  const said = fromForm(values);
  const trimmed = (text: string) => text.trim() || null;
  const content = {
    ...said,
    ...named(textNames, (name) => trimmed(values[name])),
    serviceAreaAssessments: said.serviceAreaAssessments.map((area) => ({
      ...area,
      ...named(areaTextNames, (name) => trimmed(area[name])),
    })),
  } as Content;
  return before(content, values.carried?.fields.map((field) => ({ field, from: null, to: null })) ?? []);
}

/** The actions of a new visit as they are sent. */
export const actionsOfForm = ({ actions }: FormValues) =>
  actions.map(({ actionUuid, text, responsible, dueDay }) => ({ actionUuid, text, responsible, dueDay }));

/** Work as text for a file, with the field names of the interfaces. `at`: when it was saved. */
export function textOfWork(
  work: { assessmentUuid: string; facilityUuid: string; facilityName: string; values: FormValues },
  at: string,
): string {
  const { assessmentUuid, facilityUuid, facilityName, values } = work;
  return JSON.stringify(
    {
      assessmentUuid,
      facilityUuid,
      facilityName,
      assessedAt: at,
      ...contentOfForm(values),
      actions: actionsOfForm(values),
    },
    null,
    2,
  );
}

/** The difference between two states as an edit: only the changed fields, and the areas with a changed field. */
export function editOf(base: Content, present: Content): Partial<Content> {
  const fields = changesByPerson(base, present).map(({ field }) => field);
  const own = Object.fromEntries(Object.entries(present).filter(([name]) => fields.includes(name)));
  const areas = present.serviceAreaAssessments.filter(({ serviceAreaId }) =>
    fields.some((field) => field.startsWith(`serviceAreaAssessments.${serviceAreaId}.`)),
  );
  return { ...own, ...(areas.length ? { serviceAreaAssessments: areas } : {}) };
}
