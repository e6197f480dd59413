import { type RawBuilder, type SqlBool, sql } from "kysely";

import { assessmentAsOf, isOpenOn, tdbAsOf } from "../derived/asOf.ts";
import { dueDay } from "../derived/silence.ts";
import type { Handle } from "../engine/connect.ts";
import { anyOf } from "../list/keys.ts";
import { type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import { type EdgeConditions, listBelow, type ParentKey, type Parents } from "../list/parents.ts";
import { numberOfDay, onDays } from "../list/day.ts";
import { inScope, isOfPlace, isOfScope, type Scope, type ScopeInQuery, scopeOf } from "../list/scope.ts";
import { type UnitLevel, unitsOf } from "../list/unit.ts";
import { sendingModes } from "../situation/state.rules.ts";

/**
 * Facilities that have sent no TDB for too long. Lists read the roll-up's rows by facility, counts its rows by place.
 * For the present neither reads TDBs; as at an earlier day both do.
 */

/** The modes in which a facility is expected to send, and for how many days an irregular TDB counts. */
export type SilenceRule = {
  modes: readonly string[];
  recentDays: number;
  /** as at this day; by default now */ asOf?: string | null;
};
type SiteSet = "all" | "expected" | "overdue" | "neverSent" | "irregular";

/** The day for which the states are computed. */
const judgedOn = ({ asOf }: SilenceRule) => (asOf == null ? sql`current_date` : sql`${asOf}::date`);
/** Whether a TDB that is due on this day is not overdue. */
const inTime = (dueDay: RawBuilder<unknown>, rule: SilenceRule) => sql<SqlBool>`${dueDay} >= ${judgedOn(rule)}`;
/** The facility's mode on the day of the rule. */
const modeOf = ({ asOf }: SilenceRule) =>
  asOf == null ? sql.ref("facility.functionalityStatusMode") : sql.ref("state.functionalityStatusMode");

/**
 * The condition for each set of facilities. `tdb_silence` is the facility's row; its day is null if the facility never
 * sent. A facility that sent once is expected to send again, whatever its mode. Days are in the ministry's zone.
 */
function setsOf(rule: SilenceRule): Record<SiteSet, RawBuilder<SqlBool>> {
  const dueDay = sql`tdb_silence.due_day`;
  const neverSent = sql<SqlBool>`(${dueDay} is null and coalesce(${modeOf(rule)} = any(${[...rule.modes]}::text[]), false))`;
  return {
    all: sql<SqlBool>`true`,
    expected: sql<SqlBool>`(${dueDay} is not null or ${neverSent})`,
    overdue: sql<SqlBool>`coalesce(not ${inTime(dueDay, rule)}, ${neverSent})`,
    neverSent,
    irregular: sql<SqlBool>`(tdb_silence.irregular_day > ${judgedOn(rule)} - ${rule.recentDays}::int)`,
  };
}

/**
 * Conditions on the `facility` of a query and its `tdb_silence`: it is expected to send; it is overdue or never sent;
 * it is expected to send and is in time.
 */
export const { expected: isExpected, overdue: isOverdue } = setsOf({ modes: sendingModes, recentDays: 0 });
export const isExpectedInTime = sql<SqlBool>`(${isExpected} and not ${isOverdue})`;

const recentDay = (column: string, rule: SilenceRule) => {
  const day = sql`${sql.ref(`tdbSilence.${column}`)}::date`;
  return sql<string | null>`case when ${day} > ${judgedOn(rule)} - ${rule.recentDays}::int then ${day} end`;
};

/** The day on which a facility's latest TDB was made. */
const madeDay = sql`tdb_silence.tdb_created_at::date`;
/** Days from the one on which the latest TDB of a query's `tdb_silence` was made until another day, 0 or more. */
export const daysSinceMade = (day: RawBuilder<unknown>) =>
  sql<number | null>`greatest(${day} - ${madeDay}, case when ${madeDay} is not null then 0 end)`;

const irregularAt = ["deltaWithoutBase", "creationBack", "clientsBack"].map((kind) => ({
  kind,
  column: sql.ref(`${kind}At`),
}));

/** A facility's row of `tdb_silence` as it was at the end of a day, computed from its TDBs. */
const silenceAsOf = (day: string) => sql<never>`(
  select sent.tdb_created_at, sent.uploaded_at, ${sql.raw(dueDay("sent.tdb_created_at::date"))} as due_day, irregular.*,
    greatest(${sql.join(irregularAt.map(({ column }) => column))})::date as irregular_day
  from (select) as one left join lateral ${tdbAsOf(day)} as sent on true cross join lateral (
    select ${sql.join(irregularAt.map(({ kind, column }) => sql`max(found.uploaded_at) filter (where found.kind = ${sql.lit(kind)}) as ${column}`))}
    from tdb_irregularity as found
    where found.facility_uuid = facility.facility_uuid and ${onDays("found.uploadedAt", { end: day })}) as irregular)`;

/** Facilities with their latest TDB. A creation date after the day of the rule counts as that day. */
const sites = (handle: Handle, rule: SilenceRule) =>
  handle
    .selectFrom("facility")
    .innerJoin("district", "district.districtId", "facility.districtId")
    .innerJoin("province", "province.provinceId", "facility.provinceId")
    .leftJoin("implementingPartner", "implementingPartner.implementingPartnerId", "facility.implementingPartnerId")
    .$call((query) => {
      const present = query.leftJoin("tdbSilence", "tdbSilence.facilityUuid", "facility.facilityUuid");
      if (rule.asOf == null) return present;
      return query
        .leftJoinLateral(silenceAsOf(rule.asOf).as("tdbSilence"), (join) => join.onTrue())
        .leftJoinLateral(sql<never>`${assessmentAsOf(rule.asOf)}`.as("state"), (join) => join.onTrue());
    })
    .select([
      "facility.facilityUuid",
      "facility.facilityName",
      "facility.districtId",
      "district.name as district",
      "facility.provinceId",
      "province.name as province",
      "facility.implementingPartnerId",
      "implementingPartner.name as implementingPartner",
      sql<string | null>`${modeOf(rule)}`.as("functionalityStatusMode"),
      sql<string | null>`${madeDay}`.as("lastTdbCreationDate"),
      sql<string | null>`tdb_silence.uploaded_at::date`.as("lastTdbUploadDate"),
      daysSinceMade(judgedOn(rule)).as("daysSinceLastTdb"),
      sql<boolean>`${setsOf(rule).expected}`.as("expected"),
      sql<boolean>`${setsOf(rule).overdue}`.as("overdue"),
      recentDay("deltaWithoutBaseAt", rule).as("deltaWithoutBaseDate"),
      recentDay("creationBackAt", rule).as("creationBackDate"),
      recentDay("clientsBackAt", rule).as("clientsBackDate"),
      numberOfDay(madeDay).as("silentSince"),
    ]);

export type SiteRow = Awaited<ReturnType<ReturnType<typeof sites>["executeTakeFirstOrThrow"]>>;

const byName: Order["columns"] = [
  { key: "facilityName", column: "site.facilityName", type: "text" },
  { key: "facilityUuid", column: "site.facilityUuid", type: "text" },
];
const byPlace: Order["columns"] = [
  { key: "province", column: "site.province", type: "text" },
  { key: "district", column: "site.district", type: "text" },
  ...byName,
];
const orders = {
  silence: [{ key: "silentSince", column: "site.silentSince", type: "integer" }, ...byName],
  facility: byName,
  place: byPlace,
} satisfies Record<string, Order["columns"]>;
type SiteOrder = keyof typeof orders;

const edges: EdgeConditions = {
  provinceId: (key) => sql`site.province_id = ${key}`,
  districtId: (key) => sql`site.district_id = ${key}`,
  implementingPartnerId: (key) => sql`site.implementing_partner_id = ${key}`,
};

type SiteList = Scope & { show: SiteSet; sort: SiteOrder; search?: string | null };

/**
 * The facilities of a set: by the length of silence (the longest first, those that never sent last), by name, or by
 * place and name.
 */
export function listSites(
  handle: Handle,
  { rule, show, sort, search, page, ...scope }: SiteList & { rule: SilenceRule; page: PageInput },
): Promise<Page<SiteRow>> {
  let query = sites(handle, rule)
    .where(inScope(scope))
    .where(rule.asOf == null ? sql<SqlBool>`facility.closed_on is null` : isOpenOn(rule.asOf))
    .where(setsOf(rule)[show]);
  if (search) query = query.where(sql<SqlBool>`facility.search_text like '%' || search_key(${search}) || '%'`);
  return readPage(handle.selectFrom(query.as("site")).selectAll(), { columns: orders[sort], edges }, page);
}

/** Several facilities at once, in no order; unknown ones are left out. */
export function listSitesByUuid(
  handle: Handle,
  { rule, facilityUuids }: { rule: SilenceRule; facilityUuids: readonly string[] },
): Promise<SiteRow[]> {
  return sites(handle, rule).where("facility.facilityUuid", "=", anyOf(facilityUuids, "text")).execute();
}

type SiteLevel = "province" | "district" | "ip";
export type SiteCounts = {
  hxId: number | null;
  name: string | null;
  facilities: number;
  expected: number;
  overdue: number;
  neverSent: number;
  irregular: number;
};

const counts = ["facilities", "expected", "overdue", "neverSent", "irregular"] as const;
const column = (name: (typeof counts)[number]) => sql.ref(name);

/**
 * Roll-up rows by place, summed for each id: all sites, and those that are expected, overdue, never sent or irregular.
 */
const counted = (id: RawBuilder<unknown>, isCounted: RawBuilder<SqlBool>, rule: SilenceRule) => {
  const { modes, recentDays } = rule;
  const sum = (condition: RawBuilder<unknown>) => sql`coalesce(sum(value) filter (where ${condition}), 0)::bigint`;
  const isRecent = sql`period_start > (select current_date - ${recentDays}::int)`;
  return sql`(
    select id, facilities, sent + never_sent as expected, sent - in_time + never_sent as overdue, never_sent, irregular
    from (
      select ${id} as id, ${sum(sql`kind = 'sites'`)} as facilities, ${sum(sql`kind = 'sites' and param = 'sent'`)} as sent,
        ${sum(sql`kind = 'sites' and param = any(${[...modes]}::text[])`)} as never_sent,
        ${sum(sql`kind = 'due' and ${inTime(sql`period_start`, rule)}`)} as in_time,
        ${sum(sql`kind = 'irregularTdb'`)} as irregular
      from place_count_rollup
      where kind in ('sites', 'due', 'irregularTdb') and period = 'day' and ${isCounted} and ${isRecent}
      group by 1) as added) as counted`;
};

/** The same counts as at a day. They are counted from the facilities, because the roll-up has no earlier states. */
const countedAsOf = (id: RawBuilder<unknown>, scope: ScopeInQuery, rule: SilenceRule & { asOf: string }) => sql`(
  select ${id} as id, ${sql.join(counts.map((name) => sql`count(*) filter (where ${setsOf(rule)[name === "facilities" ? "all" : name]}) as ${column(name)}`))}
  from facility left join lateral ${silenceAsOf(rule.asOf)} as tdb_silence on true left join lateral ${assessmentAsOf(rule.asOf)} as state on true
  where ${inScope(scope)} and ${isOpenOn(rule.asOf)} group by 1) as counted`;

/**
 * How many facilities of each unit of the scope are expected, overdue and so on. Units are provinces or districts by
 * name, including those without facilities, or the partners of the scope's facilities by name and then (id and name
 * null) the facilities without a partner. With `of`, the units of each of these parents; each row then has its parent's
 * key.
 */
export async function listSiteCounts(
  handle: Handle,
  { level, scope, of, rule }: { level: SiteLevel; scope: Scope; of?: Parents | null; rule: SilenceRule },
): Promise<(SiteCounts & { parentKey?: ParentKey })[]> {
  const query =
    level === "ip" ? countsByPartner(scopeOf(scope, of), rule) : countsByPlace(level, scopeOf(scope, of), rule);
  if (of) return listBelow<SiteCounts>(of, query);
  return (await query.execute(handle)).rows;
}

/**
 * The counts by partner. Facilities without a partner are all facilities (partner 0 of the roll-up) minus those of the
 * partners.
 */
function countsByPartner({ implementingPartnerId, ...scope }: ScopeInQuery, { asOf, ...rule }: SilenceRule) {
  if (asOf != null)
    return sql<SiteCounts>`
      select nullif(counted.id, 0) as hx_id, partner.name, ${sql.join(counts.map(column))}
      from ${countedAsOf(sql`coalesce(facility.implementing_partner_id, 0)`, { ...scope, implementingPartnerId }, { ...rule, asOf })}
      left join implementing_partner as partner on partner.implementing_partner_id = counted.id
      order by partner.name, counted.id`;
  const isCounted =
    implementingPartnerId == null
      ? sql<SqlBool>`(${isOfPlace(scope)} and implementing_partner_id = any(array(select 0 union all select implementing_partner_id from implementing_partner)))`
      : isOfScope({ ...scope, implementingPartnerId });
  const own = (name: (typeof counts)[number]) => sql`
    (case id when 0 then 2 * ${column(name)} - sum(${column(name)}) over () else ${column(name)} end)::bigint as ${column(name)}`;
  return sql<SiteCounts>`
    select nullif(counted.id, 0) as hx_id, partner.name, ${sql.join(counts.map(column))}
    from (select id, ${sql.join(counts.map(own))} from ${counted(sql`implementing_partner_id`, isCounted, rule)}) as counted
    left join implementing_partner as partner on partner.implementing_partner_id = counted.id
    where facilities > 0
    order by partner.name, counted.id`;
}

function countsByPlace(level: UnitLevel, scope: ScopeInQuery, { asOf, ...rule }: SilenceRule) {
  const { id, table, isWithin, isCounted } = unitsOf(level, scope);
  const rows = asOf == null ? counted(id, isCounted, rule) : countedAsOf(sql`facility.${id}`, scope, { ...rule, asOf });
  return sql<SiteCounts>`
    select unit.${id} as hx_id, unit.name,
      ${sql.join(counts.map((name) => sql`coalesce(${column(name)}, 0) as ${column(name)}`))}
    from ${table} as unit left join ${rows} on counted.id = unit.${id}
    where ${isWithin}
    order by unit.name, unit.${id}`;
}

/** The irregularities of these TDBs. TDBs without any are left out. */
export function listIrregularities(
  handle: Handle,
  { tdbUuids }: { tdbUuids: readonly string[] },
): Promise<{ tdbUuid: string; kind: string }[]> {
  return handle
    .selectFrom("tdbIrregularity")
    .select(["tdbUuid", "kind"])
    .where("tdbUuid", "=", anyOf(tdbUuids, "uuid"))
    .orderBy("kind")
    .execute();
}
