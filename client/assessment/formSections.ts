import type { FieldErrors } from "react-hook-form";
import { blankForm, changesByPerson, contentOfForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";

/** The sections of an assessment, and how far each of them is. */

/** Titles are those of the specification. The short ones fit side by side on a phone. */
export const sections = {
  power: { title: "Power Infrastructure", short: "Power" },
  smartCare: { title: "SmartCare Assessment", short: "SmartCare" },
  contactA: { title: "Contact Person - Primary", short: "Contact 1" },
  contactB: { title: "Contact Person - Secondary", short: "Contact 2" },
  closing: { title: "Closing Comments", short: "Closing" },
} as const;
export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as SectionName[];

export const headingIdOf = (name: SectionName): string => `section-${name}`;

/** Scrolls to a section and moves the focus to its heading. */
export function goToSection(name: SectionName): void {
  const heading = document.getElementById(headingIdOf(name));
  heading?.scrollIntoView({ block: "start" });
  heading?.focus({ preventScroll: true });
}

const sectionsOfFields: Record<Exclude<keyof FormValues, "carried" | `contact${string}`>, SectionName> = {
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
  serviceAreaAssessments: "smartCare",
  visitDay: "smartCare",
  closingComments: "closing",
  actions: "closing",
};

/** The section of a field by its path. */
function sectionOf(field: string): SectionName | undefined {
  if (field.startsWith("contactA")) return "contactA";
  if (field.startsWith("contactB")) return "contactB";
  return sectionsOfFields[field.split(".")[0] as keyof typeof sectionsOfFields];
}

/** The answers without which an assessment is not saved. */
const requiredNames = ["functionalityStatusMode", "dateOfLastUpgrade", "numberOfStaffTrainedInSmartCare"] as const;
export type RequiredName = (typeof requiredNames)[number];

export const missingOf = (values: Pick<FormValues, RequiredName>): RequiredName[] =>
  requiredNames.filter((name) => values[name].trim() === "");

/**
 * How many answers of a section are given, how many are carried over and unconfirmed, and how many required ones are
 * missing.
 */
export type Progress = Record<SectionName, { answered: number; unconfirmed: number; missing: number }>;

export function progressOf(values: FormValues): Progress {
  const count = (fields: readonly string[], section: SectionName) =>
    fields.filter((field) => sectionOf(field) === section).length;
  const blank = contentOfForm(blankForm(values.serviceAreaAssessments));
  const answered = changesByPerson(blank, contentOfForm(values)).map(({ field }) => field);
  const [unconfirmed, missing] = [values.carried?.fields ?? [], missingOf(values)];
  const of = (section: SectionName) => ({
    answered: count(answered, section),
    unconfirmed: count(unconfirmed, section),
    missing: count(missing, section),
  });
  return {
    power: of("power"),
    smartCare: of("smartCare"),
    contactA: of("contactA"),
    contactB: of("contactB"),
    closing: of("closing"),
  };
}

/** How many fields of a section have an error. */
export function wrongIn(errors: FieldErrors<FormValues>, section: SectionName): number {
  const { serviceAreaAssessments, root: _, ...own } = errors;
  const ofAreas = Array.isArray(serviceAreaAssessments)
    ? serviceAreaAssessments.reduce((sum: number, area?: object) => sum + Object.keys(area ?? {}).length, 0)
    : 0;
  return (
    Object.keys(own).filter((field) => sectionOf(field) === section).length + (section === "smartCare" ? ofAreas : 0)
  );
}
