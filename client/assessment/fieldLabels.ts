import type { Values } from "../../gateway/assessment/content.rules.ts";
import type { areaTextLimits } from "../../gateway/assessment/fields.rules.ts";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import type { Mode } from "../../gateway/facility/mode.rules.ts";
import { formatDate } from "../ui/text/dates.ts";

/** What the fields of an assessment are called on the screen. */
export const labels = {
  primaryPower: "Primary power",
  primaryPowerWorking: "Primary power working",
  primaryPowerNotes: "Primary power notes",
  backupPower: "Backup power",
  backupPowerWorking: "Backup power working",
  backupPowerNotes: "Backup power notes",
  smartCareFunctional: "SmartCare functional",
  libraryVersionConsistent: "Library version consistent",
  libraryVersion: "Library version",
  databaseVersion: "Database version",
  functionalityStatusMode: "Deployment Mode",
  dateOfLastUpgrade: "Date of last upgrade",
  numberOfStaffTrainedInSmartCare: "Number of staff trained",
  latitude: "Latitude",
  longitude: "Longitude",
  positionAccuracy: "Accuracy of the position",
  positionAt: "Time of the position",
  positionNote: "Note on the position",
  otherIssues: "General comments on setup",
  closingComments: "Closing comments",
  additionalNotes: "Additional notes",
  assessedAt: "Time of the visit",
} as const satisfies Record<
  Exclude<keyof Values, `contact${string}`> | keyof typeof areaTextLimits | "assessedAt",
  string
>;

/** The parts of a contact person. The name of a field ends in its part. */
export const contactFields = [
  { part: "Name", label: "Name", type: "text" },
  { part: "Role", label: "Role", type: "text" },
  { part: "PrimaryPhone", label: "Primary phone", type: "tel" },
  { part: "SecondaryPhone", label: "Secondary phone", type: "tel" },
  { part: "Email", label: "Email", type: "email" },
] as const;

/** The fields of an action that is agreed at the visit. */
export const actionLabels = { text: "What is to be done", responsible: "Responsible", dueDay: "Due" } as const;

/** The path of an area's answer: the area's id and the name of the answer. */
export const areaField = /^serviceAreaAssessments\.(\d+)\.(\w+)$/;

/** The label of a field by its path, as history and conflicts name it. */
export function labelOf(field: string, areaName: (serviceAreaId: number) => string): string {
  const [, area, name] = areaField.exec(field) ?? [];
  if (area && name) return `${areaName(Number(area))}: ${labels[name as keyof typeof labels] ?? name}`;
  const [, which, part] = /^contact([AB])(\w+)$/.exec(field) ?? [];
  const label = contactFields.find((one) => one.part === part)?.label.toLowerCase();
  if (which && part) return `${which === "A" ? "Primary" : "Secondary"} contact: ${label ?? part}`;
  const [, number, ofAction] = /^actions\.(\d+)\.(\w+)$/.exec(field) ?? [];
  if (number && ofAction)
    return `Action ${Number(number) + 1}: ${actionLabels[ofAction as keyof typeof actionLabels] ?? ofAction}`;
  return labels[field as keyof typeof labels] ?? field;
}

/** A field's value in words; empty if it has none. */
export function valueText(field: string, value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined || value === "") return "";
  const text = String(value);
  if (text === "true") return "Yes";
  if (text === "false") return "No";
  if (field === "functionalityStatusMode") return modeLabels[text as Mode] ?? text;
  return field === "dateOfLastUpgrade" ? formatDate(text) : text;
}
