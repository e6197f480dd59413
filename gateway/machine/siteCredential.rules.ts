import { z } from "zod";

import { dateRule } from "../calendar/period.rules.ts";
import { filterTextRule, idRule } from "../input/page.rules.ts";
import { codeForm } from "../input/identity.rules.ts";
import { textIn } from "../input/texts.rules.ts";

/** Rules of site credentials: issuing them for many facilities at once, and listing them by state. */

/** The most facilities that one call issues credentials for. */
const mostIssued = 5000;

export const issueRules = z.strictObject({
  facilities: z
    .array(textIn(codeForm, 64).min(1, "is empty"))
    .min(1, "name at least one facility")
    .max(mostIssued, `name at most ${mostIssued} facilities at a time`)
    .describe("HMIS codes or uuids of facilities"),
  expiryDate: dateRule.describe(
    "The last day on which they work, at most 366 days from today. A renewal gives as many days again.",
  ),
});
export type Issue = z.output<typeof issueRules>;

const facilitiesRule = issueRules.shape.facilities;

/** Facilities as typed or pasted: one on each line, or separated by commas, semicolons or spaces. */
export const facilitiesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

type Issued = {
  facilityName: string;
  hmisCode: string | null;
  facilityUuid: string;
  secret: string;
  expiryDate: string;
};
const issuedHeader = ["facility", "hmisCode", "facilityUuid", "secret", "expiryDate"];
/** New credentials as the rows of a file, after its header row. */
export const issuedTable = (issued: readonly Issued[]): [string[], ...(string | null)[][]] => [
  issuedHeader,
  ...issued.map((one) => [one.facilityName, one.hmisCode, one.facilityUuid, one.secret, one.expiryDate]),
];

/** The states of a credential, with their labels. */
export const credentialStates = {
  unused: "Not used yet",
  working: "Works",
  expiring: "Ends soon",
  expired: "Expired",
  revoked: "Revoked",
} as const;
export type CredentialState = keyof typeof credentialStates;
export const stateNames = Object.keys(credentialStates) as [CredentialState, ...CredentialState[]];

export const credentialFilterShape = {
  state: z
    .enum(stateNames, `must be one of ${stateNames.join(", ")}`)
    .nullish()
    .describe("working: those that end soon or were not used yet included; expiring: within 30 days"),
  search: filterTextRule.describe("Part of the facility's name or code"),
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
};
export const credentialFilterRules = z.strictObject(credentialFilterShape);

/** Which credentials are revoked together: those of a list of facilities, or those that match a filter. */
export const revokeManyRules = z
  .strictObject({
    facilities: facilitiesRule.nullish(),
    ...credentialFilterShape,
    expected: z
      .number()
      .int("must be a whole number")
      .min(0, "must not be negative")
      .nullish()
      .describe("How many sites you expect this to be about: where it is another number, nothing is revoked (409)"),
  })
  .superRefine((asked, context) => {
    const names = Object.keys(credentialFilterShape) as (keyof typeof credentialFilterShape)[];
    const isFiltered = names.some((name) => asked[name] != null && asked[name] !== "");
    if (isFiltered === (asked.facilities != null))
      context.addIssue({
        code: "custom",
        path: ["facilities"],
        message: "name facilities, or a province, a district, a partner, a state or a part of names: one of the two",
      });
  });
export type RevokeMany = z.output<typeof revokeManyRules>;
export type CredentialFilter = z.output<typeof credentialFilterRules>;
