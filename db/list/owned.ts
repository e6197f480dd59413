import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { Order } from "./page.ts";

/** Lists of what people name, own and may share with others. */

/**
 * Whether the person owns a row or (unless `mine`) others share it, and its name contains the text. Without a person,
 * all rows.
 */
export function isOwnOrShared(
  table: string,
  { userUuid, mine, search }: { userUuid?: string; mine?: boolean | null; search?: string | null },
): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const shared = mine ? sql`` : sql` or ${column("shared")}`;
  const own = userUuid === undefined ? sql`true` : sql`(${column("ownerUuid")} = ${userUuid}${shared})`;
  const named = search ? sql` and position(lower(${search}) in lower(${column("name")})) > 0` : sql``;
  return sql<SqlBool>`(${own}${named})`;
}

/** By name, and by the column `uuid` where names are equal. */
export const byName = (table: string, uuid: string): Order => ({
  columns: [
    { key: "name", column: `${table}.name`, type: "text" },
    { key: "uuid", column: `${table}.${uuid}`, type: "uuid" },
  ],
});
