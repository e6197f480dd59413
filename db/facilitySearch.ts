import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";

import type { Handle } from "./engine/connect.ts";
import { fixedRow } from "./engine/fixed.ts";
import { facilities, type FacilityList, type FacilityRow, sortedFacilities } from "./facility.ts";
import { type FacilityListFilter, facilityMatches } from "./facilityFilter.ts";
import { type Order, type Page, readPage } from "./list/page.ts";
import { isBelow, listBelow, type Parents, scopedWithin } from "./list/parents.ts";

/**
 * Searches of facilities by name, code or a whole identifier. Those that contain all words of the text are found; only if there are none, similar ones (by pg_trgm's
 * trigrams, or with a letter or two of each word different): a typo still finds something, and an exact code does not find its neighbours.
 */

type Condition = RawBuilder<boolean>;
const searchText = sql.ref<string>("facility.searchText");

const readKey = fixedRow((handle, { search }: { search: string }) => handle.selectNoFrom(sql<string>`search_key(${search}::text)`.as("key")));

/** The normal form of a search text. One of plain ASCII needs no dictionary of accents: it is made here, as `search_key` makes it, and no statement is needed. */
export async function searchKeyOf(handle: Handle, search: string): Promise<string> {
  if (/^[ -~]*$/.test(search)) return search.toLowerCase().replaceAll(/['`]/g, "").replaceAll(/[^a-z0-9]+/g, " ").trim();
  return (await readKey(handle, { search }))!.key;
}

/** The facilities that have the text as an identifier, those where it is in use first. */
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
  (await handle.selectFrom("facilityIdentifier").select("facilityUuid").where("value", "=", search.trim()).limit(sql.lit(1)).execute()).length > 0;

/** Shorter words have no trigram: for them the index would be read from end to end. */
const leastIndexed = 3;

/**
 * Whether a facility contains all words of a key. Each word is a condition of its own, because the index does not serve `like all`; and a value, by which
 * PostgreSQL estimates how many facilities there are: rare words are found by the index, common ones by reading on.
 */
function holds(key: string): Condition {
  const held = key.split(" ").map((word) => (word.length < leastIndexed ? sql`strpos(${searchText}, ${word}) > 0` : sql`${searchText} like ${`%${word}%`}`));
  return sql`(${sql.join(held, sql` and `)})`;
}

const holding = (handle: Handle, { key, filter }: { key: string; filter: FacilityListFilter }) =>
  handle.selectFrom("facility").select("facilityUuid").where(facilityMatches(filter)).where(holds(key)).limit(sql.lit(1));

const isHeld = async (handle: Handle, asked: { key: string; filter: FacilityListFilter }): Promise<boolean> => (await holding(handle, asked).execute()).length > 0;

/**
 * Words of facility names and codes that a mistyped word may stand for: those that differ by one letter, or by two for words of at least five
 * letters (two swapped letters count as two).
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

/** Whether a facility is similar to a key. */
async function isAlike(handle: Handle, key: string): Promise<Condition> {
  const likely = await listLikelyWords(handle, { words: key.split(" ").map((word) => word.slice(0, 64)) });
  const meant = likely.map(
    // The first condition uses the index, the second one requires whole words.
    (alternatives) => sql<boolean>`${searchText} like any(${alternatives.map((word) => `%${word}%`)}::text[])
      and string_to_array(${searchText}, ' ') && ${alternatives}::text[]`,
  );
  return sql<boolean>`(${key} <% ${searchText} or (${sql.join(meant, sql` and `)}))`;
}

/** What matches in the list of each parent: similar ones only in the lists without a facility that contains all words. */
async function matchBelow(handle: Handle, { key, filter, of }: { key: string; filter: FacilityListFilter; of: Parents }): Promise<Condition> {
  const parents = (await listBelow(of, holding(handle, { key, filter }).where(isBelow(of.edge)))).map((row) => row.parentKey);
  if (parents.length === of.keys.length) return holds(key);
  return sql<boolean>`case when parent.key = any(${parents}) then ${holds(key)} else ${await isAlike(handle, key)} end`;
}

/** Whether the `facility` of a query matches a search within a filter. */
export async function findSearchMatch(handle: Handle, { search, filter }: { search: string; filter: FacilityListFilter }): Promise<Condition> {
  const key = await searchKeyOf(handle, search);
  if (key === "") return sql`false`;
  return (await isHeld(handle, { key, filter })) ? holds(key) : isAlike(handle, key);
}

/** How far a facility is from what was searched: exact identifier, exact code, beginning of a code, whole name, beginning of the name, beginning of a word, anywhere. */
function distanceOf(key: string, isNamed: Condition) {
  const name = sql.ref("facility.nameKey");
  // Whole words are alike by definition; to compute it for each facility of a common word takes longer than all the rest.
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
export async function searchFacilities(handle: Handle, { search, page, sort, ...filter }: FacilityList & { search: string }): Promise<Page<FacilityRow>> {
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
    const ranked = (of ? matches.where(isBelow(of.edge)) : matches).select(["facility.facilityUuid", "facility.facilityName", distanceOf(key, isNamed).as("distance")]);
    const order: Order = {
      columns: byDistance,
      isComputed: true,
      edges: scopedWithin,
      // All that match are ranked, by what ranks them only; the rest is read of the page's few.
      shown: (match) => facilities(handle).innerJoin(sql<Ranked>`(${match})`.as("match"), "match.facilityUuid", "facility.facilityUuid").select("match.distance"),
    };
    // What is ranked has the keys only; `shown` reads the rest of the row.
    return readPage(handle.selectFrom(ranked.as("match")).selectAll() as unknown as SelectQueryBuilder<object, never, FacilityRow>, order, page);
  };

  if (key === "") return listOf(sql`false`);
  /** The similar ones, unless the text is an identifier: what it names has no neighbours. */
  const listAlike = async () => listOf((await isIdentifier(handle, search)) ? sql`false` : await isAlike(handle, key));
  if (of) return (await isHeld(handle, { key, filter })) ? listOf(await matchBelow(handle, { key, filter, of })) : listAlike();
  const held = await listOf(holds(key));
  if (held.rows.length > 0) return held;
  // A page behind the last one is empty too, and so is one that was asked for its number only.
  const isWhole = !page.offset && page.after == null && page.before == null && page.counting !== "only";
  const isThere = isWhole ? held.hasNextPage || held.hasPreviousPage : await isHeld(handle, { key, filter });
  return isThere ? held : listAlike();
}
