import { sql } from "kysely";

import type { Database } from "../../db/engine/connect.ts";

/** Words in at least this many names tell the kind of facility: they stay as they are. */
const leastOfKind = 40;
/**
 * One alphabet for each further copy of a facility: other vowels, and from the fifth on other consonants too, so that
 * names stay as long and words as rare.
 */
const letters = "aeioubdgklmnpt";
const alphabets = [1, 2, 3, 4, 0, 1, 2, 3, 4].map(
  (turn, index) => "aeiou".slice(turn) + "aeiou".slice(0, turn) + (index < 4 ? "bdgklmnpt" : "dgkbmnplt"),
);

/** Gives the country ten times its facilities: nine more of each, with made-up names, in the same district. */
export async function growFacilities(db: Database): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`
      with kinds as (select word from facility cross join lateral string_to_table(facility_name, ' ') as word group by word having count(*) >= ${leastOfKind})
      insert into facility (facility_uuid, facility_name, hmis_code, district_id, province_id, implementing_partner_id, facility_owner, facility_type)
      select md5(facility_uuid || turn), named.name, case when hmis_code ~ '^[0-9]{1,9}$' then (hmis_code::bigint + turn * 1000000000)::text end,
        district_id, province_id, implementing_partner_id, facility_owner, facility_type
      from facility cross join unnest(${alphabets}::text[]) with ordinality as alphabet (own, turn) cross join lateral (
        select string_agg(case when kinds.word is null then translate(part.word, ${letters}, own) else part.word end, ' ' order by place) as name
        from string_to_table(facility_name, ' ') with ordinality as part (word, place) left join kinds using (word)) as named`.execute(
      connection,
    );
    await sql`vacuum (analyze) facility`.execute(connection);
  });
}

/** A text that is searched, and what kind of text it is. */
export type Term = { kind: string; term: string };

/** 40 texts from the commonest word to whole names, the same for the same country. */
export async function listTerms(db: Database): Promise<Term[]> {
  const { rows } = await sql<Term>`
    with words as materialized (
      select word, count(*) as held from facility cross join lateral string_to_table(search_text, ' ') as word where length(word) >= 4 and word ~ '^[a-z]+$' group by word),
    names as materialized (select search_key(facility_name) as name, hmis_code from facility where hmis_code is not null order by md5(facility_uuid) limit 8)
    (select 'commonest words' as kind, word as term from words order by held desc, word limit 7)
    union all (select 'one trigram', left(word, 3) from words group by 2 order by md5(left(word, 3)) limit 7)
    union all (select 'words of some', word from words where held between 20 and 300 order by md5(word) limit 6)
    union all (select 'words of one', word from words where held = 1 order by md5(word) limit 6)
    union all (select 'whole names', name from names)
    union all (select 'codes', hmis_code from names limit 2)
    union all (select 'two common words', word || ' ' || lead(word) over (order by held desc, word) from words order by held desc, word limit 2)
    union all (select 'mistyped', overlay(name placing 'x' from 3 for 1) from names limit 1)
    union all (select 'nothing', 'zzzzqxj')`.execute(db);
  return rows;
}
