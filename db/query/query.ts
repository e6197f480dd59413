import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { byName, isOwnOrShared } from "../list/owned.ts";
import { type Page, type PageInput, readPage } from "../list/page.ts";

/** Saved queries. */

const queries = (handle: Handle) =>
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
 * Saved queries by name: all, or (`userUuid`) those of a person and the shared ones, or (`mine`) only those of the
 * person.
 */
export const listSavedQueries = (
  handle: Handle,
  { page, ...asked }: { userUuid?: string; mine?: boolean | null; search?: string | null; page: PageInput },
): Promise<Page<SavedQueryRow>> =>
  readPage(queries(handle).where(isOwnOrShared("savedQuery", asked)), byName("savedQuery", "queryUuid"), page);

export function findSavedQuery(handle: Handle, { uuid }: { uuid: string }): Promise<SavedQueryRow | undefined> {
  return queries(handle).where("savedQuery.queryUuid", "=", uuid).executeTakeFirst();
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
