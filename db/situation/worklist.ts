import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { writtenOnce } from "../engine/writtenOnce.ts";
import { dayOf, numberOfDay, timeOf } from "../list/day.ts";
import { type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import { anyOf } from "../list/keys.ts";
import { inScope, type Scope } from "../list/scope.ts";
import { isCounted } from "../list/counted.ts";
import { isMine, type Mine } from "../action/mine.ts";
import { isOverdue } from "../facility/silence.ts";
import { beforeDays } from "./situation.ts";
import { isBroken as isBrokenSql, type Trouble, troubles } from "../derived/state.ts";
import { stateRow } from "./state.ts";
import type { WorklistKind } from "./state.rules.ts";

/** The work list: facilities with a problem of some kind, since when they have it, and people's notes about it. */

/** The limits of the kinds: versions that count as old, and days without a visit. */
export type WorklistRule = { oldVersions: readonly string[]; visitDays: number };
type WorklistShow = "open" | "snoozed" | "all";
/** By age alone, or first by the partner or the district, those without a partner first. */
type WorklistOrder = "age" | "partner" | "district";

type Kind = {
  holds: RawBuilder<SqlBool>;
  /** the day since when, null: always */ since: RawBuilder<unknown>;
  /** a note is about this problem only if it was written since then */ isOnce: boolean;
};

const isBroken = (kind: Trouble) => sql<SqlBool>`${sql.raw(isBrokenSql(kind, "state."))}`;
/** The day of the first visit that found it broken, after the last visit that found it working. */
const brokenSince = (kind: Trouble) => sql`(
  select assessed_at from assessment
  where assessment.facility_uuid = facility.facility_uuid and ${isCounted("assessment")} and assessed_at > state.${sql.raw(troubles[kind].before)} and not ${sql.raw(troubles[kind].works)}
  order by assessed_at limit 1)::date`;

const kindsOf = ({ oldVersions, visitDays }: WorklistRule): Record<WorklistKind, Kind> => ({
  stopped: { holds: isBroken("stopped"), since: brokenSince("stopped"), isOnce: true },
  lostPower: { holds: isBroken("lostPower"), since: brokenSince("lostPower"), isOnce: true },
  silent: { holds: isOverdue, since: sql`(tdb_silence.due_day + 1)`, isOnce: true },
  oldVersion: {
    holds: sql`coalesce(state.library_version = any(${oldVersions}::text[]), false)`,
    since: sql`state.assessed_at::date`,
    isOnce: false,
  },
  notVisited: {
    holds: sql`coalesce(state.assessed_at < ${beforeDays(visitDays)}, false)`,
    since: sql`state.assessed_at::date`,
    isOnce: true,
  },
});

/** The joins that the conditions need besides the `facility` of a query. */
const known = sql`left join lateral ${stateRow} as state on true left join tdb_silence on tdb_silence.facility_uuid = facility.facility_uuid`;
/** Whether a note hides its entry today. Since when the problem is, is only looked up where a note would hide it. */
const hides = (
  { since, isOnce }: Kind,
  note: string,
) => sql<SqlBool>`case when ${sql.raw(note)}.snoozed_until > current_date
  then ${isOnce ? sql`${sql.raw(note)}.written_at::date >= coalesce(${since}, '-infinity')` : sql`true`} else false end`;
const newestNote = (kind: WorklistKind) => sql`(
  select * from worklist_note where worklist_note.facility_uuid = facility.facility_uuid and worklist_note.kind = ${kind}
  order by written_at desc, note_uuid desc limit 1)`;

export type WorklistRow = {
  facilityUuid: string;
  facilityName: string;
  provinceId: number;
  province: string;
  districtId: number;
  district: string;
  implementingPartnerId: number | null;
  implementingPartner: string | null;
  sinceDate: string | null;
  days: number | null;
  lastVisitDate: string | null;
  lastWorkedDate: string | null;
  lastTdbDate: string | null;
  libraryVersion: string | null;
  contactName: string | null;
  contactRole: string | null;
  contactPhone: string | null;
  comment: string | null;
  commentedDate: string | null;
  commentedBy: string | null;
  snoozedUntil: string | null;
  snoozed: boolean;
  order: number;
  groupName: string;
};

const order: Order = {
  columns: [
    { key: "groupName", column: "entry.groupName", type: "text" },
    { key: "order", column: "entry.order", type: "integer" },
    { key: "facilityName", column: "entry.facilityName", type: "text" },
    { key: "facilityUuid", column: "entry.facilityUuid", type: "text" },
  ],
  isByKeys: true,
};

const groupNames: Record<WorklistOrder, RawBuilder<string>> = {
  age: sql`''`,
  partner: sql`coalesce(partner.name, '')`,
  district: sql`district.name || ', ' || province.name`,
};

/**
 * Entries of a kind; those that have lasted longest come first. `facilityUuids`: only of these facilities; `mine`: only
 * those with an open action of somebody.
 */
export function listWorklist(
  handle: Handle,
  {
    kind,
    scope,
    show,
    rule,
    orderBy = "age",
    mine,
    facilityUuids,
    page,
  }: {
    kind: WorklistKind;
    scope: Scope;
    show: WorklistShow;
    rule: WorklistRule;
    orderBy?: WorklistOrder | undefined;
    mine?: Mine | undefined;
    facilityUuids?: readonly string[];
    page: PageInput;
  },
): Promise<Page<WorklistRow>> {
  const of = kindsOf(rule)[kind];
  const worked =
    kind === "stopped" || kind === "lostPower" ? sql`state.${sql.raw(troubles[kind].before)}::date` : sql`null::date`;
  const shown = { open: sql`not entry.snoozed`, snoozed: sql`entry.snoozed`, all: sql`true` }[show];
  const only = [
    ...(facilityUuids === undefined ? [] : [sql`facility.facility_uuid = ${anyOf(facilityUuids, "text")}`]),
    ...(mine === undefined
      ? []
      : [
          sql`exists (select from action where action.facility_uuid = facility.facility_uuid and action.kind = ${kind} and ${isMine(mine)})`,
        ]),
  ].map((condition) => sql` and ${condition}`);
  const entries = sql<WorklistRow>`(
    select facility.facility_uuid, facility.facility_name, facility.province_id, province.name as province, facility.district_id, district.name as district,
      facility.implementing_partner_id, partner.name as implementing_partner,
      since.day as since_date, current_date - since.day as days, ${numberOfDay(sql`since.day`)} as order, ${groupNames[orderBy]} as group_name,
      state.assessed_at::date as last_visit_date, ${worked} as last_worked_date, tdb_silence.tdb_created_at::date as last_tdb_date, state.library_version,
      nullif(visit.contact_a_name, '') as contact_name, nullif(visit.contact_a_role, '') as contact_role, nullif(visit.contact_a_primary_phone, '') as contact_phone,
      note.comment, note.written_at::date as commented_date, author.user_name as commented_by, note.snoozed_until, ${hides(of, "note")} as snoozed
    from facility ${known}
    join province on province.province_id = facility.province_id join district on district.district_id = facility.district_id
    left join implementing_partner as partner on partner.implementing_partner_id = facility.implementing_partner_id
    left join assessment as visit on visit.assessment_uuid = state.assessment_uuid
    left join lateral ${newestNote(kind)} as note on true
    left join app_user as author on author.user_uuid = note.user_uuid
    cross join lateral (select ${of.since} as day) as since
    where facility.closed_on is null and ${of.holds} and ${inScope(scope)}${sql.join(only, sql``)})`;
  return readPage(
    handle
      .selectFrom(entries.as("entry"))
      .selectAll()
      .where(sql<SqlBool>`${shown}`),
    order,
    page,
  );
}

/** A problem of a facility: its entry of the work list, also one that is snoozed. */
export type ProblemRow = { facilityUuid: string; kind: WorklistKind; sinceDate: string | null; days: number | null };

/** The problems of facilities, in the order of their kinds. */
export const listProblems = writtenOnce(
  (_, { facilityUuids, ...rule }: { facilityUuids: readonly string[] } & WorklistRule) => {
    const problems = Object.entries(kindsOf(rule)).map(
      ([kind, of]) => sql`
      select facility.facility_uuid, ${kind}::text as kind, ${of.since} as since_date, current_date - ${of.since} as days
      from facility ${known}
      where facility.facility_uuid = ${anyOf(facilityUuids, "text")} and facility.closed_on is null and ${of.holds}`,
    );
    return sql<ProblemRow>`${sql.join(problems, sql` union all `)}`;
  },
);

/** How many entries of each kind are snoozed, counted from the snoozing notes; kinds without any are left out. */
export async function countSnoozed(
  handle: Handle,
  { scope, rule }: { scope: Scope; rule: WorklistRule },
): Promise<{ kind: WorklistKind; snoozed: number }[]> {
  const counts = Object.entries(kindsOf(rule)).map(
    ([kind, of]) => sql`
      select ${kind}::text as kind, count(*) as snoozed
      from worklist_note as note join facility using (facility_uuid) ${known}
      where facility.closed_on is null and note.kind = ${kind} and ${hides(of, "note")} and ${of.holds} and ${inScope(scope)} and not exists (
        select from worklist_note as later where later.facility_uuid = note.facility_uuid and later.kind = note.kind
          and (later.written_at, later.note_uuid) > (note.written_at, note.note_uuid))`,
  );
  const { rows } = await sql<{ kind: WorklistKind; snoozed: number }>`${sql.join(counts, sql` union all `)}`.execute(
    handle,
  );
  return rows.filter(({ snoozed }) => snoozed > 0);
}

export type WorklistPartnerRow = { implementingPartnerId: number | null } & Record<WorklistKind, number>;

/**
 * How many open entries of each kind the facilities of each partner have.
 */
export async function listOpenByPartner(
  handle: Handle,
  { scope, rule }: { scope: Scope; rule: WorklistRule },
): Promise<WorklistPartnerRow[]> {
  const counts = Object.entries(kindsOf(rule)).map(
    ([kind, of]) => sql`count(*) filter (where ${of.holds} and not coalesce(
      (select ${hides(of, "note")} from ${newestNote(kind as WorklistKind)} as note), false)) as ${sql.ref(kind)}`,
  );
  const { rows } = await sql<WorklistPartnerRow>`
    select facility.implementing_partner_id, ${sql.join(counts)}
    from facility ${known} where facility.closed_on is null and ${inScope(scope)}
    group by facility.implementing_partner_id`.execute(handle);
  return rows;
}

export type WorklistNoteRow = {
  noteUuid: string;
  comment: string;
  snoozedUntil: string | null;
  writtenDate: string;
  writtenTime: string;
  userName: string;
  writtenAt: string;
};

const byTime: Order = {
  columns: [
    { key: "writtenAt", column: "worklistNote.writtenAt", type: "timestamptz" },
    { key: "noteUuid", column: "worklistNote.noteUuid", type: "uuid" },
  ],
  descending: true,
};

/** What people noted about an entry, the newest first. */
export function listWorklistNotes(
  handle: Handle,
  { facilityUuid, kind, page }: { facilityUuid: string; kind: WorklistKind; page: PageInput },
): Promise<Page<WorklistNoteRow>> {
  const notes = handle
    .selectFrom("worklistNote")
    .innerJoin("appUser", "appUser.userUuid", "worklistNote.userUuid")
    .select([
      "worklistNote.noteUuid",
      "worklistNote.comment",
      "worklistNote.snoozedUntil",
      dayOf("worklistNote.writtenAt").as("writtenDate"),
      timeOf("worklistNote.writtenAt").as("writtenTime"),
      "appUser.userName",
      sql<string>`to_char(worklist_note.written_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as(
        "writtenAt",
      ),
    ])
    .where("worklistNote.facilityUuid", "=", facilityUuid)
    .where("worklistNote.kind", "=", kind);
  return readPage(notes, byTime, page);
}

export async function insertWorklistNote(
  handle: Handle,
  note: {
    noteUuid: string;
    facilityUuid: string;
    kind: WorklistKind;
    userUuid: string;
    comment: string;
    snoozedUntil: string | null;
  },
): Promise<void> {
  await handle.insertInto("worklistNote").values(note).execute();
}

/** Stores a note on several entries, each with the day until which it is snoozed. */
export async function insertWorklistNotes(
  handle: Handle,
  {
    userUuid,
    comment,
    entries,
  }: {
    userUuid: string;
    comment: string;
    entries: readonly { noteUuid: string; facilityUuid: string; kind: WorklistKind; snoozedUntil: string | null }[];
  },
): Promise<void> {
  await sql`
    insert into worklist_note (note_uuid, facility_uuid, kind, user_uuid, comment, snoozed_until)
    select given.uuid, given.facility, given.kind, ${userUuid}, ${comment}, given.until from unnest(
      ${entries.map(({ noteUuid }) => noteUuid)}::uuid[], ${entries.map(({ facilityUuid }) => facilityUuid)}::text[],
      ${entries.map(({ kind }) => kind)}::text[], ${entries.map(({ snoozedUntil }) => snoozedUntil)}::date[])
      as given (uuid, facility, kind, until)`.execute(handle);
}

/** Removes those of these notes that are still the newest of their entries. Returns their uuids. */
export async function deleteNewestNotes(
  handle: Handle,
  { noteUuids }: { noteUuids: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ noteUuid: string }>`
    delete from worklist_note as note where note.note_uuid = ${anyOf(noteUuids, "uuid")} and not exists (
      select from worklist_note as later where later.facility_uuid = note.facility_uuid and later.kind = note.kind
        and (later.written_at, later.note_uuid) > (note.written_at, note.note_uuid))
    returning note_uuid`.execute(handle);
  return rows.map(({ noteUuid }) => noteUuid);
}
