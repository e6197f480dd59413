import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/**
 * Lists of many parents in one statement: what is asked of one parent (the facilities of a province, a chart of a partner) is
 * asked once for all parents that were asked the same, by a lateral join over their keys. The cost in statements is one,
 * however many parents there are; each parent's part still uses the index that it would use alone.
 */

const keyTypes = {
  provinceId: "integer",
  districtId: "integer",
  implementingPartnerId: "integer",
  serviceAreaId: "integer",
  facilityUuid: "text",
  userUuid: "uuid",
} as const;

/** What parents are told apart by. */
export type Edge = keyof typeof keyTypes;
export type ParentKey = string | number;

/** Parents of one kind, read by this connection. */
export type Parents = { handle: Handle; edge: Edge; keys: readonly ParentKey[] };

/** The key of the parent at hand, within a query that `listBelow` repeats for each. */
export const parentKey = (edge: Edge): RawBuilder<never> =>
  keyTypes[edge] === "text" ? sql<never>`parent.key collate "C"` : sql<never>`parent.key`;

/** A query's own condition for the parent at hand. */
const conditions: Record<Edge, (key: RawBuilder<never>) => RawBuilder<SqlBool>> = {
  provinceId: (key) => sql`facility.province_id = ${key}`,
  districtId: (key) => sql`facility.district_id = ${key}`,
  implementingPartnerId: (key) => sql`facility.implementing_partner_id = ${key}`,
  serviceAreaId: (key) => sql`exists (
    select from facility_service_area area where area.facility_uuid = facility.facility_uuid and area.service_area_id = ${key})`,
  facilityUuid: (key) => sql`facility.facility_uuid = ${key}`,
  userUuid: (key) => sql`app_user.user_uuid = ${key}`,
};

/** Lists in which a parent is found elsewhere than at the facility or person that most lists join: by the list's name. */
export type EdgeConditions = Partial<Record<Edge, (key: RawBuilder<never>) => RawBuilder<SqlBool>>>;

const always = () => sql<SqlBool>`true`;
/** Of a list whose query narrows itself to the parent at hand. */
export const scopedWithin: EdgeConditions = { provinceId: always, districtId: always, implementingPartnerId: always, serviceAreaId: always };

/** Whether a row of the query belongs to the parent at hand. */
export const isBelow = (edge: Edge, own: EdgeConditions = {}): RawBuilder<SqlBool> =>
  (own[edge] ?? conditions[edge])(parentKey(edge));

/** Runs a query once for each parent, in one statement; each row tells its parent, a parent's rows keep their order. */
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
export function byParent<Row extends { parentKey: ParentKey }>({ keys }: Parents, rows: readonly Row[]): Map<ParentKey, Row[]> {
  const lists = new Map<ParentKey, Row[]>(keys.map((key) => [key, []]));
  for (const row of rows) lists.get(row.parentKey)?.push(row);
  return lists;
}
