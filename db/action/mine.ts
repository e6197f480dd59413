import { type SqlBool, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/** Whose open actions are meant: those that name one of these names (in lower case), or those of a partner. */
export type Mine = { names: readonly string[] } | { implementingPartnerId: number };

const namesOneOf = (names: readonly string[]) => sql<SqlBool>`lower(action.responsible) = any(${[...names]}::text[])`;

/** Whether the `action` of a query is open and of somebody. */
export const isMine = (mine: Mine) =>
  sql<SqlBool>`action.state = 'open' and ${
    "names" in mine
      ? namesOneOf(mine.names)
      : sql<SqlBool>`action.implementing_partner_id = ${mine.implementingPartnerId}`
  }`;

/** Whether an open action names one of these names. */
export async function findWhetherNamed(handle: Handle, { names }: { names: readonly string[] }): Promise<boolean> {
  const { rows } = await sql<{ isNamed: boolean }>`
    select exists (select from action where ${isMine({ names })}) as is_named`.execute(handle);
  return rows[0]!.isNamed;
}
