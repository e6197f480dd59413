import { isDeepStrictEqual } from "node:util";

import type { Handle } from "../../db/engine/connect.ts";
import * as db from "../../db/facility/facility.ts";
import { editableNames, facilityFields } from "../../db/facility/facilityFields.rules.ts";
import {
  listConnectivityProviders,
  listConnectivityTypes,
  listPartnersById,
  listServiceAreas,
} from "../../db/reference/reference.ts";
import { transact } from "../../db/engine/transaction.ts";
import { requireRight, requireWithin } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { type InputError, invalid, notFound } from "../problem.ts";
import { type FacilityRow, type FacilitySettings, presentUuid, settingsOf, type WholeFacility } from "./facility.ts";
import type { Connectivity, Settings } from "./settings.rules.ts";

/**
 * Acts that change a facility's settings and connectivity, shared by REST and GraphQL. Old and new values are written
 * to the audit log.
 */

export const connectivityOf = (row: FacilityRow): Connectivity => ({
  facilityUuid: row.facilityUuid,
  present: row.connectivityPresent,
  type: row.connectivityTypeId,
  details: row.connectivityDetails,
  mobileCoverage: row.mobileCoverage,
  mobileProvider: row.mobileProviderId,
});

/**
 * Locks a facility and reads it; for the uuid of a merged facility, the one that it was merged into.
 *
 * @throws `missing` if there is none
 */
async function readLocked(handle: Handle, asked: string, missing: Error): Promise<WholeFacility> {
  const find = async (facilityUuid: string) => {
    await db.lockFacility(handle, { facilityUuid });
    return db.findFacility(handle, { facilityUuid });
  };
  const facility = await find(asked);
  if (facility) return facility;
  const survivor = await presentUuid(handle, asked);
  const followed = survivor === asked ? undefined : await find(survivor);
  if (!followed) throw missing;
  return followed;
}

/** Errors for new values that do not exist or can no longer be chosen. */
async function refusals(
  handle: Handle,
  old: FacilitySettings,
  { implementingPartnerId, serviceAreas }: Settings,
): Promise<InputError[]> {
  const errors: InputError[] = [];
  if (implementingPartnerId != null && implementingPartnerId !== old.implementingPartnerId) {
    const [partner] = await listPartnersById(handle, { ids: [implementingPartnerId] });
    if (!partner?.active)
      errors.push({
        path: "implementingPartnerId",
        message: partner ? "is no longer active" : "there is no such implementing partner",
      });
  }
  const known = new Set(
    serviceAreas?.length ? (await listServiceAreas(handle)).map(({ serviceAreaId }) => serviceAreaId) : [],
  );
  for (const [index, id] of (serviceAreas ?? []).entries())
    if (!known.has(id)) errors.push({ path: `serviceAreas.${index}`, message: "there is no such service area" });
  return errors;
}

/**
 * Changes the given ones of a facility's partner, active service areas and editable fields. Returns all settings as
 * they are then.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND or INVALID
 */
export async function saveFacilitySettings(
  context: Context,
  { facilityUuid: asked, ...settings }: Settings & { facilityUuid: string },
): Promise<FacilitySettings> {
  requireRight(context, "editFacility", "somewhere");
  for (const name of editableNames)
    if (settings[name] !== undefined) requireRight(context, facilityFields[name].editableWith!, "somewhere");
  return transact(context.db, async (transaction) => {
    const facility = await readLocked(transaction, asked, notFound("facility", "facilityUuid"));
    const { facilityUuid } = facility;
    requireWithin(context, facility);
    const old = settingsOf(facility, facility.serviceAreas);
    context.expect?.(old);
    const errors = await refusals(transaction, old, settings);
    if (errors.length) throw invalid(errors);
    const { serviceAreas, ...values } = settings;
    await db.updateFacility(transaction, { facilityUuid, values });
    if (serviceAreas) await db.updateFacilityServiceAreas(transaction, { facilityUuid, serviceAreas });
    const saved = (await db.findFacility(transaction, { facilityUuid }))!;
    const present = settingsOf(saved, saved.serviceAreas);
    if (isDeepStrictEqual(old, present)) return present;
    const details = { old, new: present };
    await recordAudit(context, { action: "facility.settings", outcome: "done", facilityUuid, details }, transaction);
    return present;
  });
}

/** Replaces a facility's connectivity. Returns it as it is then. @throws Problem FORBIDDEN or INVALID */
export async function saveFacilityConnectivity(context: Context, connectivity: Connectivity): Promise<Connectivity> {
  requireRight(context, "editFacility", "somewhere");
  const { present, type, details, mobileCoverage, mobileProvider } = connectivity;
  return transact(context.db, async (transaction) => {
    const unknown = invalid([{ path: "facilityUuid", message: "there is no such facility" }]);
    const facility = await readLocked(transaction, connectivity.facilityUuid, unknown);
    const { facilityUuid } = facility;
    requireWithin(context, facility);
    const old = connectivityOf(facility);
    context.expect?.(old);
    const errors: InputError[] = [];
    if (type !== null && !(await listConnectivityTypes(transaction)).some(({ id }) => id === type))
      errors.push({ path: "type", message: "there is no such connectivity type" });
    if (
      mobileProvider !== null &&
      !(await listConnectivityProviders(transaction)).some(({ id }) => id === mobileProvider)
    )
      errors.push({ path: "mobileProvider", message: "there is no such provider" });
    if (errors.length) throw invalid(errors);
    const saved = { ...connectivity, facilityUuid };
    if (isDeepStrictEqual(old, saved)) return saved;
    const values = {
      connectivityPresent: present,
      connectivityTypeId: type,
      connectivityDetails: details,
      mobileCoverage,
      mobileProviderId: mobileProvider,
    };
    await db.updateFacility(transaction, { facilityUuid, values });
    await recordAudit(
      context,
      { action: "facility.connectivity", outcome: "done", facilityUuid, details: { old, new: connectivity } },
      transaction,
    );
    return saved;
  });
}
