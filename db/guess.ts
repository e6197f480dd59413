import { sql } from "kysely";

import type { Handle } from "./engine/connect.ts";

/**
 * Guesses at a secret, counted in `sign_in_limit` beside the limits: `points` are the wrong ones, `trying` those that are being looked
 * at. Wrong ones and those being looked at are never more than may be wrong, whatever runs at the same time and on whichever gateway.
 */

/** What somebody guesses at, how many guesses may be wrong, within how many seconds, and whether a right one makes good the wrong ones. */
export type Guessed = { key: string; most: number; seconds: number; forgives: boolean };

const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
/** A gateway that was killed did not say what became of its guesses. */
const forgotten = sql`(sign_in_limit.tried_at < clock_timestamp() - interval '30 seconds')`;
const isOver = sql`coalesce(sign_in_limit.expire <= ${now}, true)`;

/**
 * Takes a place for one more guess. "busy" says that others are being looked at, and that there may be room when they are done; a number
 * says for how many seconds no guess is looked at any more.
 */
export async function insertGuess(handle: Handle, { key, most, seconds }: Omit<Guessed, "forgives">): Promise<"taken" | "busy" | number> {
  const until = sql`${now} + ${seconds * 1000}`;
  const { rows: taken } = await sql`
    insert into sign_in_limit (key, points, expire, trying, tried_at) values (${key}, 0, ${until}, 1, clock_timestamp())
    on conflict (key) do update set
      points = case when ${isOver} then 0 else sign_in_limit.points end,
      expire = case when ${isOver} then ${until} else sign_in_limit.expire end,
      trying = case when ${forgotten} then 1 else sign_in_limit.trying + 1 end,
      tried_at = clock_timestamp()
    where case when ${isOver} then 0 else sign_in_limit.points end + case when ${forgotten} then 0 else sign_in_limit.trying end < ${most}
    returning 1`.execute(handle);
  if (taken.length > 0) return "taken";
  const { rows } = await sql<{ seconds: number }>`
    select greatest(1, ceil((expire - ${now}) / 1000.0))::integer as seconds from sign_in_limit
    where key = ${key} and points >= ${most} and expire > ${now}`.execute(handle);
  return rows[0]?.seconds ?? "busy";
}

/** Says what became of a guess that had a place: a wrong one stays counted, and the last that may be wrong begins the time anew. */
export async function updateGuess(handle: Handle, { key, most, seconds, forgives }: Guessed, outcome: "wrong" | "right" | "unknown"): Promise<void> {
  const changes = {
    wrong: sql`points = points + 1, expire = case when points + 1 >= ${most} then ${now} + ${seconds * 1000} else expire end`,
    right: forgives ? sql`points = 0` : sql`points = points`,
    unknown: sql`points = points`,
  };
  await sql`update sign_in_limit set trying = greatest(0, trying - 1), ${changes[outcome]} where key = ${key}`.execute(handle);
}
