import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { type Derived, planOnce, type SqlFunction } from "./derived.ts";

/**
 * A number for each noun (a subject of the product, such as facility or assessment). Every transaction that changes
 * data of the noun raises it, so an answer is valid as long as the number is the same. It is the sum of several rows
 * (stripes). A transaction raises one that no other transaction holds, so that transactions do not wait for each other.
 */

/** The tables of each noun, from which answers about it are read. */
const nouns = {
  reference: [
    "province",
    "district",
    "implementing_partner",
    "service_area",
    "smartcare_version",
    "connectivity_type",
    "connectivity_provider",
    "boundary",
  ],
  facility: ["facility", "facility_service_area", "facility_identifier", "identifier_system", "facility_merge"],
  assessment: ["assessment", "service_area_assessment", "assessment_revision"],
  tdb: ["tdb", "tdb_computer"],
  download: ["download"],
  rollout: ["rollout", "rollout_facility", "update_report"],
  user: ["app_user"],
  target: ["target"],
  worklist: ["worklist_note"],
  action: ["action"],
} satisfies Record<string, string[]>;
export type RevisedNoun = keyof typeof nouns;
export const revisedNouns = Object.keys(nouns) as RevisedNoun[];
export const tablesOf = (noun: RevisedNoun): readonly string[] => nouns[noun];

const stripes = 8;

const raise: SqlFunction = {
  name: "raise_revision",
  args: "raised text",
  returns: "void",
  settings: planOnce,
  // Once in a transaction is enough. A setting that ends with the transaction, or with the savepoint, records it. If
  // all stripes are held, it waits for the first.
  body: `
    if coalesce(current_setting('smartcare.raised_' || raised, true), '') <> '' then return; end if;
    perform set_config('smartcare.raised_' || raised, 'yes', true);
    update revision set value = value + 1 where ctid = (
      select ctid from revision where noun = raised order by stripe limit 1 for update skip locked);
    if found then return; end if;
    update revision set value = value + 1 where noun = raised and stripe = 0;`,
};

export const revision: Derived = {
  name: "revision",
  purpose:
    "A number for each noun that rises with every transaction that changes what is answered about it, also when derived rows are recounted. It is the sum over the stripes.",
  sources: Object.values(nouns).flat(),
  tables: {
    revision: {
      keys: ["noun", "stripe"],
      measures: { value: "raised by one in each transaction that changes a row of the noun's tables" },
    },
  },
  functions: [raise],
  steps: Object.entries(nouns).flatMap(([noun, tables]) =>
    tables.map((table) => ({ table, body: () => `perform raise_revision('${noun}');` })),
  ),
};

/**
 * Adds the rows of the revision that are missing. They start at the present time in milliseconds, so that a restored
 * database does not repeat a number that it had before. Existing rows are not touched: `on conflict` would wait for a
 * transaction that saves and has raised one, while that one waits for the tables that an upgrade has locked.
 */
export const beginRevisions = sql`
  insert into revision (noun, stripe, value)
  select wanted.noun, part.stripe, case part.stripe when 0 then floor(extract(epoch from clock_timestamp()) * 1000)::bigint else 0 end
  from unnest(${revisedNouns}::text[]) as wanted (noun) cross join generate_series(0, ${sql.lit(stripes - 1)}) as part (stripe)
  where not exists (select from revision where revision.noun = wanted.noun and revision.stripe = part.stripe)
  on conflict do nothing`;

/** The revision of each noun. */
export type Revisions = Record<RevisedNoun, number>;

/**
 * The revisions, as a part of a statement. Run it before the answer is read: then they are never newer than the answer.
 */
export const presentRevisions = sql<Revisions>`(select json_object_agg(noun, value) from (select noun, sum(value)::bigint as value from revision group by noun) as revised)`;

/** Reads the revision of each noun. */
export async function findRevisions(handle: Handle): Promise<Revisions> {
  const { rows } = await sql<{ revisions: Revisions }>`select ${presentRevisions} as revisions`.execute(handle);
  return rows[0]!.revisions;
}
