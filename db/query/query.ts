import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { byName, isOwnOrShared } from "../list/owned.ts";
import { type Page, type PageInput, readPage } from "../list/page.ts";

/** Saved queries. */

/** Whether the person pinned the query to Home. */
const isPinned = (userUuid: string | undefined) => sql<boolean>`exists (
  select from query_pin where query_pin.query_uuid = saved_query.query_uuid and query_pin.user_uuid = ${userUuid ?? null})`;

/** All of them, as a person sees them. */
const queries = (handle: Handle, userUuid: string | undefined) =>
  handle
    .selectFrom("savedQuery")
    .innerJoin("appUser", "appUser.userUuid", "savedQuery.ownerUuid")
    .select([
      "savedQuery.queryUuid as uuid",
      "savedQuery.ownerUuid",
      "appUser.userName as ownerUserName",
      "savedQuery.name",
      "savedQuery.description",
      "savedQuery.query",
      sql<Record<string, unknown> | null>`saved_query.variables`.as("variables"),
      "savedQuery.operationName",
      "savedQuery.shared",
      isPinned(userUuid).as("pinned"),
      sql<string>`to_char(saved_query.created_at, 'YYYY-MM-DD')`.as("createdDate"),
      sql<string>`to_char(saved_query.changed_at, 'YYYY-MM-DD')`.as("changedDate"),
    ]);

export type SavedQueryRow = Awaited<ReturnType<ReturnType<typeof queries>["executeTakeFirstOrThrow"]>>;

export type SavedQueryValues = {
  name: string;
  description: string | null;
  query: string;
  variables: Record<string, unknown> | null;
  operationName: string | null;
  shared: boolean;
};

/** The person has another query of this name. */
export class QueryNameTaken extends Error {
  override name = "QueryNameTaken";
}

async function named<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    throw code === "23505" && constraint === "saved_query_one_name_a_person" ? new QueryNameTaken() : error;
  }
}

/**
 * Saved queries by name: all, or (`userUuid`) those of a person and the shared ones, of these (`mine`) only those of the
 * person, or (`pinned`) only those that the person pinned to Home.
 */
export function listSavedQueries(
  handle: Handle,
  {
    page,
    pinned,
    ...asked
  }: {
    userUuid?: string;
    mine?: boolean | null;
    pinned?: boolean | null;
    search?: string | null;
    page: PageInput;
  },
): Promise<Page<SavedQueryRow>> {
  const seen = queries(handle, asked.userUuid).where(isOwnOrShared("savedQuery", asked));
  return readPage(
    pinned == null ? seen : seen.where(isPinned(asked.userUuid), "=", pinned),
    byName("savedQuery", "queryUuid"),
    page,
  );
}

export function findSavedQuery(
  handle: Handle,
  { uuid, userUuid }: { uuid: string; userUuid: string },
): Promise<SavedQueryRow | undefined> {
  return queries(handle, userUuid).where("savedQuery.queryUuid", "=", uuid).executeTakeFirst();
}

/** How many queries a person has pinned and sees. */
export async function countPins(handle: Handle, { userUuid }: { userUuid: string }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from saved_query where ${isPinned(userUuid)} and ${isOwnOrShared("savedQuery", { userUuid })}`.execute(
    handle,
  );
  return rows[0]!.count;
}

type Pin = { uuid: string; userUuid: string };
export async function insertPin(handle: Handle, { uuid, userUuid }: Pin): Promise<void> {
  await handle
    .insertInto("queryPin")
    .values({ queryUuid: uuid, userUuid })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
export async function deletePin(handle: Handle, { uuid, userUuid }: Pin): Promise<void> {
  await handle.deleteFrom("queryPin").where("queryUuid", "=", uuid).where("userUuid", "=", userUuid).execute();
}

export async function countSavedQueries(handle: Handle, { ownerUuid }: { ownerUuid: string }): Promise<number> {
  const { count } = await handle
    .selectFrom("savedQuery")
    .select(sql<number>`count(*)`.as("count"))
    .where("ownerUuid", "=", ownerUuid)
    .executeTakeFirstOrThrow();
  return count;
}

const columnsOf = ({ variables, ...values }: SavedQueryValues) => ({
  ...values,
  variables: variables === null ? null : JSON.stringify(variables),
});

/** @throws QueryNameTaken */
export async function insertSavedQuery(
  handle: Handle,
  { uuid, ownerUuid, ...values }: { uuid: string; ownerUuid: string } & SavedQueryValues,
): Promise<void> {
  await named(
    handle
      .insertInto("savedQuery")
      .values({ queryUuid: uuid, ownerUuid, ...columnsOf(values) })
      .execute(),
  );
}

/** @throws QueryNameTaken */
export async function updateSavedQuery(
  handle: Handle,
  { uuid, ...values }: { uuid: string } & SavedQueryValues,
): Promise<void> {
  await named(
    handle
      .updateTable("savedQuery")
      .set({ ...columnsOf(values), changedAt: sql`now()` })
      .where("queryUuid", "=", uuid)
      .execute(),
  );
}

export async function deleteSavedQuery(handle: Handle, { uuid }: { uuid: string }): Promise<void> {
  await handle.deleteFrom("savedQuery").where("queryUuid", "=", uuid).execute();
}
