/**
 * The fields of an assessment. This file does not import zod, because the form shows the fields before it checks them.
 */

import { personForm, textForm, typedPhone } from "../input/identity.rules.ts";

/** How long the texts of an assessment may be. */
export const textLimits = {
  primaryPowerNotes: 512,
  backupPowerNotes: 512,
  libraryVersion: 128,
  databaseVersion: 128,
  otherIssues: 1024,
  closingComments: 256,
  contactAName: 128,
  contactARole: 128,
  contactAPrimaryPhone: 15,
  contactASecondaryPhone: 15,
  contactAEmail: 128,
  contactBName: 128,
  contactBRole: 128,
  contactBPrimaryPhone: 15,
  contactBSecondaryPhone: 15,
  contactBEmail: 128,
  positionNote: 256,
} as const;
export type TextName = keyof typeof textLimits;

/** The form in which a text is measured: a phone number, a name or address of a contact, or notes as they were typed. */
export function formOf(name: string): (typed: string) => string {
  if (name.endsWith("Phone")) return typedPhone;
  return name.startsWith("contact") ? personForm : textForm;
}

/** Whether a source of power is there, and whether it works: the form's checkboxes. */
export const tickNames = ["primaryPower", "primaryPowerWorking", "backupPower", "backupPowerWorking"] as const;
/** Questions with the answer yes, no, or null (not answered). */
export const answerNames = [...tickNames, "smartCareFunctional", "libraryVersionConsistent"] as const;
export type AnswerName = (typeof answerNames)[number];

/**
 * Where the device was when the visit was first saved: degrees, accuracy in metres, and the instant at which it found
 * the position.
 */
export const positionNames = ["latitude", "longitude", "positionAccuracy", "positionAt"] as const;

export const areaTextLimits = { libraryVersion: 128, databaseVersion: 128, additionalNotes: 128 } as const;
