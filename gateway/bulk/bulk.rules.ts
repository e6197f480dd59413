import { z } from "zod";

import { type LeftOutReason, leftOutReasons } from "../../db/bulk/bulk.rules.ts";
import { agreedShape, someone } from "../assessment/visitActions.rules.ts";
import { facilityFilterRules, facilityUuidRule, searchTextRule } from "../facility/facility.rules.ts";
import { facilityMatchRules } from "../facility/facilityFilter.rules.ts";
import { clientUuidRule, idRule } from "../input/page.rules.ts";
import { worklistFilterRules, worklistKindRule, worklistNoteInputRules } from "../situation/worklist.rules.ts";

/** Rules for acts on many sites at once: which sites, and what is done there. */

export { type LeftOutReason, leftOutReasons };

/** The most sites of one act. */
export const mostSites = 5000;
const tooMany = `may be at most ${mostSites.toLocaleString("en-GB")} sites`;
/** The error in a number of selected sites; null if there is none. */
export const selectionError = (sites: number): string | null =>
  sites === 0 ? "no site is selected" : sites > mostSites ? tooMany : null;

const facilitiesRules = z.strictObject({
  list: facilityFilterRules,
  search: searchTextRule.nullish(),
  match: facilityMatchRules.nullish(),
});
const selectionRules = z
  .strictObject({
    facilityUuids: z.array(facilityUuidRule).min(1, "no site is selected").max(mostSites, tooMany).nullish(),
    facilities: facilitiesRules.nullish(),
    worklist: worklistFilterRules.extend({ mine: z.boolean().nullish() }).nullish(),
  })
  .refine((selection) => Object.values(selection).filter((part) => part != null).length === 1, {
    path: ["facilityUuids"],
    message: "or facilities or worklist is needed, and only one of them",
  });
export type Selection = z.output<typeof selectionRules>;

const commonShape = { bulkActUuid: clientUuidRule, sites: selectionRules };
const kindRule = worklistKindRule.nullish();

export const assignRules = z.strictObject({ ...commonShape, kind: kindRule, ...agreedShape }).superRefine(someone);
export type AssignInput = z.output<typeof assignRules>;

export const noteRules = z.strictObject({
  ...commonShape,
  kind: kindRule,
  comment: worklistNoteInputRules.shape.comment,
  snoozedUntil: worklistNoteInputRules.shape.snoozedUntil,
});
export type NoteInput = z.output<typeof noteRules>;

export const setPartnerRules = z.strictObject({ ...commonShape, implementingPartnerId: idRule.nullable() });
export type SetPartnerInput = z.output<typeof setPartnerRules>;

export const fieldListRules = z.strictObject({ ...commonShape, fieldList: clientUuidRule });
export type FieldListInput = z.output<typeof fieldListRules>;

export const undoRules = z.strictObject({ bulkActUuid: clientUuidRule });
