import { z } from "zod";

import { dateRule } from "../period.rules.ts";
import { filterTextRule, idRule } from "../page.rules.ts";
import { storable } from "../text.rules.ts";

/** Credentials of sites: issued for many facilities at once, listed by what has become of them. */

/** The most facilities that one call issues credentials for. */
const mostIssued = 5000;

export const issueRules = z.strictObject({
  facilities: z
    .array(z.string("must be a text").trim().min(1, "is empty").max(64, "is neither a uuid nor an HMIS code").refine(...storable))
    .min(1, "name at least one facility")
    .max(mostIssued, `name at most ${mostIssued} facilities at a time`)
    .describe("HMIS codes or uuids of facilities"),
  expiryDate: dateRule.describe("The last day on which they work, at most 366 days from today. A renewal gives as many days again."),
});
export type Issue = z.output<typeof issueRules>;

/** The facilities that somebody typed or pasted: one on each line, or set apart by commas, semicolons or spaces. */
export const facilitiesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

/** What has become of a credential, in words. */
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
  state: z.enum(stateNames, `must be one of ${stateNames.join(", ")}`).nullish().describe("working: those that end soon or were not used yet included; expiring: within 30 days"),
  search: filterTextRule.describe("Part of the facility's name or code"),
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
};
export const credentialFilterRules = z.strictObject(credentialFilterShape);
export type CredentialFilter = z.output<typeof credentialFilterRules>;
