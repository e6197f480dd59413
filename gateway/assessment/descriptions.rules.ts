import type { AnswerName, areaTextLimits, TextName } from "./assessment.rules.ts";

/** The meaning of an assessment's fields, as the contracts describe it. */

export const answerDescriptions: Record<AnswerName, string> = {
  primaryPower: "Whether there is primary power; null if there is no answer.",
  primaryPowerWorking:
    "Whether primary power works; null if there is no answer. Without primary power it is false; a yes without an answer to primaryPower is not stored.",
  backupPower: "Whether there is backup power; null if there is no answer.",
  backupPowerWorking:
    "Whether backup power works; null if there is no answer. Without backup power it is false; a yes without an answer to backupPower is not stored.",
  smartCareFunctional: "Whether SmartCare is functional; null if there is no answer.",
  libraryVersionConsistent: "Whether all computers have the same library version; null if there is no answer.",
};

export const positionDescriptions = {
  latitude: "Degrees north.",
  longitude: "Degrees east.",
  positionAccuracy: "How accurate the position is: a radius in metres. Null where it is not recorded.",
  positionAt: "When the device found the position, ISO 8601 in UTC. Null where it is not recorded.",
  distanceFromFacility:
    "How far the position is from the facility's registered one of today, in metres. Null where one of the two is not recorded.",
} as const;

const contact = (which: string) => ({
  Name: `Name of the ${which} contact.`,
  Role: `Role of the ${which} contact.`,
  PrimaryPhone: `First phone number of the ${which} contact.`,
  SecondaryPhone: `Second phone number of the ${which} contact.`,
  Email: `E-mail address of the ${which} contact.`,
});
const [primary, secondary] = [contact("primary"), contact("secondary")];

export const textDescriptions: Record<TextName, string> = {
  primaryPowerNotes: "Notes on primary power.",
  backupPowerNotes: "Notes on backup power.",
  libraryVersion: "Version of the SmartCare library.",
  databaseVersion: "Version of the SmartCare database.",
  otherIssues: "General comments on the setup.",
  closingComments: "Closing comments.",
  contactAName: primary.Name,
  contactARole: primary.Role,
  contactAPrimaryPhone: primary.PrimaryPhone,
  contactASecondaryPhone: primary.SecondaryPhone,
  contactAEmail: primary.Email,
  contactBName: secondary.Name,
  contactBRole: secondary.Role,
  contactBPrimaryPhone: secondary.PrimaryPhone,
  contactBSecondaryPhone: secondary.SecondaryPhone,
  contactBEmail: secondary.Email,
  positionNote: "Why the visit has no position, or a doubtful one.",
};

export const areaDescriptions: Record<keyof typeof areaTextLimits | "smartCareFunctional", string> = {
  smartCareFunctional: "Whether SmartCare is functional in this service area; null if there is no answer.",
  libraryVersion: "Version of the SmartCare library in this service area.",
  databaseVersion: "Version of the SmartCare database in this service area.",
  additionalNotes: "Notes on this service area.",
};
