import type { FieldPath, UseFormReturn } from "react-hook-form";
import { before, changesBetween } from "../../gateway/assessment/content.rules.ts";
import type { Content } from "../../gateway/assessment/content.rules.ts";
import { tickNames } from "../../gateway/assessment/fields.rules.ts";
import { contentOfForm, toForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";
import { areaField } from "./fieldLabels.ts";
import { stepOf } from "./formSections.ts";
import type { SectionName } from "./formSections.ts";
import type { LastVisit } from "./lastVisit.ts";
import { answerPower } from "./power.ts";

/**
 * Answers of the last visit in a new assessment. Those that rarely change are filled in and marked (carried over).
 * Those that every visit has to find out are offered beside the empty field. All of them can be confirmed at once.
 */

/** The groups that are confirmed or cleared together, as they are named in a sentence. */
const carriedGroups = {
  contactA: "primary contact",
  contactB: "secondary contact",
  versions: "versions",
  areas: "service areas",
} as const;
type CarriedGroup = keyof typeof carriedGroups;

/** The group of a carried-over field; none for a field that must be answered at each visit. */
export function groupOf(field: string): CarriedGroup | undefined {
  if (field.startsWith("contactA")) return "contactA";
  if (field.startsWith("contactB")) return "contactB";
  if (field === "libraryVersion" || field === "databaseVersion") return "versions";
  return areaField.test(field) ? "areas" : undefined;
}

/** The form of a new assessment: empty, except for answers that rarely change between visits. */
export function newForm(areas: readonly { serviceAreaId: number }[], lastVisit: LastVisit | null): FormValues {
  const blank = toForm({ serviceAreaAssessments: areas });
  if (!lastVisit) return blank;
  const nothing = contentOfForm(blank);
  const hasPlace = (field: string) => nameOf(blank, field) !== undefined;
  const said = changesBetween(lastVisit.content, nothing).filter(
    ({ field, from }) => from !== null && groupOf(field) && hasPlace(field),
  );
  const fields = said.map(({ field }) => field);
  return { ...toForm(before(nothing, said)), carried: { date: lastVisit.assessmentDate, fields } };
}

/**
 * The form's name of a field. The form names an area by its index, everything else by its id. Undefined for an area
 * that the form does not have.
 */
export function nameOf(values: FormValues, field: string): FieldPath<FormValues> | undefined {
  const [, id, part] = areaField.exec(field) ?? [];
  if (!id) return field as FieldPath<FormValues>;
  const place = values.serviceAreaAssessments.findIndex(({ serviceAreaId }) => serviceAreaId === Number(id));
  return place < 0 ? undefined : (`serviceAreaAssessments.${place}.${part}` as FieldPath<FormValues>);
}

/** The field that has this name in the form. */
export function fieldOf(values: FormValues, name: string): string {
  const [, place, part] = areaField.exec(name) ?? [];
  return place ? `serviceAreaAssessments.${values.serviceAreaAssessments[Number(place)]?.serviceAreaId}.${part}` : name;
}

/** What a visit has to find out; the last visit's answer is offered. Closing comments are about one visit only. */
const offeredNames = [
  ...tickNames,
  "primaryPowerNotes",
  "backupPowerNotes",
  "functionalityStatusMode",
  "smartCareFunctional",
  "libraryVersionConsistent",
  "dateOfLastUpgrade",
  "numberOfStaffTrainedInSmartCare",
  "otherIssues",
] as const;
export type OfferedName = (typeof offeredNames)[number];

const isBlank = (values: FormValues, name: OfferedName): boolean => values[name] === null || values[name] === "";

/**
 * Whether the last visit's answer is offered: it has one, and this visit has none. Of power that is absent nobody asked
 * whether it works.
 */
export function isOffered(name: OfferedName, values: FormValues, last: Content): boolean {
  const power =
    name === "primaryPowerWorking" ? "primaryPower" : name === "backupPowerWorking" ? "backupPower" : undefined;
  return last[name] !== null && isBlank(values, name) && (!power || last[power] === true);
}

type Form = Pick<UseFormReturn<FormValues>, "getValues" | "setValue">;

/** Takes over an answer of the last visit. */
export function take(form: Form, name: OfferedName, last: Content): void {
  if (name === "primaryPower" || name === "backupPower") answerPower(form, name, last[name]);
  else form.setValue(name, toForm(last)[name], { shouldDirty: true });
}

/** Marks carried-over answers as observed: those of a group, or those chosen by field. */
export function confirm({ getValues, setValue }: Form, isMeant: (field: string) => boolean): void {
  const { carried } = getValues();
  if (!carried?.fields.some(isMeant)) return;
  setValue("carried", { ...carried, fields: carried.fields.filter((field) => !isMeant(field)) }, { shouldDirty: true });
}

/** The section in which a carried-over or offered answer is asked. */
export function sectionOf(field: string): SectionName {
  const group = groupOf(field);
  return group && group !== "versions" ? group : stepOf(field) === "power" ? "power" : "smartCare";
}

/** The answers of the last visit that nobody has confirmed: those that are filled in, and those that are offered. */
export const unconfirmedOf = (values: FormValues, lastVisit: LastVisit | null) => ({
  carried: values.carried?.fields ?? [],
  offered: lastVisit ? offeredNames.filter((name) => isOffered(name, values, lastVisit.content)) : [],
});

const all = () => true;

/** Marks answers of the last visit as observed: all of them, or those chosen by field. */
export function confirmAnswers(form: Form, lastVisit: LastVisit | null, isMeant: (field: string) => boolean = all) {
  confirm(form, isMeant);
  // One after the other: whether power works is offered only after somebody has said that it is there.
  for (const name of offeredNames)
    if (lastVisit && isMeant(name) && isOffered(name, form.getValues(), lastVisit.content))
      take(form, name, lastVisit.content);
}

/**
 * Gives every service area the version of SmartCare, or else that of the first area that has one. Returns what it gave.
 */
export function fillVersions(form: Form): { part: "libraryVersion" | "databaseVersion"; text: string }[] {
  const values = form.getValues();
  const areas = values.serviceAreaAssessments;
  const versions = (["libraryVersion", "databaseVersion"] as const)
    .map((part) => ({ part, text: [values, ...areas].map((one) => one[part].trim()).find(Boolean) ?? "" }))
    .filter(({ text }) => text !== "");
  for (const { part, text } of versions)
    for (const place of areas.keys())
      form.setValue(`serviceAreaAssessments.${place}.${part}`, text, { shouldDirty: true, shouldValidate: true });
  confirm(form, (field) => versions.some(({ part }) => areaField.exec(field)?.[2] === part));
  return versions;
}

/** Says that SmartCare works in each service area that has no answer yet. Returns how many these were. */
export function fillWorks(form: Form): number {
  const open = [...form.getValues().serviceAreaAssessments.entries()].filter(
    ([, { smartCareFunctional }]) => smartCareFunctional === "",
  );
  for (const [place] of open)
    form.setValue(`serviceAreaAssessments.${place}.smartCareFunctional`, "yes", { shouldDirty: true });
  return open.length;
}

/** Empties carried-over answers that nobody has confirmed. */
export function clear(form: Form, isMeant: (field: string) => boolean): void {
  const values = form.getValues();
  for (const field of values.carried?.fields.filter(isMeant) ?? []) {
    const name = nameOf(values, field);
    // In the form, an empty text and an answer that was not given are both empty strings.
    if (name) form.setValue(name, "", { shouldDirty: true });
  }
  confirm(form, isMeant);
}

/** The groups of these fields, in sentence order. */
export const groupsOf = (fields: readonly string[]): string[] => {
  const found = new Set(fields.map(groupOf));
  return (Object.keys(carriedGroups) as CarriedGroup[])
    .filter((group) => found.has(group))
    .map((group) => carriedGroups[group]);
};
