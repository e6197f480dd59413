import { sql } from "kysely";

import type { Handle } from "../../db/engine/connect.ts";
import { allDerived } from "../../db/derived/all.ts";
import { type RevisedNoun, revisedNouns, tablesOf } from "../../db/derived/revision.ts";

/**
 * Finds which nouns a statement reads, from its text, to check the lists from which kept answers come
 * (gateway/rest/answersFrom.ts).
 */

/**
 * Words in statements that write, or whose result depends on more than rows and the day: times, locks, transactions,
 * random numbers, server settings.
 */
const passing =
  /\b(insert|update|delete|merge|truncate|lock|copy|call|set_config|current_setting|now|localtime|localtimestamp|current_time|current_timestamp|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|random|nextval|txid_\w+|pg_\w+|gen_random_uuid)\b/i;

/** The nouns whose rows decide what is in a table: its own, or those of the tables that it is derived from. */
function nounsByTable(): Map<string, readonly RevisedNoun[]> {
  const nouns = new Map<string, readonly RevisedNoun[]>(
    revisedNouns.flatMap((noun) => tablesOf(noun).map((table) => [table, [noun]] as const)),
  );
  // In this list, a table comes after those that it is derived from.
  for (const { sources, tables } of allDerived) {
    const own = sources.map((source) => nouns.get(source));
    if (own.some((each) => each === undefined)) continue;
    for (const table of Object.keys(tables))
      if (!nouns.has(table)) nouns.set(table, [...new Set(own.flatMap((each) => each!))]);
  }
  return nouns;
}

/** The nouns that a statement reads; null where its answer must not be kept. */
export type NounsRead = (text: string) => readonly RevisedNoun[] | null;

const mostTexts = 2000;

/**
 * Returns a function that finds from the text of a statement what it reads. Every word that is the name of a table
 * counts, even if it means something else there: the result may contain too much, but never too little.
 */
export async function findNounsRead(handle: Handle): Promise<NounsRead> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`.execute(
    handle,
  );
  const nouns = nounsByTable();
  const tables = new Set(rows.map(({ name }) => name));
  const read = (text: string): readonly RevisedNoun[] | null => {
    if (!/^\s*(select|with)\b/i.test(text) || passing.test(text)) return null;
    const named = [...new Set(text.toLowerCase().match(/[a-z_][a-z0-9_]*/g))].filter((word) => tables.has(word));
    const found = named.map((table) => nouns.get(table));
    return found.some((each) => each === undefined) ? null : [...new Set(found.flatMap((each) => each!))];
  };
  const known = new Map<string, readonly RevisedNoun[] | null>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = read(text);
    // There are few different texts: what people write is in the values, not in the text.
    if (known.size === mostTexts) known.clear();
    known.set(text, found);
    return found;
  };
}
