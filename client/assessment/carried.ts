import type { FieldPath, UseFormReturn } from "react-hook-form";
import { before, changesBetween } from "../../gateway/assessment/content.rules.ts";
import { contentOfForm, toForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";
import type { LastVisit } from "./lastVisit.ts";

/** Answers of the last visit with which a new assessment begins: which ones, and how they are confirmed or cleared. */

/** The groups that are confirmed or cleared together, as they are named in a sentence. */
const carriedGroups = {
  contactA: "primary contact",
  contactB: "secondary contact",
  versions: "versions",
  areas: "service areas",
} as const;
export type CarriedGroup = keyof typeof carriedGroups;

const areaField = /^serviceAreaAssessments\.(\d+)\.(\w+)$/;

/** The group of a carried-over field; none for a field that must be answered at each visit. */
export function groupOf(field: string): CarriedGroup | undefined {
  if (field.startsWith("contactA")) return "contactA";
  if (field.startsWith("contactB")) return "contactB";
  if (field === "libraryVersion" || field === "databaseVersion") return "versions";
  return areaField.test(field) && !field.endsWith(".additionalNotes") ? "areas" : undefined;
}

/** The form of a new assessment: empty, except for answers that rarely change between visits. */
export function newForm(areas: readonly { serviceAreaId: number }[], lastVisit: LastVisit | null): FormValues {
  const blank = toForm({ serviceAreaAssessments: areas });
  if (!lastVisit) return blank;
  const nothing = contentOfForm(blank);
  const hasPlace = (field: string) => nameOf(blank, field) !== undefined;
  const said = changesBetween(lastVisit.content, nothing).filter(({ field, from }) => from !== null && groupOf(field) && hasPlace(field));
  const fields = said.map(({ field }) => field);
  return { ...toForm(before(nothing, said)), carried: { date: lastVisit.assessmentDate, fields } };
}

/** The form's name of a field. The form names an area by its index, everything else by its id. Undefined for an area that the form does not have. */
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

type Form = Pick<UseFormReturn<FormValues>, "getValues" | "setValue">;

/** Marks carried-over answers as observed: those of a group, or those chosen by field. */
export function confirm({ getValues, setValue }: Form, isMeant: (field: string) => boolean): void {
  const { carried } = getValues();
  if (!carried?.fields.some(isMeant)) return;
  setValue("carried", { ...carried, fields: carried.fields.filter((field) => !isMeant(field)) }, { shouldDirty: true });
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
  return (Object.keys(carriedGroups) as CarriedGroup[]).filter((group) => found.has(group)).map((group) => carriedGroups[group]);
};
