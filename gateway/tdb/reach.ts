import { listFacilitiesByUuid } from "../../db/facility/facility.ts";
import { listHolders } from "../../db/facility/facilityIdentifier.ts";
import { listFacilitiesNamed } from "../../db/tdb/tdb.ts";
import { isLimited, isWithin, requireSender } from "../access/access.ts";
import type { Context } from "../context.ts";
import { presentUuid } from "../facility/facility.ts";
import { codeIn } from "../input/identity.rules.ts";
import { TdbxFault, type TdbxManifest } from "./tdbx.rules.ts";

/** The facilities whose TDBs a caller may send. */

/** Whether the caller is limited to the TDBs of some facilities. */
export const isBound = (context: Context): boolean =>
  requireSender(context).machine?.kind === "site" || isLimited(context);

/** Refuses a file of a facility whose TDBs the caller may not send. @throws TdbxFault */
export async function checkReach(context: Context, facilityUuid: string): Promise<void> {
  const { machine } = requireSender(context);
  if (machine?.kind === "site") {
    if (machine.facilityUuid !== facilityUuid)
      throw new TdbxFault(`It is of another facility: this credential sends the TDBs of ${machine.facilityName} only.`);
  } else if (isLimited(context)) {
    const [place] = await listFacilitiesByUuid(context.db, { facilityUuids: [facilityUuid] });
    if (!place || !isWithin(context, place))
      throw new TdbxFault("It is of a facility outside of the part of the country that this account is limited to.");
  }
}

/** The one facility that formerly had this HMIS code, for example from a facility that was merged into it. */
async function formerHolder(context: Context, hmisCode: string) {
  const holders = await listHolders(context.db, { system: "hmis", value: hmisCode });
  return holders.length === 1 ? { ...holders[0]!, hmisCode } : undefined;
}

/**
 * The facility that a manifest names.
 *
 * @throws TdbxFault if there is none, if its uuid and code name two facilities, or if the caller may not send for it
 */
export async function reachableFacility(context: Context, { uuid: named, hmisCode: given }: TdbxManifest["facility"]) {
  const hmisCode = given === undefined ? undefined : codeIn(given);
  const uuid = named === undefined ? undefined : await presentUuid(context.db, named);
  const found = await listFacilitiesNamed(context.db, { uuid, hmisCode });
  const byUuid = found.find((facility) => facility.facilityUuid === uuid);
  const byCode = found.find((facility) => hmisCode !== undefined && facility.hmisCode === hmisCode);
  if (byUuid && byCode && byUuid !== byCode)
    throw new TdbxFault(
      `Its manifest names two facilities: ${byUuid.facilityName} by uuid and ${byCode.facilityName} by HMIS code ${hmisCode}.`,
    );
  const facility = byUuid ?? byCode ?? (hmisCode === undefined ? undefined : await formerHolder(context, hmisCode));
  if (!facility) {
    const names = [
      given === undefined ? "" : `HMIS code ${hmisCode ?? given}`,
      uuid === undefined ? "" : `uuid ${uuid}`,
    ].filter(Boolean);
    throw new TdbxFault(`The file is of an unknown facility (${names.join(", ")}).`);
  }
  await checkReach(context, facility.facilityUuid);
  return facility;
}
