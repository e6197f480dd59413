import type { FieldErrors } from "react-hook-form";
import { blankForm, changesByPerson, contentOfForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";

/** The form's sections and the steps in which they are filled in, and how far each step is. */

/** Titles are those of the specification. */
export const sections = {
  power: "Power Infrastructure",
  smartCare: "SmartCare Assessment",
  areas: "Service Areas",
  contactA: "Contact Person - Primary",
  contactB: "Contact Person - Secondary",
  closing: "Closing Comments",
  actions: "Actions agreed",
  review: "Review",
} as const;
export type SectionName = keyof typeof sections;

export const headingIdOf = (name: SectionName): string => `section-${name}`;

/** The steps in their order: what the list of steps calls them, and the section with which they begin. */
export const steps = {
  power: { title: "Power", begin: "power" },
  smartCare: { title: "SmartCare", begin: "smartCare" },
  areas: { title: "Service areas", begin: "areas" },
  contacts: { title: "Contacts", begin: "contactA" },
  closing: { title: "Closing", begin: "closing" },
  review: { title: "Review", begin: "review" },
} as const satisfies Record<string, { title: string; begin: SectionName }>;
export type StepName = keyof typeof steps;
export const stepNames = Object.keys(steps) as StepName[];

/** The day of the visit is asked above all steps. */
type Stepped = Exclude<keyof FormValues, "carried" | "visitDay" | `contact${string}`>;
const stepsOfFields: Record<Stepped, StepName> = {
  primaryPower: "power",
  primaryPowerWorking: "power",
  primaryPowerNotes: "power",
  backupPower: "power",
  backupPowerWorking: "power",
  backupPowerNotes: "power",
  functionalityStatusMode: "smartCare",
  smartCareFunctional: "smartCare",
  libraryVersion: "smartCare",
  databaseVersion: "smartCare",
  libraryVersionConsistent: "smartCare",
  dateOfLastUpgrade: "smartCare",
  numberOfStaffTrainedInSmartCare: "smartCare",
  latitude: "smartCare",
  longitude: "smartCare",
  positionAccuracy: "smartCare",
  positionAt: "smartCare",
  positionNote: "smartCare",
  otherIssues: "smartCare",
  serviceAreaAssessments: "areas",
  closingComments: "closing",
  actions: "closing",
};

/** The step of a field by its path. */
export function stepOf(field: string): StepName | undefined {
  if (/^contact[AB]/.test(field)) return "contacts";
  return stepsOfFields[field.split(".")[0] as Stepped];
}

/** The answers without which an assessment is not saved. */
const requiredNames = ["functionalityStatusMode", "dateOfLastUpgrade", "numberOfStaffTrainedInSmartCare"] as const;
export type RequiredName = (typeof requiredNames)[number];

export const missingOf = (values: Pick<FormValues, RequiredName>): RequiredName[] =>
  requiredNames.filter((name) => values[name].trim() === "");

/** How many answers of a step are given, how many are carried over and unconfirmed, how many required ones are missing. */
export type Progress = { answered: number; unconfirmed: number; missing: number };

/** How far each step is. */
export function progressOf(values: FormValues): Record<StepName, Progress> {
  const blank = contentOfForm(blankForm(values.serviceAreaAssessments));
  const answered = changesByPerson(blank, contentOfForm(values)).map(({ field }) => field);
  const [unconfirmed, missing] = [values.carried?.fields ?? [], missingOf(values)];
  const count = (fields: readonly string[], step: StepName) => fields.filter((field) => stepOf(field) === step).length;
  return Object.fromEntries(
    stepNames.map((step) => [
      step,
      {
        answered: count(answered, step),
        unconfirmed: count(unconfirmed, step),
        missing: count(missing, step),
      },
    ]),
  ) as Record<StepName, Progress>;
}

/** The fields that have an error, as the form names them. */
export function wrongFields(errors: FieldErrors<FormValues>): string[] {
  const { serviceAreaAssessments: areas, root: _root, ...own } = errors;
  const ofAreas = Array.isArray(areas)
    ? areas.flatMap((area: object | undefined, place) =>
        Object.keys(area ?? {}).map((part) => `serviceAreaAssessments.${place}.${part}`),
      )
    : [];
  return [...Object.keys(own), ...ofAreas];
}
