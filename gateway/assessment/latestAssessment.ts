import { listLatestAssessments } from "../../db/assessment/assessment.ts";
import { requireRight } from "../access/access.ts";
import { batchedBy } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { requireFacilityWithin } from "../facility/facility.ts";
import type { Period } from "../calendar/fiscal.rules.ts";
import type { AssessmentRow } from "./assessment.ts";

type Found = { assessment: AssessmentRow | null };

/** The time from which the latest is taken: a period, up to and including a day, or all time. */
type Time = { period: Period | null; asOf: string | null };

const load = batchedBy<Time, string, Found>(
  async (context, time, facilityUuids) => {
    const rows = await listLatestAssessments(context.db, { facilityUuids, ...time });
    return new Map(rows.map((row) => [row.facilityUuid, { assessment: row }]));
  },
  () => ({ assessment: null }),
);

/**
 * A facility's latest assessment, of a period, as at a day or of all time: the one that the dashboards count. Null if
 * there is none. Batched over a request.
 *
 * @throws Problem FORBIDDEN
 */
export async function loadLatestAssessment(
  context: Context,
  facilityUuid: string,
  time: Time,
): Promise<AssessmentRow | null> {
  requireRight(context, "viewAssessments", "somewhere");
  await requireFacilityWithin(context, facilityUuid);
  return (await load(context, time, facilityUuid)).assessment;
}
