import { type RawBuilder, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { isCounted } from "../list/counted.ts";
import { type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import { inScope, type Scope } from "../list/scope.ts";

/**
 * What became known after a report was signed about the days that it counts: visits and TDBs that were received later,
 * corrected, set aside, restored or accepted.
 */

export type CorrectionEvent = "received" | "corrected" | "setAside" | "restored" | "accepted";

export type CorrectionRow = {
  id: string;
  /** for the order and the cursor */ at: string;
  facilityUuid: string;
  facilityName: string;
  district: string;
  event: CorrectionEvent;
  source: "visit" | "tdb";
  /** of the visit, or on which the TDB was made */ day: string;
  /** on which it became known */ knownDay: string;
};
/** The signed report, and whether the reader may see what was corrected and set aside, and TDBs. */
export type CorrectionFilter = {
  scope: Scope;
  signedAt: string;
  lastDay: string;
  rights: { visits: boolean; tdbs: boolean };
};

type Parts = { id: string; at: string; event: RawBuilder<unknown>; source: "visit" | "tdb"; day: string };
const columns = ({ id, at, event, source, day }: Parts) => sql`
  select (${event}) || ' ' || ${sql.ref(id)} as id, ${sql.ref(at)} as at, facility.facility_uuid, ${event} as event,
    ${sql.lit(source)} as source, ${sql.ref(day)}::date as day`;

/** A visit is accepted for 60 days. The year only lets an index find the visits. */
const visitsReceived = ({ scope, signedAt, lastDay }: CorrectionFilter) => sql`
  ${columns({ id: "visit.assessmentUuid", at: "visit.receivedAt", event: sql`'received'`, source: "visit", day: "visit.assessedAt" })}
  from facility join assessment as visit using (facility_uuid)
  where ${inScope(scope)} and ${isCounted("visit")} and visit.received_at > ${signedAt}::timestamptz
    and visit.assessed_at > ${signedAt}::timestamptz - interval '1 year' and visit.assessed_at::date <= ${lastDay}::date`;

const visitsCorrected = ({ scope, signedAt, lastDay }: CorrectionFilter) => sql`
  ${columns({ id: "visit.assessmentUuid", at: "revision.revisedAt", event: sql`'corrected'`, source: "visit", day: "visit.assessedAt" })}
  from facility join assessment as visit using (facility_uuid) cross join lateral (
    select max(revised_at) as revised_at from assessment_revision where assessment_revision.assessment_uuid = visit.assessment_uuid) as revision
  where ${inScope(scope)} and ${isCounted("visit")} and visit.updated_at > ${signedAt}::timestamptz
    and visit.received_at <= ${signedAt}::timestamptz and revision.revised_at > ${signedAt}::timestamptz
    and visit.assessed_at::date <= ${lastDay}::date`;

const tdbsReceived = ({ scope, signedAt, lastDay }: CorrectionFilter) => sql`
  ${columns({ id: "sent.tdbUuid", at: "sent.uploadedAt", event: sql`'received'`, source: "tdb", day: "sent.tdbCreatedAt" })}
  from facility join tdb as sent using (facility_uuid)
  where ${inScope(scope)} and ${isCounted("sent")} and sent.uploaded_at > ${signedAt}::timestamptz
    and sent.tdb_created_at::date <= ${lastDay}::date`;

/** The events of the audit about visits or TDBs that had been received by the day of signing. */
const decided = ({ scope, signedAt, lastDay }: CorrectionFilter, noun: "assessment" | "tdb") => {
  const [key, made, received] =
    noun === "tdb"
      ? (["tdbUuid", "tdbCreatedAt", "uploadedAt"] as const)
      : (["assessmentUuid", "assessedAt", "receivedAt"] as const);
  const actions = [`${noun}.set-aside`, `${noun}.restore`, `${noun}.accept`];
  const event = sql`case decision.action when ${actions[0]} then 'setAside' when ${actions[1]} then 'restored' else 'accepted' end`;
  return sql`
    ${columns({ id: "decision.auditEventId", at: "decision.occurredAt", event, source: noun === "tdb" ? "tdb" : "visit", day: `about.${made}` })}
    from facility join audit_event as decision using (facility_uuid) cross join lateral (
      select * from ${sql.table(noun)} as held
      where held.${sql.ref(key)} = case when decision.action = any(${actions}::text[]) then decision.subject_id::uuid end) as about
    where ${inScope(scope)} and decision.action = any(${actions}::text[]) and decision.outcome = 'done'
      and decision.occurred_at > ${signedAt}::timestamptz
      and about.${sql.ref(received)} <= ${signedAt}::timestamptz and about.${sql.ref(made)}::date <= ${lastDay}::date`;
};

const newestFirst: Order = {
  columns: [
    { key: "at", column: "entry.at", type: "timestamptz" },
    { key: "id", column: "entry.id", type: "text" },
  ],
  descending: true,
  isComputed: true,
};

/** What became known after the signing, the newest first. */
export function listCorrections(
  handle: Handle,
  { page, ...filter }: CorrectionFilter & { page: PageInput },
): Promise<Page<CorrectionRow>> {
  const { visits, tdbs } = filter.rights;
  const parts = [
    visitsReceived(filter),
    ...(visits ? [visitsCorrected(filter), decided(filter, "assessment")] : []),
    ...(tdbs ? [tdbsReceived(filter), decided(filter, "tdb")] : []),
  ];
  const query = handle
    .selectFrom(sql<never>`(${sql.join(parts, sql` union all `)})`.as("entry"))
    .innerJoin("facility", (join) => join.on("facility.facilityUuid", "=", sql<string>`entry.facility_uuid`))
    .innerJoin("district", "district.districtId", "facility.districtId")
    .select([
      sql<string>`entry.id`.as("id"),
      sql<string>`to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as("at"),
      "facility.facilityUuid",
      "facility.facilityName",
      "district.name as district",
      sql<CorrectionEvent>`entry.event`.as("event"),
      sql<"visit" | "tdb">`entry.source`.as("source"),
      sql<string>`entry.day::text`.as("day"),
      sql<string>`entry.at::date::text`.as("knownDay"),
    ]);
  return readPage(query, newestFirst, page);
}
