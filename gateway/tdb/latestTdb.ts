import { listLatestTdbs, type TdbRow } from "../../db/tdb/tdb.ts";
import { requireRight } from "../access/access.ts";
import { batchedBy } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { requireFacilityWithin } from "../facility/facility.ts";

type Found = { tdb: TdbRow | null };

const load = batchedBy<string | null, string, Found>(
  async (context, asOf, facilityUuids) => {
    const rows = await listLatestTdbs(context.db, { facilityUuids, asOf });
    return new Map(rows.map((row) => [row.facilityUuid, { tdb: row }]));
  },
  () => ({ tdb: null }),
);

/**
 * A facility's latest TDB by creation, of those received up to and including a day or of all. Null if there is none.
 * Batched over a request.
 *
 * @throws Problem FORBIDDEN
 */
export async function loadLatestTdb(
  context: Context,
  facilityUuid: string,
  asOf: string | null,
): Promise<TdbRow | null> {
  requireRight(context, "viewTdbs", "somewhere");
  await requireFacilityWithin(context, facilityUuid);
  return (await load(context, asOf, facilityUuid)).tdb;
}
