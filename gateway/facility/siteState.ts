import * as db from "../../db/situation/situation.ts";
import { mayAt, requireViewer } from "../access/access.ts";
import type { Context } from "../context.ts";
import { notFound } from "../problem.ts";
import { batched } from "../reading/batch.ts";
import type { SiteState } from "./siteColumns.rules.ts";

/**
 * How facilities stand, for GraphQL, REST and every file. These are open facts, except whom to call and how many actions
 * are open, which are null for who may not see assessments there.
 */

export type FacilityState = SiteState & {
  facilityUuid: string;
  primaryPower: boolean | null;
  primaryPowerWorking: boolean | null;
  backupPower: boolean | null;
  backupPowerWorking: boolean | null;
  lastTdbUploadDate: string | null;
  expected: boolean;
  openActions: number | null;
};

const unseen = { contactName: null, contactRole: null, contactPhone: null, openActions: null };

function stateOf(context: Context, row: db.FacilityStateRow): FacilityState {
  const { contactName, contactRole, contactPhone, openActions } = mayAt(context, "viewAssessments", row) ? row : unseen;
  return {
    facilityUuid: row.facilityUuid,
    functionalityStatusMode: row.functionalityStatusMode,
    smartCareFunctional: row.functional,
    powerWorking: row.power,
    primaryPower: row.primaryPower,
    primaryPowerWorking: row.primaryPowerWorking,
    backupPower: row.backupPower,
    backupPowerWorking: row.backupPowerWorking,
    libraryVersion: row.libraryVersion,
    lastVisitDate: row.assessedDate,
    lastTdbCreationDate: row.lastTdbDate,
    lastTdbUploadDate: row.lastReceiptDate,
    daysSinceLastTdb: row.daysSinceLastTdb,
    expected: row.expected,
    overdue: row.silent,
    contactName,
    contactRole,
    contactPhone,
    openActions,
  };
}

/** How these facilities stand, by their uuids; unknown ones are left out. */
export async function readStates(
  context: Context,
  facilityUuids: readonly string[],
): Promise<Map<string, FacilityState>> {
  requireViewer(context);
  const rows = await db.listFacilityStates(context.db, { facilityUuids });
  return new Map(rows.map((row) => [row.facilityUuid, stateOf(context, row)]));
}

/** How a facility stands. Several facilities of one request are read together. @throws Problem NOT_FOUND */
export const loadFacilityState = batched<string, FacilityState>(readStates, () => notFound("facility", "facilityUuid"));
