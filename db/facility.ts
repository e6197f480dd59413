import { type Insertable, type NotNull, sql, type Updateable } from "kysely";

import type { Handle } from "./engine/connect.ts";
import { fixedRow, fixedRows } from "./engine/fixed.ts";
import { byField, fieldNames, sortNames } from "./facilityFields.rules.ts";
import { type FacilityListFilter, facilityMatches } from "./facilityFilter.ts";
import { listHolders } from "./facilityIdentifier.ts";
import { readJson } from "./list/json.ts";
import { anyOf } from "./list/keys.ts";
import { type Order, type Page, type PageInput, readPage, type Sort, sortOf } from "./list/page.ts";
import { isBelow, listBelow, type Parents, scopedWithin } from "./list/parents.ts";
import type { Facility } from "./schema.ts";

/**
 * A facility with the names of its places and partner, so that the usual edges need no further query. All names use left joins, also those that
 * always exist: PostgreSQL drops an unused left join, for example in a count.
 */
const facilities = (handle: Handle) =>
  handle
    .selectFrom("facility")
    .leftJoin("district", "district.districtId", "facility.districtId")
    .leftJoin("province", "province.provinceId", "facility.provinceId")
    .leftJoin("implementingPartner", "implementingPartner.implementingPartnerId", "facility.implementingPartnerId")
    .leftJoin("connectivityType", "connectivityType.connectivityTypeId", "facility.connectivityTypeId")
    .leftJoin("connectivityProvider", "connectivityProvider.connectivityProviderId", "facility.mobileProviderId")
    .select([
      "facility.facilityUuid",
      "facility.facilityName",
      "facility.districtId",
      "district.name as district",
      "facility.provinceId",
      "province.name as province",
      "facility.implementingPartnerId",
      "implementingPartner.name as implementingPartner",
      "implementingPartner.active as implementingPartnerActive",
      ...fieldNames.map((name) => `facility.${name}` as const),
      "facility.functionalityStatusMode",
      "facility.closedOn",
      "facility.closeReason",
      "facility.connectivityPresent",
      "facility.connectivityTypeId",
      "connectivityType.name as connectivityType",
      "facility.connectivityDetails",
      "facility.mobileCoverage",
      "facility.mobileProviderId",
      "connectivityProvider.name as mobileProvider",
    ])
    .$narrowType<{ district: NotNull; province: NotNull }>();

export type FacilityRow = Awaited<ReturnType<ReturnType<typeof facilities>["executeTakeFirstOrThrow"]>>;

export const findFacility = fixedRow((handle, { facilityUuid }: { facilityUuid: string }) =>
  facilities(handle).where("facility.facilityUuid", "=", facilityUuid),
);

/** Several facilities at once, in no order; unknown ones are left out. */
export const listFacilitiesByUuid = fixedRows((handle, { facilityUuids }: { facilityUuids: readonly string[] }) =>
  facilities(handle).where("facility.facilityUuid", "=", anyOf(facilityUuids, "text")),
);

export type { AssessmentMatch, FacilityListFilter, FacilityMatch } from "./facilityFilter.ts";

const text = (column: string) => sql<string>`coalesce(${sql.ref(column)}, '')`;
/** The sort keys of facilities, before the name. Facilities without a value come first. */
const sortKeys = {
  name: null,
  ...byField(sortNames, (name, { type }) =>
    type === "count"
      ? ({ value: sql`coalesce(${sql.ref(`facility.${name}`)}, -1)`, type: "integer" } as const)
      : ({ value: text(`facility.${name}`), type: "text" } as const),
  ),
  district: { value: text("district.name"), type: "text", isJoined: true },
  province: { value: text("province.name"), type: "text", isJoined: true },
  implementingPartner: { value: text("implementingPartner.name"), type: "text", isJoined: true },
  mode: { value: text("facility.functionalityStatusMode"), type: "text" },
  lastAssessed: {
    value: sql`coalesce((select assessed_at from assessment where assessment.facility_uuid = facility.facility_uuid
      order by assessed_at desc limit 1), 'epoch')`,
    type: "timestamptz",
  },
} as const;
export type FacilitySort = Sort<keyof typeof sortKeys>;

const byName: Order["columns"] = [
  { key: "facilityName", column: "facility.facilityName", type: "text" },
  { key: "facilityUuid", column: "facility.facilityUuid", type: "text" },
];

/** A list of facilities in an order. Its query selects the columns of its cursors. */
function sorted(query: ReturnType<typeof facilities>, sort: FacilitySort | null | undefined) {
  const { by, descending } = sortOf(sort ?? "name");
  const key = sortKeys[by];
  if (!key) return { query, order: { columns: byName, descending } };
  const carried =
    key.type === "timestamptz" ? sql`to_char(${key.value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : key.value;
  return {
    query: query.select(carried.as("sortKey") as never) as typeof query,
    order: { columns: [{ key: "sortKey", column: key.value, type: key.type }, ...byName], descending },
  };
}

type FacilityList = FacilityListFilter & { sort?: FacilitySort | null; page: PageInput };

/** Facilities, by default by name. */
export function listFacilities(handle: Handle, { page, sort, ...filter }: FacilityList): Promise<Page<FacilityRow>> {
  const matches = facilityMatches(filter);
  const { query, order } = sorted(facilities(handle).where(matches), sort);
  const bare = handle.selectFrom("facility").where(matches) as never;
  const key = sortKeys[sortOf(sort ?? "name").by];
  return readPage(query, order, page, bare, key && "isJoined" in key ? undefined : bare);
}

const facilityNames = (handle: Handle, filter: FacilityListFilter) =>
  handle.selectFrom("facility").select(["facilityUuid", "facilityName"]).where(facilityMatches(filter));

/** The names of facilities, by name. */
export function listFacilityNames(
  handle: Handle,
  { page, ...filter }: FacilityListFilter & { page: PageInput },
): Promise<Page<{ facilityUuid: string; facilityName: string }>> {
  return readPage(facilityNames(handle, filter), { columns: byName }, page);
}

/** The same complete list as JSON. */
export const readFacilityNamesJson = (
  handle: Handle,
  filter: FacilityListFilter,
  keys: Readonly<Record<string, "facilityUuid" | "facilityName">>,
): Promise<string> => readJson(handle, facilityNames(handle, filter).orderBy("facilityName").orderBy("facilityUuid"), keys);

const searchText = sql.ref<string>("facility.searchText");

/**
 * Words of facility names and codes that a mistyped word may stand for: those that differ by one letter, or by two for words of at least five
 * letters (two swapped letters count as two).
 */
async function listLikelyWords(handle: Handle, { words }: { words: readonly string[] }): Promise<string[][]> {
  const { rows } = await sql<{ typed: string; word: string }>`
    select distinct typed.word as typed, known.word
    from (select word, case when length(word) < 5 then 1 else 2 end as letters from unnest(${words}::text[]) as word) as typed
    join (select string_to_table(search_text, ' ') as word from facility) as known
      on length(known.word) between length(typed.word) - letters and length(typed.word) + letters
      and levenshtein_less_equal(left(known.word, 64), typed.word, letters) <= letters`.execute(handle);
  return words.map((word) => rows.filter(({ typed }) => typed === word).map((row) => row.word));
}

/** The normalised search text, and whether a facility within the filter contains all its words. */
async function readKey(handle: Handle, { search, filter }: { search: string; filter: FacilityListFilter }) {
  const key = sql<string>`search_key(${search})`;
  const holding = handle
    .selectFrom("facility")
    .select("facilityUuid")
    .where(facilityMatches(filter))
    .where(sql<boolean>`${searchText} like all(array(select '%' || word || '%' from string_to_table(${key}, ' ') as word))`);
  return handle.selectNoFrom([key.as("key"), sql<boolean>`exists (${holding})`.as("isHeld")]).executeTakeFirstOrThrow();
}

/**
 * The facilities that match a search key: those that contain all its words. Only if there are none, similar ones (by pg_trgm's trigrams, or with a
 * letter or two of each word different): a typo still finds something, and an exact code does not find its neighbours.
 */
async function matchOf(
  handle: Handle,
  { key, isHeld, filter, of }: { key: string; isHeld: boolean; filter: FacilityListFilter; of?: Parents | undefined },
) {
  if (key === "") return sql<boolean>`false`;
  const words = key.split(" ");
  const holds = sql<boolean>`${searchText} like all(${words.map((word) => `%${word}%`)})`;
  if (isHeld && !of) return holds;
  const holding = handle.selectFrom("facility").select("facilityUuid").where(facilityMatches(filter)).where(holds).limit(sql.lit(1));
  const parents = of && isHeld ? (await listBelow(of, holding.where(isBelow(of.edge)))).map((row) => row.parentKey) : [];
  if (of && parents.length === of.keys.length) return holds;
  const likely = await listLikelyWords(handle, { words: words.map((word) => word.slice(0, 64)) });
  const meant = likely.map(
    // The first condition uses the index, the second one requires whole words.
    (alternatives) => sql<boolean>`${searchText} like any(${alternatives.map((word) => `%${word}%`)}::text[])
      and string_to_array(${searchText}, ' ') && ${alternatives}::text[]`,
  );
  const isAlike = sql<boolean>`(${key} <% ${searchText} or (${sql.join(meant, sql` and `)}))`;
  return of ? sql<boolean>`case when parent.key = any(${parents}) then ${holds} else ${isAlike} end` : isAlike;
}

/** Whether the `facility` of a query matches a search within a filter. */
export async function findSearchMatch(handle: Handle, { search, filter }: { search: string; filter: FacilityListFilter }) {
  return matchOf(handle, { ...(await readKey(handle, { search, filter })), filter });
}

/**
 * Facilities by name, code or a whole identifier. By default the best match comes first: exact identifier, exact code, beginning of a code, whole name, beginning of the name, beginning
 * of a word, anywhere.
 */
export async function searchFacilities(
  handle: Handle,
  { search, page, sort, ...filter }: FacilityList & { search: string },
): Promise<Page<FacilityRow>> {
  const { key, isHeld } = await readKey(handle, { search, filter });
  const named = (await listHolders(handle, { value: search.trim() })).map(({ facilityUuid }) => facilityUuid);
  const isNamed = sql<boolean>`facility.facility_uuid = any(${named}::text[])`;
  const name = sql.ref("facility.nameKey");
  const alike = sql`(1 - word_similarity(${key}, ${searchText}))`;
  const distance = sql<number>`(case
    when ${isNamed} then -1
    when ${key} in (lower(facility.hmis_code), lower(facility.old_hmis_code)) then 0
    when lower(facility.hmis_code) like ${`${key}%`} or lower(facility.old_hmis_code) like ${`${key}%`} then 1
    when ${name} = ${key} then 2
    when ${name} like ${`${key}%`} then 3
    when ' ' || ${searchText} like ${`% ${key}%`} then 4
    when ${searchText} like ${`%${key}%`} then 5
    else 6 end + ${alike})::real`;
  const { of } = page;
  const found = facilities(handle)
    .where(facilityMatches(filter))
    .where(named.length > 0 ? sql<boolean>`(${isNamed} or ${isHeld ? await matchOf(handle, { key, isHeld, filter, of }) : sql`false`})` : await matchOf(handle, { key, isHeld, filter, of }));
  if (sort) {
    const list = sorted(found, sort);
    return readPage(list.query, list.order, page);
  }
  const matches = (of ? found.where(isBelow(of.edge)) : found).select(distance.as("distance"));
  const order: Order = {
    columns: [
      { key: "distance", column: "match.distance", type: "real" },
      { key: "facilityName", column: "match.facilityName", type: "text" },
      { key: "facilityUuid", column: "match.facilityUuid", type: "text" },
    ],
    isComputed: true,
    edges: scopedWithin,
  };
  return readPage(handle.selectFrom(matches.as("match")).selectAll(), order, page);
}

/** The service areas of several facilities, by name. */
export const listFacilityServiceAreas = fixedRows((handle, { facilityUuids }: { facilityUuids: readonly string[] }) =>
  handle
    .selectFrom("facilityServiceArea")
    .innerJoin("serviceArea", "serviceArea.serviceAreaId", "facilityServiceArea.serviceAreaId")
    .select(["facilityServiceArea.facilityUuid", "serviceArea.serviceAreaId", "serviceArea.name as serviceArea"])
    .where("facilityServiceArea.facilityUuid", "=", anyOf(facilityUuids, "text"))
    .orderBy("serviceArea.name")
    .orderBy("serviceArea.serviceAreaId"),
);

/**
 * Locks a facility until the transaction ends, so that other changes and saves of its visits wait. Returns whether it exists. It does not use FOR
 * UPDATE, which would also wait for every insert of a row that refers to the facility.
 */
export async function lockFacility(handle: Handle, { facilityUuid }: { facilityUuid: string }): Promise<boolean> {
  const { rows } = await sql`select 1 from facility where facility_uuid = ${facilityUuid} for no key update`.execute(handle);
  return rows.length > 0;
}

/** The facility whose code this is. */
export const findByCode = (handle: Handle, { hmisCode }: { hmisCode: string }) =>
  handle.selectFrom("facility").select(["facilityUuid", "facilityName"]).where("hmisCode", "=", hmisCode).executeTakeFirst();

export async function insertFacility(handle: Handle, values: Insertable<Facility>): Promise<void> {
  await handle.insertInto("facility").values(values).execute();
}

export async function updateFacility(
  handle: Handle,
  { facilityUuid, values }: { facilityUuid: string; values: Updateable<Facility> },
): Promise<void> {
  await handle
    .updateTable("facility")
    .set({ ...values, version: sql`version + 1`, updatedAt: sql`now()` })
    .where("facilityUuid", "=", facilityUuid)
    .execute();
}

/** Sets the facility's active service areas to exactly these. */
export async function updateFacilityServiceAreas(
  handle: Handle,
  { facilityUuid, serviceAreas }: { facilityUuid: string; serviceAreas: readonly number[] },
): Promise<void> {
  await sql`
    delete from facility_service_area
    where facility_uuid = ${facilityUuid} and service_area_id <> all(${[...serviceAreas]}::int[])`.execute(handle);
  await sql`
    insert into facility_service_area (facility_uuid, service_area_id)
    select ${facilityUuid}, unnest(${[...serviceAreas]}::int[])
    on conflict do nothing`.execute(handle);
}
