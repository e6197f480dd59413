import type { AreaContent, Content } from "../../gateway/assessment/content.rules.ts";
import { contactFields, labels, valueText } from "./fieldLabels.ts";
import { sections } from "./formSections.ts";
import type { ActionValues } from "./formValues.ts";
import { formatDate } from "../ui/text/dates.ts";

/** The visit as its review shows it: a row for each answer, for each service area and for each contact. */

export type ReviewRow = {
  /** the form's name of its field, or of the first one */
  field: string;
  label: string;
  /** the answer in words; empty if there is none */
  now: string;
  /** null where nothing is compared */
  last: string | null;
};

const ownNames = [
  "primaryPower",
  "primaryPowerWorking",
  "primaryPowerNotes",
  "backupPower",
  "backupPowerWorking",
  "backupPowerNotes",
  "functionalityStatusMode",
  "smartCareFunctional",
  "libraryVersion",
  "databaseVersion",
  "libraryVersionConsistent",
  "dateOfLastUpgrade",
  "numberOfStaffTrainedInSmartCare",
  "positionNote",
  "otherIssues",
] as const;

function areaText(area: AreaContent | undefined): string {
  if (!area) return "";
  const works = area.smartCareFunctional === null ? "" : area.smartCareFunctional ? "works" : "does not work";
  const said = [
    works,
    area.libraryVersion && `library ${area.libraryVersion}`,
    area.databaseVersion && `database ${area.databaseVersion}`,
    area.additionalNotes,
  ].filter(Boolean);
  return said.length && !works ? ["not checked", ...said].join(", ") : said.join(", ");
}

const contactText = (content: Content | null, contact: "contactA" | "contactB"): string =>
  contactFields.flatMap(({ part }) => content?.[`${contact}${part}`] ?? []).join(", ");

/** The answers of a visit beside those that it is compared with, in the order of the form. */
export function reviewRows(
  now: Content,
  last: Content | null,
  areaName: (serviceAreaId: number) => string,
): ReviewRow[] {
  const own = (name: (typeof ownNames)[number] | "closingComments"): ReviewRow => ({
    field: name,
    label: labels[name],
    now: valueText(name, now[name]),
    last: valueText(name, last?.[name]),
  });
  const contact = (name: "contactA" | "contactB"): ReviewRow => ({
    field: `${name}Name`,
    label: sections[name],
    now: contactText(now, name),
    last: contactText(last, name),
  });
  const areas = now.serviceAreaAssessments.map((area, place) => ({
    field: `serviceAreaAssessments.${place}.smartCareFunctional`,
    label: areaName(area.serviceAreaId),
    now: areaText(area),
    last: areaText(last?.serviceAreaAssessments.find(({ serviceAreaId }) => serviceAreaId === area.serviceAreaId)),
  }));
  // The form asks for this note only where the position is missing or far away.
  const asked = ownNames.filter((name) => name !== "positionNote" || now.positionNote !== null);
  return [...asked.map(own), ...areas, contact("contactA"), contact("contactB"), own("closingComments")];
}

/** What was agreed, a row for each action. */
export const actionRows = (actions: readonly ActionValues[]): ReviewRow[] =>
  actions.map(({ text, responsible, dueDay }, place) => ({
    field: `actions.${place}.text`,
    label: `Action ${place + 1}`,
    now: [text, responsible, dueDay && `due ${formatDate(dueDay)}`].filter(Boolean).join(", "),
    last: null,
  }));
