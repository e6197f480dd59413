import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/**
 * Lists of many parents in one statement: a query for one parent (the facilities of a province, a chart of a partner)
 * runs for all parents with the same arguments, by a lateral join over their keys. Each parent's part uses the same
 * index as a query for that parent alone.
 */

const keyTypes = {
  provinceId: "integer",
  districtId: "integer",
  implementingPartnerId: "integer",
  serviceAreaId: "integer",
  facilityUuid: "text",
  userUuid: "uuid",
} as const;

/** The name of a parent's key, which says what kind of parent it is. */
export type Edge = keyof typeof keyTypes;
export type ParentKey = string | number;

/** Parents of one kind, and the handle that reads their lists. */
export type Parents = { handle: Handle; edge: Edge; keys: readonly ParentKey[] };

/** The key of the current parent, within a query that `listBelow` repeats for each. */
export const parentKey = (edge: Edge): RawBuilder<never> =>
  keyTypes[edge] === "text" ? sql<never>`parent.key collate "C"` : sql<never>`parent.key`;

/** The condition that a row belongs to the current parent, for queries that join the facility or person. */
const conditions: Record<Edge, (key: RawBuilder<never>) => RawBuilder<SqlBool>> = {
  provinceId: (key) => sql`facility.province_id = ${key}`,
  districtId: (key) => sql`facility.district_id = ${key}`,
  implementingPartnerId: (key) => sql`facility.implementing_partner_id = ${key}`,
  serviceAreaId: (key) => sql`exists (
    select from facility_service_area area where area.facility_uuid = facility.facility_uuid and area.service_area_id = ${key})`,
  facilityUuid: (key) => sql`facility.facility_uuid = ${key}`,
  userUuid: (key) => sql`app_user.user_uuid = ${key}`,
};

/** Conditions by edge, for lists whose parent is not a column of the facility or person that most lists join. */
export type EdgeConditions = Partial<Record<Edge, (key: RawBuilder<never>) => RawBuilder<SqlBool>>>;

const always = () => sql<SqlBool>`true`;
/** For a list whose query filters by the current parent itself. */
export const scopedWithin: EdgeConditions = {
  provinceId: always,
  districtId: always,
  implementingPartnerId: always,
  serviceAreaId: always,
};

/** Whether a row of the query belongs to the current parent. */
export const isBelow = (edge: Edge, own: EdgeConditions = {}): RawBuilder<SqlBool> =>
  (own[edge] ?? conditions[edge])(parentKey(edge));

/**
 * Runs a query for each parent in one statement. Each row has its parent's key, and a parent's rows keep the order of
 * the query.
 */
export async function listBelow<Row>(
  { handle, edge, keys }: Parents,
  query: Expression<unknown>,
): Promise<(Row & { parentKey: ParentKey })[]> {
  const { rows } = await sql<Row & { parentKey: ParentKey }>`
    select parent.key as parent_key, below.*
    from unnest(${[...keys]}::${sql.raw(keyTypes[edge])}[]) as parent (key)
    cross join lateral (select listed.*, row_number() over () as place_in_list from (${query}) as listed) as below
    order by parent.key, below.place_in_list`.execute(handle);
  return rows;
}

/** The rows of each parent. */
export function byParent<Row extends { parentKey: ParentKey }>(
  { keys }: Parents,
  rows: readonly Row[],
): Map<ParentKey, Row[]> {
  const lists = new Map<ParentKey, Row[]>(keys.map((key) => [key, []]));
  for (const row of rows) lists.get(row.parentKey)?.push(row);
  return lists;
}
