import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/**
 * Attempts to guess a secret, counted in `sign_in_limit`: `points` counts wrong ones, `trying` those that are being
 * checked. Together they never exceed the allowed number of wrong ones, whatever runs at the same time and on whichever
 * gateway.
 */

/**
 * The key of the secret; how many guesses may be wrong (`most`) within how many seconds; whether a right one resets the
 * count (`forgives`).
 */
export type Guessed = { key: string; most: number; seconds: number; forgives: boolean };

const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
/**
 * Guesses that are no longer being checked, because their gateway was killed. This time is shorter than the time that
 * the next guess waits (gateway/auth/guessing.ts).
 */
const forgotten = sql`(sign_in_limit.tried_at < clock_timestamp() - interval '10 seconds')`;
const isOver = sql`coalesce(sign_in_limit.expire <= ${now}, true)`;

/**
 * Reserves one more guess. "busy": other guesses are being checked, and one may be allowed after that. A number: no
 * guess is allowed for so many seconds.
 */
export async function insertGuess(
  handle: Handle,
  { key, most, seconds }: Omit<Guessed, "forgives">,
): Promise<"taken" | "busy" | number> {
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

/**
 * Records the result of a reserved guess. A wrong one stays counted; with the last one allowed, the time starts again.
 */
export async function updateGuess(
  handle: Handle,
  { key, most, seconds, forgives }: Guessed,
  outcome: "wrong" | "right" | "unknown",
): Promise<void> {
  const changes = {
    wrong: sql`points = points + 1, expire = case when points + 1 >= ${most} then ${now} + ${seconds * 1000} else expire end`,
    right: forgives ? sql`points = 0` : sql`points = points`,
    unknown: sql`points = points`,
  };
  await sql`update sign_in_limit set trying = greatest(0, trying - 1), ${changes[outcome]} where key = ${key}`.execute(
    handle,
  );
}
