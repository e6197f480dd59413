import { type RawBuilder, sql, type SqlBool } from "kysely";

import { tdbAsOf } from "../derived/asOf.ts";
import { dueDay } from "../derived/silence.ts";
import { isCounted } from "../list/counted.ts";
import { onListedDays } from "../list/day.ts";
import { inScope, type Scope } from "../list/scope.ts";
import { type LedgerKind, ledgerKinds, type LedgerSource, visitKinds } from "./ledger.rules.ts";

/**
 * The rows of the ledger by the tables that have them. What a state was before a change is looked up by an index, so
 * the cost depends on the period, not on the history.
 */

export type LedgerScope = Scope & { facilityUuid?: string | null; /** both included */ start: string; end: string };
/** What the reader may see besides open facts. */
export type LedgerRights = { visits: boolean; tdbs: boolean };

const isWithin = ({ facilityUuid, ...scope }: LedgerScope) =>
  facilityUuid == null
    ? inScope(scope)
    : sql<SqlBool>`(${inScope(scope)} and facility.facility_uuid = ${facilityUuid})`;

type Columns = {
  kind: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  facilityUuid: RawBuilder<unknown>;
  at: RawBuilder<unknown>;
  event?: RawBuilder<unknown>;
  from?: RawBuilder<unknown>;
  to: RawBuilder<unknown>;
  by?: RawBuilder<unknown>;
  comment?: RawBuilder<unknown>;
  source: LedgerSource | RawBuilder<unknown>;
  visit?: RawBuilder<unknown>;
};
/** The columns of a row, for a query that adds `from`. */
const row = ({ kind, id, facilityUuid, at, event, from, to, by, comment, source, visit }: Columns) => sql`
  select ${kind}::text as kind, (${id})::text collate "C" as id, ${facilityUuid} as facility_uuid, ${at} as at, ${event ?? kind}::text as event,
    ${from ?? sql`null`}::text as "from", ${to}::text as "to", ${by ?? sql`null`}::uuid as user_uuid, ${comment ?? sql`null`}::text as comment,
    ${typeof source === "string" ? sql.lit(source) : source}::text as source, ${visit ?? sql`null`}::uuid as assessment_uuid`;

const yesNo = (answer: RawBuilder<unknown>) => sql`case ${answer} when true then 'yes' when false then 'no' end`;
const column = (table: string, name: string) => sql.ref(`${table}.${name}`);
/** What a visit found, in words; null where it recorded nothing. */
const foundBy: Record<(typeof visitKinds)[number], (visit: string) => RawBuilder<unknown>> = {
  works: (visit) => yesNo(column(visit, "smartCareFunctional")),
  power: (visit) => yesNo(sql`(${column(visit, "primaryPowerWorking")} or ${column(visit, "backupPowerWorking")})`),
  backupPower: (visit) => yesNo(column(visit, "backupPowerWorking")),
  version: (visit) => sql`nullif(btrim(${column(visit, "libraryVersion")}), '')`,
  mode: (visit) => column(visit, "functionalityStatusMode"),
};

/**
 * Values that visits of the period found, where the last earlier visit that recorded one found another, or none did.
 * Nearly always that is the visit before, which is read once for all kinds.
 */
function visits(scope: LedgerScope, kinds: ReadonlySet<LedgerKind>) {
  const earlierVisit = (condition: RawBuilder<unknown>) => sql`from assessment as earlier
    where earlier.facility_uuid = visit.facility_uuid and ${isCounted("earlier")} and ${condition}
      and (earlier.assessed_at, earlier.assessment_uuid) < (visit.assessed_at, visit.assessment_uuid)
    order by earlier.assessed_at desc, earlier.assessment_uuid desc limit 1`;
  const facts = visitKinds
    .filter((kind) => kinds.has(kind))
    .map((kind) => {
      const found = foundBy[kind];
      const lastRecorded = sql`(select ${found("earlier")} ${earlierVisit(sql`${found("earlier")} is not null`)})`;
      return sql`(${sql.lit(kind)}, ${found("visit")}, case when last.assessment_uuid is not null then coalesce(${found("last")}, ${lastRecorded}) end)`;
    });
  return sql`${row({
    kind: sql`fact.kind`,
    id: sql`fact.kind || ' ' || visit.assessment_uuid`,
    facilityUuid: sql`visit.facility_uuid`,
    at: sql`visit.assessed_at`,
    from: sql`coalesce(fact.earlier, 'not recorded')`,
    to: sql`fact.present`,
    by: sql`visit.user_uuid`,
    comment: sql`nullif(btrim(visit.closing_comments), '')`,
    source: "visit",
    visit: sql`visit.assessment_uuid`,
  })}
  from facility join assessment as visit using (facility_uuid)
    left join lateral (select earlier.* ${earlierVisit(sql`true`)}) as last on true
    cross join lateral (values ${sql.join(facts)}) as fact (kind, present, earlier)
  where ${isWithin(scope)} and ${isCounted("visit")} and ${onListedDays("visit.assessedAt", scope)} and fact.present is not null
    and fact.earlier is distinct from fact.present`;
}

/**
 * Days at whose end data was overdue or in time, unlike at the end of the day before. `point`: the day before the
 * period, and its days with receipts, each with the day on which the latest TDB that was received by then was made.
 */
function silence(scope: LedgerScope) {
  const { start, end } = scope;
  const dayBefore = new Date(Date.parse(start) - 86_400_000).toISOString().slice(0, 10);
  const due = sql.raw(dueDay("known.made"));
  const dueEarlier = sql.raw(dueDay("known.earlier"));
  const of = { facilityUuid: sql`known.facility_uuid`, kind: sql`'silence'`, source: "tdb" } as const;
  const dated = (day: RawBuilder<unknown>) => ({
    id: sql`'silence ' || known.facility_uuid || ' ' || ${day}`,
    at: sql`${day}::timestamptz`,
  });
  return sql`(
    with point as (
      select facility.facility_uuid, ${dayBefore}::date as day, sent.tdb_created_at::date as made
      from facility left join lateral ${tdbAsOf(dayBefore)} as sent on true where ${isWithin(scope)}
      union all
      select tdb.facility_uuid, tdb.uploaded_at::date, max(tdb.tdb_created_at)::date
      from facility join tdb using (facility_uuid) where ${isWithin(scope)} and ${isCounted("tdb")} and ${onListedDays("tdb.uploadedAt", scope)}
      group by 1, 2),
    known as materialized (
      select facility_uuid, day, max(made) over until_then as made, lead(day) over by_day as next,
        max(made) over (partition by facility_uuid order by day rows between unbounded preceding and 1 preceding) as earlier
      from point window by_day as (partition by facility_uuid order by day), until_then as (partition by facility_uuid order by day))
    select * from (
      ${row({
        ...of,
        ...dated(sql`known.day`),
        from: sql`case when known.earlier is null then 'no data' when ${dueEarlier} < known.day - 1 then 'overdue' else 'in time' end`,
        to: sql`case when ${due} < known.day then 'overdue' else 'in time' end`,
      })} from known where known.day >= ${start}::date) as received
    where received."from" <> received."to"
    union all
    ${row({ ...of, ...dated(sql`(${due} + 1)`), from: sql`'in time'`, to: sql`'overdue'` })}
    from known where ${due} >= known.day and ${due} < least(${end}::date, current_date) and (known.next is null or ${due} + 1 < known.next))`;
}

const details = (state: "old" | "new") =>
  sql`coalesce(audit_event.details -> ${state} -> 'facility', audit_event.details -> ${state})`;
const presence = (state: "old" | "new", name: string) =>
  sql`coalesce(case ${details(state)} ->> ${name} when 'true' then 'yes' when 'false' then 'no' end, 'not recorded')`;
const place = (state: "old" | "new") =>
  sql`(${details(state)} ->> 'district') || ', ' || (${details(state)} ->> 'province')`;
const partner = (state: "old" | "new") => sql`coalesce((
  select partner.name from implementing_partner as partner
  where partner.implementing_partner_id = (${details(state)} ->> 'implementingPartnerId')::integer), 'none')`;

const wasOpen = sql`case when audit_event.details -> 'old' ->> 'closedOn' is null then 'open' else 'closed' end`;

type Edit = {
  kind: "partner" | "registry" | "connectivity";
  event: string;
  from: RawBuilder<unknown>;
  to: RawBuilder<unknown>;
};
/** What the audit's events change, by the event. */
const edits: Record<string, Edit[]> = {
  "facility.settings": [{ kind: "partner", event: "partner", from: partner("old"), to: partner("new") }],
  "facility.connectivity": [
    { kind: "connectivity", event: "internet", from: presence("old", "present"), to: presence("new", "present") },
    {
      kind: "connectivity",
      event: "mobile",
      from: presence("old", "mobileCoverage"),
      to: presence("new", "mobileCoverage"),
    },
  ],
  "facility.add": [{ kind: "registry", event: "added", from: sql`'not listed'`, to: sql`'listed'` }],
  "facility.close": [{ kind: "registry", event: "closed", from: wasOpen, to: sql`'closed'` }],
  "facility.reopen": [{ kind: "registry", event: "reopened", from: sql`'closed'`, to: sql`'open'` }],
  "facility.merge": [
    { kind: "registry", event: "merged", from: sql`${details("old")} ->> 'facilityName'`, to: sql`'merged'` },
  ],
  "facility.unmerge": [{ kind: "registry", event: "parted", from: sql`'merged'`, to: sql`'listed'` }],
  "facility.change": [
    {
      kind: "registry",
      event: "renamed",
      from: sql`${details("old")} ->> 'facilityName'`,
      to: sql`${details("new")} ->> 'facilityName'`,
    },
    { kind: "registry", event: "moved", from: place("old"), to: place("new") },
    { kind: "partner", event: "partner", from: partner("old"), to: partner("new") },
  ],
};

/** Changes of facilities that the audit tells. */
const changed = (scope: LedgerScope, action: string, { kind, event, from, to }: Edit) => sql`
  select * from (
    ${row({
      kind: sql.lit(kind),
      id: sql`${sql.lit(event)} || ' ' || audit_event.audit_event_id`,
      facilityUuid: sql`facility.facility_uuid`,
      at: sql`audit_event.occurred_at`,
      event: sql.lit(event),
      from,
      to,
      by: sql`audit_event.user_uuid`,
      comment: sql`audit_event.details -> 'new' ->> 'reason'`,
      source: "facility",
    })}
    from facility join audit_event using (facility_uuid)
    where ${isWithin(scope)} and audit_event.action = ${action} and audit_event.outcome = 'done' and ${onListedDays("auditEvent.occurredAt", scope)}) as edit
  where edit."from" is distinct from edit."to"`;

/** Facilities that a split of their district or partner gave to the new one. One event names them all. */
const splits = (
  scope: LedgerScope,
  noun: "district" | "implementingPartner",
  { kind, event }: Pick<Edit, "kind" | "event">,
) => {
  const name = (state: "old" | "new") =>
    noun === "district"
      ? sql`(audit_event.details -> ${state} ->> 'name') || ', ' || (audit_event.details -> ${state} ->> 'province')`
      : sql`audit_event.details -> ${state} ->> 'name'`;
  return sql`${row({
    kind: sql.lit(kind),
    id: sql`${sql.lit(event)} || ' ' || audit_event.audit_event_id || ' ' || facility.facility_uuid`,
    facilityUuid: sql`facility.facility_uuid`,
    at: sql`audit_event.occurred_at`,
    event: sql.lit(event),
    from: name("old"),
    to: name("new"),
    by: sql`audit_event.user_uuid`,
    source: "facility",
  })}
  from audit_event cross join lateral jsonb_array_elements_text(audit_event.details -> 'facilityUuids') as moved (uuid)
  join facility on facility.facility_uuid = moved.uuid
  where ${isWithin(scope)} and audit_event.action = 'place.split' and audit_event.subject_type = ${noun}
    and audit_event.outcome = 'done' and ${onListedDays("auditEvent.occurredAt", scope)}`;
};

const written = (name: string) =>
  sql`(coalesce(imported.written -> ${name}, imported.before -> 'facility' -> ${name}) #>> '{}')`;
const before = (name: string) => sql`(imported.before -> 'facility' ->> ${name})`;
const placeOf = (districtId: RawBuilder<unknown>) => sql`(
  select district.name || ', ' || province.name from district join province using (province_id) where district.district_id = ${districtId}::integer)`;
const partnerOf = (id: RawBuilder<unknown>) => sql`coalesce((
  select partner.name from implementing_partner as partner where partner.implementing_partner_id = ${id}::integer), 'none')`;
const isNew = sql`imported.before is null`;

/**
 * What imports that are applied made and changed, from the values that each row keeps for reverting it. Places and
 * partners have their names of today.
 */
function imports(scope: LedgerScope, kinds: ReadonlySet<LedgerKind>) {
  const facts = [
    sql`('registry', 'added', case when ${isNew} then 'not listed' end, case when ${isNew} then 'listed' end)`,
    sql`('registry', 'renamed', ${before("facilityName")}, case when not ${isNew} then ${written("facilityName")} end)`,
    sql`('registry', 'moved', ${placeOf(before("districtId"))}, case when not ${isNew} then ${placeOf(written("districtId"))} end)`,
    sql`('partner', 'partner', case when not ${isNew} then ${partnerOf(before("implementingPartnerId"))} end,
      case when not ${isNew} then ${partnerOf(written("implementingPartnerId"))} end)`,
  ];
  return sql`${row({
    kind: sql`fact.kind`,
    id: sql`fact.event || ' ' || imported.import_uuid || ' ' || imported.line`,
    facilityUuid: sql`facility.facility_uuid`,
    at: sql`registry_import.applied_at`,
    event: sql`fact.event`,
    from: sql`fact."from"`,
    to: sql`fact."to"`,
    by: sql`registry_import.applied_by`,
    source: "import",
  })}
  from registry_import join registry_import_row as imported using (import_uuid) join facility on facility.facility_uuid = imported.facility_uuid
  cross join lateral (values ${sql.join(facts)}) as fact (kind, event, "from", "to")
  where ${isWithin(scope)} and registry_import.status = 'applied' and ${onListedDays("registryImport.appliedAt", scope)}
    and imported.applied_version is not null and fact.kind = any(${[...kinds]}::text[]) and fact."from" <> fact."to"`;
}

/** Visits or TDBs that were set aside or restored. */
const setAside = (
  scope: LedgerScope,
  noun: "visit" | "tdb",
  actions: readonly [aside: string, restored: string],
) => sql`
  ${row({
    kind: sql`'setAside'`,
    id: sql`'setAside ' || audit_event.audit_event_id`,
    facilityUuid: sql`facility.facility_uuid`,
    at: sql`audit_event.occurred_at`,
    event: sql`case audit_event.action when ${actions[0]} then 'setAside' else 'restored' end`,
    from: sql`case audit_event.action when ${actions[0]} then 'counted' else 'set aside' end`,
    to: sql`case audit_event.action when ${actions[0]} then 'set aside' else 'counted' end`,
    by: sql`audit_event.user_uuid`,
    comment: sql`audit_event.details ->> 'reason'`,
    source: noun,
    ...(noun === "visit"
      ? { visit: sql`(select assessment_uuid from assessment where assessment_uuid::text = audit_event.subject_id)` }
      : {}),
  })}
  from facility join audit_event using (facility_uuid)
  where ${isWithin(scope)} and audit_event.action = any(${[...actions]}::text[]) and audit_event.outcome = 'done' and ${onListedDays("auditEvent.occurredAt", scope)}`;

const agreed = (scope: LedgerScope) => sql`
  ${row({
    kind: sql`'action'`,
    id: sql`'agreed ' || action.action_uuid`,
    facilityUuid: sql`action.facility_uuid`,
    at: sql`action.agreed_at`,
    event: sql`'agreed'`,
    to: sql`'agreed'`,
    by: sql`action.user_uuid`,
    comment: sql`action.text`,
    source: "action",
    visit: sql`action.assessment_uuid`,
  })}
  from facility join action using (facility_uuid) where ${isWithin(scope)} and ${onListedDays("action.agreedAt", scope)}
  union all
  ${row({
    kind: sql`'action'`,
    id: sql`'closed ' || action.action_uuid`,
    facilityUuid: sql`action.facility_uuid`,
    at: sql`action.closed_at`,
    event: sql`action.state`,
    from: sql`'agreed'`,
    to: sql`action.state`,
    by: sql`action.closed_by`,
    comment: sql`concat_ws(': ', action.text, action.reason)`,
    source: "action",
    visit: sql`action.closing_assessment_uuid`,
  })}
  from facility join action using (facility_uuid)
  where ${isWithin(scope)} and action.closed_at is not null and ${onListedDays("action.closedAt", scope)}`;

const notes = (scope: LedgerScope) => sql`
  ${row({
    kind: sql`'note'`,
    id: sql`'note ' || worklist_note.note_uuid`,
    facilityUuid: sql`worklist_note.facility_uuid`,
    at: sql`worklist_note.written_at`,
    event: sql`worklist_note.kind`,
    to: sql`'noted'`,
    by: sql`worklist_note.user_uuid`,
    comment: sql`worklist_note.comment`,
    source: "worklist",
  })}
  from facility join worklist_note using (facility_uuid) where ${isWithin(scope)} and ${onListedDays("worklistNote.writtenAt", scope)}`;

/** No row at all, with the columns of all. */
const nothing = sql`select * from (${row({
  ...{ kind: sql`''`, id: sql`''`, facilityUuid: sql`''::text collate "C"`, at: sql`now()`, to: sql`''` },
  source: "facility",
})}) as none where false`;

/** All rows of these kinds that the reader may see; of all kinds if `kinds` is null. */
export function rowsOf(
  scope: LedgerScope,
  { kinds, rights }: { kinds: readonly LedgerKind[] | null; rights: LedgerRights },
): RawBuilder<unknown> {
  const wanted: ReadonlySet<LedgerKind> = new Set(kinds ?? ledgerKinds);
  const parts = [
    nothing,
    ...(visitKinds.some((kind) => wanted.has(kind)) ? [visits(scope, wanted)] : []),
    ...(wanted.has("silence") ? [silence(scope)] : []),
    ...Object.entries(edits).flatMap(([action, each]) =>
      each.filter(({ kind }) => wanted.has(kind)).map((edit) => changed(scope, action, edit)),
    ),
    ...(wanted.has("registry") ? [splits(scope, "district", { kind: "registry", event: "moved" })] : []),
    ...(wanted.has("partner") ? [splits(scope, "implementingPartner", { kind: "partner", event: "partner" })] : []),
    ...(wanted.has("registry") || wanted.has("partner") ? [imports(scope, wanted)] : []),
    ...(wanted.has("setAside") && rights.visits
      ? [setAside(scope, "visit", ["assessment.set-aside", "assessment.restore"])]
      : []),
    ...(wanted.has("setAside") && rights.tdbs ? [setAside(scope, "tdb", ["tdb.set-aside", "tdb.restore"])] : []),
    ...(wanted.has("action") && rights.visits ? [agreed(scope)] : []),
    ...(wanted.has("note") && rights.visits ? [notes(scope)] : []),
  ];
  return sql.join(parts, sql` union all `);
}
