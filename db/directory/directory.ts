import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { type Circle, isFacilityNear } from "../list/distance.ts";

/**
 * The units that directories of other systems (FHIR, DHIS2) know: the country, its provinces and districts, the
 * implementing partners and the facilities, closed ones too. They have one order: by kind, then by id. One statement
 * reads all places, which are few; another reads a page of facilities by their key, so that a late page is as fast as
 * the first.
 */

export const unitKinds = ["country", "province", "district", "implementingPartner", "facility"] as const;
export type UnitKind = (typeof unitKinds)[number];
/** A unit: the id of a place or partner as text, the uuid of a facility. */
export type UnitKey = { kind: UnitKind; id: string };

export type Unit = UnitKey & {
  name: string;
  parent: (UnitKey & { name: string }) | null;
  isOpen: boolean;
  closedOn: string | null;
  /** an instant in UTC; null if it is not known */
  changedAt: string | null;
  /** of a facility */
  site: {
    province: string;
    provinceId: number;
    hmisCode: string | null;
    facilityType: string | null;
    facilityOwner: string | null;
    latitude: number | null;
    longitude: number | null;
  } | null;
};

/** The begin of a span of time as PostgreSQL reads it, and the span's length, for example `1 day`. */
type Instant = { at: string; lasts: string };
/** When a unit changed: `from` the begin of a span, `after` its end, `before` its begin, `until` its end. */
type ChangedRange = { from?: Instant; after?: Instant; before?: Instant; until?: Instant };

export type UnitFilter = {
  kinds: readonly UnitKind[];
  /** any of these */
  keys?: readonly UnitKey[] | undefined;
  /** the unit above is any of these */
  parents?: readonly UnitKey[] | undefined;
  /**
   * any of these: identifiers of facilities, or keys of units of any kind. `value` null: any value of the system;
   * `system` null: any system
   */
  identifiers?: readonly { system: string | null; kind: UnitKind | null; value: string | null }[] | undefined;
  /** all of these; of each any of its texts */
  names?: readonly { texts: readonly string[]; is: "start" | "part" | "whole" }[] | undefined;
  near?: Circle | undefined;
  changed?: readonly ChangedRange[] | undefined;
  isOpen?: boolean | undefined;
  /**
   * of facilities: whether their type is a hospital, by the same rule as `serviceOf` in
   * gateway/directory/resource.rest.ts
   */
  isHospital?: boolean | undefined;
};

type Condition = RawBuilder<SqlBool>;
const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`;
const any = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
const textOf = (column: string) =>
  sql<string | null>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const begins = ({ at }: Instant) => sql`${at}::timestamptz`;
const ends = ({ at, lasts }: Instant) => sql`${at}::timestamptz + ${lasts}::interval`;
const inRange = (changed: readonly ChangedRange[] = []): Condition[] =>
  changed.flatMap(({ from, after, before, until }) => [
    ...(from ? [sql<SqlBool>`latest.changed_at >= ${begins(from)}`] : []),
    ...(after ? [sql<SqlBool>`latest.changed_at >= ${ends(after)}`] : []),
    ...(before ? [sql<SqlBool>`latest.changed_at < ${begins(before)}`] : []),
    ...(until ? [sql<SqlBool>`latest.changed_at < ${ends(until)}`] : []),
  ]);

function named(
  { texts, is }: NonNullable<UnitFilter["names"]>[number],
  column: RawBuilder<string>,
  key: RawBuilder<string>,
): Condition {
  return any(
    texts.map((text) => {
      if (is === "whole") return sql`${column} = ${text}`;
      // A key holds letters, digits and single spaces only. A text without any is found nowhere.
      const wanted = sql`nullif(search_key(${text}), '')`;
      return is === "start" ? sql`${key} like ${wanted} || '%'` : sql`${key} like '%' || ${wanted} || '%'`;
    }),
  );
}

const country = "Zambia";
/** Provinces, districts and partners, in one table with the country. */
const places = sql`
  (select 'country' as kind, 0 as rank, 0 as number, ${country}::text as name,
      null as above, null::integer as above_id, null as above_name, true as is_open, null::date as closed_on
    union all select 'province', 1, province_id, name, 'country', 0, ${country}::text, closed_on is null, closed_on from province
    union all select 'district', 2, district_id, district.name, 'province', province_id, province.name, district.closed_on is null, district.closed_on
      from district join province using (province_id)
    union all select 'implementingPartner', 3, implementing_partner_id, name, null, null, null, active, closed_on from implementing_partner) as place
  cross join lateral (
    select max(changed_at) as changed_at from change where change.kind = place.kind and change.key = place.number::text) as latest`;

function placeMatches({ kinds, keys, parents, identifiers, names = [], near, changed, isOpen }: UnitFilter): Condition {
  const isAny = (wanted: readonly { kind: UnitKind | null; id: string | null }[], kind: string, id: string) =>
    any(
      wanted.map(
        (key) =>
          sql<SqlBool>`(${key.kind}::text is null or place.${sql.ref(kind)} = ${key.kind}) and (${key.id}::text is null or place.${sql.ref(id)}::text = ${key.id})`,
      ),
    );
  return all([
    sql`place.kind = any(${[...kinds]}::text[])`,
    ...(keys ? [isAny(keys, "kind", "number")] : []),
    ...(parents ? [isAny(parents, "above", "above_id")] : []),
    ...(identifiers
      ? [
          isAny(
            identifiers.filter(({ system }) => system === null).map(({ kind, value }) => ({ kind, id: value })),
            "kind",
            "number",
          ),
        ]
      : []),
    ...names.map((name) => named(name, sql`place.name`, sql`search_key(place.name)`)),
    ...(near ? [sql<SqlBool>`false`] : []),
    ...inRange(changed),
    ...(isOpen === undefined ? [] : [sql<SqlBool>`place.is_open = ${isOpen}`]),
  ]);
}

type PlaceRow = {
  kind: UnitKind;
  number: number;
  name: string;
  above: UnitKind | null;
  aboveId: number | null;
  aboveName: string | null;
  isOpen: boolean;
  closedOn: string | null;
  changedAt: string | null;
};

/** All places and partners that match, a few hundred at most. */
export async function listPlaceUnits(handle: Handle, filter: UnitFilter): Promise<Unit[]> {
  const { rows } = await sql<PlaceRow>`
    select kind, number, name, above, above_id, above_name, is_open, closed_on, ${textOf("latest.changed_at")} as changed_at
    from ${places} where ${placeMatches(filter)} order by rank, number`.execute(handle);
  return rows.map(({ kind, number, name, above, aboveId, aboveName, isOpen, closedOn, changedAt }) => ({
    ...{ kind, id: String(number), name, isOpen, closedOn, changedAt, site: null },
    parent: above === null ? null : { kind: above, id: String(aboveId), name: aboveName! },
  }));
}

const latestOfSite = sql`
  cross join lateral (select max(changed_at) as changed_at from change where change.kind = 'facility' and change.key = facility.facility_uuid) as latest`;
const sites = sql`
  facility join district using (district_id) join province on province.province_id = facility.province_id ${latestOfSite}`;

function siteMatches({
  kinds,
  keys,
  parents,
  identifiers,
  names = [],
  near,
  changed,
  isOpen,
  isHospital,
}: UnitFilter): Condition {
  const uuids = (of: readonly UnitKey[]) =>
    sql`facility.facility_uuid = any(${of.filter(({ kind }) => kind === "facility").map(({ id }) => id)}::text[])`;
  return all([
    ...(kinds.includes("facility") ? [] : [sql<SqlBool>`false`]),
    ...(keys ? [uuids(keys) as Condition] : []),
    ...(parents
      ? [
          sql<SqlBool>`facility.district_id::text = any(${parents.filter(({ kind }) => kind === "district").map(({ id }) => id)}::text[])`,
        ]
      : []),
    ...(identifiers ? [any(identifiers.map(holds))] : []),
    ...names.map((name) => named(name, sql`facility.facility_name`, sql`facility.name_key`)),
    ...(near ? [isFacilityNear(near)] : []),
    ...inRange(changed),
    // The same condition on the feed of changes, where an index finds the few facilities that changed lately.
    ...(changed ?? []).flatMap(({ from, after }) =>
      from || after
        ? [
            sql<SqlBool>`facility.facility_uuid in (select key from change where kind = 'facility' and changed_at >= ${from ? begins(from) : ends(after!)})`,
          ]
        : [],
    ),
    ...(isOpen === undefined ? [] : [sql<SqlBool>`(facility.closed_on is null) = ${isOpen}`]),
    ...(isHospital === undefined
      ? []
      : [sql<SqlBool>`(coalesce(facility.facility_type, '') ilike '%hospital%') = ${isHospital}`]),
  ]);
}

/**
 * Whether a facility has an identifier. The uuids of facilities that were merged into it count as its own uuid does.
 */
function holds({ system, kind, value }: NonNullable<UnitFilter["identifiers"]>[number]): Condition {
  const own: Condition[] =
    system === null && (kind === null || kind === "facility")
      ? [
          value === null
            ? sql`true`
            : sql`facility.facility_uuid in (${value}, (select into_uuid from facility_merge where facility_merge.facility_uuid = ${value}))`,
        ]
      : [];
  if (kind !== null) return any(own);
  if (value === null)
    return any([
      ...own,
      sql`exists (select from facility_identifier i where i.facility_uuid = facility.facility_uuid and i.system = ${system})`,
    ]);
  const ofSystem = system === null ? sql`` : sql`and i.system = ${system}`;
  return any([
    ...own,
    sql`facility.facility_uuid in (select i.facility_uuid from facility_identifier i where i.value = ${value} ${ofSystem})`,
  ]);
}

type SiteRow = NonNullable<Unit["site"]> & {
  id: string;
  name: string;
  districtId: number;
  district: string;
  closedOn: string | null;
  changedAt: string | null;
};

/** A page of `first` facilities by uuid: those after the uuid `after`, without the first `skip`. */
export async function listSiteUnits(
  handle: Handle,
  { after, skip = 0, first, ...filter }: UnitFilter & { after?: string | null; skip?: number; first: number },
): Promise<Unit[]> {
  if (!filter.kinds.includes("facility")) return [];
  const { rows } = await sql<SiteRow>`
    select facility_uuid as id, facility_name as name, district_id, district.name as district, facility.province_id, province.name as province, facility.closed_on,
      hmis_code, facility_type, facility_owner, latitude, longitude, ${textOf("latest.changed_at")} as changed_at
    from ${sites} where ${siteMatches(filter)} ${after == null ? sql`` : sql`and facility_uuid > ${after}`}
    order by facility_uuid limit ${sql.lit(first)} offset ${skip}`.execute(handle);
  return rows.map(({ id, name, districtId, district, closedOn, changedAt, ...site }) => ({
    ...{ kind: "facility", id, name, isOpen: closedOn === null, closedOn, changedAt, site },
    parent: { kind: "district", id: String(districtId), name: district },
  }));
}

type TreeRow = {
  kind: UnitKind;
  id: string;
  name: string;
  above: UnitKind | null;
  aboveId: number | null;
  aboveName: string | null;
  isOpen: boolean;
  closedOn: string | null;
  changedAt: string | null;
  site: Unit["site"];
  dhis2: string | null;
  mergedInto: TreeUnit["mergedInto"];
};

/** A unit with its DHIS2 UID if that is known and, of a facility that was merged away, the one that stays. */
export type TreeUnit = Unit & {
  dhis2: string | null;
  mergedInto: { id: string; name: string; dhis2: string | null } | null;
};

/** The DHIS2 UID that a facility has now. */
const dhis2Of = (facilityUuid: RawBuilder<unknown>) => sql<string | null>`
  (select value from facility_identifier i where i.facility_uuid = ${facilityUuid} and system = 'dhis2' and valid_until is null order by value limit 1)`;
/**
 * Facilities that were merged away, as units of the tree: closed on the day of the merge, in the district of the one
 * that stays, under the DHIS2 UID that they had. One whose UID the other took over is not among them.
 */
const formerUnits = sql`
  select 'facility' as kind, 5 as rank, 0 as number, merge.facility_uuid as id, merge.facility ->> 'facility_name' as name,
    'district' as above, facility.district_id as above_id, district.name as above_name, false as is_open, merged_at::date as closed_on,
    ${textOf("mergedAt")} as changed_at,
    json_build_object('province', province.name, 'provinceId', facility.province_id, 'facilityType', null, 'facilityOwner', null,
      'latitude', (merge.facility ->> 'latitude')::double precision, 'longitude', (merge.facility ->> 'longitude')::double precision,
      'hmisCode', (select code from (values (merge.facility ->> 'hmis_code')) as own (code) where code not in (select hmis_code from facility where hmis_code is not null))) as site,
    had.uid as dhis2,
    json_build_object('id', facility.facility_uuid, 'name', facility.facility_name, 'dhis2', ${dhis2Of(sql`facility.facility_uuid`)}) as merged_into
  from facility_merge as merge join facility on facility.facility_uuid = merge.into_uuid
    join district using (district_id) join province on province.province_id = facility.province_id
    left join lateral (select value as uid from jsonb_to_recordset(merge.moved -> 'identifiers') as given (system text, value text, valid_until date)
      where system = 'dhis2' and valid_until is null order by value limit 1) as had on true
  where not exists (select from facility_identifier i where i.system = 'dhis2' and i.value = had.uid and i.valid_until is null)`;

const treeUnitOf = ({ kind, id, name, above, aboveId, aboveName, closedOn, changedAt, ...row }: TreeRow): TreeUnit => ({
  ...{ kind, id, name, isOpen: row.isOpen, closedOn, changedAt, site: row.site },
  ...{ dhis2: row.dhis2, mergedInto: row.mergedInto },
  parent: above === null ? null : { kind: above, id: String(aboveId), name: aboveName! },
});

/** The facilities that were merged away, by uuid. */
export async function listFormerUnits(handle: Handle): Promise<TreeUnit[]> {
  const { rows } = await sql<TreeRow>`${formerUnits} order by id`.execute(handle);
  return rows.map(treeUnitOf);
}

/**
 * All units of these kinds, and with facilities also those that were merged away, read by one statement so that they are
 * consistent; each facility with its DHIS2 UID.
 */
export async function listTreeUnits(handle: Handle, { kinds }: { kinds: readonly UnitKind[] }): Promise<TreeUnit[]> {
  const { rows } = await sql<TreeRow>`
    select kind, rank, number, number::text as id, name, above, above_id, above_name, is_open, closed_on, ${textOf("latest.changed_at")} as changed_at, null::json as site, null as dhis2, null::json as merged_into
    from ${places} where ${placeMatches({ kinds })}
    union all
    select 'facility', 4, 0, facility_uuid, facility_name, 'district', district_id, district.name, facility.closed_on is null, facility.closed_on, ${textOf("latest.changed_at")},
      json_build_object('province', province.name, 'provinceId', facility.province_id, 'hmisCode', hmis_code, 'facilityType', facility_type, 'facilityOwner', facility_owner, 'latitude', latitude, 'longitude', longitude),
      ${dhis2Of(sql`facility.facility_uuid`)}, null
    from ${sites} where ${siteMatches({ kinds })}
    ${kinds.includes("facility") ? sql`union all ${formerUnits}` : sql``}
    order by rank, number, id`.execute(handle);
  return rows.map(treeUnitOf);
}

/** The facilities that were merged away from an instant on, the earliest first: `at` is an instant in UTC. */
export async function listMergedUnits(
  handle: Handle,
  { since }: { since: string | null },
): Promise<{ id: string; at: string }[]> {
  const { rows } = await sql<{ id: string; at: string }>`
    select facility_uuid as id, ${textOf("mergedAt")} as at from facility_merge
    where ${since}::timestamptz is null or merged_at >= ${since}::timestamptz order by merged_at, facility_uuid`.execute(
    handle,
  );
  return rows;
}

/** How many facilities match. The feed of changes is read only if it decides. */
export async function countSiteUnits(handle: Handle, filter: UnitFilter): Promise<number> {
  if (!filter.kinds.includes("facility")) return 0;
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from facility ${filter.changed?.length ? latestOfSite : sql``}
    where ${siteMatches(filter)}`.execute(handle);
  return rows[0]!.count;
}
