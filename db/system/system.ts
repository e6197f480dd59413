import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/** Today in the ministry's zone, YYYY-MM-DD. */
export async function findToday(handle: Handle): Promise<string> {
  const { today } = await handle.selectNoFrom(sql<string>`current_date::text`.as("today")).executeTakeFirstOrThrow();
  return today;
}

/** The number of days from today, in the ministry's zone, to a date; negative if the date is past. */
export async function findDaysFromToday(handle: Handle, { date }: { date: string }): Promise<number> {
  const { days } = await handle
    .selectNoFrom(sql<number>`${date}::date - current_date`.as("days"))
    .executeTakeFirstOrThrow();
  return days;
}

/** Whether the database holds the demonstration country. */
export async function findIsDemonstration(handle: Handle): Promise<boolean> {
  const row = await handle.selectFrom("setting").select("value").where("name", "=", "demonstration").executeTakeFirst();
  return row?.value === "1";
}
