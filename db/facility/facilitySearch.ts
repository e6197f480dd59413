import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { facilities, type FacilityList, type FacilityRow, sortedFacilities } from "./facility.ts";
import { type FacilityListFilter, facilityMatches } from "./facilityFilter.ts";
import { type Order, type Page, readPage } from "../list/page.ts";
import { isBelow, listBelow, type Parents, scopedWithin } from "../list/parents.ts";

/**
 * Searches of facilities by name, code or a whole identifier. Facilities that contain all words of the text are found.
 * Only if there are none, similar ones are found (by pg_trgm's trigrams, or with one or two letters of each word
 * different). So a typo finds something, and an exact code does not find similar codes.
 */

type Condition = RawBuilder<boolean>;
const searchText = sql.ref<string>("facility.searchText");

/**
 * The normal form of a search text, as the SQL function `search_key` makes it. For plain ASCII it is made here, without
 * a statement, because no accents are removed.
 */
export async function searchKeyOf(handle: Handle, search: string): Promise<string> {
  if (/^[ -~]*$/.test(search))
    return search
      .toLowerCase()
      .replaceAll(/['`]/g, "")
      .replaceAll(/[^a-z0-9]+/g, " ")
      .trim();
  const { key } = await handle
    .selectNoFrom(sql<string>`search_key(${search}::text)`.as("key"))
    .executeTakeFirstOrThrow();
  return key;
}

/** The uuids of facilities that have the text as an identifier; those where it is in use come first. */
const holdersOf = (handle: Handle, search: string): RawBuilder<string[]> =>
  sql`array(${handle
    .selectFrom("facilityIdentifier")
    .select("facilityUuid")
    .where("value", "=", search.trim())
    .orderBy(sql`valid_until is not null`)
    .orderBy("validUntil", "desc")
    .orderBy("facilityUuid")
    .limit(sql.lit(100))})`;

const isIdentifier = async (handle: Handle, search: string): Promise<boolean> =>
  (
    await handle
      .selectFrom("facilityIdentifier")
      .select("facilityUuid")
      .where("value", "=", search.trim())
      .limit(sql.lit(1))
      .execute()
  ).length > 0;

/** Shorter words have no trigram: for them the whole index would be read. */
const leastIndexed = 3;

/**
 * Whether a facility contains all words of a key. Each word is a separate condition, because the index does not serve
 * `like all`. The pattern is a value in the statement, so that PostgreSQL can estimate how many facilities match: it
 * finds rare words by the index, and common ones by reading the facilities in their order.
 */
function holds(key: string): Condition {
  const held = key
    .split(" ")
    .map((word) =>
      word.length < leastIndexed ? sql`strpos(${searchText}, ${word}) > 0` : sql`${searchText} like ${`%${word}%`}`,
    );
  return sql`(${sql.join(held, sql` and `)})`;
}

const holding = (handle: Handle, { key, filter }: { key: string; filter: FacilityListFilter }) =>
  handle
    .selectFrom("facility")
    .select("facilityUuid")
    .where(facilityMatches(filter))
    .where(holds(key))
    .limit(sql.lit(1));

const isHeld = async (handle: Handle, asked: { key: string; filter: FacilityListFilter }): Promise<boolean> =>
  (await holding(handle, asked).execute()).length > 0;

/**
 * Words of facility names and codes that a mistyped word may stand for: those that differ by one letter, or by two for
 * words of at least five letters (two swapped letters count as two).
 */
async function listLikelyWords(handle: Handle, { words }: { words: readonly string[] }): Promise<string[][]> {
  const { rows } = await sql<{ typed: string; word: string }>`
    select typed.word as typed, known.word
    from (select word, case when length(word) < 5 then 1 else 2 end as letters from unnest(${[...new Set(words)]}::text[]) as word) as typed
    join (select distinct string_to_table(search_text, ' ') as word from facility) as known
      on length(known.word) between length(typed.word) - letters and length(typed.word) + letters
      and levenshtein_less_equal(left(known.word, 64), typed.word, letters) <= letters`.execute(handle);
  return words.map((word) => rows.filter(({ typed }) => typed === word).map((row) => row.word));
}

/** The condition that a facility is similar to a key. */
async function isAlike(handle: Handle, key: string): Promise<Condition> {
  const likely = await listLikelyWords(handle, { words: key.split(" ").map((word) => word.slice(0, 64)) });
  const meant = likely.map(
    // The first condition uses the index, the second one requires whole words.
    (alternatives) => sql<boolean>`${searchText} like any(${alternatives.map((word) => `%${word}%`)}::text[])
      and string_to_array(${searchText}, ' ') && ${alternatives}::text[]`,
  );
  return sql<boolean>`(${key} <% ${searchText} or (${sql.join(meant, sql` and `)}))`;
}

/**
 * The condition for the lists of several parents: similar facilities match only in a list where none contains all
 * words.
 */
async function matchBelow(
  handle: Handle,
  { key, filter, of }: { key: string; filter: FacilityListFilter; of: Parents },
): Promise<Condition> {
  const parents = (await listBelow(of, holding(handle, { key, filter }).where(isBelow(of.edge)))).map(
    (row) => row.parentKey,
  );
  if (parents.length === of.keys.length) return holds(key);
  return sql<boolean>`case when parent.key = any(${parents}) then ${holds(key)} else ${await isAlike(handle, key)} end`;
}

/** The condition that the `facility` of a query matches a search within a filter. */
export async function findSearchMatch(
  handle: Handle,
  { search, filter }: { search: string; filter: FacilityListFilter },
): Promise<Condition> {
  const key = await searchKeyOf(handle, search);
  if (key === "") return sql`false`;
  return (await isHeld(handle, { key, filter })) ? holds(key) : isAlike(handle, key);
}

/**
 * The rank of a match, best first: exact identifier, exact code, beginning of a code, whole name, beginning of the
 * name, beginning of a word, anywhere, only similar.
 */
function distanceOf(key: string, isNamed: Condition) {
  const name = sql.ref("facility.nameKey");
  // Whole words have similarity 1. Computing it for each facility with a common word would take longer than all the
  // rest.
  const alike = sql`case when ' ' || ${searchText} || ' ' like ${`% ${key} %`} then 0 else 1 - word_similarity(${key}, ${searchText}) end`;
  return sql<number>`(case
    when ${isNamed} then -1
    when ${key} in (lower(facility.hmis_code), lower(facility.old_hmis_code)) then 0
    when lower(facility.hmis_code) like ${`${key}%`} or lower(facility.old_hmis_code) like ${`${key}%`} then 1
    when ${name} = ${key} then 2
    when ${name} like ${`${key}%`} then 3
    when ' ' || ${searchText} like ${`% ${key}%`} then 4
    when ${searchText} like ${`%${key}%`} then 5
    else 6 end + ${alike})::real`;
}

type Ranked = { facilityUuid: string; facilityName: string; distance: number };
const byDistance: Order["columns"] = [
  { key: "distance", column: "match.distance", type: "real" },
  { key: "facilityName", column: "match.facilityName", type: "text" },
  { key: "facilityUuid", column: "match.facilityUuid", type: "text" },
];

/** Facilities by name, code or a whole identifier; by default the best match comes first. */
export async function searchFacilities(
  handle: Handle,
  { search, page, sort, ...filter }: FacilityList & { search: string },
): Promise<Page<FacilityRow>> {
  const key = await searchKeyOf(handle, search);
  const isNamed: Condition = sql`facility.facility_uuid = any(${holdersOf(handle, search)})`;
  const { of } = page;
  const listOf = (match: Condition): Promise<Page<FacilityRow>> => {
    const found = sql<boolean>`(${isNamed} or ${match})`;
    if (sort) {
      const list = sortedFacilities(facilities(handle).where(facilityMatches(filter)).where(found), sort);
      return readPage(list.query, list.order, page);
    }
    const matches = handle.selectFrom("facility").where(facilityMatches(filter)).where(found);
    const ranked = (of ? matches.where(isBelow(of.edge)) : matches).select([
      "facility.facilityUuid",
      "facility.facilityName",
      distanceOf(key, isNamed).as("distance"),
    ]);
    const order: Order = {
      columns: byDistance,
      isComputed: true,
      edges: scopedWithin,
      // All matches are ranked with few columns. The other columns are read only for the rows of the page.
      shown: (match) =>
        facilities(handle)
          .innerJoin(sql<Ranked>`(${match})`.as("match"), "match.facilityUuid", "facility.facilityUuid")
          .select("match.distance"),
    };
    // The cast: the ranked rows have the keys only, and `shown` reads the other columns.
    return readPage(
      handle.selectFrom(ranked.as("match")).selectAll() as unknown as SelectQueryBuilder<object, never, FacilityRow>,
      order,
      page,
    );
  };

  if (key === "") return listOf(sql`false`);
  /** Similar facilities; none if the text is an identifier, which names exactly one. */
  const listAlike = async () => listOf((await isIdentifier(handle, search)) ? sql`false` : await isAlike(handle, key));
  if (of)
    return (await isHeld(handle, { key, filter }))
      ? listOf(await matchBelow(handle, { key, filter, of }))
      : listAlike();
  const held = await listOf(holds(key));
  if (held.rows.length > 0) return held;
  // An empty page does not mean that nothing matches: it may be behind the last page, or only the count was asked for.
  const isWhole = !page.offset && page.after == null && page.before == null && page.counting !== "only";
  const isThere = isWhole ? held.hasNextPage || held.hasPreviousPage : await isHeld(handle, { key, filter });
  return isThere ? held : listAlike();
}
