import { listLatestAssessments } from "../../db/assessment.ts";
import { requireRight } from "../access/access.ts";
import { batchedBy } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { requireFacilityWithin } from "../facility/facility.ts";
import type { Period } from "../calendar/fiscal.rules.ts";
import type { AssessmentRow } from "./assessment.ts";

type Found = { assessment: AssessmentRow | null };

const load = batchedBy<Period | null, string, Found>(
  async (context, period, facilityUuids) => {
    const rows = await listLatestAssessments(context.db, { facilityUuids, period });
    return new Map(rows.map((row) => [row.facilityUuid, { assessment: row }]));
  },
  () => ({ assessment: null }),
);

/**
 * A facility's latest assessment, of a period or of all time: the one that the dashboards count. Null if there is none. Batched over a
 * request.
 *
 * @throws Problem FORBIDDEN
 */
export async function loadLatestAssessment(context: Context, facilityUuid: string, period: Period | null): Promise<AssessmentRow | null> {
  requireRight(context, "viewAssessments", "somewhere");
  await requireFacilityWithin(context, facilityUuid);
  return (await load(context, period, facilityUuid)).assessment;
}
